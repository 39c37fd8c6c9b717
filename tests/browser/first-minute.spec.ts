/**
 * The first minute of a new player, for each game. It checks how many taps it takes from the home page to a first move,
 * against the computer and with a friend. Nothing covers the elements to tap, and everything that can be tapped is on
 * the screen without scrolling or panning. Nothing jumps, the keyboard focus is somewhere sensible after each change,
 * nothing overlaps a board, and axe finds no violations on any screen, in light and dark. The same by keyboard alone.
 *
 * ./test checks each game once, at the size where it fits least. FIRST_MINUTE=all checks all sizes, also in forced
 * colours, saves a picture of every screen in build/test/first-minute, and takes about ten minutes.
 */
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { violations, violationsInBoth } from './support/axe.ts';
import { apart, focused, games, outOfReach, sizes, stands, watchShifts, way } from './support/first-minute.ts';
import { button, more } from './support/island.ts';
import { expect, shown, test } from './support/test.ts';

const all = process.env['FIRST_MINUTE'] === 'all';
const pictures = fileURLToPath(new URL('../../build/test/first-minute/', import.meta.url));

const looks = ['own colours', 'forced colours'] as const;

for (const game of games)
  for (const size of sizes)
    for (const look of looks) {
      // Flood-It's board keeps its colours when others are forced: the one thing that can go wrong there.
      const quick = game.id === 'flood_it' ? 'forced colours' : 'own colours';
      if (!all && (game.quick !== size || quick !== look)) continue;
      test(`${game.title} at ${size}, ${look}`, async ({ player }) => {
        test.slow();
        const [width = 0, height = 0] = size.split('x').map(Number);
        const phone = Math.min(width, height) < 500;
        const options = {
          viewport: { width, height },
          hasTouch: phone,
          colorScheme: 'light' as const,
          ...(look === 'forced colours' ? { forcedColors: 'active' as const } : {}),
        };
        const open = async (path: string): Promise<Page> => {
          const page = await player('about:blank', options);
          await watchShifts(page);
          await page.goto(path);
          return page;
        };
        const see = async (page: Page, screen: string): Promise<void> => {
          const found =
            look === 'own colours' ? await violationsInBoth(page) : await violations(page);
          expect.soft(found, `axe on ${screen}`).toEqual([]);
          if (all) await page.screenshot({ path: `${pictures}${game.id}-${size}-${look.split(" ")[0] ?? ""}-${screen}.png` });
        };
        let taps = 0;
        const tap = async (what: Locator): Promise<void> => {
          await what.waitFor();
          // A player may have to scroll to a card or a dialog's last line, but not for anything on a board.
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

        /* Plays the game to its end, and checks that everything can be read. */
        if (game.id !== 'flood_it') {
          await tap(more(page));
          await see(page, 'menu');
          await tap(button(page, 'Resign'));
          await tap(page.getByRole('dialog').getByRole('button', { name: 'Resign' }));
          // In the dungeon the bot plays to the end, and nobody has to watch it.
          await button(page, 'Play again').waitFor({ timeout: 120_000 });
          expect.soft(await outOfReach(button(page, 'Play again')), 'the end').toEqual([]);
          await focused(page, 'the end');
          await see(page, 'end');
          await apart(page, 'the end');
          await tap(page.getByRole('link', { name: 'Replay' }));
          await shown(page, 'Verified').waitFor();
          await see(page, 'replay');
          await apart(page, 'the replay');
          const next = button(page, 'Next');
          const at = await next.boundingBox();
          for (let step = 1; step < 4 && (await next.isEnabled()); step += 1) {
            await tap(next);
            await shown(page, new RegExp(`^${step}/`)).waitFor();
            expect.soft(await next.boundingBox(), `the keys of the replay at step ${step}`).toEqual(at);
          }
        }
        for (const screen of ['learn', 'rules']) {
          await page.goto(`/${screen}/${game.id}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          if (screen === 'learn') await page.getByRole('region', { name: 'The lesson' }).waitFor();
          else await page.locator('figure .space').last().waitFor();
          await see(page, screen);
          await stands(page, screen);
        }
        for (const board of await page.locator('figure > .board').all())
          expect
            .soft(
              await board.evaluate((box) => box.clientHeight - (box.querySelector('.space')?.clientHeight ?? 0)),
              'what a picture of the rules leaves empty',
            )
            .toBeLessThan(2);
        // On a wide screen the boards among the rules keep the size of their place, whatever layout they would have
        // there.
        await page.setViewportSize({ width: 1280, height: 800 });
        for (const board of await page.locator('figure .fit').all())
          await expect
            .poll(async () => (await board.boundingBox())?.width ?? 0)
            .toBeGreaterThan(150);

        /* With a friend: the host has a seat and sees the link; the friend taps once. */
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

/* Regression: the focus falls to a heading or the way out, many keys away from the next action. */
for (const game of games)
  test(`${game.title} by keys alone`, async ({ player }) => {
    const page = await player('/', { viewport: { width: 390, height: 844 } });
    const card = page.locator('button.card').filter({ hasText: game.title });
    await card.waitFor();
    for (let tabs = 0; tabs < 8; tabs++) {
      if (await card.evaluate((node) => node === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(card).toBeFocused();
    for (const name of game.way) {
      await page.keyboard.press('Enter');
      await expect(way(page, name)).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await game.ready(page);
    await expect(game.keys.from(page)).toBeFocused();
    expect(await page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
    for (const [key, seen] of game.keys.press) {
      await page.keyboard.press(key);
      await seen?.(page).waitFor();
    }
    await game.moved(page).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('[data-cell], [data-target], .color')))
      .toBe(true);
  });
