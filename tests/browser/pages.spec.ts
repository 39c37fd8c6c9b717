import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violationsInBoth } from './support/axe.ts';
import { button, customise, makeRoom, more, playOut, says, sit, start, walk } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

test('axe finds no violations on any screen, in light and dark', async ({ player, expected }) => {
  test.slow();
  expected.push(/404/);
  const clean = async (of: Page, where: string): Promise<void> => {
    expect(await violationsInBoth(of), `axe on ${where}`).toEqual([]);
  };
  const page = await player('/', { colorScheme: 'light' });
  await button(page, /^Flooded Island/).waitFor();
  await clean(page, 'home');
  await button(page, 'Settings').click();
  await clean(page, 'settings');
  await page.keyboard.press('Escape');
  await button(page, /^Flooded Island/).click();
  await clean(page, 'a card, opened');
  await page.keyboard.press('Escape');
  await page.getByLabel('Have a code?').fill('A');
  await button(page, 'Join').click();
  await clean(page, 'a wrong code');
  await makeRoom(page);
  await clean(page, 'a new room');
  await sit(page, 'Adventurer');
  await clean(page, 'waiting');
  await button(page, 'QR code').click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await clean(page, 'the QR code');
  const weather = await player(new URL(page.url()).pathname, { colorScheme: 'light' });
  await sit(weather, 'Weather');
  await clean(page, 'configuring');
  await clean(weather, 'waiting for the configuration');
  await customise(page);
  await clean(page, 'single settings');
  await page.getByRole('spinbutton').first().fill('3');
  await page.getByRole('spinbutton').first().blur();
  await expect(weather.getByRole('status').filter({ hasText: /^3$/ })).toHaveCount(1);
  await start(page);
  await clean(page, 'your turn');
  await clean(weather, 'their turn');
  await walk(page, 1);
  await says(weather, 'Your turn, night 1').waitFor();
  await clean(weather, 'your night');
  await clean(page, 'their night');
  await more(page).click();
  await clean(page, 'the menu');
  await button(page, 'Resign').click();
  await clean(page, 'resigning');
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await says(page, 'You lost').waitFor();
  await clean(page, 'the end, lost');
  await clean(weather, 'the end, won');
  for (const path of ['/nowhere', '/game/x', '/game/NOSUCH', '/replay/NOSUCH']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await clean(page, path);
  }
});

test('a wrong code, a wrong link and a missing replay are explained in a sentence', async ({
  player,
  expected,
}) => {
  expected.push(/404/);
  const page = await player('/');
  await page.getByLabel('Have a code?').fill('no');
  await page.keyboard.press('Enter');
  await expect(shown(page, 'A code has 4 to 12 letters and digits')).toBeVisible();
  await page.getByLabel('Have a code?').fill('zzzz99');
  await page.keyboard.press('Enter');
  await expect(shown(page, 'There is no room ZZZZ99')).toBeVisible();
  await page.goto('/game/no');
  await expect(says(page, "This is not a room's link")).toBeVisible();
  await page.goto('/replay/NOSUCHREPLAY');
  await expect(says(page, 'There is no such replay')).toBeVisible();
  await page.getByRole('link', { name: 'Choose a game' }).click();
  await expect(button(page, /^Flooded Island/)).toBeVisible();
});

test('a mistyped address is a page that says so and leads home; programs get their own answer', async ({
  player,
  expected,
  server,
}) => {
  expected.push(/400|404/);
  const page = await player('/');
  /* Playwright would mend these addresses. */
  const go = (path: string): Promise<unknown> =>
    Promise.all([
      page.waitForEvent('load'),
      page.evaluate((to) => location.assign(to), path).catch(() => undefined), // the page may be gone before it answers
    ]);
  for (const [path, title] of [
    ['/game/%E0%A4%A', "This is not a room's link"],
    ['/game/a%2Fb', "This is not a room's link"],
    ['/learn/%ZZ', 'Page not found'],
    ['/rules/%', 'Page not found'],
    ['/replay/%E0', 'Page not found'],
    ['/replay/%E', 'Page not found'],
    ['/local/%', 'Page not found'],
    ['/local/replay/%', 'Page not found'],
    ['/play/%E0%A4', 'Page not found'],
    ['/%', 'Page not found'],
    ['/nowhere/%5C', 'Page not found'],
  ] as const) {
    await go(path);
    await expect(says(page, title), path).toBeVisible();
    await expect(page.getByRole('link', { name: 'Choose a game' }), path).toBeVisible();
  }
  await page.getByRole('link', { name: 'Choose a game' }).click();
  await expect(button(page, /^Flooded Island/)).toBeVisible();
  await go('/play/flood_it?board=%ZZ');
  await expect(page.locator('h1, h2').first()).toBeVisible();
  const answer = await fetch(`${server.url}/api/rooms/%ZZ`, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ type: 'error' });
});

test('whatever file is given to watch, a sentence answers soon', async ({ player, expected }, info) => {
  expected.push(/status of 400/);
  const page = await player('/');
  const input = page.locator('input[type=file][accept=".jsonl"]');
  const said = page.locator('.open-file [aria-live]');
  const head = '{"game":"flood_it","rules_version":1}\n';
  for (const [name, content, words] of [
    ['large.jsonl', head + 'x'.repeat(20_000_000), 'This file is too large to be a game’s file.'],
    ['empty.jsonl', '', 'This file is empty.'],
    ['picture.jsonl', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]), /^This is not a game’s file/],
    ['notes.txt', 'Eggs, milk\n', /^This is not a game’s file/],
    ['cut.jsonl', `${head}{"seq":1,"t":`, /^Line 1: .+\.$/],
  ] as const) {
    const file = info.outputPath(name);
    await writeFile(file, content);
    await input.setInputFiles(file);
    await expect(said, name).toHaveText(words, { timeout: 10_000 });
    await expect(button(page, 'Watch a game’s file')).not.toHaveAttribute('aria-busy');
  }
});

