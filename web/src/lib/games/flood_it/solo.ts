/** Boards that one person plays alone: what tells them apart, and what is known of them. */
import type { FlooditView } from '../../generated/wire';
import type { GameAction, Json, RoomState } from '../../protocol';
import { plural } from '../../words';
import type { Known, SoloBoards } from '../types';

const own = (state: RoomState): Partial<FlooditView> => state as Partial<FlooditView>;

/** Today's board is that of the day (UTC) it was asked for, as a room's server has it. */
function dated(settings: Record<string, Json>): Record<string, Json> {
  if (settings['daily'] !== true || settings['date'] !== undefined) return settings;
  return { ...settings, date: new Date().toISOString().slice(0, 10) };
}

function informed(state: RoomState, known: Known): RoomState {
  const { best_known: best, proven } = own(state);
  if ((best ?? known.best) < known.best) return state;
  const certain = known.proven || (best === known.best && proven === true);
  return Object.assign({ ...state }, { best_known: known.best, proven: certain });
}

export const solo: SoloBoards = {
  board(state) {
    const { rows, cols, colors, settings, seed, board, move_limit } = own(state);
    return JSON.stringify([rows, cols, colors, settings?.origin, board ?? seed, move_limit]);
  },
  label(state) {
    const { rows = 0, cols = 0, colors = [] } = own(state);
    return `${rows}×${cols}, ${plural(colors.length, 'colour')}`;
  },
  moves: (state) => own(state).move_count ?? 0,
  dated,
  asksForBoard: (action: GameAction) =>
    action.type === 'new_game' ? ((action.settings ?? {}) as Record<string, Json>) : null,
  again: { type: 'reset' },
  informed,
};
