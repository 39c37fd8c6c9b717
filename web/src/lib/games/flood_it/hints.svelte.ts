/**
 * How many hints were taken on a board, kept in this browser. They count for the board, not for the try:
 * to start it again after a look at the best line makes no result without hints.
 */
import { untrack } from 'svelte';
import { browserStorage } from '../../room/seat';
import { boardOf, nameOf } from './start';
import type { FloodState } from './types';

const key = 'boardwalk:flood_it:hints';
const most = 200;

/* The newest last; read again before every change, for another tab may have changed it. */
let unstored: [string, number][] = [];
let taken = $state(0);

function read(): [string, number][] {
  try {
    const value: unknown = JSON.parse(browserStorage()?.getItem(key) ?? 'null');
    if (!Array.isArray(value)) return unstored;
    return (value as unknown[]).filter(
      (one): one is [string, number] =>
        Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[1]) && one[1] > 0,
    );
  } catch {
    return unstored;
  }
}

export function hintsOn(state: FloodState): number {
  void taken;
  const name = nameOf(boardOf(state));
  return read().find(([board]) => board === name)?.[1] ?? 0;
}

export function countHint(state: FloodState): void {
  const name = nameOf(boardOf(state));
  const count = untrack(() => hintsOn(state)) + 1;
  unstored = [...read().filter(([board]) => board !== name), [name, count] as [string, number]].slice(-most);
  try {
    browserStorage()?.setItem(key, JSON.stringify(unstored));
  } catch {
    // No storage: they are counted for as long as the page lives.
  }
  untrack(() => (taken += 1));
}

/** In a race nobody is helped unless the room allows it. */
export function hintsAllowed(state: FloodState): boolean {
  return Object.keys(state.race).length < 2 || (state.settings as { hints?: boolean }).hints === true;
}
