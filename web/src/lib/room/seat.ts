/**
 * What the browser keeps for a room: the token of the seat, the last message id
 * used with it, and which game it is. Kept in localStorage, so that a reload, a
 * second tab or tomorrow finds the seat again.
 */
import type { GameId, GameOver, RoleId } from '../protocol';

export interface Seat {
  game?: GameId;
  role?: RoleId;
  token?: string;
  lastId?: number;
  /** Since this seq nothing but the game has gone on: what happened can be asked for anew. */
  from?: number;
  over?: GameOver;
}

export type SeatStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const prefix = 'boardwalk:room:';
/** Where the browser grants no storage, or has no room in it, seats last as long as the page. */
const unstored = new Map<string, string>();

export function loadSeat(storage: SeatStorage | null, room: string): Seat {
  try {
    const text = unstored.get(prefix + room) ?? storage?.getItem(prefix + room);
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Seat) : {};
  } catch {
    return {};
  }
}

export function saveSeat(storage: SeatStorage | null, room: string, seat: Seat): void {
  const text = JSON.stringify(seat);
  unstored.set(prefix + room, text);
  try {
    storage?.setItem(prefix + room, text);
    if (storage !== null) unstored.delete(prefix + room);
  } catch {
    // Full, or forbidden.
  }
}

export function forgetSeat(storage: SeatStorage | null, room: string): void {
  const { game } = loadSeat(storage, room);
  saveSeat(storage, room, game === undefined ? {} : { game });
}

/** localStorage where the browser grants it. */
export function browserStorage(): SeatStorage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