test('joining by a code opens the room', async ({ player }) => {
  const host = await player(blank);
  const path = await makeRoom(host);
  const guest = await player('/');
  await guest.getByLabel('Have a code?').fill(path.split('/')[2]?.toLowerCase() ?? '');
  await guest.keyboard.press('Enter');
  await expect(says(guest, 'Take a seat')).toBeVisible();
  await expect(guest).toHaveURL(path);
});

test('the replay of a finished game is verified, can be stepped through, remembers the move', async ({ player }) => {
  const page = await player(blank);
  const path = await makeRoom(page);
  await sit(page, 'Adventurer');
  const weather = await player(path);
  await sit(weather, 'Weather');
  await customise(page);
  for (const side of ['Width', 'Height']) {
    await page.getByRole('spinbutton', { name: new RegExp(side) }).fill('3');
    await page.getByRole('spinbutton', { name: new RegExp(side) }).blur();
  }
  await start(page);
  const days = await playOut(page, weather, 2);
  await page.getByRole('link', { name: 'Replay' }).click();
  await expect(shown(page, 'Verified')).toBeVisible();
  // One step for every move, and one for the result.
  await expect(page.getByRole('slider', { name: 'Move' })).toHaveAttribute('max', String(2 * days + 1));
  await button(page, 'Next').click();
  await expect(shown(page, 'The adventurer walks to column')).toBeVisible();
  await expect(page).toHaveURL(/#1$/);
  await page.reload();
  await expect(page.getByRole('slider', { name: 'Move' })).toHaveValue('1');
  // Two taps before the first is shown are two steps.
  await button(page, 'Next').evaluate((next: HTMLElement) => {
    next.click();
    next.click();
  });
  await expect(page.getByRole('slider', { name: 'Move' })).toHaveValue('3');
  await page.keyboard.press('End');
  await expect(page.getByRole('slider', { name: 'Move' })).toHaveValue(String(2 * days + 1));
});

test('with reduced motion nothing moves', async ({ player }) => {
  const page = await player(blank);
  await makeRoom(page);
  await sit(page, 'Adventurer');
  await button(page, 'Add bot').click();
  await start(page);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().duration) > 0)
      .map((one) => (one.effect as KeyframeEffect).target?.className),
  );
  expect(moving).toEqual([]);
  const flip = page.locator('.tile').first();
  expect(await flip.evaluate((node) => getComputedStyle(node).transitionDuration)).toMatch(/^0s/);
});

test('dark mode follows the device, and a choice overrides it', async ({ player }) => {
  const page = await player('/', { colorScheme: 'dark' });
  const paper = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await paper();
  await button(page, 'Settings').click();
  await shown(page, 'Light', { exact: true }).click();
  expect(await paper()).not.toBe(dark);
  await page.reload();
  expect(await paper()).not.toBe(dark);
});

test('the first load is small, hashed, compressed, and only from this host', async ({
  player,
  server,
}) => {
  const page = await player('about:blank');
  const hosts = new Set<string>();
  let bytes = 0;
  page.on('response', async (response) => {
    hosts.add(new URL(response.url()).host);
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map<string, string>();
  session.on('Network.responseReceived', (event) => kinds.set(event.requestId, event.type));
  session.on('Network.loadingFinished', (event) => {
    if (['Script', 'Stylesheet'].includes(kinds.get(event.requestId) ?? ''))
      bytes += event.encodedDataLength;
  });
  // What a timer brings later is no part of it, however slowly the rest comes.
  await page.addInitScript(() => Object.assign(window, { setTimeout: () => 0 }));
  await page.goto('/', { waitUntil: 'networkidle' });
  await button(page, /^Flooded Island/).waitFor();
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(80_000);
});

test('text at twice the size splits no title’s words, covers nothing, never scrolls sideways', async ({ player }) => {
  const page = await player(blank, { viewport: { width: 390, height: 664 } });
  const room = await makeRoom(page);
  await sit(page, 'Adventurer'); // so that the home page lists it under "Your games"
  for (const path of ['/', room, '/play/flood_it?seed=1', '/learn/flooded_island']) {
    await page.goto(path);
    const titles = page.locator('header :is(h1, strong), main section a strong');
    if (path === '/') await page.getByRole('region', { name: 'Your games' }).getByRole('link').first().waitFor();
    await titles.last().waitFor();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const split = await titles.evaluateAll((all) =>
      all.flatMap((title) => {
        const walk = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const found: string[] = [];
        while (walk.nextNode()) {
          for (const { 0: word, index } of (walk.currentNode.nodeValue ?? '').matchAll(/\w+/g)) {
            range.setStart(walk.currentNode, index);
            range.setEnd(walk.currentNode, index + word.length);
            const [box, ...more] = [...range.getClientRects()];
            const { right } = title.getBoundingClientRect();
            if (box === undefined || more.length > 0 || box.right > right + 1) found.push(word);
          }
        }
        return found;
      }),
    );
    expect(split, path).toEqual([]);
    const covered = await page.locator('header').first().evaluate((header) => {
      const boxes = [...header.querySelectorAll('a, button, h1, strong')].map((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        return (one.matches('a, button') ? one : words).getBoundingClientRect();
      });
      return boxes.some((a, i) =>
        boxes.slice(i + 1).some((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1),
      );
    });
    expect(covered, path).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
});
