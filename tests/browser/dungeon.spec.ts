import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { violationsInBoth } from './support/axe.ts';
import { outOfReach } from './support/first-minute.ts';
import { button, emptyRoom, says, stopClock } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

const ghost = (page: Page) => page.locator('[data-ghost]');
const targets = (page: Page) => page.locator('[data-target]:not([data-ghost])');

/** For this long nothing turns or places a newly drawn tile. */
const unseen = 450;

/** For this long a new button ignores taps. */
const fresh = 600;

/** A room in which the first tile can be turned: it has this seed, because it goes on with a game from a file. */
async function roomOfSeed(page: Page, seed = Buffer.alloc(32)): Promise<string> {
  const head = {
    format: 1,
    game: 'monadungeon',
    rules_version: 1,
    config: { max_hp: 5, actions: 4, deck_size: 88, gates: 'always', quick: false, torch_turns: 25 },
    seats: ['player1'],
    names: {},
    bots: {},
    started_at: 0,
    seed_hash: createHash('sha256').update(seed).digest('hex'),
    seed: seed.toString('hex'),
  };
  const answer = await page.request.post('/api/games/running', { data: `${JSON.stringify(head)}\n` });
  return ((await answer.json()) as { url: string }).url;
}

/** A running game, seated. */
async function begin(page: Page): Promise<void> {
  await page.goto(await roomOfSeed(page));
  await button(page, 'Take this seat').click();
  await says(page, 'Your turn: 4 moves left').waitFor();
  await expect(targets(page)).toHaveCount(4);
}

/** Draws the first tile, and turns it once. */
async function drawOneToTurn(page: Page): Promise<void> {
  await targets(page).first().press('Enter');
  await says(page, 'Your turn: place the tile').waitFor();
  const before = (await ghost(page).getAttribute('aria-label')) ?? '';
  await page.waitForTimeout(unseen);
  await page.keyboard.press('r');
  await expect(ghost(page)).not.toHaveAttribute('aria-label', before);
}

test('a tile is drawn, rotated, restored by a reload, and placed; the log survives reloads', async ({ player }) => {
  const page = await player(blank);
  await begin(page);
  await drawOneToTurn(page);
  const tiles = await shown(page, /^\d+ tiles? left$/).textContent();
  await page.reload();
  await says(page, 'Your turn: place the tile').waitFor();
  await expect(ghost(page)).toHaveCount(1);
  await expect(shown(page, /^\d+ tiles? left$/)).toHaveText(tiles ?? '');
  await page.waitForTimeout(unseen);
  await button(page, 'Place it here').click();
  await expect(ghost(page)).toHaveCount(0);
  // Another reload shows the same log.
  const log = page.getByRole('region', { name: 'Log' }).getByRole('listitem');
  await expect(log.first()).toBeVisible();
  const lines = await log.allTextContents();
  await page.reload();
  await expect(log).toHaveText(lines);
});

test('a double tap places the tile as it was before the tap', async ({ player }) => {
  const page = await player(blank);
  await begin(page);
  await drawOneToTurn(page);
  const openings = /open [a-z, ]+/.exec((await ghost(page).getAttribute('aria-label')) ?? '')?.[0];
  // On a page so slow that it handles each tap long after the finger.
  await page.evaluate(() => {
    const busy = (): void => {
      const until = performance.now() + 700;
      while (performance.now() < until);
    };
    document.addEventListener('click', busy, { capture: true });
  });
  await ghost(page).dblclick();
  await expect(ghost(page)).toHaveCount(0);
  expect(openings).toBeDefined();
  await expect(page.getByRole('img', { name: new RegExp(openings ?? '') }).first()).toBeAttached();
});

test('the map pans and zooms by keys, and centres on the piece', async ({ player }) => {
  const page = await player(blank);
  await begin(page);
  const map = page.getByRole('group', { name: /The dungeon/ });
  const world = map.locator('svg > g');
  await map.focus();
  const at = await world.getAttribute('transform');
  await page.keyboard.press('ArrowLeft');
  await expect(world).not.toHaveAttribute('transform', at ?? '');
  await page.keyboard.press('c');
  await expect(world).toHaveAttribute('transform', at ?? '');
  await page.keyboard.press('+');
  await expect(world).not.toHaveAttribute('transform', at ?? '');
});

test('axe finds no violations in the dungeon, in light and dark, with a tile to place', async ({ player }) => {
  const page = await player(blank, {
    colorScheme: 'light',
    viewport: { width: 390, height: 844 },
  });
  await begin(page);
  expect(await violationsInBoth(page)).toEqual([]);
  await drawOneToTurn(page);
  expect(await violationsInBoth(page)).toEqual([]);
});

