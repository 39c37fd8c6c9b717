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

export function loadSeat(storage: SeatStorage | null, room: string): Seat {
  try {
    const value: unknown = JSON.parse(storage?.getItem(prefix + room) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Seat) : {};
  } catch {
    return {};
  }
}

export function saveSeat(storage: SeatStorage | null, room: string, seat: Seat): void {
  try {
    storage?.setItem(prefix + room, JSON.stringify(seat));
  } catch {
    // Storage may be full or forbidden: the seat then lasts as long as the page.
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
