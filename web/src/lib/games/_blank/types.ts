/** Blank's part of the state, and its action. */
import type { GameAction, RoomState } from '../../protocol';

export type BlankState = RoomState & {
  width: number;
  height: number;
  grid: ('free' | 'first' | 'second')[][];
};

/* Blank is not offered, so the generated types lack it. A listed game has them: GameState<'nim'>. */
export const mark = (x: number, y: number): GameAction =>
  ({ type: 'mark', x, y }) as unknown as GameAction;
