/**
 * Playing without a network, from the second visit on. Each game is started and played against the computer, its tab is
 * closed in the middle and opened again, and its replay is watched; the page says so if something cannot be stored.
 */
import type { Page } from '@playwright/test';
import { button, more, says } from './support/island.ts';
import { expect, shown, test } from './support/test.ts';

test.use({ expected: [/ERR_INTERNET_DISCONNECTED|Failed to load resource/] });

type Player = (path?: string, options?: object) => Promise<Page>;

/** The second visit, without a network from then on. */
async function withoutNetwork(player: Player): Promise<Page> {
  const page = await player('/', { serviceWorkers: 'allow' });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
      });
  });
  await page.context().setOffline(true);
  await page.reload();
  return page;
}

async function play(page: Page, title: string, way = 'Play the computer'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  await button(page, way).click();
  await page.waitForURL(/\/local\/[A-Z0-9]+$/);
}

/** Closes the tab, and opens the game again from another. */
async function reopened(page: Page): Promise<Page> {
  const context = page.context();
  const url = page.url();
  await page.close();
  const next = await context.newPage();
  await next.goto(url);
  return next;
}

async function resign(page: Page): Promise<void> {
  await more(page).click();
  await button(page, 'Resign').click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Resign/ })
    .click();
}

test('the island is played, left, continued, finished and replayed', async ({ player }) => {
  let page = await withoutNetwork(player);
  await play(page, 'Flooded Island');
  await says(page, 'Your turn, day 1').waitFor();
  await page.locator('[data-cell="1,1"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, day 2').waitFor();
  page = await reopened(page);
  await says(page, 'Your turn, day 2').waitFor();
  await resign(page);
  await shown(page, 'Game over').first().waitFor();
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(shown(page, 'Verified: fair game')).toBeVisible();
});

test('every other game continues where its tab was closed', async ({ player }) => {
  let page = await withoutNetwork(player);

  await play(page, 'Monadungeon');
  await says(page, 'Your turn: 4 moves left').waitFor();
  await page.locator('[data-target]:not([data-ghost])').first().click();
  await says(page, /place the tile|3 moves left/).waitFor();
  const stood = await says(page, /place the tile|3 moves left/).innerText();
  page = await reopened(page);
  await expect(says(page, stood)).toBeVisible();
  await page.goto('/');

  await play(page, 'Flag War');
  await page.locator('[data-cell="5,8"]').click();
  await page
    .getByRole('gridcell', { name: /can be reached/ })
    .first()
    .click();
  const order = (on: Page) =>
    on
      .getByRole('listitem')
      .filter({ hasText: /piece 2 to|Blue 2 to/ })
      .first();
  await order(page).waitFor();
  page = await reopened(page);
  await expect(order(page)).toBeVisible();
  await page.goto('/');

  await play(page, 'Flood-It', 'Race the computer');
  await says(page, /^Move 1/).waitFor();
  await page.locator('.color:enabled[aria-disabled=false]').first().click();
  await says(page, /^Move 2/).waitFor();
  page = await reopened(page);
  await expect(says(page, /^Move 2/)).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your games' }).getByRole('link')).toHaveCount(3);
});

test('a backup file restores the games of a browser after all were deleted', async ({ player }) => {
  const page = await player('/', { acceptDownloads: true });
  await play(page, 'Flooded Island');
  await says(page, 'Your turn, day 1').waitFor();
  await page.locator('[data-cell="1,1"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, day 2').waitFor();
  const game = page.url();
  await page.goto('/');
  await button(page, 'Settings').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save to a file').click(),
  ]);
  const saved = await file.path();
  await button(page, 'Delete all').click();
  await Promise.all([page.waitForEvent('load'), button(page, 'Delete all, now').click()]);
  await expect(page.getByRole('heading', { name: 'Your games' })).toBeHidden();
  await button(page, 'Settings').click();
  await Promise.all([
    page.waitForEvent('load'),
    page.locator('input[type=file][accept=".json"]').setInputFiles(saved),
  ]);
  await page.locator('section[aria-labelledby=my-games] a').click();
  await expect(page).toHaveURL(game);
  await says(page, 'Your turn, day 2').waitFor();
  await resign(page);
  await shown(page, 'Game over').first().waitFor();
});

test('a running game becomes a link, and a friend continues it', async ({ player }) => {
  const phone = { viewport: { width: 390, height: 664 } };
  const page = await player('/', phone);
  await play(page, 'Monadungeon');
  await says(page, 'Your turn: 4 moves left').waitFor();
  await page.locator('[data-target]').first().click();
  await says(page, 'Your turn: place the tile').waitFor();
  await more(page).click();
  await button(page, 'Play on with a friend').click();
  await page.waitForURL(/\/game\/[A-Z0-9]+$/);
  await page.getByRole('dialog', { name: 'Send the link' }).waitFor();
  await page.keyboard.press('Escape');
  const friend = await player(new URL(page.url()).pathname, phone);
  // Above the board, which is longer than this screen.
  await expect(button(friend, 'Take this seat')).toBeInViewport({ ratio: 1 });
  await button(friend, 'Take this seat').click();
  await says(page, 'Your turn: place the tile').waitFor();
  await resign(page);
  await says(friend, 'Your turn: 4 moves left').waitFor();
});

