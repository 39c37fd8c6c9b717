/** What a small screen shows whole and without scrolling when it is the next thing to do or read. */
import type { Page } from '@playwright/test';
import { cutOff, games, way } from './support/first-minute.ts';
import { button, customise, emptyRoom, more, says } from './support/island.ts';
import { blank, expect, shown, test } from './support/test.ts';

const small = { viewport: { width: 390, height: 664 }, hasTouch: true };

/** A page whose device can share a link, as phones can, or cannot. */
async function shares(page: Page, can: boolean): Promise<void> {
  await page.addInitScript((share) => {
    const value = share ? () => Promise.resolve() : undefined;
    Object.defineProperty(navigator, 'share', { value, configurable: true });
  }, can);
}

for (const game of games)
  test(`the lobby of ${game.title} on a small phone`, async ({ player }) => {
    const page = await player(blank, small);
    for (const can of [true, false]) {
      await shares(page, can);
      await page.goto('/');
      await page.locator('button.card').filter({ hasText: game.title }).tap();
      await button(page, /^(Play|Race) a friend$/).tap();
      await button(page, 'Add bot').waitFor();
      await expect(button(page, 'Share')).toHaveCount(can ? 2 : 1); // one of them in the header
      const all = page.locator('main :is(button, select:visible, a)');
      const settings = page.locator('main .how :is(button, a)');
      await expect(settings).toHaveCount(2);
      expect(await all.count()).toBeGreaterThan(6);
      expect(await cutOff(all), can ? 'with a share sheet' : 'without one').toEqual([]);
    }
    /* The single settings fold out below: nothing above them moves. */
    const before = await button(page, 'Add bot').boundingBox();
    await customise(page);
    await shown(page, 'Choose each setting yourself.').waitFor();
    expect(await button(page, 'Add bot').boundingBox()).toEqual(before);
    expect(await cutOff(button(page, 'Copy link'))).toEqual([]);
  });

test('the actions of a card and the menu on a phone in landscape', async ({ player }) => {
  const page = await player('/', { viewport: { width: 844, height: 390 }, hasTouch: true });
  for (const game of games) {
    await page.locator('button.card').filter({ hasText: game.title }).tap();
    const ways = page.getByRole('dialog').locator('button, a');
    await page.getByRole('dialog').getByRole('link', { name: 'How to play' }).waitFor();
    await expect.poll(() => cutOff(ways), { message: game.title }).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.locator('button.card').filter({ hasText: 'Flooded Island' }).tap();
  await button(page, 'Play the computer').tap();
  await says(page, /^Your turn, day 1/).waitFor();
  await more(page).tap();
  await button(page, 'All games').waitFor();
  await expect.poll(() => cutOff(page.getByRole('dialog').locator('button, a'))).toEqual([]);
});

for (const [width, height] of [
  [390, 664],
  [844, 390],
  [390, 844],
] as const)
  test(`the rules at a glance before a game of Flag War, at ${width}x${height}`, async ({ player }) => {
    const page = await player('/', { viewport: { width, height }, hasTouch: true });
    await page.locator('button.card').filter({ hasText: 'Flag War' }).tap();
    await button(page, 'Play the computer').tap();
    await button(page, 'Ready').waitFor();
    const rules = page.locator('.ready li');
    await expect(rules).toHaveCount(3);
    expect(await cutOff(rules)).toEqual([]);
    await expect(page.locator('.turn').getByText(/The clock starts in \d+ second/)).toBeVisible();
    /* The answer to an action appears here too, and the map keeps its size. */
    const map = await page.locator('.fit').boundingBox();
    await page.locator('[data-cell="5,8"]').tap();
    await expect(page.locator('.turn').getByText('Piece 2, round 1: choose a square.')).toBeVisible();
    await button(page, 'Ready').tap();
    await page.getByLabel('Orders in words').waitFor();
    expect(await page.locator('.fit').boundingBox()).toEqual(map);
  });

for (const [bots, width, height] of [
  [1, 390, 664],
  [3, 390, 664],
  [1, 844, 390],
  [3, 844, 390],
  [7, 844, 390],
  [1, 667, 375],
] as const)
  test(`a Flood-It race of ${bots + 1} at ${width}x${height}`, async ({ player }) => {
    const page = await player(blank, { viewport: { width, height }, hasTouch: true });
    await page.goto(await emptyRoom(page, 'flood_it'));
    await button(page, 'Play as Player 1').tap();
    for (let bot = 0; bot < bots; bot += 1) {
      await button(page, 'Add bot').tap();
      await expect(button(page, 'Remove bot')).toHaveCount(bot + 1);
    }
    await button(page, 'Start the game').tap();
    await says(page, /^Move 1/).waitFor();
    /* The longest that is said of a player: bots end within seconds. */
    const lines = page.getByRole('list', { name: 'The race' }).locator('.far');
    await expect(lines.filter({ hasText: /done|none left/ })).toHaveCount(bots);
    const cut = (texts: Element[]): string[] =>
      texts.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent ?? '');
    expect(await lines.evaluateAll(cut)).toEqual([]);
    await expect(lines.first()).toHaveText(/^0 moves, \d+ of \d+$/);
    expect(await cutOff(page.locator('main button'))).toEqual([]);
    if (bots === 1) expect(await cutOff(lines)).toEqual([]);
    const board = await page.getByRole('img', { name: 'The board' }).boundingBox();
    expect(board?.width).toBeGreaterThan(height < 380 ? 200 : 225);
  });

