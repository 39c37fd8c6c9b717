/**
 * The first minute of somebody who has never been here, for each game: how many taps from the home page to a first
 * move of one's own, against the computer and with a friend; that nothing covers what is to be tapped, and all that
 * can be done is on the screen without scrolling or panning; that nothing jumps, the keyboard is somewhere sensible
 * after each change, and axe finds nothing on any screen.
 *
 * ./test looks at each game once, in the sizes and colours where least fits. FIRST_MINUTE=all looks at all of them,
 * makes a picture of every screen in build/test/first-minute, and takes about ten minutes.
 */
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import { button, says } from './support/island.ts';
import { expect, test } from './support/test.ts';

const all = process.env['FIRST_MINUTE'] === 'all';
const pictures = fileURLToPath(new URL('../../build/test/first-minute/', import.meta.url));

const sizes = ['390x664', '390x844', '844x390', '768x1024', '1280x800', '1920x1080'] as const;
type Size = (typeof sizes)[number];
const looks = ['light', 'dark', 'forced'] as const;
type Look = (typeof looks)[number];

interface Game {
  id: string;
  title: string;
  /** From the home page to the board, by these buttons. */
  way: string[];
  /** Taps from the home page to a first move against the computer, and with a friend (the maker's). */
  taps: { computer: number; friend: number };
  /** It is one's own move. */
  ready: (page: Page) => Promise<void>;
  /** What has to be tapped before the places to go are shown. */
  lift?: (page: Page) => Locator;
  targets: (page: Page) => Locator;
  /** The move, where the tap on a target is not all of it. */
  end?: (page: Page) => Locator;
  moved: (page: Page) => Locator;
  quick: [Size, Look];
}

const games: Game[] = [
  {
    id: 'flooded_island',
    title: 'Flooded Island',
    way: ['Play the computer'],
    taps: { computer: 4, friend: 4 },
    ready: (page) => says(page, /^Your turn, day 1/).waitFor(),
    targets: (page) => page.getByRole('gridcell', { name: /reachable/ }),
    end: (page) => button(page, 'End Turn'),
    moved: (page) => says(page, /(night 1|day 2)/i).first(),
    quick: ['390x664', 'light'],
  },
  {
    id: 'flood_it',
    title: 'Flood-It',
    way: ['Play alone'],
    taps: { computer: 3, friend: 3 },
    ready: (page) => says(page, /^Move 1/).waitFor(),
    targets: (page) => page.locator('.color:enabled[aria-disabled=false]'),
    moved: (page) => says(page, /^Move 2/),
    quick: ['390x664', 'forced'],
  },
  {
    id: 'monadungeon',
    title: 'Monadungeon',
    way: ['Play the computer'],
    taps: { computer: 3, friend: 3 },
    ready: (page) => says(page, 'Your turn: 4 moves left').waitFor(),
    targets: (page) => page.locator('[data-target]:not([data-ghost])'),
    moved: (page) => says(page, /place the tile|3 moves left/),
    quick: ['844x390', 'dark'],
  },
  {
    id: 'flag_war',
    title: 'Flag War',
    way: ['Play the computer'],
    taps: { computer: 4, friend: 4 },
    ready: (page) => page.locator('[data-cell="5,8"]').waitFor(),
    lift: (page) => page.locator('[data-cell="5,8"]'),
    targets: (page) => page.getByRole('gridcell', { name: /can be reached/ }),
    moved: (page) => page.getByRole('listitem').filter({ hasText: /piece 2 to|Blue 2 to/ }).first(),
    quick: ['390x664', 'dark'],
  },
];

/** What goes on from here, whether it makes something or is only a link. */
const way = (page: Page, name: string): Locator =>
  button(page, name).or(page.getByRole('link', { name }));

/** Counts what shifts from the first moment on, as browsers report it. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shifts: { value: number; what: string }[] };
    seen.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Node | null }[];
        };
        const what = sources
          .map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : '?'))
          .join(' ');
        if (!hadRecentInput) seen.shifts.push({ value, what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function stands(page: Page, where: string): Promise<void> {
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: { value: number; what: string }[] }).shifts,
  );
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect.soft(sum, `${where} shifts: ${JSON.stringify(shifts)}`).toBeLessThan(0.02);
}

/** Those of these elements that a finger cannot hit where the page stands. */
const outOfReach = (these: Locator): Promise<string[]> =>
  these.evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const name = one.getAttribute('aria-label') ?? one.textContent?.trim() ?? one.tagName;
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight)
        return [`${name} is at ${Math.round(x)},${Math.round(y)}, outside of the screen`];
      const hit = document.elementFromPoint(x, y);
      const own = hit === one || one.contains(hit) || hit?.closest('label')?.contains(one);
      return own === true ? [] : [`${name} is covered by ${hit?.outerHTML.slice(0, 120) ?? ''}`];
    }),
  );

/** What has the keyboard's focus is there to be seen. */
async function focused(page: Page, where: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const on = document.activeElement;
          if (on === null || on === document.body) return 'nothing';
          const { width, height } = on.getBoundingClientRect();
          return width > 0 && height > 0 ? 'ok' : on.outerHTML.slice(0, 120);
        }),
      { message: `the focus on ${where}` },
    )
    .toBe('ok');
}