test('two quick clicks on an unexplored field draw a tile, but do not place it unseen', async ({ player }) => {
  const page = await player(blank);
  await begin(page);
  // Inside the page, because on a busy machine a click from outside may take longer than the tile is new.
  await page.evaluate(
    () =>
      new Promise<void>((seen) => {
        new MutationObserver((_, observer) => {
          const tile = document.querySelector('[data-ghost]');
          if (tile === null) return;
          observer.disconnect();
          for (const detail of [1, 2])
            tile.dispatchEvent(new MouseEvent('click', { bubbles: true, detail }));
          for (const key of ['r', 'Enter', ' '])
            for (const on of [tile, document.body])
              on.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key }));
          seen();
        }).observe(document.body, { childList: true, subtree: true });
        document
          .querySelector('[data-target]')
          ?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
      }),
  );
  const name = await ghost(page).getAttribute('aria-label');
  await page.waitForTimeout(unseen);
  await expect(ghost(page)).toHaveAttribute('aria-label', name ?? '');
  await expect(says(page, 'Your turn: place the tile')).toBeVisible();
  // From then on a click places it.
  await page.keyboard.press('Enter');
  await expect(ghost(page)).toHaveCount(0);
});

test('a bot’s turn is shown step by step, or skipped by a tap', async ({ player }) => {
  const page = await player(blank);
  await page.goto(await emptyRoom(page, 'monadungeon'));
  await button(page, 'Play as Player 1').click();
  await page.getByLabel(/^Level of the bot/).first().selectOption('Normal');
  await button(page, 'Add bot').first().click();
  await button(page, 'Start the game').click();
  await says(page, 'Your turn: 4 moves left').waitFor();
  // The page's clock stands still: the animation waits for the test, however slow the machine.
  await stopClock(page);
  await button(page, /Rest here/).click();
  await says(page, 'Bot 2’s turn').waitFor();
  // The server finished the turn long ago; only the animation is left.
  await expect(button(page, 'Skip')).toBeVisible();
  await expect(targets(page)).toHaveCount(0);
  await page.clock.runFor(fresh);
  await button(page, 'Skip').click();
  await says(page, /^Your turn/).waitFor();
  await page.clock.resume();
  await expect(targets(page).first()).toBeVisible();
  await expect(page.locator('.gone').first()).toBeAttached();
});

/* Regression: the page stays at its scroll position, and the board with all the next targets is off the screen. */
test('a player who has scrolled down sees all targets when their turn comes', async ({ player }) => {
  const page = await player(blank, { viewport: { width: 390, height: 664 }, hasTouch: true });
  await page.goto(await emptyRoom(page, 'monadungeon'));
  await button(page, 'Play as Player 1').click();
  await button(page, 'Add bot').first().click();
  await button(page, 'Start the game').click();
  await says(page, 'Your turn: 4 moves left').waitFor();
  // The page's clock stands still, so the bot's turn is not over before the test has scrolled.
  await stopClock(page);
  await button(page, /Rest here/).click();
  await says(page, 'Bot 2’s turn').waitFor();
  // There is text to read below the screen.
  await page.evaluate(() => {
    const more = document.createElement('p');
    more.style.height = '100vh';
    document.querySelector('.table')?.append(more);
    scrollTo(0, document.documentElement.scrollHeight);
  });
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await page.clock.resume();
  await says(page, /^Your turn/).waitFor();
  await targets(page).first().waitFor();
  await expect.poll(() => outOfReach(targets(page))).toEqual([]);
  await expect(says(page, /^Your turn/)).toBeInViewport();
});

test('on a small phone the party stays in place when a fight takes two lines', async ({ player }) => {
  const page = await player(blank, { viewport: { width: 390, height: 664 }, hasTouch: true });
  await page.goto(await emptyRoom(page, 'monadungeon'));
  await button(page, 'Play as Player 1').tap();
  await button(page, 'Add bot').first().tap();
  await button(page, 'Start the game').tap();
  await says(page, /^Your turn/).waitFor();
  await expect(targets(page)).toHaveCount(4); // the map is there, so all has its place
  const top = (): Promise<number> => page.locator('.side').evaluate((side) => side.getBoundingClientRect().top);
  const before = await top();
  // Dice are random, so the test inserts what a draw shows: dice, the sentence, and a button.
  await page.locator('.deeds').evaluate((deeds) => {
    const choices = deeds.querySelector('.choices');
    const said = document.createElement('p');
    said.className = `said ${[...deeds.classList].filter((name) => name.startsWith('svelte-')).join(' ')}`;
    said.textContent = 'You: 3 + 4 = 7, skeleton turnkey 7: a draw, and you step back.';
    const dice = document.createElement('div');
    dice.style.height = '40px';
    choices?.before(dice, said);
  });
  expect(await page.locator('.deeds .said:not(:empty)').evaluate((said) => said.getBoundingClientRect().height)).toBeGreaterThan(35);
  expect(await top()).toBe(before);
});
