/** The keyboard's place in a game that runs: nobody has to walk back to the board by Tab. */
import type { Page } from '@playwright/test';
import { games, way } from './support/first-minute.ts';
import { button, emptyRoom, more, says } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

/** From the keyboard: a click would move the focus, too. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await button(page, name).press('Enter');
}

async function playHere(page: Page, title: string, ways: string[]): Promise<void> {
  await page.locator('button.card').filter({ hasText: title }).press('Enter');
  for (const name of ways) await way(page, name).press('Enter');
}

/** A room of the server with a bot, which has started. A whole dungeon takes a bot too long to end it alone. */
async function playThere(page: Page, id: string): Promise<void> {
  await page.goto(await emptyRoom(page, id, id === 'monadungeon' ? { deck_size: 16, torch_turns: 6 } : {}));
  await button(page, /^Play as/).first().press('Enter');
  await press(page, 'Add bot');
  await button(page, 'Remove bot').waitFor();
  await press(page, 'Start the game');
}

for (const game of games) {
  test(`${game.title}: a reload leads to the board, here and in a room of the server`, async ({ player }) => {
    const page = await player('/');
    await playHere(page, game.title, game.way);
    await game.ready(page);
    await page.reload();
    await game.ready(page);
    await expect(game.keys.from(page)).toBeFocused();
    await playThere(page, game.id);
    await game.ready(page);
    await page.reload();
    await game.ready(page);
    await expect(game.keys.from(page)).toBeFocused();
    expect(await page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
  });

  test(`${game.title}: after "Play here" the board has the focus, after a resignation the next action`, async ({ player }) => {
    const page = await player(blank);
    await playThere(page, game.id);
    await game.ready(page);
    const other = await page.context().newPage();
    await other.goto(new URL(page.url()).pathname);
    await game.ready(other);
    await page.bringToFront();
    await press(page, 'Play here');
    await game.ready(page);
    await expect(game.keys.from(page)).toBeFocused();

    await more(page).press('Enter');
    await press(page, 'Resign');
    await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).press('Enter');
    await shown(page, 'Game over').first().waitFor();
    await expect(button(page, /^(Play again|New board|Take the last move back)$/)).toBeFocused();
  });
}

test('whoever watches keeps the focus where it is', async ({ player }) => {
  const page = await player(blank);
  await playThere(page, 'flooded_island');
  await says(page, /^Your turn, day 1/).waitFor();
  const watcher = await player(new URL(page.url()).pathname);
  await watcher.getByRole('grid').waitFor();
  expect(await watcher.evaluate(() => document.activeElement === document.body)).toBe(true);
});
