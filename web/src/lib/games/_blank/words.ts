/** A position in sentences. */
import type { GameAction, GameOver, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import type { BlankState } from './types';

export function turn(state: RoomState, role: RoleId | null): Turn {
  return state.current_role === role
    ? { title: 'Your turn', detail: 'Pick a free square.' }
    : { title: 'The other player is choosing a square' };
}

export function result(state: RoomState, over: GameOver | null, role: RoleId | null) {
  const winner = over?.winner ?? state.winner;
  const marks = (state as BlankState).grid.flat().filter((cell) => cell !== 'free').length;
  return {
    title: winner === role ? 'You won' : role === null ? 'The game is over' : 'You lost',
    figures: [{ label: 'Squares marked', value: String(marks) }],
  };
}

export function describeAction(action: GameAction): string {
  const { x, y } = action as unknown as { x: number; y: number };
  return `Column ${x + 1}, row ${y + 1}`;
}
