/** Flood-It in sentences. */
import type { FlooditStats } from '../../generated/wire';
import type { GameAction, GameOver, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import type { BoardOf } from './start';
import type { FloodState } from './types';
import { isWon } from './types';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as FloodState;
  const cells = state.rows * state.cols;
  const held = `${state.controlled_count} of ${cells} cells are ${role === null ? 'taken' : 'yours'}.`;
  if (state.game_status === 'ended') {
    return isWon(state)
      ? { title: `Done in ${plural(state.move_count, 'move')}`, detail: held }
      : { title: 'No moves left', detail: held };
  }
  const limit = state.move_limit ?? 0;
  const title =
    limit > 0 ? `Move ${state.move_count + 1} of ${limit}` : `Move ${state.move_count + 1}`;
  return {
    title,
    detail: state.move_count === 0 && role !== null ? 'Choose a colour: it pours outward.' : held,
  };
}

/** Where a board comes from, as a part of a sentence. */
export const sourceOf = ({ seed, board }: Pick<BoardOf, 'seed' | 'board'>): string =>
  board === undefined ? `seed ${seed}` : 'pasted';

/** The whole position, to be read or heard. */
export function position(state: FloodState): string {
  const color = state.colors[state.current_color] ?? 'one colour';
  return (
    `${state.rows} rows of ${state.cols} cells in ${state.colors.length} colours. ` +
    `The territory is ${color} and holds ${state.controlled_count} of ${state.rows * state.cols} cells.`
  );
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const state = room as FloodState;
  const won = isWon(state);
  const stats = over?.stats as FlooditStats | undefined;
  const known = stats?.best_known ?? state.best_known;
  const proven = stats?.proven ?? state.proven;
  const over_best = known == null ? null : state.move_count - known;
  const detail = !won
    ? `${state.controlled_count} of ${state.rows * state.cols} cells were taken when the moves ran out.`
    : over_best === null
      ? `Par is ${state.par}.`
      : over_best <= 0
        ? proven
          ? 'Nobody can do it in fewer.'
          : 'As good as the best line known.'
        : `${plural(over_best, 'move')} more than ${proven ? 'the fewest possible' : 'the best line known'}.`;
  return {
    title: won
      ? `${role === null ? 'Solved' : 'You did it'} in ${plural(state.move_count, 'move')}`
      : 'Out of moves',
    detail: state.undone ? `${detail} With moves taken back.` : detail,
    figures: [
      { label: 'Moves', value: String(state.move_count) },
      ...(known == null
        ? []
        : [{ label: proven ? 'Fewest possible' : 'Best known', value: String(known) }]),
      { label: 'Par', value: String(state.par) },
    ],
  };
}

export function describeAction(action: GameAction): string {
  switch (action.type) {
    case 'select_color':
      return titled(action.color);
    case 'undo':
      return 'Took a move back';
    case 'redo':
      return 'Played it again';
    case 'reset':
      return 'Started the board again';
    default:
      return 'A new board';
  }
}
