/** A board that another tab, a link, "New", Back or a reload could destroy stays. */
import type { Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import { button, says } from './support/island.ts';
import { expect, shown, test } from './support/test.ts';

const board = (seed: string) => `/play/flood_it?seed=${seed}&rows=8&cols=8&colors=4&move_limit=0`;

/** Plays this many moves, and waits until each is shown. */
async function play(page: Page, moves: number): Promise<void> {
  for (let move = 0; move < moves; move += 1) {
    const now = await says(page, /^Move \d+/).textContent();
    await page.locator('.color[aria-disabled=false]').first().click();
    await says(page, `Move ${Number(/\d+/.exec(now ?? '')?.[0]) + 1}`).waitFor();
  }
}

const seedOf = (page: Page) => page.locator('dl div', { hasText: 'Seed' }).locator('dd');

test('no board replaces another: a second tab, a link in the same tab, New, Back, a reload', async ({
  player,
}) => {
  const first = await player(board('one'));
  await play(first, 3);

  const second = await first.context().newPage();
  await second.goto(board('two'));
  await expect(seedOf(second)).toHaveText('two');
  await play(second, 1);
  await first.reload();
  await expect(says(first, 'Move 4')).toBeVisible();
  await expect(seedOf(first)).toHaveText('one');

  await first.goto(board('three'));
  await expect(seedOf(first)).toHaveText('three');
  await expect(button(first, /^Go on with the board you left/)).toContainText(
    '8×8, 4 colours, 3 moves',
  );
  await first.goBack();
  await expect(says(first, 'Move 4')).toBeVisible();
  await expect(seedOf(first)).toHaveText('one');

  await button(first, 'New').click();
  await button(first, 'Easy').click();
  await expect(says(first, /^Move 1/)).toBeVisible();
  await expect(seedOf(first)).not.toHaveText('one');
  await first.reload();
  await expect(says(first, /^Move 1/)).toBeVisible();
  await first.goBack();
  await expect(seedOf(first)).toHaveText('one');
  await expect(says(first, 'Move 4')).toBeVisible();

  // The same link again: the board is as it was left.
  await first.goto(board('one'));
  await expect(says(first, 'Move 4')).toBeVisible();
  await first.goto(board('four'));
  await button(first, /^Go on with the board you left/).click();
  await expect(says(first, 'Move 4')).toBeVisible();
  await expect(seedOf(first)).toHaveText('one');
});

test('a board opened in a second tab continues there, and returns with its moves', async ({
  player,
}) => {
  const first = await player(board('same'));
  await play(first, 2);
  const second = await first.context().newPage();
  await second.goto(board('same'));
  await expect(says(second, 'Move 3')).toBeVisible();
  await play(second, 1);
  await expect(says(first, 'You opened this game again')).toBeVisible();
  await button(first, 'Play here').click();
  await expect(says(first, 'Move 4')).toBeVisible();
  await play(first, 1);
  await expect(says(second, 'You opened this game again')).toBeVisible();
  await second.reload();
  await expect(says(second, 'Move 5')).toBeVisible();
  await play(second, 1);
});

test('saves of an earlier version become boards of this one, each where it was left', async ({
  player,
}) => {
  const page = await player('/');
  await page.evaluate(() => {
    const move = (color: string) => ({ type: 'select_color', color });
    const save = (id: string, config: object, actions: object[], more: object = {}) => {
      const text = { id, board: '', label: '', config, seed: '0a'.repeat(32), actions, ...more };
      const kept = { moves: actions.length, ended: false, started: 5, touched: 5 };
      localStorage.setItem(`boardwalk:solo:flood_it:${id}`, JSON.stringify({ ...kept, ...text }));
    };
    const own = { rows: 8, cols: 8, colors: 4, move_limit: 0, seed: 'old' };
    save('a', own, [move('yellow'), move('red'), { type: 'undo' }], { touched: 9 });
    const pasted = { rows: 3, cols: 3, colors: 4, move_limit: 'classic', seed: 'pasted-1' };
    save('b', pasted, [move('yellow')], { given: '001301000' });
    save('c', { seed: 'untouched' }, []);
    localStorage.setItem('boardwalk:solo:flood_it', '{');
  });
  await page.goto('/play/flood_it');
  await button(page, 'New').click();
  await expect(button(page, /^Go on: 8×8, 4 colours, 1 move$/).or(button(page, /^Go on: 3×3, 4 colours, 1 move$/))).toHaveCount(1);
  await page.goto(board('old'));
  await expect(says(page, 'Move 2')).toBeVisible();
  await button(page, 'Redo').click();
  await expect(says(page, 'Move 3')).toBeVisible();
  await page.goto('/play/flood_it?board=rrg.yrg.rrr');
  await expect(says(page, /^Move 2/)).toBeVisible();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':solo:'))),
  ).toEqual([]);
  await page.goto('/');
  await button(page, 'Show all (1)').click(); // it shows only one of them at first
  await expect(page.getByRole('region', { name: 'Your games' })).toContainText('8×8, 4 colours, 2 moves');
});

