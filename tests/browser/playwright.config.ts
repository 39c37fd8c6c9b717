/**
 * `flow` plays in real browsers against the real server (./test runs it); `shots`
 * makes a picture of every screen (npm run shots), `share` the pictures that a
 * shared link shows (npm run share), `readme` those of README.md, `figures` docs/FIRST_MINUTE.md. Every worker starts a server of its own.
 */
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const pictures = process.env['BOARDWALK_PICTURES'];

/** The shell draws no window: it takes a third less of a processor than the whole browser does. */
const chromium =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/test/browser',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  // Wide, for a crowded machine: what is right is there long before.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    // Only the first of these is needed by everybody; a root shell needs the second, too.
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
        // Each page has a browser of its own, and few of them do more than ask the rules twice.
        '--js-flags=--no-wasm-tier-up --wasm-lazy-compilation',
      ],
    },
    // A trace costs as much as the test; --trace on makes one.
    trace: 'off',
    viewport: { width: 1280, height: 800 },
    // A test that waits for what never comes says so soon, and where.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  },
  projects:
    pictures === undefined
      ? [{ name: 'flow', testMatch: '*.spec.ts' }]
      : [{ name: pictures, testMatch: `${pictures}*.ts` }],
});
