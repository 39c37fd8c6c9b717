/**
 * `flow` plays in real browsers against the real server (./test runs it); `shots`
 * makes a picture of every screen (npm run shots), `share` the pictures that a
 * shared link shows (npm run share). Every worker starts a server of its own.
 */
import { defineConfig } from '@playwright/test';

const pictures = process.env['BOARDWALK_PICTURES'];

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/test/browser',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  // Wide, for a crowded machine: what is right is there long before.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    // Only the first of these is needed by everybody; a root shell needs the second, too.
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
    // Without pictures: to film a board whose waves never rest takes most of a core.
    trace: { mode: 'retain-on-failure', screenshots: false },
    viewport: { width: 1280, height: 800 },
    // A test that waits for what never comes says so soon, and where.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  },
  projects:
    pictures === undefined
      ? [{ name: 'flow', testMatch: '*.spec.ts' }]
      : [{ name: pictures, testMatch: `${pictures}.ts` }],
});