test('Undo takes back "Start this board again", also after a reload', async ({
  player,
}) => {
  const page = await player(board('again'));
  await play(page, 3);
  await button(page, 'New').click();
  await button(page, 'Start this board again').click();
  await expect(says(page, 'Move 1')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(says(page, 'Move 4')).toBeVisible();
  await button(page, 'New').click();
  await button(page, 'Start this board again').click();
  await expect(says(page, 'Move 1')).toBeVisible();
  await page.reload();
  await expect(says(page, 'Move 1')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(says(page, 'Move 4')).toBeVisible();
});

test('a setting changed in one tab applies in the other, and neither tab undoes the other’s choice', async ({
  player,
}) => {
  const first = await player('/');
  const second = await first.context().newPage();
  await second.goto('/');
  const choose = async (page: Page, word: string): Promise<void> => {
    await button(page, 'Settings').click();
    await shown(page, word, { exact: true }).click();
    await page.keyboard.press('Escape');
  };
  await choose(first, 'Dark');
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  await choose(second, 'High');
  await expect(first.locator('html')).toHaveAttribute('data-contrast', 'more');
  await second.reload();
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test("the home page remembers unfinished boards, today's board, its result, and the days in a row", async ({
  player,
}) => {
  const page = await player(board('left'), { viewport: { width: 390, height: 664 } });
  await play(page, 2);
  await page.goto('/play/flood_it?daily=true&preset=easy');
  for (let move = 1; move < 30; move += 1) {
    await says(page, new RegExp(`^Move ${move} of|^You did it in`)).first().waitFor();
    if ((await says(page, /^You did it in/).count()) > 0) break;
    await page.keyboard.press('h');
    await page.locator('.hinted').click();
  }
  const ended = (await says(page, /^You did it in/).textContent()) ?? '';
  const home = async (): Promise<void> => {
    await page.goto('/');
    await button(page, 'Join').scrollIntoViewIfNeeded(); // it loads when it becomes visible
    await expect(page.getByRole('heading', { name: 'Today’s Flood-It board' })).toBeVisible();
  };
  await home();
  const games = page.getByRole('region', { name: 'Your games' });
  await expect(games.getByRole('link', { name: /8×8, 4 colours, 2 moves/ })).toBeVisible();
  // None of it pushes the games off the first screen.
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  await expect(page.getByRole('button', { name: /^Flooded Island/ })).toBeInViewport();
  await button(page, 'Show finished games (1)').click();
  const finished = games.getByRole('link', { name: new RegExp(ended.replace(', ', '.*')) });
  await expect(finished).toHaveAttribute('href', /^\/local\/replay\//);
  const today = page.getByRole('region', { name: 'Today’s Flood-It board' });
  await expect(today).toContainText(/Solved in \d+ moves\. 1 day in a row\./);
  await today.getByText('Calendar and best scores').click();
  await expect(today.getByRole('cell', { name: /: solved in \d+ moves/ })).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  // The next day the streak continues; the day after, a day was missed.
  const now = Date.now();
  await page.clock.setFixedTime(now + 86_400_000);
  await home();
  await expect(today).toContainText('1 day in a row. Today’s is still to come.');
  await page.clock.setFixedTime(now + 2 * 86_400_000);
  await home();
  await expect(today).toContainText('The same for everyone');
  await button(page, 'Show finished games (1)').click();
  await finished.click();
  await expect(shown(page, 'Verified: fair game')).toBeVisible();
});

for (const [why, methods] of [
  ['full', ['setItem']],
  ['forbidden', ['getItem', 'setItem', 'removeItem', 'key']],
] as const) {
  test(`when storage is ${why}, the page says so once, and the game continues`, async ({ player }) => {
    const page = await player('about:blank');
    await page.addInitScript((names) => {
      for (const name of names)
        Object.defineProperty(Storage.prototype, name, {
          value: () => {
            throw new DOMException('No.', 'QuotaExceededError');
          },
        });
    }, methods);
    await page.goto(board('full'));
    await play(page, 2);
    await page.setViewportSize({ width: 390, height: 664 });
    await expect(shown(page, /^This browser cannot store anything/)).toBeVisible();
    for (const name of ['Undo', 'New']) await button(page, name).click({ trial: true }); // not covered
    await button(page, 'Close this message').click();
    await play(page, 1);
    await expect(shown(page, /^This browser cannot store anything/)).toHaveCount(0);
  });
}
