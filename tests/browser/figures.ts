/**
 * Measures docs/FIRST_MINUTE.md, "To a first move", with its pictures (npm run figures): from the home page to the
 * player's first move, for each game and size: taps, seconds, layout shifts, the largest paint, and what was loaded.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { Locator } from '@playwright/test';
import { games, shiftsOf, sizes, sumOf, watchShifts, way } from './support/first-minute.ts';
import { docs, writeSection } from './support/figures.ts';
import { webp } from './support/webp.ts';
import { test } from './support/test.ts';

test('measures the first minute', async ({ player }) => {
  test.setTimeout(900_000);
  await mkdir(`${docs}pictures`, { recursive: true });
  const rows: string[] = [];
  for (const game of games)
    for (const size of sizes) {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const phone = Math.min(width, height) < 500;
      const page = await player('about:blank', {
        viewport: { width, height },
        hasTouch: phone,
        colorScheme: 'light',
      });
      await watchShifts(page);
      await page.addInitScript(() => {
        const seen = window as unknown as { paint: number };
        seen.paint = 0;
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntries()) seen.paint = startTime;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      });
      let taps = 0;
      const tap = async (what: Locator): Promise<void> => {
        await what.waitFor();
        await what.scrollIntoViewIfNeeded();
        await (phone ? what.tap() : what.click());
        taps += 1;
      };
      await page.goto('/');
      const card = page.locator('button.card').filter({ hasText: game.title });
      await card.waitFor();
      const paint = await page.evaluate(() => (window as unknown as { paint: number }).paint);
      const began = Date.now();
      await tap(card);
      for (const name of game.way) await tap(way(page, name));
      await game.ready(page);
      if (game.lift !== undefined) await tap(game.lift(page));
      await tap(game.targets(page).last());
      if (game.end !== undefined) await tap(game.end(page));
      await game.moved(page).waitFor();
      const seconds = (Date.now() - began) / 1000;
      const shifted = sumOf(await shiftsOf(page));
      // As the server sends it: compressed.
      const bytes = await page.evaluate(() =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter(({ name }) => /\.(js|css)$/.test(new URL(name).pathname))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      );
      if (size === '390x844')
        await writeFile(`${docs}pictures/first-move-${game.id}.webp`, await webp(page, 0.7));
      rows.push(
        `| ${game.title} | ${size} | ${taps} | ${seconds.toFixed(1)} | ${shifted.toFixed(3)} | ${Math.round(paint)} | ${(bytes / 1000).toFixed(0)} |`,
      );
      await page.context().close();
    }
  const pictures = games.map(
    ({ id, title }) =>
      `<img width="200" alt="${title} after the first move, on a phone" src="pictures/first-move-${id}.webp">`,
  );
  await writeSection(
    'To a first move',
    `From the home page, against the computer. Seconds and paint depend on the machine: this one has ${cpus().length} cores, and its load was ${Math.round(loadavg()[1] ?? 0)}.

${pictures.join('\n')}

- *Taps*: every tap from the home page on, the move among them.
- *Shift*: the sum of all layout shifts on the way (CLS). The tests allow 0.02.
- *Paint*: the largest contentful paint of the home page, in milliseconds.
- *kB*: compressed scripts and styles from the home page to the move: those of the first load and of the game's board.

| game | size | taps | seconds | shift | paint | kB |
|---|---|--:|--:|--:|--:|--:|
${rows.join('\n')}`,
  );
});
