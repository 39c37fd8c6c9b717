/**
 * Reviews a finished game of each of the four: where it turned, and what would have been better, on the board and in
 * words; in light and dark, wide and on a phone. A review can be stopped in the middle.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { violationsInBoth } from './support/axe.ts';
import { button } from './support/island.ts';
import { expect, shown, test } from './support/test.ts';

const program =
  process.env['BOARDWALK'] ?? fileURLToPath(new URL('../../build/boardwalk', import.meta.url));
const phone = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true };

/** A game of bots, as a file. */
function played(game: string, settings: object, a = 'easy', b = 'hard'): string {
  const folder = mkdtempSync(join(tmpdir(), 'boardwalk-review-'));
  const words = ['--a', a, '--b', b, '--games', '1', '--seed', '3', '--log', folder];
  execFileSync(program, ['arena', game, ...words, '--config', JSON.stringify(settings)]);
  const text = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8');
  rmSync(folder, { recursive: true });
  return text;
}

const share = async (url: string, file: string): Promise<string> => {
  const answer = await fetch(`${url}/api/replays`, { method: 'POST', body: file });
  return ((await answer.json()) as { url: string }).url;
};

interface Case {
  game: string;
  file: () => string;
  /** The verdict on a move. */
  worth: RegExp;
  better: RegExp;
  /** The better move, on the board. */
  mark: (page: Page) => Locator;
  sure: RegExp;
}

const cases: Case[] = [
  {
    game: 'flooded_island',
    file: () => played('flooded_island', { width: 5, height: 5, max_flood_count: 2 }),
    worth: /Until the trap: (\d+ days?|no trap in sight) before this move, \d+ days? after it\./,
    better: /Better: (The adventurer|The weather) (walks to|floods) column \d/i,
    mark: (page) => page.getByRole('gridcell', { name: /would have been better/ }),
    sure: /Proven by the solver|As far as the solver sees/,
  },
  {
    game: 'flood_it',
    file: () => played('flood_it', { rows: 8, cols: 8, colors: 5 }),
    worth: /Still needed: \d+ moves? before this move, \d+ moves? after it\./,
    better: /Better: .*(red|green|blue|yellow|orange)\./i,
    mark: (page) => page.locator('.cell.brought'),
    sure: /Proven by the solver/,
  },
  {
    game: 'monadungeon',
    file: () => played('monadungeon', { deck_size: 16, torch_turns: 6 }, 'easy', 'easy'),
    worth: /chance of winning: \d+ % before this (move|round), \d+ % after it\./i,
    better: /Better: .* \(\d+ %\)\./,
    mark: (page) => page.locator('.better rect'),
    sure: /The computer's opinion, from \d+ games against itself/,
  },
  {
    game: 'flag_war',
    file: () => played('flag_war', { width: 7, height: 9, pieces: 2, max_distance: 3, max_rounds: 30 }),
    worth: /chance of winning: \d+ % before this (move|round), \d+ % after it\./i,
    better: /Better: (Blue|Red) \d to \d+,\d+.* \(\d+ %\)\./,
    mark: (page) => page.locator('.thing.ghost.proposal'),
    sure: /The computer's opinion, from \d+ games against itself/,
  },
];

const items = (page: Page): Locator => page.getByRole('region', { name: 'Review' }).getByRole('listitem').getByRole('button');

for (const one of cases)
  for (const [where, options] of [['wide', {}], ['on a phone', phone]] as const)
    test(`${one.game}: what would have been better is shown, ${where}`, async ({ player, server }) => {
      test.setTimeout(240_000);
      const page = await player(await share(server.url, one.file()), options);
      await button(page, 'Review').click();
      const panel = page.getByRole('region', { name: 'Review' });
      await expect(panel).toBeVisible();
      // It shows its progress, and at the end where the game turned.
      await expect(panel.getByText(/turned at move \d+: (it cost|.+'s chance of winning fell)/).last()).toBeVisible({ timeout: 200_000 });
      await expect(panel.getByRole('progressbar')).toHaveCount(0);
      const turned = await panel.getByRole('button', { name: /Go to move/ }).textContent();
      const move = Number(/\d+/.exec(turned ?? '')?.[0]);
      await panel.getByRole('button', { name: /Go to move/ }).click();
      await expect(page.getByRole('slider', { name: 'Move' })).toHaveValue(String(move));
      await expect(shown(page, one.worth)).toBeVisible();
      await expect(shown(page, one.sure)).toBeVisible();
      // One of the moves in the list has a better move to show. By keys; again where the page was too slow.
      await expect(async () => {
        let found = false;
        for (const item of await items(page).all()) {
          await item.focus();
          await page.keyboard.press('Enter');
          await expect(item).toHaveAttribute('aria-current', 'step');
          const both = [shown(page, one.better), one.mark(page).first()];
          found = await Promise.all(both.map((what) => what.waitFor({ timeout: 1500 })))
            .then(() => true, () => false);
          if (found) break;
        }
        expect(found).toBe(true);
      }).toPass({ timeout: 60_000 });
      const toggle = page.getByRole('button', { name: 'Show what was played' });
      await expect(toggle).toHaveAttribute('aria-pressed', 'true');
      await expect(toggle).toBeInViewport();
      if (where === 'wide' || one.game === 'flag_war') expect(await violationsInBoth(page)).toEqual([]);
      await toggle.click();
      await expect(one.mark(page)).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });

test('a review can be stopped in the middle and started again', async ({ player, server }) => {
  const page = await player(await share(server.url, played('monadungeon', {}, 'hard', 'hard')));
  await button(page, 'Review').click();
  const panel = page.getByRole('region', { name: 'Review' });
  const bar = panel.getByRole('progressbar');
  await expect.poll(() => bar.evaluate((node: HTMLProgressElement) => node.value)).toBeGreaterThan(0.02);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect(bar).toHaveCount(0);
  await expect(panel.getByText(/Stopped before anything was found|So far the game turned/).last()).toBeVisible();
  // Earlier results stay: the first move has its values.
  await page.keyboard.press('Home');
  await button(page, 'Next').click();
  await expect(shown(page, /Chance of winning: \d+ % before this move/)).toBeVisible();
  await button(page, 'Review').click();
  await expect(bar).toHaveCount(1);
});

for (const [width, height] of [
  [390, 664],
  [844, 390],
] as const)
  test(`at ${width}x${height} the keys stay in place, whatever a review says above them about the move`, async ({ player, server }) => {
    test.setTimeout(240_000);
    const page = await player(await share(server.url, cases[0]?.file() ?? ''), {
      viewport: { width, height },
      hasTouch: true,
    });
    const review = button(page, /^Review$/);
    await review.tap();
    // The button stays in place, and the review scrolls into view.
    const panel = page.getByRole('region', { name: 'Review' });
    await expect(panel.getByText(/turned at move/).last()).toBeVisible({ timeout: 200_000 });
    await expect(panel.getByRole('heading', { name: 'Review' })).toBeInViewport();
    await expect(review).toHaveCount(1);
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    const next = button(page, 'Next');
    const at = await next.boundingBox();
    const said = page.locator('.verdict').filter({ has: page.locator('.sure') }).locator('p');
    for (let step = 1; step < 6; step += 1) {
      await next.tap();
      await shown(page, new RegExp(`^${step}/`)).waitFor();
      expect.soft(await next.boundingBox(), `the keys at step ${step}`).toEqual(at);
      await expect.soft(next).toBeInViewport({ ratio: 1 });
      await expect.soft(said, `the verdict at step ${step}`).toBeInViewport({ ratio: 1 });
    }
  });
