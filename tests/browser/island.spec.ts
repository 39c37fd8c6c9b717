import { button, fields, flood, lower, makeRoom, more, playOut, says, seatBoth, sit, start, walk } from './support/island.ts';
import type { Locator, Page } from '@playwright/test';
import { blank, expect, shown, test } from './support/test.ts';

test('two people meet by a link, configure, play a whole game, and play again with sides swapped', async ({
  player,
}) => {
  const { walker, weather } = await seatBoth(player);
  await expect(says(weather, 'Waiting for the Adventurer to start the game')).toBeVisible();

  // The other player sees the choices change, and cannot make them.
  await lower(walker, 'Width', 4);
  await lower(walker, 'Height', 3);
  await expect(weather.getByRole('status').filter({ hasText: '4' })).toHaveCount(1);
  await expect(button(weather, 'Start the game')).toHaveCount(0);

  await start(walker);
  await expect(says(weather, 'Day 1 of 365')).toBeVisible();
  await expect(says(walker, 'Your turn, day 1 of 365')).toBeVisible();
  await expect(fields(weather, /column/)).toHaveCount(12);
  await expect(fields(weather, /reachable/)).toHaveCount(0);

  const days = await playOut(walker, weather, 2);
  await expect(says(walker, 'You lost')).toBeVisible();
  await expect(says(weather, 'You won')).toBeVisible();
  for (const page of [walker, weather]) {
    await expect(page.getByRole('definition').first()).toHaveText(String(days));
    await expect(shown(page, 'Game over', { exact: true })).toBeVisible();
  }
  await walker.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(walker, 'Share the replay').click();
  await expect(button(walker, 'Link copied')).toBeVisible();
  expect(await walker.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`^${new URL(walker.url()).origin}/replay/[A-Z0-9]+$`),
  );

  const before = walker.url();
  await shown(walker, 'Swap sides').click();
  await button(walker, 'Play again').click();
  // Screen readers announce it too: in the live region, which is outside the main part of the page.
  await expect(walker.getByRole('main').getByText('Waiting for the Weather')).toBeVisible();
  await expect(weather.getByRole('main').getByText(/wants to play again, with sides swapped/)).toBeVisible();
  await button(weather, 'Play again').click();
  await expect(walker).not.toHaveURL(before);
  await expect(weather).toHaveURL(walker.url());
  // Both want a rematch: the game starts by itself, and the weather is now the adventurer.
  await says(weather, /Your turn, day 1/).waitFor();
});

test('a choice can be changed and taken back, and nobody else sees it', async ({ player }) => {
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  const end = button(walker, 'End Turn');
  await expect(end).toBeDisabled();
  const first = walker.locator('[data-cell="1,0"]');
  const other = walker.locator('[data-cell="1,1"]');
  await first.click();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await other.click();
  await expect(first).toHaveAttribute('aria-selected', 'false');
  await expect(other).toHaveAttribute('aria-selected', 'true');
  await expect(fields(weather, /chosen/)).toHaveCount(0);
  await other.click();
  await expect(fields(walker, /chosen/)).toHaveCount(0);
  await expect(end).toBeDisabled();

  // An illegal choice is refused in words beside the board, and nothing is lost.
  await first.click();
  await walker.locator('[data-cell="5,5"]').click();
  await expect(shown(walker, 'That field is too far away.')).toBeVisible();
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await end.click();
  await expect(says(weather, 'Your turn, night 1 of 365')).toBeVisible();
  await expect(shown(walker, 'That field is too far away.')).toHaveCount(0);

  // The weather floods at most two fields, which are counted; a third is refused.
  await weather.locator('[data-cell="3,3"]').click();
  await expect(shown(weather, '1/2')).toBeVisible();
  await weather.locator('[data-cell="4,4"]').click();
  await expect(shown(weather, '2/2')).toBeVisible();
  await weather.locator('[data-cell="5,5"]').click();
  await expect(shown(weather, '2/2')).toBeVisible();
  await expect(shown(weather, /^At most 2 fields per night/)).toBeVisible();
  await weather.locator('[data-cell="3,3"]').click();
  await expect(shown(weather, '1/2')).toBeVisible();
  await button(weather, 'End Turn').click();
  await expect(walker.locator('[data-cell="4,4"]')).toHaveAttribute('data-field', 'flooded');
  await expect(walker.locator('[data-cell="3,3"]')).toHaveAttribute('data-field', 'dry');
  // The other side's last move stays marked, also after a reload.
  const marked = fields(walker, /column 5, row 5, flooded, flooded last night/);
  await expect(marked).toHaveCount(1);
  await walker.reload();
  await expect(marked).toHaveCount(1);
});

