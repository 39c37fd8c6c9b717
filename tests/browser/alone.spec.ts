/** The other player is gone, and the one who waits can continue; reactions; and changing a name. */
import type { Page } from '@playwright/test';
import { button, more, says, seatBoth, start, stopClock } from './support/island.ts';
import { Server } from './support/server.ts';
import { expect, shown, test } from './support/test.ts';

/** What a page has shown of reactions: each goes away soon, and a slow test would come too late to see it. */
async function reactionsOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen = window as unknown as { reactions: string[] };
    seen.reactions = [];
    new MutationObserver((changes) => {
      for (const node of changes.flatMap((change) => [...change.addedNodes]))
        if (node instanceof HTMLElement && node.matches('[role=status] > p') && node.checkVisibility())
          seen.reactions.push(node.innerText.trim());
    }).observe(document.body, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { reactions: string[] }).reactions);
}

test('the opponent sees reactions and can mute them; a new name appears on both pages', async ({
  player,
}) => {
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  const [own, other] = [await reactionsOf(walker), await reactionsOf(weather)];
  await more(walker).click();
  await walker.getByLabel('Your name').fill('Ann');
  await button(walker, 'Change name').click();
  const react = async (name: string): Promise<void> => {
    await more(walker).click();
    await button(walker, name).click();
  };
  await react('Applaud');
  await expect.poll(other).toEqual(['Ann applauds']);
  await expect.poll(own).toEqual(['You: Applaud']);
  await expect(shown(weather, 'Ann applauds')).toHaveCount(0);
  await more(weather).click();
  await weather.getByRole('switch', { name: 'Show reactions' }).uncheck();
  await weather.keyboard.press('Escape');
  await react('Heart');
  await expect.poll(own).toEqual(['You: Applaud', 'You: Heart']);
  await expect(shown(weather, 'Ann sends a heart')).toHaveCount(0);
  expect(await other()).toEqual(['Ann applauds']);
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
  // The page's clock stands still: nothing is offered before its time, however late the test looks.
  await stopClock(walker);
  await weather.goto('about:blank');
  await says(walker, 'Waiting for opponent...').waitFor();
  const known = Date.now();
  await walker.clock.runFor(2_000);
  await expect(button(walker, 'Let a bot play on')).toHaveCount(0);
  await walker.clock.runFor(2_000);
  await walker.clock.resume();
  // The server has a clock of its own: by that one, too, the player is away for long enough.
  await expect.poll(() => Date.now() - known).toBeGreaterThan(3_000);
  await button(walker, 'Let a bot play on').click();
  await expect(shown(walker, /You can end the game and win in 1\d\d seconds/)).toBeVisible();
  await button(walker, /^Let a bot play for/).click();
  await expect(says(walker, 'Your turn, day 1')).toBeVisible();
  await weather.goto(path);
  await expect(says(weather, /day 1/i)).toBeVisible();
  await walker.context().close();
  await weather.context().close();
  await server.stop();
});
