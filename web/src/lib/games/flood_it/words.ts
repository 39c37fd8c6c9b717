/** Flood-It in sentences. */
import type { FlooditRace, FlooditStats } from '../../generated/wire';
import type { GameAction, GameOver, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import type { BoardOf } from './start';
import type { FloodState } from './types';
import { isWon } from './types';

type Entry = Pick<FlooditRace, 'outcome' | 'controlled_count'>;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const isRace = (state: FloodState): boolean => Object.keys(state.race).length > 1;

export const seatName = (state: FloodState, seat: string): string =>
  state.names[seat] ?? `Player ${seat.replace('player', '') || '1'}`;

/** How a copy of a race stands: how far it is, or how it ended. */
export function standing(entry: Entry, cells: number): string {
  switch (entry.outcome) {
    case 'won':
      return 'done';
    case 'lost':
      return 'none left';
    case 'resigned':
      return 'gave up';
    default:
      return `${entry.controlled_count} of ${cells}`;
  }
}

/** In a race, whoever has ended waits for the others; who looks on sees the first copy. */
function raceTurn(state: FloodState, role: RoleId | null): Turn | null {
  const seat = role !== null && role in state.race ? role : Object.keys(state.race)[0];
  const entry = seat === undefined ? undefined : state.race[seat];
  if (seat === undefined || entry === undefined) return null;
  const own = seat === role;
  const name = seatName(state, seat);
  const moves = plural(entry.move_count, 'move');
  const detail = 'The others play on.';
  switch (entry.outcome) {
    case 'won':
      return { title: own ? `Done in ${moves}` : `${name} is done in ${moves}`, detail };
    case 'lost':
      return {
        title: own ? 'No moves left' : `${name} has no moves left`,
        detail: own ? 'Take some back, or wait for the others.' : detail,
      };
    case 'resigned':
      return { title: own ? 'You gave up' : `${name} gave up`, detail };
    default:
      return null;
  }
}

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as FloodState;
  const cells = state.rows * state.cols;
  const held = `${state.controlled_count} of ${cells} cells are ${role === null ? 'taken' : 'yours'}.`;
  if (state.game_status === 'ended') {
    return isWon(state)
      ? { title: `Done in ${plural(state.move_count, 'move')}`, detail: held }
      : { title: 'No moves left', detail: held };
  }
  const ended = isRace(state) ? raceTurn(state, role) : null;
  if (ended !== null) return ended;
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
  const words = isRace(state)
    ? raceResult(state, over, role, detail)
    : {
        title: won
          ? `${role === null ? 'Solved' : 'You did it'} in ${plural(state.move_count, 'move')}`
          : 'Out of moves',
        detail,
      };
  return {
    title: words.title,
    detail: state.undone ? `${words.detail} With moves taken back.` : words.detail,
    figures: [
      { label: 'Moves', value: String(state.move_count) },
      ...(known == null
        ? []
        : [{ label: proven ? 'Fewest possible' : 'Best known', value: String(known) }]),
      { label: 'Par', value: String(state.par) },
    ],
  };
}

/** Who won the race, and what became of one's own copy. */
function raceResult(
  state: FloodState,
  over: GameOver | null,
  role: RoleId | null,
  own: string,
): { title: string; detail: string } {
  const winner = [over?.winner ?? state.winner].flat()[0];
  const entry = role === null ? undefined : state.race[role];
  const first = winner == null ? undefined : state.race[winner];
  if (winner == null || first === undefined)
    return { title: 'Nobody flooded the board', detail: entry === undefined ? '' : own };
  const title = `${winner === role ? 'You' : seatName(state, winner)} won in ${plural(first.move_count, 'move')}`;
  if (winner === role || entry === undefined) return { title, detail: own };
  if (entry.outcome === 'won')
    return {
      title,
      detail:
        entry.move_count === first.move_count
          ? 'You needed as many, and finished later.'
          : `You needed ${plural(entry.move_count, 'move')}.`,
    };
  return { title, detail: entry.outcome === 'resigned' ? 'You gave up.' : own };
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
