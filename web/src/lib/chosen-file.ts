/** A file that somebody chose: anything may be in it. Every fault is a sentence. */
import { isRecord } from './storage.svelte';

/** As the server's (net.h). */
const mostOfGame = 2 * 1024 * 1024;

/** `what` names what it should be: "a game’s file". */
export async function textOf(file: Blob, most: number, what: string): Promise<string> {
  if (file.size === 0) throw new Error('This file is empty.');
  if (file.size > most) throw new Error(`This file is too large to be ${what}.`);
  try {
    return await file.text();
  } catch {
    throw new Error('This file cannot be read: it was moved or changed, or is a folder.');
  }
}

/** Fails for what cannot be a game's file, before all of it is sent to a server. */
export async function checkGame(file: Blob): Promise<void> {
  const text = await textOf(file, mostOfGame, 'a game’s file');
  let head: unknown = null;
  try {
    head = JSON.parse(text.split('\n', 1)[0] ?? '');
  } catch {
    // no game's file
  }
  if (!isRecord(head) || typeof head['game'] !== 'string')
    throw new Error('This is not a game’s file. A replay writes one with “Save file”.');
}
