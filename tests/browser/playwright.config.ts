/**
 * `flow` plays in real browsers against the real server (./test runs it); `shots` takes a picture of every screen
 * (npm run shots), `share` the pictures that a shared link shows (npm run share), `readme` those of README.md, and
 * `figures` measures docs/FIRST_MINUTE.md. Every worker starts its own server.
 */
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const pictures = process.env['BOARDWALK_PICTURES'];

/** The shell draws no window: it uses a third less CPU than the whole browser. */
const chromium =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/test/browser',
  fullyParallel: true,
  workers: 4,
  retries: 0,
  // Generous, for a busy machine: a correct page is ready long before.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    // Everybody needs the first of these; a root shell needs the second, too.
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
        // Each page has its own browser, and few of them do more than request the rules twice.
        '--js-flags=--no-wasm-tier-up --wasm-lazy-compilation',
      ],
    },
    // A trace costs as much as the test itself; --trace on records one.
    trace: 'off',
    viewport: { width: 1280, height: 800 },
    // A test that waits in vain fails soon, and says where.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  },
  projects:
    pictures === undefined
      ? [{ name: 'flow', testMatch: '*.spec.ts' }]
      : [{ name: pictures, testMatch: `${pictures}*.ts` }],
});
