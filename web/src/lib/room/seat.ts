/**
 * What the browser keeps for a room: the token of the seat, the last message id
 * used with it, and how the game stood when it was last seen. A reload, a second
 * tab or tomorrow finds the seat again, and the home page the game (my-games.svelte.ts).
 */
import type { GameId, GameOver, RoleId, RoomState } from '../protocol';
import { checked, isRecord, Kept, oneOf, storage, text, whole } from '../storage.svelte';
import type { Check } from '../storage.svelte';

/** Whose turn it was: 'all' if everybody acts at once. */
export type Turn = 'you' | 'other' | 'all';

export interface AloneBoard {
  /** The same for the same board. */
  board: string;
  /** "10×10, 4 colours", to choose it by. */
  label: string;
  moves: number;
}

export interface Seat {
  game?: GameId;
  role?: RoleId;
  token?: string;
  lastId?: number;
  /** Since this seq there have only been moves, so the events can be requested again. */
  from?: number;
  over?: GameOver;
  /** When the room was last seen, and how it stood then. */
  seen?: number;
  status?: 'waiting' | 'configuring' | 'active' | 'ended';
  turn?: Turn;
  /** The names of the others, if they gave any. */
  others?: string;
  /** Of a finished game: how it ended, as its page says it. */
  result?: string;
  /** Of a board that one plays alone (lib/alone.ts). */
  alone?: AloneBoard;
  /** The room of the game before this one, where this is its rematch. */
  before?: string;
}

const winnerOf = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((role) => typeof role === 'string'));

const maybeText = (value: unknown): boolean => value === undefined || typeof value === 'string';

const result: Check<GameOver> = (value) =>
  isRecord(value) &&
  winnerOf(value['winner']) &&
  isRecord(value['stats']) &&
  maybeText(value['seed']) &&
  maybeText(value['replay_id'])
    ? (value as unknown as GameOver)
    : undefined;

const aloneBoard: Check<AloneBoard> = (value) => {
  const { board, label, moves } = checked<AloneBoard>(value, {
    board: text(9000),
    label: text(200),
    moves: whole(),
  });
  return board === undefined || label === undefined || moves === undefined
    ? undefined
    : { board, label, moves };
};

const prefix = 'boardwalk:room:';
const word = text(64);

/** `room`: its id; for a further seat of this browser also the number, as in "ABCD/1". */
const kept = (room: string): Kept<Seat> =>
  new Kept<Seat>(prefix + room, {
    game: word,
    role: word,
    token: text(256),
    lastId: whole(),
    from: whole(),
    over: result,
    seen: whole(),
    status: oneOf('waiting', 'configuring', 'active', 'ended'),
    turn: oneOf('you', 'other', 'all'),
    others: text(400),
    result: text(200),
    alone: aloneBoard,
    before: word,
  });

export const loadSeat = (room: string): Seat => kept(room).read();

/** Changes only these fields; undefined removes one. */
export function saveSeat(room: string, change: { [K in keyof Seat]?: Seat[K] | undefined }): void {
  kept(room).write(change);
}

/** The room's game is remembered, because its link may be opened again. */
export function forgetSeat(room: string): void {
  const { game } = loadSeat(room);
  forgetRoom(room);
  if (game !== undefined) saveSeat(room, { game });
}

export function forgetRoom(room: string): void {
  kept(room).forget();
}

/** The rooms of this browser. */
export const keptRooms = (): string[] =>
  storage.keys(prefix).map((key) => key.slice(prefix.length));

/** In a template or an effect: runs again when a seat changes. */
export function watchSeats(): void {
  storage.watchAll();
}

/** Whose turn it is, for the holder of a seat. */
export function turnOf(state: RoomState, role: RoleId | null): Turn | undefined {
  if (state.game_status !== 'active' || role === null) return undefined;
  if (state.current_role === null) return 'all';
  return state.current_role === role ? 'you' : 'other';
}

/** The names of everybody else. */
export const othersOf = (state: RoomState, role: RoleId | null): string =>
  Object.entries(state.names)
    .filter(([seat, name]) => seat !== role && name !== '')
    .map(([, name]) => name)
    .join(', ')
    .slice(0, 400);