test('the fields that would dry are shown before the move', async ({ player }) => {
  const { walker, weather } = await seatBoth(player);
  await start(walker);
  await walk(walker, 1);
  await says(weather, 'Your turn, night 1').waitFor();
  // Walking to the last reachable field leads to column 2, row 2.
  await weather.locator('[data-cell="3,2"]').click();
  await button(weather, 'End Turn').click();
  await says(walker, 'Your turn, day 2').waitFor();
  await walker.locator('[data-cell="2,2"]').hover();
  await expect(fields(walker, /column 4, row 3, flooded, would dry/)).toHaveCount(1);
  await expect(fields(walker, /stays dry/)).toHaveCount(3);
  await walker.locator('[data-cell="0,0"]').hover(); // two fields would dry, because it is a corner
  await expect(fields(walker, /would dry/)).toHaveCount(0);
  await expect(fields(walker, /stays dry/)).toHaveCount(2);
  await walker.locator('[data-cell="2,2"]').focus();
  await expect(fields(walker, /would dry/)).toHaveCount(1);
});

test('one person plays against a bot', async ({ player }) => {
  const page = await player(blank);
  await makeRoom(page);
  await sit(page, 'Adventurer');
  await button(page, 'Add bot').click();
  await says(page, 'Ready to start').waitFor();
  await lower(page, 'Width', 3);
  await lower(page, 'Height', 3);
  await start(page);
  for (let day = 1; day < 30; day += 1) {
    await walk(page, day);
    const next = says(page, `Your turn, day ${day + 1}`);
    const over = says(page, /^You (won|lost)$/);
    await expect(next.or(over)).toBeVisible();
    if (await over.isVisible()) break;
    if (day === 8) {
      await more(page).click();
      await button(page, 'Resign').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
      await says(page, 'You lost').waitFor();
      break;
    }
  }
  await expect(page.getByRole('definition')).toHaveCount(3);
});

test('on a phone, by touch alone, against a player on a desktop', async ({ player }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const weather = await player(blank);
  const path = await makeRoom(weather);
  await sit(weather, 'Weather');
  const walker = await player('/', phone);
  await button(walker, 'Settings').tap();
  await button(walker, 'Close').tap();
  await walker.goto(path);
  await button(walker, 'Play as Adventurer').tap();
  await lower(walker, 'Width', 3);
  await lower(walker, 'Height', 3);
  await button(walker, 'Start the game').tap();
  await playOut(walker, weather, 2, { walk: (field) => field.tap() });
  await expect(says(walker, 'You lost')).toBeVisible();
  const overflow = await walker.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});

