/**
 * Measures docs/FIRST_MINUTE.md, "On a slow phone" (npm run figures): a page that is opened for the first time over a
 * slow network on a slow phone, and the frames of each game's first move.
 */
import { cpus, loadavg } from 'node:os';
import type { Locator, Page } from '@playwright/test';
import { games, way } from './support/first-minute.ts';
import { button } from './support/island.ts';
import { writeSection } from './support/figures.ts';
import { test } from './support/test.ts';

const rounds = 5;
/** The network and the processor that browsers' own audits call a slow phone. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slower = 4;

const median = (of: number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;

interface Loaded {
  requests: number;
  kilobytes: number;
  paint: number;
  usable: number;
  /** From the tap on a free seat to the board, where there is one. */
  board: number;
}

/** Opens the path with nothing stored, and waits until this can be tapped; then, if it leads to a board, for that. */
async function load(page: Page, path: string, first: Locator, board?: () => Promise<void>): Promise<Loaded> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  let requests = 0;
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests += 1;
    bytes += encodedDataLength;
  });
  const opened = Date.now();
  await page.goto(path, { waitUntil: 'commit' });
  await first.waitFor();
  const usable = Date.now() - opened;
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  );
  await page.waitForLoadState('networkidle');
  const tapped = Date.now();
  await board?.();
  return { requests, kilobytes: bytes / 1000, paint, usable, board: Date.now() - tapped };
}

test('opens pages on a slow phone', async ({ player }) => {
  test.setTimeout(1_200_000);
  const phone = { viewport: { width: 390, height: 664 }, hasTouch: true };
  const rows: string[] = [];
  const row = (name: string, all: Loaded[], board: boolean): void => {
    const of = (key: keyof Loaded): number => median(all.map((one) => one[key]));
    const seconds = (key: 'paint' | 'usable' | 'board'): string => (of(key) / 1000).toFixed(1);
    rows.push(
      `| ${name} | ${of('requests')} | ${of('kilobytes').toFixed(0)} | ${seconds('paint')} | ${seconds('usable')} | ${board ? seconds('board') : ''} |`,
    );
  };
  const home: Loaded[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await player('about:blank', phone);
    home.push(await load(page, '/', page.locator('button.card').first()));
    await page.context().close();
  }
  row('Home', home, false);
  for (const game of games) {
    const all: Loaded[] = [];
    for (let round = 0; round < rounds; round++) {
      const host = await player('/');
      await host.locator('button.card').filter({ hasText: game.title }).click();
      await button(host, /^(Play|Race) a friend$/).click();
      await button(host, /^(Copy link|Share)/).first().waitFor();
      const page = await player('about:blank', phone);
      const seat = button(page, /^Play as/).first();
      all.push(
        await load(page, new URL(host.url()).pathname, seat, async () => {
          await seat.tap();
          if (game.id === 'monadungeon' || game.id === 'flood_it') await button(host, /^Start/).click();
          await page.locator('.space > .fit, .table > .fit').first().waitFor();
        }),
      );
      await page.context().close();
      await host.context().close();
    }
    row(`An invitation to ${game.title}`, all, true);
  }
  await writeSection(
    'On a slow phone',
    `A page that is opened for the first time, with nothing stored: at 390x664, with a processor slowed ${slower} times and a network of
1.6 Mbit/s with 150 ms of delay. Medians of ${rounds}; ${cpus().length} cores, load ${Math.round(loadavg()[1] ?? 0)}. *Usable* is when the
cards of the home page, or the free seat of the invitation, can be tapped; *board* is the time from that tap to the board. *kB* is
all that was sent.

| page | requests | kB | first paint, s | usable, s | board, s |
|---|--:|--:|--:|--:|--:|
${rows.join('\n')}`,
  );
});

test('keeps its frames in each first move', async ({ player }) => {
  test.setTimeout(600_000);
  const rows: string[] = [];
  for (const game of games) {
    const gaps: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await player('/', {
        viewport: { width: 390, height: 664 },
        hasTouch: true,
        reducedMotion: 'no-preference',
      });
      await page.locator('button.card').filter({ hasText: game.title }).tap();
      for (const name of game.way) await way(page, name).tap();
      await game.ready(page);
      if (game.lift !== undefined) await game.lift(page).tap();
      await game.targets(page).last().waitFor();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
      await page.evaluate(() => {
        const seen = window as unknown as { frames: number[] };
        seen.frames = [];
        const frame = (at: number): void => {
          seen.frames.push(at);
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      });
      await game.targets(page).last().tap();
      if (game.end !== undefined) await game.end(page).tap();
      await game.moved(page).waitFor();
      await page.waitForTimeout(1000); // the longest animation of a move
      const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames);
      gaps.push(...frames.slice(1).map((at, index) => at - (frames[index] ?? at)));
      await page.context().close();
    }
    const sorted = gaps.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(0);
    const late = (100 * gaps.filter((gap) => gap > 34).length) / gaps.length;
    rows.push(`| ${game.title} | ${gaps.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${late.toFixed(1)} |`);
  }
  await writeSection(
    'Frames of a first move',
    `From the tap to one second after the move is shown, with animations, the processor slowed ${slower} times; ${rounds} games each. Milliseconds
from one frame to the next; *late* is the share of frames that took longer than two of a display's 60 a second. Load ${Math.round(loadavg()[1] ?? 0)}.

| game | frames | median | p95 | longest | late, % |
|---|--:|--:|--:|--:|--:|
${rows.join('\n')}`,
  );
});
