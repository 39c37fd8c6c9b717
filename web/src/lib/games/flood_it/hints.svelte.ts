/**
 * How many hints were taken on a board, kept in this browser. They count for the board, not for the try:
 * to start it again after a look at the best line makes no result without hints.
 */
import { readJson, storage, writeJson } from '../../storage.svelte';
import { boardOf, nameOf } from './start';
import type { FloodState } from './types';

const key = 'boardwalk:flood_it:hints';
const most = 200;

/** The board and its hints. */
type Taken = [name: string, count: number];

/* The newest last. */
function read(): Taken[] {
  const value = readJson(key);
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (one): one is Taken =>
      Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[1]) && one[1] > 0,
  );
}

const countOf = (name: string): number => read().find(([board]) => board === name)?.[1] ?? 0;

export function hintsOn(state: FloodState): number {
  storage.watch(key);
  return countOf(nameOf(boardOf(state)));
}

export function countHint(state: FloodState): void {
  const name = nameOf(boardOf(state));
  const now: Taken = [name, countOf(name) + 1];
  writeJson(key, [...read().filter(([board]) => board !== name), now].slice(-most));
}

/** In a race nobody is helped unless the room allows it. */
export function hintsAllowed(state: FloodState): boolean {
  return Object.keys(state.race).length < 2 || state.config.hints === true;
}
