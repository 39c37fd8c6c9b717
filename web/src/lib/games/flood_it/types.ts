/** Flood-It's part of the state, and its actions. */
import type { FlooditSelectColor } from '../../generated/wire';
import type { GameAction, GameState, RoleId, RoomState } from '../../protocol';
import type { Part } from '../types';

export type FloodState = GameState<'flood_it'>;
export type ColorName = FlooditSelectColor['color'];

/** The next move of the best line known. */
export interface FloodHint {
  color: ColorName;
  moves_left: number;
  proven: boolean;
  /** No line fits into the moves that the limit leaves. */
  hopeless: boolean;
}

export const selectColor = (color: ColorName): GameAction => ({ type: 'select_color', color });

/** The keys 1 to 9 and 0, in the order of the palette. */
export function keyOf(index: number): string {
  return index === 9 ? '0' : String(index + 1);
}

/** Most seats stay empty: there is a copy of the board for each of a race, or one alone. */
export function part(room: RoomState, role: RoleId): Part {
  const { race, current_role: alone } = room as FloodState;
  if (Object.keys(race).length === 0) return alone === role ? 'playing' : 'none';
  const entry = race[role];
  return entry === undefined ? 'none' : entry.outcome === 'playing' ? 'playing' : 'done';
}

export function isWon(state: FloodState): boolean {
  return state.controlled_count === state.rows * state.cols;
}

export function isLost(state: FloodState): boolean {
  return state.game_status === 'ended' && !isWon(state);
}

/**
 * For each cell that joined between two grids, how many steps it lies from the
 * old territory: the wave runs outward by it. Cells that did not join have 0.
 */
export function waveSteps(before: FloodState | null, after: FloodState): number[][] {
  const steps = after.grid.map((row) => row.map(() => 0));
  if (before === null || before.rows !== after.rows || before.cols !== after.cols) return steps;
  let edge: [number, number][] = [];
  const held = (state: FloodState, r: number, c: number): boolean => state.controlled[r]?.[c] === 1;
  for (let r = 0; r < after.rows; r++)
    for (let c = 0; c < after.cols; c++) if (held(before, r, c)) edge.push([r, c]);
  for (let step = 1; edge.length > 0; step++) {
    const next: [number, number][] = [];
    for (const [r, c] of edge) {
      for (const [dr, dc] of [
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const) {
        const row = steps[r + dr];
        if (row === undefined || row[c + dc] !== 0) continue;
        if (!held(after, r + dr, c + dc) || held(before, r + dr, c + dc)) continue;
        row[c + dc] = step;
        next.push([r + dr, c + dc]);
      }
    }
    edge = next;
  }
  return steps;
}

/** The squares, by row x columns + column, that a colour would bring. */
export function joinedBy(state: FloodState, color: ColorName): Set<number> {
  const index = state.colors.indexOf(color);
  const { rows, cols } = state;
  const found = new Set<number>();
  const edge: [number, number][] = [];
  const add = (r: number, c: number): void => {
    if (r < 0 || c < 0 || r >= rows || c >= cols || found.has(r * cols + c)) return;
    if (state.controlled[r]?.[c] === 1 || state.grid[r]?.[c] !== index) return;
    found.add(r * cols + c);
    edge.push([r, c]);
  };
  const around = (r: number, c: number): void => {
    add(r - 1, c);
    add(r + 1, c);
    add(r, c - 1);
    add(r, c + 1);
  };
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < cols; c++) if (state.controlled[r]?.[c] === 1) around(r, c);
  for (let next = edge.pop(); next !== undefined; next = edge.pop()) around(...next);
  return found;
}

/** As on the wire: a palette of n colours has the first n. */
export const colorOrder: ColorName[] = [
  'red',
  'green',
  'blue',
  'yellow',
  'orange',
  'purple',
  'cyan',
  'pink',
  'brown',
  'white',
];

/** Each colour's place in marks.svg and cells.svg. */
export function markOf(color: ColorName): number {
  return Math.max(0, colorOrder.indexOf(color));
}
