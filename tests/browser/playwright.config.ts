/**
 * Two projects: `flow` plays in real browsers against the real server (which
 * ./test runs), `shots` makes a picture of every screen (npm run shots).
 * Every worker starts a server of its own; see support/server.ts.
 */
import { defineConfig } from '@playwright/test';

const shots = process.env['BOARDWALK_SHOTS'] !== undefined;

export default defineConfig({
  testDir: '.',
  outputDir: '../../build/test/browser',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
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
    trace: 'retain-on-failure',
    viewport: { width: 1280, height: 800 },
  },
  projects: shots
    ? [{ name: 'shots', testMatch: 'shots.ts' }]
    : [{ name: 'flow', testMatch: '*.spec.ts' }],
});
