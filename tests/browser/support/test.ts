/**
 * `test` with a server for each worker and `player`, which opens a page in its own browser context (own storage).
 * Whatever a page logs as an error or throws fails the test: a refused inline style is such an error.
 */
import { test as base } from '@playwright/test';
import type { BrowserContextOptions, Locator, Page } from '@playwright/test';
import { Server } from './server.ts';

export { expect } from '@playwright/test';

/** A page of the server without a client in it, for a test that creates a room first: fast, with the same storage. */
export const blank = '/favicon.svg';

/** Words that a person sees: the live region, which repeats them for screen readers a moment later, is left out. */
export const shown = (page: Page, words: string | RegExp, options?: { exact?: boolean }): Locator =>
  page.getByText(words, options).and(page.locator(':not(.spoken[role="status"])'));

interface Fixtures {
  player: (path?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Errors that a test expects, as when the server is gone. */
  expected: RegExp[];
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  // eslint-disable-next-line no-empty-pattern
  expected: async ({}, use) => {
    await use([]);
  },
  player: async ({ browser, server, expected }, use) => {
    const errors: string[] = [];
    const contexts: { close: () => Promise<void> }[] = [];
    await use(async (path = '/', options = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        // Waves that never stop would use most of a core. A test of animations asks for 'no-preference'.
        reducedMotion: 'reduce',
        // It fetches every file of the client. A test without a network asks for 'allow'.
        serviceWorkers: 'block',
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      contexts.push(context);
      context.on('weberror', (error) => errors.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    for (const context of contexts) await context.close();
    const surprises = errors.filter((text) => !expected.some((pattern) => pattern.test(text)));
    if (surprises.length > 0) throw new Error(`Errors in the browser:\n${surprises.join('\n')}`);
  },
});
