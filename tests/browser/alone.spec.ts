/** The other player is gone, and the one who waits can continue; reactions; and changing a name. */
import { button, says, seatBoth, start } from './support/island.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

test('the opponent sees reactions and can mute them; a new name appears on both pages', async ({
  player,
}) => {
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  await button(walker, 'More').click();
  await walker.getByLabel('Your name').fill('Ann');
  await button(walker, 'Change name').click();
  const react = async (name: string): Promise<void> => {
    await button(walker, 'More').click();
    await button(walker, name).click();
  };
  await react('Applaud');
  await expect(weather.getByText('Ann applauds')).toBeVisible();
  await expect(walker.getByText('You: Applaud')).toBeVisible();
  await expect(weather.getByText('Ann applauds')).toHaveCount(0);
  await button(weather, 'More').click();
  await weather.getByRole('switch', { name: 'Show reactions' }).uncheck();
  await weather.keyboard.press('Escape');
  await react('Heart');
  await expect(walker.getByText('You: Heart')).toBeVisible();
  await expect(weather.getByText('Ann sends a heart')).toHaveCount(0);
});

test('a bot plays for a player who is away, until they return', async ({ browser }) => {
  const server = await Server.start({ AWAY_SECONDS: '3' });
  const player = async (path = '/') => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  const path = new URL(weather.url()).pathname;
  await weather.goto('about:blank');
  await says(walker, 'Waiting for opponent...').waitFor();
  await expect(button(walker, 'Let a bot play on')).toHaveCount(0);
  await button(walker, 'Let a bot play on').click();
  await expect(walker.getByText(/You can end the game and win in 1\d\d seconds/)).toBeVisible();
  await button(walker, /^Let a bot play for/).click();
  await expect(says(walker, 'Your turn, day 1')).toBeVisible();
  await weather.goto(path);
  await expect(says(weather, /day 1/i)).toBeVisible();
  await walker.context().close();
  await weather.context().close();
  await server.stop();
});
