/** Flood-It in a real browser: alone, by keys, with hints, and without the server. */
import { AxeBuilder } from '@axe-core/playwright';
import { button, says } from './support/island.ts';
import { expect, test } from './support/test.ts';

const board = '/play/flood_it?seed=walk&rows=6&cols=6&colors=3&move_limit=0';

test('a board from a link is solved by following proven hints, and a move is taken back', async ({
  player,
}) => {
  const page = await player(board);
  await says(page, 'Move 1').waitFor();
  await expect(page.getByRole('img', { name: 'The board' })).toBeVisible();
  const fewest = page.locator('dl div', { hasText: 'Fewest possible' }).locator('dd');
  await expect(fewest).toHaveText(/^[1-9]$/); // found beside the game, before its first move
  await page.keyboard.press('h');
  await expect(page.getByText(/proven the fewest/)).toBeVisible();
  await page.locator('.hinted').click();
  await says(page, 'Move 2').waitFor();
  await button(page, 'Undo').click();
  await says(page, 'Move 1').waitFor();
  await button(page, 'Redo').click();
  await says(page, 'Move 2').waitFor();
  await expect(button(page, 'Redo')).toBeDisabled();
  await button(page, 'Undo').click();
  await says(page, 'Move 1').waitFor();
  for (let move = 1; move < 30; move += 1) {
    await page.keyboard.press('h');
    await page.locator('.hinted').click();
    await says(page, new RegExp(`^Move ${move + 1}$|in ${move} moves?$`)).first().waitFor();
    if ((await says(page, /^You did it in/).count()) > 0) break;
  }
  await says(page, /^You did it in/).waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test('once opened it plays without the server, where it was left', async ({ player, expected }) => {
  expected.push(/Failed to load resource|net::ERR/);
  const page = await player(board);
  await says(page, 'Move 1').waitFor();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.keyboard.press('2');
  await page.keyboard.press('3');
  await page.keyboard.press('1');
  await says(page, /^Move 4$/).waitFor(); // or it would be left before all three were played
  await page.context().setOffline(true);
  await page.reload();
  await expect(says(page, /^Move 4$/)).toBeVisible();
});

test('a finished game is listed, and watched again move by move', async ({ player }) => {
  const page = await player('/play/flood_it?seed=walk&rows=4&cols=4&colors=2&move_limit=0');
  for (let move = 1; move < 12; move += 1) {
    await says(page, new RegExp(`^Move ${move}$|^You did it`)).waitFor();
    if ((await says(page, /^You did it/).count()) > 0) break;
    await page.locator('.color:enabled').click();
  }
  await expect(page.getByText('Your best here').locator('..')).toContainText(/[0-9]/);
  await button(page, /^Watch the game of/).click();
  const game = page.getByRole('dialog', { name: 'A game of yours' });
  await expect(game.getByRole('paragraph')).toHaveText(/The start, \d+ of 16 cells/);
  await expect(game.getByRole('button', { name: 'A move back' })).toBeDisabled();
  await game.getByRole('slider', { name: 'Move' }).press('End');
  await expect(game.getByRole('paragraph')).toHaveText(/Move \d+ of \d+: \w+, 16 of 16 cells/);
  await expect(game.getByRole('button', { name: 'A move on' })).toBeDisabled();
  await page.keyboard.press('Escape');
  // Looking at it has played nothing, and to load the page again keeps nothing twice.
  await expect(says(page, /^You did it/)).toBeVisible();
  await page.reload();
  await expect(button(page, /^Watch the game of/)).toHaveCount(1);
});

test('on a phone nothing moves or overflows when a hint or the scores are shown', async ({ player }) => {
  const page = await player(board, { viewport: { width: 390, height: 844 } });
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  const at = () => page.getByRole('img', { name: 'The board' }).boundingBox();
  const before = await at();
  await page.keyboard.press('h');
  await page.locator('.hinted').waitFor();
  expect(await at()).toEqual(before);
  await button(page, 'Scores, games and sharing').click();
  await page.getByRole('dialog', { name: 'This board' }).waitFor();
  expect(await at()).toEqual(before);
  await page.keyboard.press('Escape');
  for (const label of ['Undo', 'New']) {
    const box = await button(page, label).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  }
});
