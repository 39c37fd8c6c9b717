/** The way from the home page to a player's first move, game by game, and what is checked on the way. */
import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { button, says } from './island.ts';

export const sizes = ['390x664', '390x844', '844x390', '768x1024', '1280x800', '1920x1080'] as const;
export type Size = (typeof sizes)[number];

export interface Game {
  id: string;
  title: string;
  /** The buttons from the home page to the board. */
  way: string[];
  /** Taps from the home page to a first move against the computer, and with a friend (the host's). */
  taps: { computer: number; friend: number };
  /** It is the player's turn. */
  ready: (page: Page) => Promise<void>;
  /** What to tap before the targets are shown. */
  lift?: (page: Page) => Locator;
  targets: (page: Page) => Locator;
  /** The move, if a tap on a target is not all of it. */
  end?: (page: Page) => Locator;
  moved: (page: Page) => Locator;
  /** By keys: where the focus is at the start of the turn, and the keys from there, with what is visible before the
   * next key. */
  keys: { from: (page: Page) => Locator; press: [key: string, seen?: (page: Page) => Locator][] };
  /** The size where it fits least; ./test checks it there. */
  quick: Size;
}

export const games: Game[] = [
  {
    id: 'flooded_island',
    title: 'Flooded Island',
    way: ['Play the computer'],
    taps: { computer: 4, friend: 4 },
    ready: (page) => says(page, /^Your turn, day 1/).waitFor(),
    targets: (page) => page.getByRole('gridcell', { name: /reachable/ }),
    end: (page) => button(page, 'End Turn'),
    moved: (page) => says(page, /(night 1|day 2)/i).first(),
    keys: {
      from: (page) => page.locator('[data-cell="0,0"]'),
      press: [
        ['ArrowRight'],
        ['Enter', (page) => page.getByRole('gridcell', { name: /chosen/ })],
        ['e'],
      ],
    },
    quick: '390x664',
  },
  {
    id: 'flood_it',
    title: 'Flood-It',
    way: ['Play alone'],
    taps: { computer: 3, friend: 3 },
    ready: (page) => says(page, /^Move 1/).waitFor(),
    targets: (page) => page.locator('.color:enabled[aria-disabled=false]'),
    moved: (page) => says(page, /^Move 2/),
    keys: {
      from: (page) => page.locator('.color:enabled[aria-disabled=false]').first(),
      press: [['Enter']],
    },
    quick: '390x664',
  },
  {
    id: 'monadungeon',
    title: 'Monadungeon',
    way: ['Play the computer'],
    taps: { computer: 3, friend: 3 },
    ready: (page) => says(page, 'Your turn: 4 moves left').waitFor(),
    targets: (page) => page.locator('[data-target]:not([data-ghost])'),
    moved: (page) => says(page, /place the tile|3 moves left/),
    keys: { from: (page) => page.locator('[data-target]').first(), press: [['Enter']] },
    quick: '844x390',
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
    keys: {
      from: (page) => page.locator('[data-cell="5,8"]'),
      press: [
        ['Enter', (page) => page.getByRole('gridcell', { name: /can be reached/ }).first()],
        ['ArrowUp'],
        ['Enter'],
      ],
    },
    quick: '390x664',
  },
];

/** Everything that leads on from here, whether it creates something or is only a link. */
export const way = (page: Page, name: string): Locator =>
  button(page, name).or(page.getByRole('link', { name }));

/** Counts layout shifts from the start, as browsers report them. */
export async function watchShifts(page: Page): Promise<void> {
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

export const shiftsOf = (page: Page): Promise<{ value: number; what: string }[]> =>
  page.evaluate(
    () => (window as unknown as { shifts: { value: number; what: string }[] }).shifts,
  );
export const sumOf = (shifts: { value: number }[]): number =>
  shifts.reduce((all, { value }) => all + value, 0);

export async function stands(page: Page, where: string): Promise<void> {
  const shifts = await shiftsOf(page);
  expect.soft(sumOf(shifts), `${where} shifts: ${JSON.stringify(shifts)}`).toBeLessThan(0.02);
}

/** The elements that a finger cannot hit at this scroll position. */
export const outOfReach = (these: Locator): Promise<string[]> =>
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

/** The elements that are not entirely on the screen at this scroll position. */
export const cutOff = (these: Locator): Promise<string[]> =>
  these.evaluateAll((all) =>
    all.flatMap((one) => {
      const { left, right, top, bottom, width } = one.getBoundingClientRect();
      if (width === 0) return [];
      const name = one.getAttribute('aria-label') ?? one.textContent?.trim() ?? one.tagName;
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
        ? [`${name} reaches from ${Math.round(top)} to ${Math.round(bottom)}`]
        : [];
    }),
  );

/** Parts of a board's page that overlap, and a page that is wider than the screen; in every size. */
export async function apart(page: Page, where: string): Promise<void> {
  const before = page.viewportSize();
  for (const size of [...sizes, '320x568', '820x1180']) {
    const [width = 0, height = 0] = size.split('x').map(Number);
    await page.setViewportSize({ width, height });
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const parts = ['header', '.turn', '.fit', '.controls', '.side']
              .map((name) => (name === 'header' ? name : `.table > ${name}, .space > ${name}`))
              .concat('footer')
              .flatMap((name) => [...document.querySelectorAll(name)].slice(0, 1))
              .map((node) => ({ name: `${node.tagName}.${node.className}`, box: node.getBoundingClientRect() }))
              .filter(({ box }) => box.width > 0 && box.height > 0);
            const found = document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : [];
            for (const [index, { name, box: a }] of parts.entries())
              for (const { name: other, box: b } of parts.slice(index + 1))
                if (
                  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
                )
                  found.push(`${name} and ${other}`);
            return found;
          }),
        { message: `${where} at ${size}` },
      )
      .toEqual([]);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** The element with the keyboard focus is visible. */
export async function focused(page: Page, where: string): Promise<void> {
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

