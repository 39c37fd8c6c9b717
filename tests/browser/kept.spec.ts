/** Kind: work of a person that another tab, a link, "New", Back or a reload could destroy. */
import type { Page } from '@playwright/test';
import { button, says } from './support/island.ts';
import { expect, test } from './support/test.ts';

const board = (seed: string) => `/play/flood_it?seed=${seed}&rows=8&cols=8&colors=4&move_limit=0`;

/** Plays so many moves; the moves lie in the copied text. */
async function play(page: Page, moves: number): Promise<void> {
  for (let move = 0; move < moves; move += 1) {
    const now = await says(page, /^Move \d+/).textContent();
    await page.locator('.color[aria-disabled=false]').first().click();
    await says(page, `Move ${Number(/\d+/.exec(now ?? '')?.[0]) + 1}`).waitFor();
  }
}

const seedOf = (page: Page) => page.locator('dl div', { hasText: 'Seed' }).locator('dd');

test('no board takes the place of another: a second tab, a link in the same one, New, Back, a reload', async ({
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

  // The link again: the board is there as it was left.
  await first.goto(board('one'));
  await expect(says(first, 'Move 4')).toBeVisible();
  await first.goto(board('four'));
  await button(first, /^Go on with the board you left/).click();
  await expect(says(first, 'Move 4')).toBeVisible();
  await expect(seedOf(first)).toHaveText('one');
});

test('two tabs with the same board show the same moves', async ({ player }) => {
  const first = await player(board('same'));
  await play(first, 2);
  const second = await first.context().newPage();
  await second.goto(board('same'));
  await expect(says(second, 'Move 3')).toBeVisible();
  await play(second, 1);
  await expect(says(first, 'Move 4')).toBeVisible();
  // A tab that shows the other's move writes nothing: or the two would answer each other for ever.
  await first.evaluate(() => {
    const seen = window as unknown as { heard: number };
    seen.heard = 0;
    addEventListener('storage', () => (seen.heard += 1));
  });
  await play(first, 1);
  await expect(says(second, 'Move 5')).toBeVisible();
  await play(second, 1);
  await expect(says(first, 'Move 6')).toBeVisible();
  expect(await first.evaluate(() => (window as unknown as { heard: number }).heard)).toBe(1);
  await second.reload();
  await expect(says(second, 'Move 6')).toBeVisible();
});

test('"Start this board again" is taken back by Undo, after a reload of the page too', async ({
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

test('a choice in one tab holds in the other, and neither takes back what the other chose', async ({
  player,
}) => {
  const first = await player('/');
  const second = await first.context().newPage();
  await second.goto('/');
  const choose = async (page: Page, word: string): Promise<void> => {
    await button(page, 'Settings').click();
    await page.getByText(word, { exact: true }).click();
    await page.keyboard.press('Escape');
  };
  await choose(first, 'Dark');
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
  await choose(second, 'High');
  await expect(first.locator('html')).toHaveAttribute('data-contrast', 'more');
  await second.reload();
  await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');
});

for (const [why, methods] of [
  ['full', ['setItem']],
  ['forbidden', ['getItem', 'setItem', 'removeItem', 'key']],
] as const) {
  test(`where storage is ${why} it is said once, and the game goes on`, async ({ player }) => {
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
    await expect(page.getByText(/^This browser is not storing anything/)).toBeVisible();
    for (const name of ['Undo', 'New']) await button(page, name).click({ trial: true }); // not covered
    await button(page, 'Close this message').click();
    await play(page, 1);
    await expect(page.getByText(/^This browser is not storing anything/)).toHaveCount(0);
  });
}
