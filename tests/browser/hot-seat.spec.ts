/** Two people on one device: one seat each, and the board turns to the player whose turn it is. */
import { button, makeRoom, says, sit } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

test('the board continues with the other side at once, also after a reload', async ({ player }) => {
  const page = await player(blank, { viewport: { width: 390, height: 844 } });
  await makeRoom(page);
  await sit(page, 'Adventurer');
  await button(page, 'Same device').click();
  await expect(shown(page, 'On this device')).toBeVisible();
  await button(page, 'Start the game').click();
  await says(page, 'Your turn, day 1').waitFor();
  await page.locator('[data-cell="1,1"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, night 1').waitFor();
  await page.locator('[data-cell="0,0"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, day 2').waitFor();
  await page.reload();
  await says(page, 'Your turn, day 2').waitFor();
  await page.locator('[data-cell="2,2"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Your turn, night 2').waitFor();
});