for (const [width, height] of [
  [667, 375],
  [844, 390],
  [640, 400], // 1280x800 at 200 %
] as const)
  test(`all that one may do on a board for one, at ${width}x${height}`, async ({ player }) => {
    const page = await player('/play/flood_it', { viewport: { width, height }, hasTouch: true });
    for (const colors of [null, 6, 7, 10]) {
      if (colors !== null) await page.goto(`/play/flood_it?rows=14&cols=14&colors=${colors}`);
      await says(page, /^Move 1/).waitFor();
      const palette = page.getByRole('group', { name: 'Colours', exact: true });
      if (colors !== null) await expect(palette.getByRole('button')).toHaveCount(colors);
      expect(await cutOff(page.locator('main button')), `${colors} colours`).toEqual([]);
    }
  });

/* Regression: the settings had no column, and their words spilled out of their panel. */
for (const [width, height] of [
  [640, 400], // 1280x800 at 200 %
  [667, 375],
  [844, 390],
] as const)
  test(`an invitation at ${width}x${height}`, async ({ player }) => {
    const page = await player(blank, { viewport: { width, height } });
    for (const game of games) {
      await page.goto(await emptyRoom(page, game.id));
      await button(page, /^Play as/).first().waitFor();
      await page.getByRole('link', { name: 'How to play' }).first().waitFor();
      const spilt = await page
        .locator('main :is(a, button, p, h2, legend):visible')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).map((one) => one.textContent),
        );
      expect(spilt, game.title).toEqual([]);
    }
  });

test('on a small phone a long result leaves room for the name of its game', async ({ player }) => {
  const page = await player(blank, small);
  await page.evaluate(() => {
    const alone = { board: 'x', label: '20×20, 4 colours', moves: 22 };
    const result = 'You did it in 22 moves, 22 hints';
    const kept = { game: 'flood_it', role: 'player', status: 'ended', seen: 1, alone, result };
    localStorage.setItem('boardwalk:room:local-K7RTQXBD', JSON.stringify(kept));
  });
  await page.goto('/');
  await button(page, /^Show finished games/).tap();
  const name = page.getByRole('region', { name: 'Your games' }).getByText('Flood-It', { exact: true });
  const line = await name.evaluate((node) => parseFloat(getComputedStyle(node).lineHeight) * 1.5);
  expect((await name.boundingBox())?.height).toBeLessThan(line);
});

test('a name of 24 wide letters fits on a small phone, in the lobby and in a result', async ({ player }) => {
  const host = await player(blank, small);
  await host.goto(await emptyRoom(host, 'flag_war'));
  await button(host, 'Play as Blue').tap();
  await button(host, 'Add name').tap();
  await host.getByLabel('Your name').fill('W'.repeat(24));
  await host.keyboard.press('Enter');
  const guest = await player(new URL(host.url()).pathname, small);
  const fits = (): Promise<boolean> =>
    guest.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await says(guest, /^Play with W/).waitFor();
  expect(await fits(), 'the invitation').toBe(true);
  await button(guest, 'Play as Red').tap();
  await says(guest, /^Waiting for W/).waitFor();
  expect(await fits(), 'the lobby').toBe(true);
  await button(host, 'Start the game').tap();
  await host.getByRole('grid').waitFor(); // the lobby's menu goes with the lobby
  await more(host).tap();
  await button(host, 'Resign').tap();
  await host.getByRole('dialog').getByRole('button', { name: 'Resign' }).tap();
  await says(guest, 'You won').waitFor();
  expect(await fits(), 'the result').toBe(true);
});

/* Regression: each new sentence styles and lays out the whole board several times, a quarter of a second on a phone. */
test('a new sentence below the island leaves its fields alone', async ({ player }) => {
  const page = await player('/', { viewport: { width: 390, height: 664 } });
  await page.locator('button.card').filter({ hasText: 'Flooded Island' }).click();
  for (const name of games[0]?.way ?? []) await way(page, name).click();
  const note = page.locator('.note p');
  await note.waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const counts = async (): Promise<{ layouts: number; styles: number }> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
    return { layouts: of('LayoutCount'), styles: of('RecalcStyleCount') };
  };
  const before = await counts();
  await note.evaluate((p) => {
    const text = p.firstChild;
    for (let i = 0; i < 10; i += 1) {
      if (text !== null) text.textContent = `Something new: ${i}.`;
      void document.body.offsetHeight;
    }
  });
  const after = await counts();
  expect(after.layouts - before.layouts).toBeGreaterThanOrEqual(10);
  expect(after.styles - before.styles).toBeLessThan(10);
});
