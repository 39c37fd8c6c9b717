/** The start of a game once more, whatever has become of it: replays, the analysis and the copy of a board need it. */
import type { BoardEngine } from '../../engine/engine.svelte';
import type { FlooditCell } from '../../generated/wire';
import type { RoomState } from '../../protocol';
import type { FloodState } from './types';

/** Where the territory starts, unless told. */
const CORNER: FlooditCell = { row: 0, col: 0 };

/** What decides a board. */
export interface BoardOf {
  rows: number;
  cols: number;
  colors: number;
  seed: string;
  /** Its cells, a digit each, where it was pasted and is not the seed's. */
  board?: string | undefined;
  origin?: FlooditCell | undefined;
}

export function boardOf(view: FloodState): BoardOf & { origin: FlooditCell } {
  const { rows, cols, seed, board, settings } = view;
  const origin = settings.origin ?? CORNER;
  return { rows, cols, colors: view.colors.length, seed, board, origin };
}

/** The same for the same board. */
export function nameOf({ rows, cols, colors, seed, board, origin }: BoardOf): string {
  const { row, col } = origin ?? CORNER;
  return JSON.stringify([rows, cols, colors, seed, board ?? '', row, col]);
}

/** The same for the same position of the same board, by the same way. */
export const momentOf = (view: FloodState): string =>
  [nameOf(boardOf(view)), view.moves.join()].join('/');

/** `room` lends what is not the game's: names, seats and times. Null while the engine is not there. */
export async function startOf(
  { rows, cols, colors, seed, board, origin }: BoardOf,
  engine: BoardEngine,
  room: RoomState,
): Promise<FloodState | null> {
  const settings = { rows, cols, colors, seed, origin: origin ?? CORNER, move_limit: 0 };
  const laid = await engine.lay(settings, board);
  return laid && ({ ...room, config: {}, ...laid } as FloodState);
}
