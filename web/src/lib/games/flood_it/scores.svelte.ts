/** Best scores, kept in this browser. */
import { isRecord, readJson, storage, whole, writeJson } from '../../storage.svelte';
import { keepDay } from './daily';
import { hintsOn } from './hints.svelte';
import { boardOf } from './start';
import type { FloodState } from './types';

const bestKey = 'boardwalk:flood_it:best';

type Best = Record<string, number>;

const boardKey = (state: FloodState): string =>
  [state.rows, state.cols, state.colors.length, state.move_limit ?? 0].join('x');

function seedKey(state: FloodState): string {
  const { row, col } = boardOf(state).origin;
  return `${boardKey(state)}#${state.seed}${row + col > 0 ? `@${row}.${col}` : ''}`;
}

/** Fewest moves on boards of this kind, and on this very board; null: not solved yet. */
export function bestScores(state: FloodState): { kind: number | null; board: number | null } {
  storage.watch(bestKey);
  const best = readBest();
  return { kind: best[boardKey(state)] ?? null, board: best[seedKey(state)] ?? null };
}

export interface BestOfKind {
  rows: number;
  cols: number;
  colors: number;
  limit: number;
  moves: number;
}

/** Fewest moves on boards of each kind, the largest first. */
export function bestOfKinds(): BestOfKind[] {
  storage.watch(bestKey);
  return Object.entries(readBest())
    .filter(([kind]) => /^\d+x\d+x\d+x\d+$/.test(kind))
    .map(([kind, moves]) => {
      const [rows = 0, cols = 0, colors = 0, limit = 0] = kind.split('x').map(Number);
      return { rows, cols, colors, limit, moves };
    })
    .sort((a, b) => b.rows * b.cols - a.rows * a.cols || b.colors - a.colors || a.limit - b.limit);
}

/** The moves as the command line writes them: a letter for each colour. */
export function movesText(state: FloodState): string {
  return state.moves
    .slice(0, state.move_count)
    .map((index) => state.colors[index] ?? '?')
    .join(' ');
}

function readBest(): Best {
  const found = readJson(bestKey);
  if (!isRecord(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, number] => whole(1)(entry[1]) !== undefined,
    ),
  );
}

/** Keeps what a finished game achieved; one with an undo or a hint in it sets no best score. */
export function keepGame(state: FloodState): void {
  keepDay(state);
  if (!state.undone && hintsOn(state) === 0) keepBest(state);
}

function keepBest(state: FloodState): void {
  const best = readBest();
  for (const key of [boardKey(state), seedKey(state)])
    best[key] = Math.min(best[key] ?? Infinity, state.move_count);
  writeJson(bestKey, best);
}
