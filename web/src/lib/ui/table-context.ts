/**
 * What the room's page puts into a game's Table without the board knowing: a
 * notice in place of the turn (connection lost, paused), so that nothing moves
 * and nothing is covered, and the result once the game is over.
 */
import type { Snippet } from 'svelte';
import { getContext, setContext } from 'svelte';

export interface TableNotice {
  title: string;
  detail: string;
  action?: { label: string; run: () => void };
}

export interface TableContext {
  notice: () => TableNotice | null;
  /** Why what was just tried is refused; '' : nothing was. It stands where the turn's detail stands. */
  refusal?: () => string;
  result: () => Snippet | null;
  /** Names a turn of one's own; '': somebody else has it. With a new one the board comes into sight. */
  ownTurn?: () => string;
  /** Hears what the board itself answers to a try. */
  answered?: (words: string) => void;
}

const key = Symbol('table');

export function provideTable(context: TableContext): void {
  setContext(key, context);
}

export function tableContext(): TableContext {
  return getContext<TableContext | undefined>(key) ?? { notice: () => null, result: () => null };
}
