/** Best scores and the list of one's own games, kept in this browser. */
import { untrack } from 'svelte';
import { browserStorage } from '../../room/seat';
import type { GameAction } from '../../protocol';
import type { ColorName, FloodState } from './types';
import { selectColor } from './types';

const bestKey = 'boardwalk:flood_it:best';
const gamesKey = 'boardwalk:flood_it:games';
const gamesMost = 50;

export interface OwnGame {
  at: number;
  rows: number;
  cols: number;
  colors: number;
  limit: number;
  seed: string;
  moves: string;
  count: number;
  won: boolean;
  undone: boolean;
}

type Best = Record<string, number>;

/* Rises with every game kept, so that what shows them shows the newest, too. */
let kept = $state(0);

function read<T>(key: string, fallback: T): T {
  try {
    const text = browserStorage()?.getItem(key);
    return text == null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    browserStorage()?.setItem(key, JSON.stringify(value));
  } catch {
    // No storage: scores last as long as the page.
  }
}

const boardKey = (state: FloodState): string =>
  [state.rows, state.cols, state.colors.length, state.move_limit ?? 0].join('x');
const seedKey = (state: FloodState): string => `${boardKey(state)}#${state.seed}`;

/** Fewest moves on boards of this kind, and on this very board; null: not solved yet. */
export function bestScores(state: FloodState): { kind: number | null; board: number | null } {
  void kept;
  const best = read<Best>(bestKey, {});
  return { kind: best[boardKey(state)] ?? null, board: best[seedKey(state)] ?? null };
}

/** The moves as the command line writes them: a letter for each colour. */
export function movesText(state: FloodState): string {
  return state.moves
    .slice(0, state.move_count)
    .map((index) => state.colors[index] ?? '?')
    .join(' ');
}

export function ownGames(): OwnGame[] {
  void kept;
  return read<OwnGame[]>(gamesKey, []);
}

/** What lays the board of a game and plays it again. */
export function replayActions(game: OwnGame): GameAction[] {
  const { rows, cols, colors, seed, moves } = game;
  return [
    { type: 'new_game', settings: { rows, cols, colors, seed, move_limit: 0 } },
    ...moves
      .split(' ')
      .filter((color) => color !== '')
      .map((color) => selectColor(color as ColorName)),
  ];
}

/** Keeps a finished game; one with an undo in it is listed, but sets no best score. */
export function keepGame(state: FloodState, won: boolean): void {
  const moves = movesText(state);
  // A page that is loaded again finds its finished game again, which is the same one.
  const games = read<OwnGame[]>(gamesKey, []).filter(
    (game) => game.seed !== state.seed || game.moves !== moves || game.rows !== state.rows,
  );
  games.unshift({
    at: state.ended_at ?? Date.now(),
    rows: state.rows,
    cols: state.cols,
    colors: state.colors.length,
    limit: state.move_limit ?? 0,
    seed: state.seed,
    moves,
    count: state.move_count,
    won,
    undone: state.undone,
  });
  write(gamesKey, games.slice(0, gamesMost));
  if (won && !state.undone) keepBest(state);
  untrack(() => (kept += 1));
}

function keepBest(state: FloodState): void {
  const best = read<Best>(bestKey, {});
  for (const key of [boardKey(state), seedKey(state)])
    best[key] = Math.min(best[key] ?? Infinity, state.move_count);
  write(bestKey, best);
}
