/** Best scores and the list of one's own games, kept in this browser. */
import {
  checked,
  flag,
  isRecord,
  readJson,
  storage,
  text,
  whole,
  writeJson,
} from '../../storage.svelte';
import { keepDay } from './daily';
import { hintsOn } from './hints.svelte';
import type { BoardOf } from './start';
import { boardOf, nameOf } from './start';
import type { ColorName, FloodState } from './types';

const bestKey = 'boardwalk:flood_it:best';
const gamesKey = 'boardwalk:flood_it:games';
const gamesMost = 50;

export interface OwnGame extends BoardOf {
  at: number;
  limit: number;
  moves: string;
  count: number;
  won: boolean;
  undone: boolean;
  /** Hints taken; games kept by earlier versions do not say. */
  hints?: number;
}

type Best = Record<string, number>;

const size = whole(1, 64);

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

export function ownGames(): OwnGame[] {
  storage.watch(gamesKey);
  return keptGames();
}

/* What another version, or a hand, left there must not keep the page from opening. */
function keptGames(): OwnGame[] {
  const games = readJson(gamesKey);
  if (!Array.isArray(games)) return [];
  return games.map(ownGame).filter((game) => game !== null);
}

function ownGame(value: unknown): OwnGame | null {
  const game = checked<OwnGame>(value, {
    rows: size,
    cols: size,
    colors: whole(2, 10),
    seed: text(100),
    board: text(4096),
    origin: (cell) =>
      isRecord(cell) &&
      whole(0, 63)(cell['row']) !== undefined &&
      whole(0, 63)(cell['col']) !== undefined
        ? (cell as unknown as OwnGame['origin'])
        : undefined,
    at: whole(),
    limit: whole(),
    moves: text(100_000),
    count: whole(),
    won: flag,
    undone: flag,
    hints: whole(),
  });
  const { rows, cols, colors, seed, at, limit, moves, count, won, undone } = game;
  if (rows === undefined || cols === undefined || colors === undefined) return null;
  if (seed === undefined || moves === undefined || count === undefined) return null;
  if (at === undefined || limit === undefined || won === undefined || undone === undefined)
    return null;
  return { ...game, rows, cols, colors, seed, at, limit, moves, count, won, undone };
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

/** The colours that a kept game chose. */
export function movesOf(game: OwnGame): ColorName[] {
  return game.moves.split(' ').filter((color) => color !== '') as ColorName[];
}

/** Keeps a finished game; one with an undo or a hint in it is listed, but sets no best score. */
export function keepGame(state: FloodState, won: boolean): void {
  const moves = movesText(state);
  const board = nameOf(boardOf(state));
  // A page that is loaded again finds its finished game again, which is the same one.
  const games = keptGames().filter((game) => game.moves !== moves || nameOf(game) !== board);
  games.unshift({
    at: state.ended_at ?? Date.now(),
    ...boardOf(state),
    limit: state.move_limit ?? 0,
    moves,
    count: state.move_count,
    won,
    undone: state.undone,
    hints: hintsOn(state),
  });
  writeJson(gamesKey, games.slice(0, gamesMost));
  if (won) keepDay(state);
  if (won && !state.undone && hintsOn(state) === 0) keepBest(state);
}

function keepBest(state: FloodState): void {
  const best = readBest();
  for (const key of [boardKey(state), seedKey(state)])
    best[key] = Math.min(best[key] ?? Infinity, state.move_count);
  writeJson(bestKey, best);
}
