import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { licenses } from './build/licenses.ts';
import { offline } from './build/offline.ts';
import { precompress } from './build/precompress.ts';
import { rules } from './build/rules.ts';

const server = process.env['BOARDWALK_SERVER'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [rules(), svelte(), licenses(), offline(), precompress()],
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': server, '/ws': { target: server, ws: true } },
  },
  build: {
    // The tokens use light-dark(), which must reach the browser as it is written.
    target: ['chrome123', 'safari17.5', 'firefox120'],
    // Nothing is inlined: the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: {
    environment: 'jsdom',
    setupFiles: ['build/fresh.ts'],
    // Wide, for a crowded machine.
    testTimeout: 120_000,
    projects: [
      // The whole client listens to its page for good.
      { extends: true, test: { name: 'client', include: ['src/main.test.ts'] } },
      // A page for each file would take four times as long; build/fresh.ts cleans up after each instead.
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['src/**/*.test.ts'],
          exclude: ['src/main.test.ts'],
          isolate: false,
        },
      },
    ],
  },
});
