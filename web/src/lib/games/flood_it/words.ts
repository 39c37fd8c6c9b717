/** Flood-It in sentences. */
import type { FlooditStats } from '../../generated/wire';
import type { GameAction, GameOver, RoleId, RoomState } from '../../protocol';
import * as names from '../../seat-name';
import type { Turn, Worths } from '../types';
import { capital, list, plural } from '../../words';
import { hintsOn } from './hints.svelte';
import type { BoardOf } from './start';
import type { FloodState } from './types';
import { isWon } from './types';

export const isRace = (state: FloodState): boolean => Object.keys(state.race).length > 1;

const titled = (seat: RoleId): string => `Player ${seat.replace('player', '') || '1'}`;

/** "Ann", "Player 2", "Bot 3". */
export const seatName = (state: FloodState, seat: RoleId): string =>
  names.seatName(state, seat, titled(seat));

/** The same where there is room for a bot's level. */
export const seatLabel = (state: FloodState, seat: RoleId): string =>
  names.seatLabel(state, seat, titled(seat));

/** Whose copy of a race's board is shown: one's own, else the first. */
export const shownSeat = (state: FloodState, role: RoleId | null): RoleId | undefined =>
  role !== null && role in state.race ? role : Object.keys(state.race)[0];

/** The seat whose copy is shown, where that is somebody else's. */
export function othersSeat(state: FloodState, role: RoleId | null): RoleId | null {
  const seat = isRace(state) ? shownSeat(state, role) : role;
  return seat === undefined || seat === role ? null : seat;
}

/** In a race somebody whose board nobody plays on just now. */
const isAway = (state: FloodState, seat: RoleId): boolean =>
  state.race[seat]?.outcome === 'playing' &&
  state.players[seat] !== true &&
  state.bots[seat] == null;

/** How a copy of a race stands: how far it is, or how it ended. */
export function standing(state: FloodState, seat: RoleId): string {
  const entry = state.race[seat];
  if (entry === undefined) return '';
  switch (entry.outcome) {
    case 'won':
      return 'done';
    case 'lost':
      return 'none left';
    case 'resigned':
      return 'gave up';
    case 'playing':
      return isAway(state, seat) ? 'away' : held(entry.controlled_count, state.rows * state.cols);
  }
}

/** Short enough for one line on a phone. */
function held(squares: number, all: number): string {
  return all < 1000 ? `${squares} of ${all}` : `${Math.floor((100 * squares) / all)} %`;
}

/** Whom who is done waits for. */
function playedOn(state: FloodState): string {
  const playing = Object.keys(state.race).filter((seat) => state.race[seat]?.outcome === 'playing');
  const names = list(playing.map((seat) => seatName(state, seat)));
  if (playing.every((seat) => isAway(state, seat))) return `The race waits for ${names}.`;
  return playing.length > 3
    ? `${playing.length} others play on.`
    : `${names} ${playing.length === 1 ? 'plays' : 'play'} on.`;
}

/** In a race, whoever has ended waits for the others; who looks on sees the first copy. */
function raceTurn(state: FloodState, role: RoleId | null): Turn | null {
  const seat = shownSeat(state, role);
  const entry = seat === undefined ? undefined : state.race[seat];
  if (seat === undefined || entry === undefined) return null;
  const own = seat === role;
  const name = seatName(state, seat);
  const moves = plural(entry.move_count, 'move');
  const detail = playedOn(state);
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
  const squares = state.rows * state.cols;
  const held = `${state.controlled_count} of ${squares} squares are ${role === null ? 'taken' : 'yours'}.`;
  if (state.game_status === 'ended') {
    return isWon(state)
      ? { title: `Done in ${plural(state.move_count, 'move')}`, detail: held }
      : { title: 'No moves left', detail: held };
  }
  const ended = isRace(state) ? raceTurn(state, role) : null;
  if (ended !== null) return ended;
  const limit = state.move_limit ?? 0;
  const move = `${state.move_count + 1}${limit > 0 ? ` of ${limit}` : ''}`;
  const seat = othersSeat(state, role);
  return {
    title: seat === null ? `Move ${move}` : `${seatName(state, seat)}: move ${move}`,
    detail: state.move_count === 0 ? goal(state) : held,
  };
}

/** While another copy of the race is looked at. */
export function watching(state: FloodState, seat: RoleId): Turn {
  const entry = state.race[seat];
  const name = seatName(state, seat);
  const moves = plural(entry?.move_count ?? 0, 'move');
  const detail = `${entry?.controlled_count ?? 0} of ${state.rows * state.cols} squares are taken.`;
  switch (entry?.outcome) {
    case 'won':
      return { title: `${name} is done in ${moves}`, detail };
    case 'lost':
      return { title: `${name} has no moves left`, detail };
    case 'resigned':
      return { title: `${name} gave up`, detail };
    default:
      return { title: `${name}: ${moves} so far`, detail };
  }
}

/** What it is all for, as a sentence. */
export function goal({ move_limit: limit }: FloodState): string {
  return `Make the board one colour${(limit ?? 0) > 0 ? ` in ${plural(limit ?? 0, 'move')}` : ''}.`;
}

/** What to do first. */
export function opening(state: FloodState): string {
  const { row, col } = state.settings.origin ?? { row: 0, col: 0 };
  const from = row === 0 && col === 0 ? 'the top left' : `column ${col + 1}, row ${row + 1}`;
  return `Pick a colour. Your area grows from ${from}.`;
}

