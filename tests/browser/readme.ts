/**
 * Makes the pictures of README.md: docs/pictures/{game}.webp, and the animated first-minute.webp (npm run readme).
 * Chromium encodes each frame; the file around them is assembled here, as the RIFF and WebP formats define it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { button, emptyRoom, fields, says } from './support/island.ts';
import { blank, shown, test } from './support/test.ts';
import { webp } from './support/webp.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** A three-byte number, least significant byte first. */
const three = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.subarray(0, 3);
};

/** What follows the header of a still WebP file: the chunks of the picture itself. */
function pictureOf(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(file.toString('latin1', at, at + 4)))
      parts.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Joins stills into one file that repeats them in a loop. */
function film(width: number, height: number, frames: { still: Buffer; ms: number }[]): Buffer {
  const size = Buffer.concat([three(width - 1), three(height - 1)]);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from([0x02, 0, 0, 0]), size),
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map(({ still, ms }) =>
      chunk('ANMF', three(0), three(0), size, three(ms), Buffer.from([0x02]), pictureOf(still)),
    ),
  ]);
  const head = Buffer.alloc(8);
  head.write('RIFF');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const save = async (name: string, picture: Buffer): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.webp`, picture);
};
const boards = { viewport: { width: 800, height: 600 }, colorScheme: 'light' } as const;

async function againstBot(page: Page, game: string, config: object, seat: string): Promise<void> {
  await page.goto(await emptyRoom(page, game, config));
  await button(page, `Play as ${seat}`).click();
  await button(page, 'Add bot').first().click();
  await button(page, 'Start the game').click();
}

test('Flooded Island', async ({ player }) => {
  const page = await player(blank, boards);
  await againstBot(page, 'flooded_island', { width: 8, height: 8 }, 'Adventurer');
  for (let day = 1; day < 7; day += 1) {
    await says(page, new RegExp(`^Your turn, day ${day}`)).waitFor();
    const near = fields(page, /reachable/);
    // To the middle, then around it: at an edge the weather would win.
    await (day < 4 ? near.last() : near.nth(day % 3)).click();
    await button(page, 'End Turn').click();
  }
  await says(page, /^Your turn, day 7/).waitFor();
  await fields(page, /reachable/).first().click();
  await save('flooded-island', await webp(page, 0.8));
});

test('Flood-It', async ({ player }) => {
  const page = await player('/play/flood_it?seed=boardwalk&rows=10&cols=10&colors=5', boards);
  for (let move = 1; move < 7; move += 1) {
    await says(page, new RegExp(`^Move ${move}\\b`)).waitFor();
    await page.keyboard.press('h');
    await page.locator('.hinted').click();
  }
  await says(page, /^Move 7/).waitFor();
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  await save('flood-it', await webp(page, 0.8));
});

test('Monadungeon', async ({ player }) => {
  const page = await player(blank, boards);
  await page.goto(await emptyRoom(page, 'monadungeon'));
  await button(page, 'Play as Player 1').click();
  await button(page, 'Start the game').click();
  await says(page, /^Your turn/).waitFor();
  for (let tiles = 0; tiles < 40; tiles += 1) {
    const left = await shown(page, /^\d+ tiles? left$/).textContent();
    if (Number(left?.split(' ')[0]) <= 76) break;
    const choices = ['Place it here', /^Take /, /Leave it|Go on/, /win|draw|lose a heart/].map((name) =>
      button(page, name).first(),
    );
    const dark = page.getByRole('button', { name: /^Explore the dark/ }).first();
    const offered: Locator[] = [];
    for (const one of [...choices, dark]) if (await one.isVisible()) offered.push(one);
    await page.waitForTimeout(600); // a new button ignores taps for a moment
    await (offered[0] ?? button(page, /End turn|Rest here/).first())
      .click({ timeout: 3000, force: true })
      .catch(() => undefined);
    await page.waitForTimeout(300);
  }
  await save('monadungeon', await webp(page, 0.8));
});

test('Flag War', async ({ player }) => {
  const page = await player(blank, boards);
  await againstBot(page, 'flag_war', { round_ms: 60_000 }, 'Blue');
  const cell = (x: number, y: number): Locator => page.locator(`[data-cell="${x},${y}"]`);
  const order = async (...legs: [number, number][]): Promise<void> => {
    for (const [x, y] of legs) await cell(x, y).click();
  };
  await cell(5, 8).waitFor();
  await order([6, 8], [9, 8]);
  await order([9, 8], [9, 4]);
  await order([5, 8], [5, 5]);
  await order([4, 8], [2, 8]);
  await cell(6, 8).click();
  await save('flag-war', await webp(page, 0.8));
});

test('the first minute', async ({ player }) => {
  const viewport = { width: 390, height: 664 };
  const page = await player('/', { viewport, colorScheme: 'light', hasTouch: true });
  const frames: { still: Buffer; ms: number }[] = [];
  const take = async (ms: number): Promise<void> => {
    frames.push({ still: await webp(page, 0.6), ms });
  };
  await button(page, /^Flooded Island/).waitFor();
  await take(1600);
  await button(page, /^Flooded Island/).tap();
  await button(page, 'Play the computer').waitFor();
  await take(1400);
  await button(page, 'Play the computer').tap();
  for (let day = 1; day < 5; day += 1) {
    await says(page, new RegExp(`^Your turn, day ${day}`)).waitFor();
    await fields(page, /reachable/).first().waitFor();
    await take(1000);
    await fields(page, /reachable/).last().tap();
    await take(700);
    await button(page, 'End Turn').tap();
  }
  await says(page, /^Your turn, day 5/).waitFor();
  await take(2000);
  await save('first-minute', film(viewport.width, viewport.height, frames));
});
