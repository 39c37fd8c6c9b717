/** The grid that Flood-It's board draws: unchanged parts are not recreated, and the wave is counted. */
import { describe, expect, it } from 'vitest';
import { FloodGame } from './game.svelte';
import type { FloodState } from '../types';

const state = (grid: number[][], controlled: number[][]): FloodState =>
  ({ rows: 3, cols: 3, colors: ['red', 'green'], grid, controlled }) as unknown as FloodState;

const before = state(
  [
    [0, 1, 1],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
  ],
);
const after = state(
  [
    [1, 1, 1],
    [1, 1, 0],
    [1, 1, 1],
  ],
  [
    [1, 1, 1],
    [1, 1, 0],
    [1, 1, 1],
  ],
);

describe('the grid of the board', () => {
  it('keeps the cells and rows that a move does not change', () => {
    let shown = $state.raw(before);
    const game = new FloodGame(
      () => shown,
      () => Promise.resolve(),
    );
    const first = game.grid;
    expect(game.steps).toBe(1);
    expect(first[1]?.[2]).toEqual({ color: 'red', controlled: false, shore: '', step: 0 });
    expect(first[0]?.[0]?.shore).toBe('trl');
    shown = after;
    const second = game.grid;
    expect(second[1]?.[2]).toBe(first[1]?.[2]);
    expect(second[0]).not.toBe(first[0]);
    expect(second.map((row) => row.map((cell) => cell.step))).toEqual([
      [0, 1, 2],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(game.steps).toBe(2);
    shown = { ...after };
    const third = game.grid;
    expect(third[0]?.[0]).toBe(second[0]?.[0]);
    shown = { ...after };
    expect(game.grid[0]).toBe(third[0]);
  });
});
