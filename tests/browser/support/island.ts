/** Plays Flooded Island by what the page shows and says. */
import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { blank, shown } from './test.ts';

export const says = (page: Page, words: string | RegExp): Locator =>
  page.getByRole('heading', { name: words });

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name });

/** The page's clock stands still from here on. A page that waited for a sign of life from the server loses its connection
 * by the leap, and tries again in a second, by that clock. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const lost = says(page, 'Connection lost');
  await expect
    .poll(async () => {
      if (await lost.isVisible()) await page.clock.runFor(1_000);
      return lost.isVisible();
    })
    .toBe(false);
}

/** What opens the menu of a game. Before the game, a number has a button "Width: more". */
export const more = (page: Page): Locator => page.getByRole('button', { name: 'More', exact: true });

/** A room that a program created, with no player in it; returns its path. */
export async function emptyRoom(page: Page, game: string, config: object = {}): Promise<string> {
  const answer = await page.request.post('/api/rooms', { data: { game, config } });
  return ((await answer.json()) as { url: string }).url;
}

/** Goes to a new room with the settings for a whole year and no player seated; returns its path. */
export async function makeRoom(page: Page): Promise<string> {
  const path = await emptyRoom(page, 'flooded_island');
  await page.goto(path);
  await says(page, 'Take a seat').waitFor();
  return path;
}

export async function sit(page: Page, role: 'Adventurer' | 'Weather'): Promise<void> {
  await button(page, `Play as ${role}`).click();
  await expect(button(page, 'Add name')).toBeVisible();
}

/** Both players: a room for two, both seated. */
export async function seatBoth(
  player: (path?: string) => Promise<Page>,
): Promise<{ walker: Page; weather: Page; path: string }> {
  const walker = await player(blank);
  const path = await makeRoom(walker);
  await sit(walker, 'Adventurer');
  const weather = await player(path);
  await sit(weather, 'Weather');
  await says(walker, 'Ready to start').waitFor();
  return { walker, weather, path };
}

/** Shows the single settings if a variant hides them. */
export async function customise(page: Page): Promise<void> {
  if ((await page.getByRole('spinbutton').count()) > 0) return;
  const list = page.getByRole('combobox', { name: 'Variant' });
  const radio = page.getByRole('radio', { name: 'Custom' });
  await list.or(radio).waitFor();
  if (await list.isVisible()) await list.selectOption('Custom');
  else await radio.check({ force: true }); // its label covers it
}

/** Decreases a number of the configuration with its minus button. */
export async function lower(page: Page, label: string, to: number): Promise<void> {
  await customise(page);
  const field = page.getByLabel(label, { exact: false }).and(page.getByRole('spinbutton'));
  while (Number(await field.inputValue()) > to) {
    const now = Number(await field.inputValue());
    await button(page, `${label}: less`).click();
    await expect(field).toHaveValue(String(now - 1));
  }
}

export async function start(page: Page): Promise<void> {
  await button(page, 'Start the game').click();
  await says(page, /day 1/i).waitFor();
}

export const fields = (page: Page, words: RegExp): Locator =>
  page.getByRole('gridcell', { name: words });

/** The adventurer's turn: the last reachable field, by click, tap or any `act`. */
export async function walk(
  page: Page,
  day: number,
  act: (field: Locator) => Promise<void> = (field) => field.click(),
): Promise<void> {
  await says(page, `Your turn, day ${day}`).waitFor();
  const reachable = fields(page, /reachable/);
  await reachable.first().waitFor();
  await act(reachable.last());
  await expect(fields(page, /chosen/)).toHaveCount(1);
  await act(button(page, 'End Turn'));
}

/** The weather's turn: floods up to `most` of the dry fields around the adventurer. */
export async function flood(
  page: Page,
  night: number,
  most: number,
  act: (field: Locator) => Promise<void> = (field) => field.click(),
): Promise<void> {
  await says(page, `Your turn, night ${night}`).waitFor();
  let chosen = 0;
  for (const cell of await around(page)) {
    if (chosen === most) break;
    const field = page.locator(`[data-cell="${cell}"]`);
    if ((await field.getAttribute('data-field')) !== 'dry') continue;
    await act(field);
    chosen += 1;
    await expect(shown(page, `${chosen}/${most}`)).toBeVisible();
  }
  await act(button(page, 'End Turn'));
}

/** The squares around the adventurer that are on the board. */
async function around(page: Page): Promise<string[]> {
  const here = await fields(page, /the adventurer stands here/).getAttribute('data-cell');
  const [x = 0, y = 0] = (here ?? '').split(',').map(Number);
  const cells: string[] = [];
  for (const dy of [-1, 0, 1]) {
    for (const dx of [-1, 0, 1]) {
      const cell = `${x + dx},${y + dy}`;
      if ((dx !== 0 || dy !== 0) && (await page.locator(`[data-cell="${cell}"]`).count()) > 0)
        cells.push(cell);
    }
  }
  return cells;
}

/** Plays turn by turn until a player has won; returns the days played. */
export async function playOut(
  walker: Page,
  weather: Page,
  most: number,
  acts: { walk?: (field: Locator) => Promise<void>; flood?: (field: Locator) => Promise<void> } = {},
): Promise<number> {
  for (let day = 1; day <= 40; day += 1) {
    await walk(walker, day, acts.walk);
    await flood(weather, day, most, acts.flood);
    const next = says(walker, `Your turn, day ${day + 1}`);
    const over = says(walker, /^You (won|lost)$/);
    await expect(next.or(over)).toBeVisible();
    if (await over.isVisible()) return day;
  }
  throw new Error('The game does not end.');
}
