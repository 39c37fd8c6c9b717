/**
 * A player who leaves the page is away for the others, and back at once on return, even if the browser keeps the page:
 * in its back/forward cache, which Playwright disables and this file enables, or as a frozen tab.
 * Also: going back never leads to the same page again.
 */
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { button, more, says } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';
import { roomOf, seatIn } from './support/wire.ts';

let cached: Browser;
test.beforeAll(async ({}, info) => {
  cached = await chromium.launch({
    ...info.project.use.launchOptions,
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', // the shell has no back/forward cache
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
});
test.afterAll(async () => {
  await cached.close();
});

/** Both seats of a running game; the walker's browser has the back/forward cache. */
async function game(
  url: string,
  player: (path?: string) => Promise<Page>,
): Promise<[Page, Page, string]> {
  const walker = await (await cached.newContext({ baseURL: url, reducedMotion: 'reduce' })).newPage();
  await walker.goto('/');
  const room = await roomOf(walker, 'flooded_island');
  await seatIn(walker, room, 'journeyman', 'Ann');
  await walker.goto(`/game/${room}`);
  const weather = await player(blank);
  await seatIn(weather, room, 'weather', 'Bo');
  await weather.goto(`/game/${room}`);
  await button(walker, 'Start the game').click();
  for (const page of [walker, weather]) await says(page, /day 1/i).waitFor();
  return [walker, weather, room];
}

test('a player who opens another site in the same tab is away at once, and returns with Back', async ({
  player,
  server,
}) => {
  const [walker, weather] = await game(server.url, player);
  const goAndReturn = async () => {
    await walker.evaluate(() => {
      (globalThis as { stayed?: boolean }).stayed = true;
    });
    const left = Date.now();
    await walker.goto('about:blank');
    await expect(shown(weather, /paused until Ann is back/)).toBeVisible({ timeout: 25_000 });
    expect(Date.now() - left).toBeLessThan(25_000);
    await walker.goBack({ waitUntil: 'commit' }); // a page from the cache loads nothing
    await expect(shown(weather, /paused until/)).toHaveCount(0);
    await says(walker, /day 1/i).waitFor();
    return walker.evaluate(() => (globalThis as { stayed?: boolean }).stayed);
  };
  // The very same page from the cache: otherwise this test would prove nothing. A browser that is short of time may
  // drop it, so there are three attempts.
  const stayed = (await goAndReturn()) ?? (await goAndReturn()) ?? (await goAndReturn());
  expect(stayed).toBe(true);
  await walker.locator('[data-cell="1,1"]').click();
  await button(walker, 'End Turn').click();
  await expect(says(weather, 'Your turn, night 1')).toBeVisible();
});

/** A tab without Playwright, which would keep the tab in front; a tab in front never freezes. */
async function tabOf(browser: Browser, url: string) {
  const cdp = await browser.newBrowserCDPSession();
  const { targetId } = await cdp.send('Target.createTarget', { url });
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (answer: string) => void>();
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    waiting.get((JSON.parse(message) as { id: number }).id)?.(message);
  });
  let id = 0;
  /** Sends a command; returns the browser's answer. */
  return async (method: string, params: object): Promise<string> => {
    id += 1;
    const mine = id;
    const answer = new Promise<string>((resolve) => waiting.set(mine, resolve));
    await cdp.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return answer;
  };
}

test('a frozen tab is away, and returns when it wakes; a closed tab is away', async ({
  player,
  server,
}) => {
  const weather = await player(blank);
  const room = await roomOf(weather, 'flooded_island');
  await seatIn(weather, room, 'journeyman', 'Ann');
  const seat = await weather.evaluate((key) => localStorage.getItem(key), `boardwalk:room:${room}`);
  const tab = await tabOf(cached, `${server.url}/favicon.svg`);
  const run = (expression: string): Promise<string> => tab('Runtime.evaluate', { expression });
  /** Waits until it holds: a tab answers before its page has loaded. */
  const until = (condition: string): Promise<void> =>
    expect.poll(() => run(`String(Boolean(${condition}))`)).toContain('"true"');
  await until(`location.origin === '${server.url}'`);
  await run(
    `localStorage.setItem('boardwalk:room:${room}', ${JSON.stringify(seat)}); location = '/game/${room}'`,
  );
  await seatIn(weather, room, 'weather', 'Bo');
  await weather.goto(`/game/${room}`);
  await says(weather, 'Waiting for Ann to start the game').waitFor();
  const start = `[...document.querySelectorAll('button')].find((one) => /Start the game/.test(one.textContent))`;
  await until(start);
  await run(`${start}.click()`);
  await says(weather, /day 1/i).waitFor();

  await tab('Page.setWebLifecycleState', { state: 'frozen' });
  await expect(shown(weather, /paused until Ann is back/)).toBeVisible({ timeout: 25_000 });
  await tab('Page.setWebLifecycleState', { state: 'active' });
  await expect(shown(weather, /paused until/)).toHaveCount(0);
  void tab('Page.close', {}); // a closed tab does not answer
  await expect(shown(weather, /paused until Ann is back/)).toBeVisible();
});

test('after a rematch Back leads to the page before, and the finished game can be viewed', async ({
  player,
  server,
}) => {
  const [walker, weather, room] = await game(server.url, player);
  await more(walker).click();
  await button(walker, 'Resign').click();
  await walker.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  for (const page of [walker, weather]) await button(page, 'Play again').click();
  await expect(walker).not.toHaveURL(new RegExp(`${room}$`));
  const next = walker.url();
  await says(walker, /day 1/i).waitFor(); // whoever has not been there yet is led there again
  await walker.goBack({ waitUntil: 'commit' });
  await expect(walker).toHaveURL(`${server.url}/`);
  await walker.goForward({ waitUntil: 'commit' });
  await expect(walker).toHaveURL(next);
  await walker.goto(`/game/${room}`);
  await expect(says(walker, 'You lost')).toBeVisible();
  await walker.getByRole('link', { name: 'Go to the next game' }).click();
  await expect(walker).toHaveURL(next);
  await walker.goBack({ waitUntil: 'commit' });
  await expect(says(walker, 'You lost')).toBeVisible();
});
