/** Flood-It in a real browser: alone, by keys, with hints, and without the server. */
import { violations } from './support/axe.ts';
import { button, more, says } from './support/island.ts';
import { Server } from './support/server.ts';
import { expect, shown, test } from './support/test.ts';

const board = '/play/flood_it?seed=walk&rows=6&cols=6&colors=3&move_limit=0';

test('a board from a link is solved by following proven hints, and a move is undone', async ({
  player,
}) => {
  const page = await player(board);
  await says(page, 'Move 1').waitFor();
  await expect(page.getByRole('img', { name: 'The board' })).toBeVisible();
  const fewest = page.locator('dl div', { hasText: 'Fewest possible' }).locator('dd');
  await expect(fewest).toHaveText(/^[1-9]$/); // computed in the background, before the first move
  await page.keyboard.press('h');
  await expect(shown(page, /proven the fewest/)).toBeVisible();
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
    await says(page, new RegExp(`^Move ${move + 1}$|in ${move} moves?\\b`)).first().waitFor();
    if ((await says(page, /^You did it in/).count()) > 0) break;
  }
  // The result mentions hints, and such results are kept apart from those without.
  await says(page, /^You did it in \d+ moves?, \d+ hints$/).waitFor();
  const best = page.locator('dl div', { hasText: 'Your best here' }).locator('dd');
  await expect(best).toHaveText('–');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Other games' }).click();
  await button(page, /^Show finished games/).click();
  await expect(page.getByRole('region', { name: 'Your games' })).toContainText(/You did it in \d+ moves?, \d+ hints/);
});

test('once opened, a board is playable without the server, from where it was left', async ({ player, expected }) => {
  expected.push(/Failed to load resource|net::ERR/);
  const page = await player(board, { serviceWorkers: 'allow' });
  await says(page, 'Move 1').waitFor();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.keyboard.press('2');
  await page.keyboard.press('3');
  await page.keyboard.press('1');
  await says(page, /^Move 4$/).waitFor(); // otherwise the page would be left before all three were played
  await page.context().setOffline(true);
  await page.reload();
  await expect(says(page, /^Move 4$/)).toBeVisible();
});

test('a finished game is listed and can be replayed move by move', async ({ player }) => {
  const page = await player('/play/flood_it?seed=walk&rows=4&cols=4&colors=2&move_limit=0');
  for (let move = 1; move < 12; move += 1) {
    await says(page, new RegExp(`^Move ${move}$|^You did it`)).waitFor();
    if ((await says(page, /^You did it/).count()) > 0) break;
    await page.locator('.color:enabled[aria-disabled=false]').click();
  }
  await expect(shown(page, 'Your best here').locator('..')).toContainText(/[0-9]/);
  await page.getByRole('link', { name: 'Other games' }).click();
  await button(page, /^Show finished games/).click();
  await page.getByRole('region', { name: 'Your games' }).getByRole('link').click();
  await shown(page, 'Verified').waitFor();
  await expect(button(page, 'Previous')).toBeDisabled();
  await button(page, 'To the end').click();
  await says(page, /^Solved in \d moves?$/).waitFor();
  await expect(shown(page, 'The territory is').first()).toContainText('16 of 16 squares');
  await expect(button(page, 'Next')).toBeDisabled();
});

