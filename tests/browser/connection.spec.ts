import { button, fields, lower, makeRoom, playOut, says, seatBoth, sit, start, walk } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

/** Errors that Chromium logs while the server is down, or goes down in the middle of a request. The page asks over HTTP
 * why it cannot connect. If the server returns at that very moment, it answers that plain GET of a WebSocket address
 * with 426. */
const serverAway = [
  /WebSocket connection/,
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/,
  /426 \(Upgrade Required\)/,
];

test('a reload in every status restores the seat, the settings and the choice', async ({
  player,
}) => {
  const walker = await player(blank);
  const path = await makeRoom(walker);
  await sit(walker, 'Adventurer');
  await walker.reload();
  await expect(says(walker, 'Send the link to a friend')).toBeVisible();
  await expect(button(walker, 'Add name')).toBeVisible();

  const weather = await player(path);
  await sit(weather, 'Weather');
  await lower(walker, 'Width', 3);
  await lower(walker, 'Height', 3);
  await walker.reload();
  await weather.reload();
  await expect(says(walker, 'Ready to start')).toBeVisible();
  await expect(walker.getByRole('spinbutton').first()).toHaveValue('3');
  await expect(says(weather, /^Waiting for/)).toBeVisible();

  await start(walker);
  await walker.locator('[data-cell="1,1"]').click();
  await expect(button(walker, 'End Turn')).toBeEnabled();
  await expect(walker.locator('[aria-busy]')).toHaveCount(0);
  await walker.reload();
  await expect(says(walker, 'Your turn, day 1')).toBeVisible();
  await expect(fields(walker, /chosen/)).toHaveAttribute('data-cell', '1,1');
  await walker.locator('[data-cell="1,1"]').click();
  await playOut(walker, weather, 2);
  const days = await walker.getByRole('definition').first().textContent();
  await walker.reload();
  await expect(says(walker, 'You lost')).toBeVisible();
  await expect(walker.getByRole('definition').first()).toHaveText(days ?? '');
  await expect(button(walker, 'Play again')).toBeVisible();
});

test('the game waits for a player who is away, and continues when they return', async ({ player }) => {
  const { walker, weather, path } = await seatBoth(player);
  await start(walker);
  await weather.goto('/');
  await expect(says(walker, 'Waiting for opponent...')).toBeVisible();
  await walker.locator('[data-cell="1,1"]').click();
  await expect(fields(walker, /chosen/)).toHaveCount(0);
  await weather.goto(path);
  await expect(says(weather, 'Day 1 of 365')).toBeVisible();
  await walk(walker, 1);
  await expect(says(weather, 'Your turn, night 1')).toBeVisible();
});

test('a second tab takes the seat; the first says so and can take it back', async ({ player }) => {
  const { walker, weather, path } = await seatBoth(player);
  await start(walker);
  const second = await walker.context().newPage();
  await second.goto(path);
  await expect(says(second, 'Your turn, day 1')).toBeVisible();
  await expect(says(walker, 'You opened this game again')).toBeVisible();
  await walk(second, 1);
  await expect(says(weather, 'Your turn, night 1')).toBeVisible();
  await button(weather, 'Pass the night').click();
  await button(walker, 'Play here').click();
  await expect(says(walker, 'Your turn, day 2')).toBeVisible();
  await expect(says(second, 'You opened this game again')).toBeVisible();
  await walk(walker, 2);
  await expect(says(weather, 'Your turn, night 2')).toBeVisible();
});

test('when the server is killed, the page says so, counts down, and recovers by itself', async ({
  player,
  server,
  expected,
}) => {
  expected.push(...serverAway);
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  await walk(walker, 1);
  await says(weather, 'Your turn, night 1').waitFor();
  await weather.locator('[data-cell="4,4"]').click();
  await expect(shown(weather, '1/2')).toBeVisible();
  await server.kill();
  for (const page of [walker, weather]) {
    await expect(says(page, 'Connection lost')).toBeVisible();
    await expect(shown(page, /Trying again in \d+ seconds?/)).toBeVisible();
  }
  // The board stays as it was, and every control that would have no effect is disabled.
  await expect(fields(weather, /the adventurer stands here/)).toHaveAttribute('data-cell', '1,1');
  await weather.locator('[data-cell="6,6"]').click();
  await server.start();
  await expect(says(walker, 'Night 1 of 365')).toBeVisible({ timeout: 20_000 });
  await expect(says(weather, 'Your turn, night 1')).toBeVisible({ timeout: 20_000 });
  await expect(fields(weather, /chosen/)).toHaveAttribute('data-cell', '4,4');
  await button(weather, 'End Turn').click();
  await expect(says(walker, 'Your turn, day 2')).toBeVisible();
  await expect(fields(walker, /flooded/)).toHaveAttribute('data-cell', '4,4');
});

test('a choice that a dying server never received is made once both players are back', async ({
  player,
  server,
  expected,
}) => {
  expected.push(...serverAway, /ERR_INTERNET_DISCONNECTED/);
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  await walk(walker, 1);
  await says(weather, 'Your turn, night 1').waitFor();
  server.stall();
  await weather.locator('[data-cell="4,4"]').click();
  await expect(shown(weather, '1/2')).toBeVisible();
  await walker.context().setOffline(true);
  await server.kill();
  await server.start();
  // The player who chose returns first: the room waits for the other player, and so must the choice.
  await expect(says(weather, 'Waiting for opponent...')).toBeVisible({ timeout: 20_000 });
  await walker.context().setOffline(false);
  await expect(says(weather, 'Your turn, night 1')).toBeVisible({ timeout: 20_000 });
  await expect(fields(weather, /chosen/)).toHaveAttribute('data-cell', '4,4');
  await expect(shown(weather, /game is paused/)).toHaveCount(0);
  await button(weather, 'End Turn').click();
  await expect(says(walker, 'Your turn, day 2')).toBeVisible();
  await expect(fields(walker, /flooded/)).toHaveAttribute('data-cell', '4,4');
});

test('without a network the page waits, and reconnects at once when the network returns', async ({
  player,
  expected,
}) => {
  // 426: the page sends a plain request to learn why it has no socket.
  expected.push(/WebSocket connection/, /ERR_INTERNET_DISCONNECTED/, /status of 426/);
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  await walker.clock.install();
  await walker.context().setOffline(true);
  await expect(says(walker, 'Connection lost')).toBeVisible();
  // At once: the page's clock stands still, so nothing that waits for a timer would happen.
  await walker.clock.pauseAt(Date.now() + 60_000);
  await walker.context().setOffline(false);
  await expect(says(walker, 'Your turn, day 1')).toBeVisible();
  await walker.clock.resume();
  await walk(walker, 1);
  await expect(says(weather, 'Your turn, night 1')).toBeVisible();
});

test('a third person watches and cannot change anything', async ({ player }) => {
  const { walker, weather, path } = await seatBoth(player);
  const watcher = await player(path);
  await expect(says(watcher, 'All seats are taken')).toBeVisible();
  await start(walker);
  await expect(says(watcher, 'Day 1 of 365')).toBeVisible();
  await expect(button(watcher, 'End Turn')).toHaveCount(0);
  await watcher.locator('[data-cell="1,1"]').click();
  await walk(walker, 1);
  await expect(says(watcher, 'Night 1 of 365')).toBeVisible();
  await expect(fields(watcher, /the adventurer stands here/)).toHaveAttribute('data-cell', '1,1');
  await expect(shown(walker, 'watching')).toHaveCount(1);
  await says(weather, 'Your turn, night 1').waitFor();
});
