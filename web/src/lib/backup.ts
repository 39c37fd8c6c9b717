/**
 * All data of this browser as one file: to save, to load on another device, or to delete.
 *
 *   await backup()        the text of the file, and a sentence about what is missing in it
 *   await restore(text)   how many items were loaded; fails with a sentence if it is not such a file
 *   forgetAll()           settles when everything is deleted: seats, games, boards, settings
 *
 * The file holds the tokens of seats: whoever has it can sit in them. Each value is checked where it is read, as
 * always, so a strange file does no harm beyond its own keys. The games that are played in this browser alone are in it
 * too (local/carry.ts). A seat that has gone further here than in the file stays, as its game does; of best
 * scores and solved days nothing is lost on either side. Limits: 30
 * million letters, of those 2 million in 2,000 keys.
 */
import { forgetGames } from './local/forget';
import { isRecord, storage } from './storage.svelte';

const prefix = 'boardwalk:';
const format = 1;
const mostText = 30_000_000;
/** In bytes: no letter has more than four. */
export const mostFile = 4 * mostText;
const mostBytes = 2_000_000;
const mostKeys = 2_000;

export const kept = (): string[] => storage.keys(prefix);

export async function backup(): Promise<{ text: string; missing: string }> {
  const entries = kept().map((key) => [key, storage.read(key)] as const);
  const { savedGames } = await import('./local/carry');
  const { games, missing } = await savedGames();
  const file = { boardwalk: format, kept: Object.fromEntries(entries), ...(games && { games }) };
  return { text: `${JSON.stringify(file, null, 1)}\n`, missing };
}

/** The last message of a seat: a smaller number would be taken for one that was already answered. */
function lastId(value: string | null): number {
  try {
    const seat: unknown = JSON.parse(value ?? '');
    return isRecord(seat) && typeof seat['lastId'] === 'number' ? seat['lastId'] : 0;
  } catch {
    return 0;
  }
}

/** Best scores and solved days, of both: numbers by name, of which the smaller is the better. null: it is none of these. */
function scores(here: string | null, file: string): string | null {
  const read = (text: string | null): Record<string, number> | null => {
    try {
      const value: unknown = JSON.parse(text ?? '');
      const numbers = isRecord(value) && Object.values(value).every(Number.isSafeInteger);
      return numbers ? (value as Record<string, number>) : null;
    } catch {
      return null;
    }
  };
  const [own, theirs] = [read(here), read(file)];
  if (own === null || theirs === null) return null;
  const names = [...new Set([...Object.keys(own), ...Object.keys(theirs)])].sort();
  const least = (name: string): number => Math.min(own[name] ?? Infinity, theirs[name] ?? Infinity);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, least(name)])));
}

const wrong = (): Error => new Error('This is not a file that Boardwalk saved from a browser.');
const tooLarge = (): Error => new Error('This file is too large to be one that Boardwalk saved.');

function keysOf(values: Record<string, unknown>): [string, string][] {
  const entries = Object.entries(values);
  if (entries.length > mostKeys) throw tooLarge();
  let bytes = 0;
  return entries.map(([key, value]) => {
    if (!key.startsWith(prefix) || typeof value !== 'string') throw wrong();
    bytes += key.length + value.length;
    if (bytes > mostBytes) throw tooLarge();
    return [key, value];
  });
}

export async function restore(text: string): Promise<number> {
  if (text.length > mostText) throw tooLarge();
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!isRecord(file) || file['boardwalk'] === undefined || !isRecord(file['kept'])) throw wrong();
  if (file['boardwalk'] !== format)
    throw new Error(
      'This file is from a newer version of Boardwalk. Reload this page, then try again.',
    );
  const entries = keysOf(file['kept']);
  let games = 0;
  if (file['games'] !== undefined) {
    const { checkedGames, putGames } = await import('./local/carry');
    const checked = checkedGames(file['games']);
    if (checked === null) throw wrong();
    games = checked.rooms.length;
    await putGames(checked).catch(() => {
      throw new Error('This browser’s storage is full or blocked: nothing was loaded.');
    });
  }
  let lost = 0;
  for (const [key, value] of entries) {
    const here = storage.read(key);
    if (lastId(value) < lastId(here)) continue;
    lost += storage.write(key, scores(here, value) ?? value) ? 0 : 1;
  }
  if (lost > 0)
    throw new Error(`This browser’s storage is full: ${lost} of ${entries.length} did not fit.`);
  return entries.length + games;
}

/** Games of this browser's own hall (lib/local) are deleted too. */
export async function forgetAll(): Promise<void> {
  for (const key of kept()) storage.write(key, null);
  await forgetGames();
}
