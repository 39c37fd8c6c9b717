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
  const reached = says(page, /^Move [2-4]$/);
  await reached.waitFor();
  const title = await reached.textContent();
  await page.context().setOffline(true);
  await page.reload();
  await expect(says(page, /^Move [2-4]$/)).toHaveText(title ?? '');
});
