/** The Flooded Island's part of the state, and its actions. */
import type { IslandYou } from '../../generated/wire';
import type { GameAction, GameState, Point, You } from '../../protocol';

export type IslandState = GameState<'flooded_island'>;
export type Field = IslandState['grid'][number][number];

export const lastDay = 365;

export function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

/** The fields that the player has staged, by the server's account. */
export function stagedFields(you: You): Point[] {
  const { staged } = you as Partial<IslandYou>;
  return staged?.positions ?? (staged?.position === undefined ? [] : [staged.position]);
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