test('by keyboard alone', async ({ player }) => {
  const page = await player('/');
  const press = async (name: string | RegExp): Promise<void> => {
    const target = button(page, name);
    await expect(target).toBeEnabled();
    for (let i = 0; i < 60; i += 1) {
      if (await target.evaluate((node) => node === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await press(/^Flooded Island/);
  await press('Play a friend');
  await press('Add bot');
  await says(page, 'Ready to start').waitFor();
  await expect(button(page, 'Start the game')).toBeFocused();
  await page.keyboard.press('Enter');
  await says(page, 'Your turn, day 1').waitFor();
  await fields(page, /reachable/).first().waitFor();
  // The board gets the focus, at the adventurer, and keeps it from turn to turn.
  await expect(page.locator('[data-cell="0,0"]')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const first = page.locator('[data-cell="1,1"]');
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(first).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Enter');
  await press('End Turn');
  await says(page, 'Your turn, day 2').waitFor();
  await expect(fields(page, /the adventurer stands here/)).toHaveAttribute('data-cell', '1,1');
  await expect(first).toBeFocused();
  // From here three keys a day: to a field, choose, end.
  for (let day = 2; day <= 3; day += 1) {
    const near = fields(page, /reachable/);
    await near.first().waitFor();
    const [x = 0, y = 0] = ((await near.last().getAttribute('data-cell')) ?? '').split(',').map(Number);
    const [fromX = 0, fromY = 0] = ((await page.locator('[data-cell]:focus').getAttribute('data-cell')) ?? '')
      .split(',')
      .map(Number);
    if (x !== fromX) await page.keyboard.press(x > fromX ? 'ArrowRight' : 'ArrowLeft');
    if (y !== fromY) await page.keyboard.press(y > fromY ? 'ArrowDown' : 'ArrowUp');
    await page.keyboard.press('Enter');
    await expect(fields(page, /chosen/)).toHaveCount(1);
    await page.keyboard.press('e');
    await says(page, `Your turn, day ${day + 1}`).waitFor();
    await expect(page.locator(`[data-cell="${x},${y}"]`)).toBeFocused();
  }
});

test('the weather skips a night by a button that says so; the end of the game gives a reason', async ({ player }) => {
  const { walker, weather } = await seatBoth(player);
  await lower(walker, 'Width', 3);
  await lower(walker, 'Height', 3);
  await start(walker);
  await walk(walker, 1);
  await says(weather, 'Your turn, night 1').waitFor();
  await expect(button(weather, 'End Turn')).toHaveCount(0);
  await button(weather, 'Pass the night').click();
  await expect(shown(walker, /^Last night .* flooded nothing\./)).toBeVisible();
  await walk(walker, 2);
  for (let night = 2; night < 40; night += 1) {
    await flood(weather, night, 2);
    const next = says(walker, `Your turn, day ${night + 1}`);
    await next.or(says(walker, 'You lost')).first().waitFor();
    if (!(await next.isVisible())) break;
    await walk(walker, night + 1);
  }
  await expect(walker.getByRole('main').getByText(/^Trapped after \d+ days: every neighbouring field is flooded\.$/)).toBeVisible();
  await expect(weather.getByRole('main').getByText(/was trapped after \d+ days/)).toBeVisible();
});

/** How different two parts of the page look: the share of pixels that differ. */
async function difference(page: Page, one: Locator, other: Locator): Promise<number> {
  const pictures = [await one.screenshot(), await other.screenshot()].map((png) => png.toString('base64'));
  return page.evaluate(async ([a = '', b = '']) => {
    const pixels = async (png: string) => {
      const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      return context?.getImageData(0, 0, Math.min(image.width, 30), Math.min(image.height, 30)).data ?? [];
    };
    const [left, right] = [await pixels(a), await pixels(b)];
    let differing = 0;
    for (let i = 0; i < left.length; i += 4) if (Math.abs((left[i] ?? 0) - (right[i] ?? 0)) > 60) differing += 1;
    return differing / (left.length / 4);
  }, pictures);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`when the system forces its colours, dry, flooded and the adventurer look different (${colorScheme})`, async ({
    player,
  }) => {
    const { walker, weather } = await seatBoth(player);
    await walker.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    await start(walker);
    await walk(walker, 1);
    await says(weather, 'Your turn, night 1').waitFor();
    await weather.locator('[data-cell="6,6"]').click();
    await button(weather, 'End Turn').click();
    await says(walker, 'Your turn, day 2').waitFor();
    await walk(walker, 2); // so that last night's mark is gone, and only the water shows
    await says(walker, 'Night 2 of 365').waitFor();
    const cell = (name: string) => walker.locator(`[data-cell="${name}"]`);
    expect(await difference(walker, cell('8,8'), cell('8,7'))).toBeLessThan(0.04); // both dry, up to rounding
    expect(await difference(walker, cell('8,8'), cell('6,6'))).toBeGreaterThan(0.05);
    const here = fields(walker, /the adventurer stands here/);
    expect(await difference(walker, cell('8,8'), here)).toBeGreaterThan(0.05);
  });
}