/* Regression: rounds are played against a seat that nobody has taken yet. */
test('a game of rounds that continues with a friend waits until they have joined', async ({ player }) => {
  const page = await player('/');
  await play(page, 'Flag War');
  await button(page, 'Ready').click();
  // On the clock, and in the log.
  const rounds = shown(page, /^Round [1-9]\d*$/).first();
  await rounds.waitFor();
  await more(page).click();
  await button(page, 'Play on with a friend').click();
  await page.waitForURL(/\/game\/[A-Z0-9]+$/);
  await page.getByRole('dialog', { name: 'Send the link' }).waitFor();
  await page.keyboard.press('Escape');
  await says(page, 'Get ready').waitFor();
  await expect(shown(page, 'No round is played before every seat is taken.')).toBeVisible();
  // What can be read stays in its place when the button goes.
  const rules = page.locator('.ready ul');
  const before = await rules.boundingBox();
  await button(page, 'Ready').click();
  await says(page, 'You are ready').waitFor();
  expect(await rules.boundingBox()).toEqual(before);
  const friend = await player(new URL(page.url()).pathname);
  await button(friend, 'Take this seat').click();
  await expect(shown(friend, /The clock starts in \d+ second/)).toBeVisible();
  await button(friend, 'Ready').click();
  await rounds.waitFor();
  await expect(says(page, 'You are ready')).toHaveCount(0);
});

/* Regression: a game is lost while its page is hidden. Nobody else waits, so the clock stands still. */
test('the clock of Flag War stands still while its page is hidden, then continues from there', async ({ player }) => {
  test.slow();
  const page = await player('/');
  await play(page, 'Flag War');
  await button(page, 'Ready').click();
  await shown(page, /^Round [1-9]\d*$/).first().waitFor();
  /** Every round that the map has shown, and when: a test that looks now and then would miss some. */
  await page.evaluate(() => {
    const seen = window as unknown as { rounds: { round: number; at: number }[] };
    const at = document.querySelector('.strip .round') ?? document.body;
    const look = (): void => {
      const round = Number(/\d+/.exec(at.textContent ?? '')?.[0]);
      if (seen.rounds.at(-1)?.round !== round) seen.rounds.push({ round, at: performance.now() });
    };
    seen.rounds = [];
    look();
    new MutationObserver(look).observe(at, { childList: true, subtree: true, characterData: true });
  });
  const rounds = (): Promise<{ round: number; at: number }[]> =>
    page.evaluate(() => (window as unknown as { rounds: { round: number; at: number }[] }).rounds);
  const round = async (): Promise<number> => (await rounds()).at(-1)?.round ?? NaN;
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  const hidden = await round();
  await page.waitForTimeout(10_000); // more than three rounds
  const stood = await round();
  expect(stood - hidden).toBeLessThanOrEqual(1); // the one that was in progress
  const back = await page.evaluate(() => performance.now());
  await show('visible');
  await expect.poll(round).toBeGreaterThanOrEqual(stood + 2);
  const later = (await rounds()).filter(({ at }) => at > back);
  expect(later.slice(0, 2).map((one) => one.round)).toEqual([stood + 1, stood + 2]); // one by one: none had accumulated
  expect((later[1]?.at ?? 0) - back).toBeGreaterThan(2_500);
  // The same if a link leads to another page and the game is opened again.
  await show('hidden');
  const left = await round();
  await page.reload();
  await shown(page, /^Round [1-9]\d*$/).first().waitFor();
  await expect
    .poll(async () => Number(/\d+/.exec((await page.locator('.strip .round').first().textContent()) ?? '')?.[0]))
    .toBeGreaterThan(left);
});

test('when nothing can be stored, the page says so, and the game continues', async ({ player }) => {
  const page = await player('/');
  await page.route('**/assets/worker-*.js', async (route) => {
    const script = await route.fetch();
    const denied = 'indexedDB.open = () => { throw new DOMException("", "SecurityError"); };\n';
    await route.fulfill({ response: script, body: denied + (await script.text()) });
  });
  await play(page, 'Flooded Island', 'Same device');
  await expect(shown(page, 'This browser cannot store the game')).toBeVisible();
  await says(page, 'Your turn, day 1').waitFor();
  await page.locator('[data-cell="1,1"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, night 1').waitFor();
});
