import { beforeEach, expect, test } from 'vitest';
import { bestScores, keepGame } from './scores.svelte';
import type { FloodState } from './types';

const game = (change: object = {}): FloodState =>
  ({
    rows: 3,
    cols: 3,
    colors: ['red', 'green'],
    seed: 'a',
    settings: { origin: { row: 0, col: 0 } },
    move_limit: 0,
    moves: [1, 0],
    move_count: 2,
    undone: false,
    ended_at: 1000,
    ...change,
  }) as unknown as FloodState;

beforeEach(() => {
  localStorage.clear();
});

test('the best score on a board is of exactly the same start', () => {
  const elsewhere = game({ settings: { origin: { row: 2, col: 1 } } });
  keepGame(game());
  expect(bestScores(game())).toEqual({ kind: 2, board: 2 });
  expect(bestScores(elsewhere)).toEqual({ kind: 2, board: null });
  keepGame(elsewhere);
  expect(bestScores(elsewhere).board).toBe(2);
});
