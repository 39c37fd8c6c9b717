/** Best scores and the list of one's own games, kept in this browser. */
import { untrack } from 'svelte';
import { browserStorage } from '../../room/seat';
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

function seedKey(state: FloodState): string {
  const { row, col } = boardOf(state).origin;
  return `${boardKey(state)}#${state.seed}${row + col > 0 ? `@${row}.${col}` : ''}`;
}

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
  return keptGames();
}

/* What another version, or a hand, left there must not keep the page from opening. */
function keptGames(): OwnGame[] {
  const games = read<unknown>(gamesKey, []);
  if (!Array.isArray(games)) return [];
  return (games as (Partial<OwnGame> | null)[]).filter(
    (game): game is OwnGame => typeof game?.moves === 'string' && typeof game.seed === 'string',
  );
}

/** The colours that a kept game chose. */
export function movesOf(game: OwnGame): ColorName[] {
  return game.moves.split(' ').filter((color) => color !== '') as ColorName[];
}

/** Keeps a finished game; one with an undo in it is listed, but sets no best score. */
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
