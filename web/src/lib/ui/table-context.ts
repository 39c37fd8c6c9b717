/**
 * What the room's page gives a game's Table without involving the board: a notice instead of the turn
 * (connection lost, paused), so that nothing moves and nothing is covered, and the result once the game is
 * over.
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
  /** Why the last action was refused; '': it was not. Shown in place of the turn's detail. */
  refusal?: () => string;
  /** Its argument: what the board itself offers next. */
  result: () => Snippet<[Snippet | undefined]> | null;
  /** Identifies a turn of one's own; '': somebody else's. With a new one the board comes into view. */
  ownTurn?: () => string;
  /** The seat of whoever reads; on a shared device it changes. */
  reader?: () => string;
  /** Called with the board's own answer to an action. */
  answered?: (words: string) => void;
}

const key = Symbol('table');

export function provideTable(context: TableContext): void {
  setContext(key, context);
}

export function tableContext(): TableContext {
  return getContext<TableContext | undefined>(key) ?? { notice: () => null, result: () => null };
}