test('when a board for one player ends, the next actions are visible first', async ({ player }) => {
  const page = await player('/play/flood_it?seed=walk&rows=6&cols=6&colors=4&move_limit=2', {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  for (let move = 1; move < 3; move += 1) {
    await says(page, new RegExp(`^Move ${move}`)).waitFor();
    await page.locator('.color:enabled[aria-disabled=false]').first().tap();
  }
  await says(page, 'Out of moves').waitFor();
  for (const name of ['Take the last move back', 'Same board', 'New board'])
    await expect(button(page, name)).toBeInViewport({ ratio: 1 });
  // Each figure is shown once.
  await expect(shown(page, 'Par', { exact: true })).toHaveCount(1);
  await button(page, 'Take the last move back').tap();
  await says(page, /^Move 2/).waitFor();
});

test('undo restores a board that was started again', async ({ player }) => {
  const page = await player(board);
  await says(page, 'Move 1').waitFor();
  for (const [n, key] of ['2', '3', '1'].entries()) {
    await page.keyboard.press(key);
    await says(page, `Move ${n + 2}`).waitFor();
  }
  const held = await shown(page, /of 36 squares are yours/).textContent();
  await button(page, 'New').click();
  await button(page, 'Start this board again').click();
  await says(page, 'Move 1').waitFor();
  await expect(shown(page, /Undo brings your moves back\./)).toBeVisible();
  await button(page, 'Undo').click();
  await says(page, 'Move 4').waitFor();
  await expect(shown(page, /of 36 squares are yours/)).toHaveText(held ?? '');
  // A move on the restarted board makes it the one that counts.
  await button(page, 'New').click();
  await button(page, 'Start this board again').click();
  await says(page, 'Move 1').waitFor();
  await page.keyboard.press('2');
  await says(page, 'Move 2').waitFor();
  await button(page, 'Undo').click();
  await says(page, 'Move 1').waitFor();
});

test('on a phone nothing moves or overflows when a hint or the scores are shown', async ({ player }) => {
  const page = await player(board, { viewport: { width: 390, height: 844 } });
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  const at = () => page.getByRole('img', { name: 'The board' }).boundingBox();
  const before = await at();
  await page.keyboard.press('h');
  await page.locator('.hinted').waitFor();
  expect(await at()).toEqual(before);
  await button(page, 'Details').click();
  await page.getByRole('dialog', { name: 'This board' }).waitFor();
  expect(await at()).toEqual(before);
  await page.keyboard.press('Escape');
  for (const label of ['Undo', 'New']) {
    const box = await button(page, label).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  }
});

test('a pasted board can be played, hinted, reloaded, copied, linked and replayed', async ({
  player,
}) => {
  const page = await player(board);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const newBoard = page.getByRole('dialog', { name: 'A new board' });
  const text = newBoard.getByRole('textbox', { name: /A board as text/ });

  await button(page, 'New').click();
  await text.fill('rrg\nyb');
  await newBoard.getByRole('button', { name: 'Play this board' }).click();
  await expect(newBoard.getByRole('alert')).toHaveText(/^Line 2 has 2 squares, and line 1 has 3/);
  await expect(text).toHaveValue('rrg\nyb');
  expect(await violations(page)).toEqual([]);
  await text.fill('rrg\nybg\nrrr');
  await newBoard.getByRole('button', { name: 'Play this board' }).click();
  await expect(newBoard).toBeHidden();
  await expect(shown(page, '3 rows of 3 squares in 4 colours.')).toBeAttached();

  await page.keyboard.press('4'); // yellow: 3 squares, then red would join 3 more
  await says(page, /^Move 2/).waitFor();
  await expect(button(page, 'Red, 3 squares would join')).toBeVisible();
  await page.reload();
  await says(page, /^Move 2/).waitFor();
  await button(page, 'Copy board').click();
  await expect(shown(page, 'Board copied.')).toBeVisible();
  expect(await copied()).toBe('rrg\nybg\nrrr');
  await button(page, 'Copy link').click();
  await expect(shown(page, 'Link to this board copied.')).toBeVisible();
  const link = await copied();
  expect(link).toMatch(/\?board=rrg\.ybg\.rrr&move_limit=\d+$/);
  await button(page, 'Invite others').click();
  await expect(shown(page, /A pasted board can be played on this page only/)).toBeVisible();

  for (let move = 2; move < 9 && (await says(page, /^You did it in/).count()) === 0; move += 1) {
    await page.keyboard.press('h');
    await page.locator('.hinted').click();
    await says(page, new RegExp(`^Move ${move + 1} |^You did it in`)).first().waitFor();
  }
  await expect(says(page, /^You did it in 4 moves/)).toBeVisible();
  await page.getByRole('link', { name: 'Replay' }).click();
  await shown(page, 'Verified').waitFor();
  await expect(shown(page, 'The territory is')).toContainText('2 of 9 squares');
  await button(page, 'Review').click();
  await expect(page.getByRole('region', { name: 'Review' }).locator('.verdict')).toContainText('No single move turned the game.');

  const friend = await player(link.slice(link.indexOf('/play')));
  await expect(shown(friend, '3 rows of 3 squares in 4 colours.')).toBeAttached();
  await friend.goto('/play/flood_it?board=rg.r');
  await expect(shown(friend, 'Line 2 has 1 square, and line 1 has 2: every row needs the same number.')).toBeVisible();
});

test('a link with impossible settings leaves the game playable; line ends and unknown parameters are ignored', async ({
  player,
}) => {
  const page = await player('/play/flood_it?board=rgb%0D%0Agrb%0Abbr&fbclid=1');
  await expect(shown(page, '3 rows of 3 squares in 3 colours.')).toBeAttached();
  await says(page, /^Move 1/).waitFor();
  await page.keyboard.press('2');
  await says(page, /^Move 2/).waitFor();
  const follow = (link: string) =>
    page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, link);
  await follow('/play/flood_it?board=rg.gr&origin=9.9');
  await expect(shown(page, /^This board cannot be made: The origin must be/)).toBeVisible();
  await says(page, /^Move 2/).waitFor(); // the sentence can be there before the board
  await page.keyboard.press('3');
  await says(page, /^Move 3/).waitFor();
  await expect(shown(page, /^This board cannot be made/)).toHaveCount(0);

  await follow('/play/flood_it?seed=walk&rows=5&cols=5&colors=3');
  await expect(shown(page, '5 rows of 5 squares in 3 colours.')).toBeAttached();
  await says(page, /^Move 1/).waitFor();
  await page.keyboard.press('h');
  await page.locator('.hinted').waitFor();
  await follow('/play/flood_it?seed=walk&rows=5&cols=5&colors=6'); // the hint was for another board
  await expect(shown(page, '5 rows of 5 squares in 6 colours.')).toBeAttached();
  await expect(page.locator('.hinted')).toHaveCount(0);
});

test('a link can be copied on a page without a clipboard: without TLS, as in a home network', async ({ player }) => {
  const page = await player('/', { viewport: { width: 390, height: 844 } });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await page.goto('/play/flood_it?board=rgb.grb');
  await button(page, 'Details').click();
  await button(page, 'Copy link').click(); // in a dialog, outside of which nothing can be selected
  await expect(shown(page, 'Link to this board copied.')).toBeVisible();
  await expect(button(page, 'Copy link')).toBeFocused();
  await page.keyboard.press('Escape');
  await button(page, 'New').click();
  const text = page.getByRole('textbox', { name: /A board as text/ });
  await text.press('Control+V');
  await expect(text).toHaveValue(/^http:.*\?board=rgb\.grb/);
});

test('data that another version left in the browser does not keep the page from opening', async ({ player }) => {
  const page = await player('/');
  for (const left of ['{}', '[1]', '{"config":{"rows":1},"seed":"","actions":[]}', '{']) {
    await page.evaluate((text) => {
      localStorage.setItem('boardwalk:solo:flood_it', text);
      localStorage.setItem('boardwalk:flood_it:games', text);
    }, left);
    await page.goto('/play/flood_it');
    await expect(says(page, 'Move 1 of 25')).toBeVisible();
  }
});

test('on the smallest phone ten colours neither overflow nor overlap', async ({ player }) => {
  const page = await player('/play/flood_it?seed=walk&rows=64&cols=64&colors=10', {
    viewport: { width: 320, height: 640 },
  });
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const boxes = [
    await page.getByRole('img', { name: 'The board' }).boundingBox(),
    await page.getByRole('group', { name: 'Colours' }).boundingBox(),
    await button(page, 'Undo').boundingBox(),
    await button(page, 'Details').boundingBox(),
  ];
  for (const [n, box] of boxes.slice(1).entries()) {
    const above = boxes[n];
    expect((above?.y ?? 999) + (above?.height ?? 999)).toBeLessThanOrEqual((box?.y ?? 0) + 0.5);
  }
});

test('on squares of a few pixels every colour has its own bold mark', async ({
  player,
}) => {
  const page = await player('/play/flood_it?seed=walk&rows=64&cols=64&colors=10', {
    viewport: { width: 320, height: 640 },
    deviceScaleFactor: 2,
  });
  await says(page, 'Move 1 of 25').waitFor();
  const cell = page.locator('.board .cell');
  const faint = await cell.nth(5).evaluate((one) => getComputedStyle(one).backgroundPositionY);
  await page.evaluate(() => {
    localStorage.setItem('boardwalk:flood_it:palette', 'grey');
  });
  await page.reload();
  await says(page, 'Move 1 of 25').waitFor();
  await expect(cell.nth(5)).not.toHaveCSS('background-position-y', faint);
  const marks = await page.evaluate(() => {
    const seen = new Map<string, Set<string>>();
    for (const one of document.querySelectorAll('.board .cell')) {
      const { backgroundColor, backgroundPosition } = getComputedStyle(one);
      seen.set(backgroundColor, (seen.get(backgroundColor) ?? new Set()).add(backgroundPosition));
    }
    return [...seen.values()].map((set) => [...set]);
  });
  expect(marks).toHaveLength(10);
  expect(new Set(marks.flat()).size).toBe(10);
});

test('a race: a phone shows progress live too, a player who finishes waits, and the end names the winner', async ({
  player,
  server,
}) => {
  const config = { rows: 5, cols: 5, colors: 2, move_limit: 9, seed: 'race' };
  const made = await fetch(`${server.url}/api/rooms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ game: 'flood_it', config }),
  });
  const { url } = (await made.json()) as { url: string };
  const options = { viewport: { width: 390, height: 844 } };
  const [one, two, watcher] = [await player(url), await player(url, options), await player(url, options)];
  await button(one, 'Play as Player 1').click();
  await button(two, 'Play as Player 2').click();
  await button(one, /^Start/).click();
  const race = (page: typeof one) => page.getByRole('list', { name: 'The race' });
  await expect(race(two)).toContainText('Player 1 0 moves, ');
  await expect(race(watcher)).toContainText('Player 2 0 moves, ');
  await expect(says(watcher, 'Player 1: move 1 of 9')).toBeVisible();
  await expect(shown(watcher, /^The seat of/)).toHaveCount(0); // a seat has no board of its own here
  await expect(button(two, 'New')).toHaveCount(0); // the board stays until the end
  await expect(button(two, 'Hint')).toHaveCount(0); // no help in a race
  await expect(shown(two, /^Fewest moves wins\./)).toBeVisible();
  for (let move = 1; move < 10; move += 1) {
    await says(one, new RegExp(`^Move ${move}|^Done in`)).first().waitFor();
    if ((await says(one, /^Done in/).count()) > 0) break;
    await one.locator('.color:enabled[aria-disabled=false]').click();
  }
  await expect(race(watcher)).toContainText(/Player 1 \d moves?, done/);
  await expect(race(two)).toContainText(/Player 1 \d moves?, done/);
  await expect(two.locator('.spoken[role=status]')).toHaveText(/^Player 1: \d moves?, done\./);
  await expect(one.locator('.color:enabled[aria-disabled=false]')).toHaveCount(0);
  await expect(button(one, 'Undo')).toBeDisabled();
  await expect(says(two, 'Move 1 of 9')).toBeVisible();
  // A player who has finished sees the progress of the others.
  await race(one).getByRole('button', { name: /^Player 2/ }).click();
  await says(one, 'Player 2: 0 moves so far').waitFor();
  await two.locator('.color:enabled[aria-disabled=false]').click();
  await says(one, 'Player 2: 1 move so far').waitFor();
  await expect(one.getByRole('img', { name: 'The board of Player 2' })).toBeVisible();
  await race(one).getByRole('button', { name: /^You/ }).click();
  await says(one, /^Done in/).waitFor();
  // A player who has finished has nothing left to give up, and need not stay for the result.
  await expect(one.locator('dl div', { hasText: 'Your best here' }).locator('dd')).toHaveText(/\d/);
  await more(one).click();
  await expect(button(one, 'Leave the seat')).toBeVisible();
  await expect(button(one, 'Resign')).toHaveCount(0);
  await one.keyboard.press('Escape');
  await more(two).click();
  await button(two, 'Resign').click();
  await two.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect(says(one, /^You won in \d moves?$/)).toBeVisible();
  await expect(says(two, /^Player 1 won in \d moves?$/)).toBeVisible();
  await expect(shown(two, 'You gave up.', { exact: true })).toBeVisible();
  await expect(button(two, 'Take the last move back')).toHaveCount(0);
});

test('when the system forces its colours, the board and the palette keep theirs', async ({ player }) => {
  const page = await player(board, { forcedColors: 'active' });
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  const colours = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))].sort().join(' '),
    );
  const palette = await colours('button.color');
  expect(palette.split(') ').length).toBe(await page.locator('button.color').count());
  expect(await colours('.cell')).toBe(palette);
});

test('when the server is killed after only the home page was opened, the game plays, hints and reloads', async ({
  browser,
}) => {
  const server = await Server.start();
  const page = await browser.newPage({ baseURL: server.url });
  await page.goto('/');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await server.kill();
  await page.goto(board);
  await says(page, 'Move 1').waitFor();
  await page.keyboard.press('h');
  await page.locator('.hinted').click();
  await says(page, 'Move 2').waitFor();
  await page.reload();
  await expect(says(page, 'Move 2')).toBeVisible();
  await page.close();
  await server.stop();
});

test('a page of an older version whose files are gone reloads, once', async ({ player }) => {
  const page = await player(board);
  await says(page, 'Move 1').waitFor();
  const miss = () =>
    page.evaluate(() => {
      document.body.dataset['old'] = 'yes';
      return dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
    });
  const loaded = page.waitForEvent('load');
  await miss().catch(() => false); // the page may be gone before it answers
  await loaded;
  await says(page, 'Move 1').waitFor();
  await expect(page.locator('body')).not.toHaveAttribute('data-old');
  expect(await miss()).toBe(true); // not prevented: the caller gets the error
  await expect(page.locator('body')).toHaveAttribute('data-old', 'yes');
});

test("today's board follows the UTC date, whatever the local time, by button, link and reload", async ({
  player,
}) => {
  const today = () => `daily-${new Date().toISOString().slice(0, 10)}`;
  const before = today();
  const seeds: (string | null)[] = [];
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await player('/play/flood_it', { timezoneId });
    const seed = page.locator('dl .seed');
    await button(page, 'New').click();
    await button(page, "Today's board").click();
    await expect(seed).toHaveText(/^daily-/);
    await page.reload();
    await expect(seed).toHaveText(/^daily-/);
    seeds.push(await seed.textContent());
    await button(page, 'New').click();
    await button(page, 'Easy').click();
    await expect(seed).not.toHaveText(/^daily-/);
    await page.goto('/play/flood_it?daily=true');
    await expect(seed).toHaveText(/^daily-/);
    seeds.push(await seed.textContent());
  }
  for (const seed of seeds) expect([before, today()]).toContain(seed);
});

test('the keyboard focus keeps its place after a colour, an undo, a reset and the end', async ({ player }) => {
  const page = await player('/play/flood_it?seed=walk&rows=4&cols=4&colors=2&move_limit=0');
  await says(page, 'Move 1').waitFor();
  const colour = page.locator('.color:enabled[aria-disabled=false]');
  const name = (await colour.getAttribute('aria-keyshortcuts')) ?? '';
  const chosen = page.locator(`.color[aria-keyshortcuts="${name}"]`);
  await chosen.press('Enter');
  await says(page, 'Move 2').waitFor();
  await expect(chosen).toBeFocused();
  await expect(chosen).toBeDisabled();
  await chosen.press('Enter'); // it is the territory's colour now: nothing is played or refused
  await expect(says(page, 'Move 2')).toBeVisible();
  for (const label of ['Undo', 'Redo']) {
    await button(page, label).press('Enter');
    await says(page, label === 'Redo' ? 'Move 2' : 'Move 1').waitFor();
    await expect(button(page, label)).toBeFocused();
    await expect(button(page, label)).toBeDisabled();
  }
  await button(page, 'New').press('Enter');
  await button(page, 'Start this board again').press('Enter');
  await says(page, 'Move 1').waitFor();
  await expect(button(page, 'New')).toBeFocused();
  for (let move = 1; (await says(page, /^You did it/).count()) === 0; move += 1) {
    await says(page, new RegExp(`^Move ${move}$`)).waitFor();
    await colour.click();
    await says(page, new RegExp(`^Move ${move + 1}$|^You did it`)).first().waitFor();
  }
  await expect(button(page, 'New board')).toBeFocused();
});

test('a colour spreads as a wave that runs outward, and ends soon even on the largest board', async ({
  player,
}) => {
  const page = await player('/play/flood_it?seed=walk&rows=64&cols=64&colors=2&move_limit=0', {
    reducedMotion: 'no-preference',
  });
  await says(page, 'Move 1').waitFor();
  const colour = page.locator('.color:enabled[aria-disabled=false]');
  for (let move = 1; move < 4; move += 1) {
    await colour.click();
    await says(page, `Move ${move + 1}`).waitFor();
  }
  const wave = await page.locator('.board .cell').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const { animationName, animationDelay } = getComputedStyle(cell);
      const step = Number((cell as HTMLElement).style.getPropertyValue('--step'));
      return animationName === 'none' ? [] : [{ step, delay: parseFloat(animationDelay) }];
    }),
  );
  const far = Math.max(...wave.map(({ step }) => step));
  expect(far).toBeGreaterThan(1);
  for (const { step, delay } of wave) {
    expect(step).toBeGreaterThan(0);
    expect(delay).toBeCloseTo(step * Math.min(0.014, 0.4 / far), 3);
  }
});
