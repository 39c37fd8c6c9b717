/** The Flooded Island's part of the state, and its actions. */
import type { GameAction, Point, RoleId, RoomState, You } from '../../protocol';

export type Field = 'dry' | 'flooded';

export interface IslandState extends RoomState {
  width: number;
  height: number;
  grid_size: number | null;
  max_flood_count: number;
  grid: Field[][];
  journeyman_position: Point | null;
  days_survived: number;
  fields_flooded: number;
  fields_dried: number;
  resigned: RoleId | null;
}

export const lastDay = 365;

export function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

/** The fields that the player has staged, by the server's account. */
export function stagedFields(you: You): Point[] {
  const staged = you.staged as { position?: Point | null; positions?: Point[] } | null | undefined;
  if (staged == null) return [];
  if (staged.positions !== undefined) return staged.positions;
  return staged.position == null ? [] : [staged.position];
}

export function stageAction(role: string, fields: Point[]): GameAction {
  return role === 'weather'
    ? { type: 'flood', positions: fields.map(({ x, y }) => ({ x, y })) }
    : { type: 'move', position: fields[0] ?? null };
}

/** Squares that are dry in `after` and were not in `before`. */
export function driedBetween(before: Field[][], after: Field[][]): Point[] {
  return before.flatMap((row, y) =>
    row.flatMap((field, x) => (field === 'flooded' && after[y]?.[x] === 'dry' ? [{ x, y }] : [])),
  );
}
