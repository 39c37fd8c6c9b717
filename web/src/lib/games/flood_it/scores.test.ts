import { beforeEach, expect, test } from 'vitest';
import { bestScores, keepGame, ownGames } from './scores.svelte';
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

test('a finished game that is found again is the same one', () => {
  keepGame(game(), true);
  keepGame(game({ ended_at: 2000 }), true);
  expect(ownGames()).toHaveLength(1);
});

test.each([
  ['columns', { cols: 4 }],
  ['colours', { colors: ['red', 'green', 'blue'] }],
  ['start', { settings: { origin: { row: 1, col: 1 } } }],
  ['cells', { board: '010101010' }],
  ['moves', { moves: [0, 1] }],
])('a game with other %s is another one, though it ended at the same moment', (_, change) => {
  keepGame(game(), true);
  keepGame(game(change), true);
  expect(ownGames()).toHaveLength(2);
});

test.each(['{}', 'null', '5', '[null,7,{}]', '{'])(
  'a list of games that says %s is empty',
  (text) => {
    localStorage.setItem('boardwalk:flood_it:games', text);
    expect(ownGames()).toEqual([]);
    keepGame(game(), true);
    expect(ownGames()).toHaveLength(1);
  },
);

test('the best on a board is of the very same start', () => {
  const elsewhere = game({ settings: { origin: { row: 2, col: 1 } } });
  keepGame(game(), true);
  expect(bestScores(game())).toEqual({ kind: 2, board: 2 });
  expect(bestScores(elsewhere)).toEqual({ kind: 2, board: null });
  keepGame(elsewhere, true);
  expect(bestScores(elsewhere).board).toBe(2);
});
