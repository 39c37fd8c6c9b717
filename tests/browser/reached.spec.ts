/** If the script does not load or the connection fails, the page says why; a translated page keeps working. */
import { button, says } from './support/island.ts';
import { Server } from './support/server.ts';
import { blank, expect, shown, test } from './support/test.ts';
import { roomOf, seatIn } from './support/wire.ts';

test('when the script does not load, a sentence says so', async ({ player, expected }) => {
  expected.push(/Failed to load resource/);
  const page = await player('about:blank');
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto('/');
  await expect(shown(page, /Boardwalk's script has not loaded/)).toBeVisible();
  await page.unrouteAll();
  await page.goto('/');
  await expect(shown(page, /script has not loaded/)).toHaveCount(0);
});

test('a refused connection is not blamed on the network', async ({ browser }) => {
  const server = await Server.start({ MAX_SOCKETS_PER_ADDRESS: '1' });
  const context = await browser.newContext({ baseURL: server.url });
  const first = await context.newPage();
  await first.goto('/');
  const room = await roomOf(first, 'flooded_island');
  await first.goto(`/game/${room}`);
  await says(first, 'Take a seat').waitFor();
  const second = await context.newPage();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await second.route('**/api/games', async (route) => {
    await held;
    await route.continue();
  });
  const asked = second.waitForRequest('**/api/games');
  await second.goto(`/game/${room}`);
  await asked;
  await expect(says(second, /^Joining room/)).toBeVisible();
  answer();
  await expect(
    says(second, /^(The game connection is refused|Too many connections)$/),
  ).toBeVisible();
  await expect(shown(second, /MAX_SOCKETS_PER_ADDRESS/)).toBeVisible();
  await first.close();
  await expect(says(second, 'Take a seat')).toBeVisible();
  await context.close();
  await server.stop();
});

test('a translated page still says whose turn it is', async ({ player }) => {
  const walker = await player(blank);
  const room = await roomOf(walker, 'flooded_island');
  await seatIn(walker, room, 'journeyman');
  await walker.goto(`/game/${room}`);
  await button(walker, 'Add bot').click();
  await button(walker, 'Start the game').click();
  await says(walker, 'Your turn, day 1').waitFor();
  await walker.evaluate(() => {
    const walkText = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walkText.nextNode()) nodes.push(walkText.currentNode as Text);
    for (const node of nodes.filter((one) => one.data.trim() !== '')) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = node.data.toUpperCase();
      outer.append(inner);
      node.replaceWith(outer);
    }
  });
  await expect(says(walker, 'YOUR TURN, DAY 1')).toBeVisible();
  await walker.locator('[data-cell="1,1"]').click();
  await button(walker, /end turn/i).click();
  await expect(says(walker, 'Your turn, day 2')).toBeVisible();
  await expect(shown(walker, 'YOUR TURN, DAY 1')).toHaveCount(0);
});
