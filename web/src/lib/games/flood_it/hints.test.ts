/** Hints are counted for each board, and results with hints are kept apart; variants have a limit or none. */
import { beforeEach, describe, expect, test } from 'vitest';
import { countHint, hintsAllowed, hintsOn } from './hints.svelte';
import { bestScores, keepGame } from './scores.svelte';
import type { FloodState } from './types';
import { limited, variants } from './variants';
import { goal, opening, result, score } from './words';

const board = (seed: string, more: object = {}): FloodState =>
  ({
    game: 'flood_it',
    game_status: 'ended',
    rows: 2,
    cols: 2,
    colors: ['red', 'green'],
    seed,
    settings: { origin: { row: 0, col: 0 } },
    config: {},
    moves: [1, 0],
    move_count: 2,
    move_limit: 25,
    controlled_count: 4,
    par: 3,
    undone: false,
    race: {},
    names: {},
    winner: 'player',
    ended_at: 1,
    ...more,
  }) as unknown as FloodState;

beforeEach(() => {
  localStorage.clear();
});

describe('hints', () => {
  test('count for their board, whatever happens to the game on it', () => {
    const here = board('a');
    countHint(here);
    countHint(board('a', { moves: [], move_count: 0 }));
    expect(hintsOn(here)).toBe(2);
    expect(hintsOn(board('a', { move_limit: 0 }))).toBe(2);
    expect(hintsOn(board('b'))).toBe(0);
    expect(hintsOn(board('a', { rows: 3 }))).toBe(0);
  });

  test('are mentioned in the result, and keep it out of the best scores', () => {
    const [clean, hinted] = [board('clean'), board('hinted')];
    countHint(hinted);
    keepGame(hinted);
    expect(bestScores(hinted)).toEqual({ kind: null, board: null });
    keepGame(clean);
    expect(bestScores(clean)).toEqual({ kind: 2, board: 2 });
    expect(result(hinted, null, 'player').title).toBe('You did it in 2 moves, 1 hint');
    expect(result(clean, null, 'player').title).toBe('You did it in 2 moves');
    expect(result(hinted, null, null).title).toBe('Solved in 2 moves');
    expect(score(18, 4)).toBe('18 moves, 4 hints');
  });

  test('survive data that another version or a person left in the browser', () => {
    for (const left of ['{', '{}', '[1]', '[["x","y"]]', '[null]', 'null']) {
      localStorage.setItem('boardwalk:flood_it:hints', left);
      expect(hintsOn(board(left))).toBe(0);
      countHint(board(left));
      expect(hintsOn(board(left))).toBe(1);
    }
  });

  test('are not available in a race, unless the room allows them', () => {
    const racing = { player: {}, player2: {} };
    expect(hintsAllowed(board('a'))).toBe(true);
    expect(hintsAllowed(board('a', { race: { player: {} } }))).toBe(true);
    expect(hintsAllowed(board('a', { race: racing }))).toBe(false);
    expect(hintsAllowed(board('a', { race: racing, config: { hints: true } }))).toBe(true);
  });
});

describe('a variant', () => {
  test('has the limit that its board allows, its own, or none', () => {
    expect(variants.map(({ id }) => id)).toEqual([
      'normal',
      'easy',
      'hard',
      'expert',
      'daily',
      'classic',
    ]);
    for (const { settings } of variants) {
      expect(limited(settings, false).move_limit).toBe(0);
      expect(limited(settings, true).move_limit).toBe(settings.move_limit ?? 'classic');
    }
  });
});

test('the goal and the first move are explained', () => {
  expect(goal(board('a'))).toBe('Make the board one colour in 25 moves.');
  expect(goal(board('a', { move_limit: 0 }))).toBe('Make the board one colour.');
  expect(opening(board('a'))).toBe('Pick a colour. Your area grows from the top left.');
  const elsewhere = { settings: { origin: { row: 0, col: 1 } } };
  expect(opening(board('a', elsewhere))).toMatch(/from column 2, row 1\.$/);
});
