/**
 * What this browser keeps, as one file: taken along to another device, brought back, or deleted.
 *
 *   backup()          the text of the file
 *   restore(text)     how many things came back; throws a sentence where the file is not one of these
 *   forgetAll()       settles when everything is gone: seats, games, boards, settings
 *
 * The file holds the tokens of seats: whoever has it can sit in them. Each value is checked where it is read, as
 * always, so a strange file does no harm beyond its own keys. Limits: 2 MB and 2,000 keys. Games that are played in
 * this browser alone are not in the file.
 */
import { forgetGames } from './local/forget';
import { isRecord, storage } from './storage.svelte';

const prefix = 'boardwalk:';
const format = 1;
const mostBytes = 2_000_000;
const mostKeys = 2_000;

export const kept = (): string[] => storage.keys(prefix);

export function backup(): string {
  const entries = kept().map((key) => [key, storage.read(key)] as const);
  return `${JSON.stringify({ boardwalk: format, kept: Object.fromEntries(entries) }, null, 1)}\n`;
}

export function restore(text: string): number {
  const wrong = new Error('This is not a file that Boardwalk saved from a browser.');
  if (text.length > mostBytes)
    throw new Error('This file is too large: Boardwalk saves 2 MB at most.');
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!isRecord(file) || file['boardwalk'] === undefined || !isRecord(file['kept'])) throw wrong;
  if (file['boardwalk'] !== format)
    throw new Error('This file is of a newer Boardwalk. Load this page again, then try once more.');
  const entries = Object.entries(file['kept']).slice(0, mostKeys);
  for (const [key, value] of entries) {
    if (!key.startsWith(prefix) || typeof value !== 'string') throw wrong;
  }
  let lost = 0;
  for (const [key, value] of entries) lost += storage.write(key, value as string) ? 0 : 1;
  if (lost > 0)
    throw new Error(`This browser’s storage is full: ${lost} of ${entries.length} did not fit.`);
  return entries.length;
}

/** Games that this browser's own hall keeps (lib/local) go too. */
export async function forgetAll(): Promise<void> {
  for (const key of kept()) storage.write(key, null);
  await forgetGames();
}
