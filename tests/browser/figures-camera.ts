/**
 * Measures the dungeon's camera over sixty turns of one player on two phones (npm run figures). Whenever there are
 * tiles to go to, is the centre of each on the map, on the screen, and not covered? It taps visible places only, as a
 * finger does; a browser driver would scroll the page to them. It scrolls only for a button below the screen, and only
 * as far as needed. The player's choices come from a seed; the dungeon and the bot's moves come from the server.
 */
import type { Locator, Page } from '@playwright/test';
import { outOfReach } from './support/first-minute.ts';
import { writeSection } from './support/figures.ts';
import { button, emptyRoom, says } from './support/island.ts';
import { blank, test } from './support/test.ts';

const turns = 60;
/** The first is a phone without the browser's bars, the second has them. */
const phones = ['390x844', '390x664'];

function chooser(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Waits until two screenshots in a row are equal. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const places = (): string =>
      [...document.querySelectorAll('.deeds button, [data-target]')]
        .map((one) => JSON.stringify(one.getBoundingClientRect()))
        .join();
    for (let before = '?', now = places(); before !== now;) {
      before = now;
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      now = places();
    }
  });

/** The targets whose centre is not visible on the map itself. */
const offTheMap = (targets: Locator): Promise<string[]> =>
  targets.evaluateAll((all) => {
    const map = document.querySelector('.map')?.getBoundingClientRect() ?? new DOMRect();
    return all.flatMap((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const on = x > map.left && x < map.right && y > map.top && y < map.bottom;
      return on ? [] : [`${one.getAttribute('aria-label') ?? ''} is off the map`];
    });
  });

/** Taps an element as a finger would; `scroll` scrolls to a button below the screen. Returns false if it is gone. */
async function tap(page: Page, what: Locator, scroll: boolean): Promise<boolean> {
  const middle = await what
    .evaluate(
      (node, scroll) => {
        if (scroll) node.scrollIntoView({ block: 'nearest' });
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2] as const;
      },
      scroll,
      { timeout: 500 },
    )
    .catch(() => null);
  if (middle !== null) await page.touchscreen.tap(...middle);
  return middle !== null;
}

interface Found {
  seen: number;
  /** The furthest scroll position at which there was something to tap. */
  scrolled: number;
  lost: string[];
}

async function play(page: Page, choose: (below: number) => number): Promise<Found> {
  const targets = page.locator('[data-target]:not([data-ghost])');
  const deeds = page.locator('.deeds button:enabled:not([aria-disabled="true"])');
  const over = button(page, 'Play again');
  const found: Found = { seen: 0, scrolled: 0, lost: [] };
  let turn = 0;
  while (turn <= turns) {
    await page.goto(await emptyRoom(page, 'monadungeon'));
    await button(page, 'Play as Player 1').tap();
    await button(page, 'Add bot').first().tap();
    await button(page, 'Start the game').tap();
    await says(page, /^Your turn/).waitFor();
    let mine = false;
    let before = '';
    let same = 0;
    while ((await over.count()) === 0) {
      await settle(page);
      const shown = (await page.locator('main').innerText()).trim();
      same = shown === before ? same + 1 : 0;
      before = shown;
      if (same > 200) throw new Error(`Turn ${turn} does not continue:\n${shown}`);
      const wasMine = mine;
      mine = shown.startsWith('Your turn');
      if (mine && !wasMine && ++turn > turns) return found;
      const count = await targets.count();
      if (count > 0) {
        const lost = [...(await outOfReach(targets)), ...(await offTheMap(targets))];
        const down = await page.evaluate(() => Math.round(scrollY));
        if (lost.length > 0)
          console.log(`Turn ${turn}, scrolled ${down} px:\n  ${lost.join('\n  ')}`);
        found.seen += count;
        found.scrolled = Math.max(found.scrolled, down);
        found.lost.push(...lost);
      }
      const can = await deeds.count();
      if (count > 0 && (can === 0 || choose(6) > 0))
        await tap(page, targets.nth(choose(count)), false);
      else if (can > 0) await tap(page, deeds.nth(choose(can)), true);
    }
  }
  return found;
}

test('measures the camera of the dungeon', async ({ player }) => {
  test.setTimeout(900_000);
  const rows: string[] = [];
  for (const size of phones) {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const page = await player(blank, { viewport: { width, height }, hasTouch: true });
    const { seen, scrolled, lost } = await play(page, chooser(7));
    rows.push(`| ${size} | ${turns} | ${seen} | ${lost.length} | ${scrolled} px |`);
    await page.context().close();
  }
  await writeSection(
    "The dungeon's camera",
    `Chance plays ${turns} turns of the whole dungeon against the easy bot, by taps of a finger. Whenever there were tiles to
go to: was the middle of each on the map, on the screen, and covered by nothing? The page is scrolled only where a button
lies below the screen.

| size | own turns | targets seen | out of reach | scrolled at most |
|---|--:|--:|--:|--:|
${rows.join('\n')}`,
  );
});
