/** Two people on one device: a seat each, and a page between their turns. */
import { button, makeRoom, says, sit } from './support/island.ts';
import { expect, test } from './support/test.ts';

test('the device is passed on between turns, over a reload too', async ({ player }) => {
  const page = await player('/', { viewport: { width: 390, height: 844 } });
  await makeRoom(page);
  await sit(page, 'Adventurer');
  await button(page, 'Share this device').click();
  await expect(page.getByText('On this device')).toBeVisible();
  await button(page, 'Start the game').click();
  await says(page, 'Your turn, day 1').waitFor();
  await page.locator('[data-cell="1,1"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Pass the device').waitFor();
  await button(page, 'I have it').click();
  await says(page, 'Your turn, night 1').waitFor();
  await page.locator('[data-cell="0,0"]').click();
  await button(page, 'End Turn').click();
  await says(page, 'Pass the device').waitFor();
  await page.reload();
  await says(page, /Pass the device|Your turn, day 2/).waitFor();
});