for (const game of games)
  for (const size of sizes)
    for (const look of looks) {
      if (!all && (game.quick[0] !== size || game.quick[1] !== look)) continue;
      test(`${game.title} at ${size}, ${look}`, async ({ player }) => {
        test.slow();
        const [width = 0, height = 0] = size.split('x').map(Number);
        const phone = Math.min(width, height) < 500;
        const options = {
          viewport: { width, height },
          hasTouch: phone,
          colorScheme: look === 'light' ? ('light' as const) : ('dark' as const),
          ...(look === 'forced' ? { forcedColors: 'active' as const } : {}),
        };
        const open = async (path: string): Promise<Page> => {
          const page = await player('about:blank', options);
          await watchShifts(page);
          await page.goto(path);
          return page;
        };
        /** By day everything; in other colours only they can differ. */
        const see = async (page: Page, screen: string): Promise<void> => {
          const rules = look === 'dark' ? ['color-contrast'] : [];
          expect.soft(await violations(page, rules), `axe on ${screen}`).toEqual([]);
          if (all) await page.screenshot({ path: `${pictures}${game.id}-${size}-${look}-${screen}.png` });
        };
        let taps = 0;
        const tap = async (what: Locator): Promise<void> => {
          await what.waitFor();
          // One may have to scroll for a card or a dialog's last line, but for nothing on a board.
          await what.scrollIntoViewIfNeeded();
          expect.soft(await outOfReach(what), 'what is to be tapped').toEqual([]);
          await (phone ? what.tap() : what.click());
          taps += 1;
        };
        const card = (page: Page): Locator => page.locator('button.card').filter({ hasText: game.title });

        /* Against the computer. */
        const began = Date.now();
        const page = await open('/');
        await card(page).waitFor();
        await see(page, 'home');
        await tap(card(page));
        await focused(page, 'the card, opened');
        await see(page, 'card');
        for (const name of game.way) await tap(way(page, name));
        await game.ready(page);
        await focused(page, 'the board');
        if (game.lift !== undefined) await tap(game.lift(page));
        await game.targets(page).first().waitFor();
        expect.soft(await outOfReach(game.targets(page)), 'targets').toEqual([]);
        await see(page, 'board');
        await tap(game.targets(page).last());
        if (game.end !== undefined) await tap(game.end(page));
        await game.moved(page).waitFor();
        await focused(page, 'the board after a move');
        expect.soft(taps, 'taps to the first move').toBeLessThanOrEqual(game.taps.computer);
        await stands(page, 'the way to a first move');
        test.info().annotations.push({
          type: 'first move',
          description: `${taps} taps, ${((Date.now() - began) / 1000).toFixed(1)} s of a machine`,
        });

        /* To the end of it, and what can be read. */
        if (game.id !== 'flood_it') {
          await tap(button(page, 'More'));
          await see(page, 'menu');
          await tap(button(page, 'Resign'));
          await tap(page.getByRole('dialog').getByRole('button', { name: 'Resign' }));
          // In the dungeon the others play on, to the end.
          await button(page, 'Play again').waitFor({ timeout: 120_000 });
          expect.soft(await outOfReach(button(page, 'Play again')), 'the end').toEqual([]);
          await focused(page, 'the end');
          await see(page, 'end');
          await tap(page.getByRole('link', { name: 'Replay' }));
          await page.getByText('Verified').waitFor();
          await see(page, 'replay');
        }
        for (const screen of ['learn', 'rules']) {
          await page.goto(`/${screen}/${game.id}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          if (screen === 'learn') await page.getByRole('region', { name: 'The lesson' }).waitFor();
          else await page.locator('figure .space').last().waitFor();
          await see(page, screen);
          await stands(page, screen);
        }

        /* With a friend: the maker is seated and sees the link, the friend taps once. */
        taps = 0;
        const maker = await open('/');
        await tap(card(maker));
        await tap(button(maker, /^(Play|Race) a friend$/));
        await button(maker, /^(Copy link|Share)/).first().waitFor();
        expect.soft(await outOfReach(button(maker, /^(Copy link|Share)/).first()), 'the link').toEqual([]);
        await focused(maker, 'the lobby');
        await see(maker, 'lobby');
        const friend = await open(new URL(maker.url()).pathname);
        const sit = button(friend, /^Play as/).first();
        await sit.waitFor();
        expect.soft(await outOfReach(sit), 'the free seat').toEqual([]);
        await see(friend, 'invited');
        await sit.click();
        if (game.id === 'monadungeon' || game.id === 'flood_it') await tap(button(maker, /^Start/));
        await game.ready(maker);
        if (game.lift !== undefined) await tap(game.lift(maker));
        await tap(game.targets(maker).last());
        if (game.end !== undefined) await tap(game.end(maker));
        await game.moved(maker).waitFor();
        expect.soft(taps, 'taps to the first move with a friend').toBeLessThanOrEqual(game.taps.friend + 2);
        await stands(maker, 'the way to a first move with a friend');
      });
    }