/** Where a board comes from, as a part of a sentence. */
export const sourceOf = ({ seed, board }: Pick<BoardOf, 'seed' | 'board'>): string =>
  board === undefined ? `seed ${seed}` : 'pasted';

/** The whole position, to be read or heard. */
export function position(state: FloodState): string {
  const color = state.colors[state.current_color] ?? 'one colour';
  return (
    `${state.rows} rows of ${state.cols} squares in ${state.colors.length} colours. ` +
    `The territory is ${color} and holds ${state.controlled_count} of ${state.rows * state.cols} squares.`
  );
}

/** The copy whose figures a result tells: one's own; who looks on at a race is told of the winner's. */
type Copy = Pick<FloodState, 'move_count' | 'controlled_count' | 'undone'>;

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const state = room as FloodState;
  const race = isRace(state) ? raceResult(state, over, role) : null;
  const copy = race === null ? state : race.copy;
  const won = copy !== null && isWon({ ...state, ...copy });
  const stats = over?.stats as FlooditStats | undefined;
  const known = stats?.best_known ?? state.best_known;
  const proven = stats?.proven ?? state.proven;
  const hints = role === null || copy === null ? 0 : hintsOn(state);
  const title = won
    ? `${role === null ? 'Solved' : 'You did it'} in ${score(state.move_count, hints)}`
    : 'Out of moves';
  const detail =
    race?.detail ??
    (copy === null
      ? ''
      : won
        ? worth(copy, state, known, proven)
        : taken(copy, state, race !== null));
  return {
    title: race?.title ?? title,
    detail: [
      detail,
      race?.ties ?? '',
      race !== null && hints > 0 ? `You used ${plural(hints, 'hint')}.` : '',
      copy?.undone === true ? 'With moves taken back.' : '',
    ]
      .filter((words) => words !== '')
      .join(' '),
    figures: [
      ...(copy === null ? [] : [{ label: 'Moves', value: String(copy.move_count) }]),
      ...(known == null
        ? []
        : [{ label: proven ? 'Fewest possible' : 'Best known', value: String(known) }]),
      { label: 'Par', value: String(state.par) },
    ],
  };
}

/** "18 moves", "18 moves, 4 hints". */
export const score = (moves: number, hints: number): string =>
  [plural(moves, 'move'), ...(hints > 0 ? [plural(hints, 'hint')] : [])].join(', ');

function worth(
  { move_count }: Copy,
  { par }: FloodState,
  known: number | null | undefined,
  proven: boolean | undefined,
): string {
  if (known == null) return `Par is ${par}.`;
  if (move_count > known)
    return `${plural(move_count - known, 'move')} more than ${proven ? 'the fewest possible' : 'the best line known'}.`;
  return proven ? 'Nobody can do it in fewer.' : 'As good as the best line known.';
}

function taken({ controlled_count }: Copy, { rows, cols }: FloodState, racing: boolean): string {
  const squares = `${controlled_count} of ${rows * cols} squares`;
  return racing
    ? `You had ${squares} when your moves ran out.`
    : `${squares} were taken when the moves ran out.`;
}

interface RaceResult {
  title: string;
  /** null: what the copy is worth. */
  detail: string | null;
  ties: string;
  copy: Copy | null;
}

/** Who won the race, and what became of one's own copy. */
function raceResult(state: FloodState, over: GameOver | null, role: RoleId | null): RaceResult {
  const winner = [over?.winner ?? state.winner].flat()[0];
  const own = role === null ? undefined : state.race[role];
  const first = winner == null ? undefined : state.race[winner];
  const copy = own === undefined ? (first ?? null) : state;
  const gaveUp = own?.outcome === 'resigned' ? 'You gave up.' : null;
  if (winner == null || first === undefined)
    return { title: 'Nobody flooded the board', detail: gaveUp, ties: '', copy };
  const title = `${winner === role ? 'You' : seatName(state, winner)} won in ${plural(first.move_count, 'move')}`;
  const later = Object.keys(state.race).filter((seat) => {
    const entry = state.race[seat];
    return seat !== winner && entry?.outcome === 'won' && entry.move_count === first.move_count;
  });
  if (own === undefined || winner === role) {
    const names = list(later.map((seat) => seatName(state, seat)));
    const ties = later.length === 0 ? '' : `${names} needed as many, and finished later.`;
    return { title, detail: null, ties, copy };
  }
  const needed =
    own.move_count === first.move_count
      ? 'You needed as many, and finished later.'
      : `You needed ${plural(own.move_count, 'move')}.`;
  return { title, detail: own.outcome === 'won' ? needed : gaveUp, ties: '', copy };
}

export function describeAction(action: GameAction, role: RoleId | null, room: RoomState): string {
  const state = room as FloodState;
  return role !== null && isRace(state)
    ? `${seatName(state, role)}: ${described(action)}`
    : described(action);
}

function described(action: GameAction): string {
  switch (action.type) {
    case 'select_color':
      return capital(action.color);
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

export const worths: Worths = {
  one: 'move',
  left: 'Still needed',
  open: 'no end in sight',
  method:
    'Each position is measured by the moves that it still takes. The solver proves nearly all of them; where it has not, ' +
    'it says so.',
};
