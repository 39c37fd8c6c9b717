/**
 * What goes over the wire, for the whole client: the messages, the state that
 * every game shares, and the HTTP answers. docs/PROTOCOL.md is the reference.
 * Types of one game's state and actions belong to that game's folder until the
 * generated ones replace them.
 *
 * Unknown fields are let pass everywhere: a newer server may say more.
 */

export type RoleId = string;
export type GameId = string;
export type GameStatus = 'waiting' | 'configuring' | 'active' | 'ended';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Point = { x: number; y: number };

/** The part of `state` that every game has; the game's own fields lie beside it. */
export interface RoomState {
  room_id: string;
  game: GameId;
  rules_version: number | string;
  game_status: GameStatus;
  players: Record<RoleId, boolean>;
  names: Record<RoleId, string | null>;
  bots: Record<RoleId, string | null>;
  spectators: number;
  paused: boolean;
  current_role: RoleId | null;
  current_turn: number;
  winner: RoleId | RoleId[] | null;
  config: Record<string, Json>;
  created_at: number | null;
  started_at: number | null;
  ended_at: number | null;
  seed_hash: string | null;
  [field: string]: unknown;
}

/** What only this viewer is told. */
export interface You {
  role: RoleId | null;
  token?: string | null;
  may_configure?: boolean;
  staged?: unknown;
  queue?: unknown;
  [field: string]: unknown;
}

export interface GameEvent {
  type: string;
  [field: string]: unknown;
}

/** What one update said: kept for the boards' logs. */
export interface Happened {
  seq: number;
  events: readonly GameEvent[];
  /** What changed by it, as a patch of the state: a round's number, say. */
  changes: Record<string, unknown>;
}

/** An action of a game: its `type` names it. */
export interface GameAction {
  type: string;
  [field: string]: unknown;
}

export type ErrorCode =
  | 'bad_json'
  | 'bad_message'
  | 'unknown_type'
  | 'too_large'
  | 'rate_limited'
  | 'no_such_game'
  | 'role_taken'
  | 'role_reserved'
  | 'no_seat'
  | 'wrong_status'
  | 'not_allowed'
  | 'not_your_turn'
  | 'illegal'
  | 'paused'
  | 'draining'
  | 'storage';

export type ClientMessage =
  | { type: 'resume'; token: string; since?: number }
  | { type: 'select_role'; role: RoleId; name?: string; reserve?: boolean }
  | { type: 'leave_role' }
  | { type: 'configure'; [setting: string]: unknown }
  | { type: 'start' }
  | { type: 'add_bot'; role: RoleId; level: string }
  | { type: 'remove_bot'; role: RoleId }
  | { type: 'resign' }
  | { type: 'rematch'; swap?: boolean; cancel?: boolean }
  | { type: 'ping'; t: number }
  | GameAction;

export type ServerMessage =
  | { type: 'room_state'; seq?: number; state: RoomState; you?: You }
  | {
      type: 'game_update';
      seq: number;
      events?: GameEvent[];
      changes?: Record<string, unknown>;
      you?: Partial<You>;
    }
  | ({ type: 'game_over' } & GameOver)
  | { type: 'ack'; id: number; seq?: number }
  | { type: 'error'; code: ErrorCode; message: string; id?: number }
  | { type: 'player_disconnected'; role: RoleId }
  | { type: 'player_reconnected'; role: RoleId }
  | { type: 'rematch_offered'; role: RoleId; swap?: boolean; cancel?: boolean }
  | { type: 'rematch'; room_id: string; role?: RoleId; token?: string }
  | { type: 'orders_result'; [field: string]: unknown }
  | { type: 'pong'; t: number; server_time: number }
  | { type: 'room_closed'; reason: string };

export interface GameOver {
  seq?: number;
  winner: RoleId | RoleId[] | null;
  stats?: Record<string, unknown>;
  seed?: string | null;
  replay_id?: string | null;
}

/** One setting of a game, in the manner of JSON Schema. */
export interface Setting {
  type: string | string[];
  description: string;
  /** What people call it; a setting without one is for programs. */
  title?: string;
  minimum?: number;
  maximum?: number;
  /** What the number counts; "ms": milliseconds. */
  unit?: string;
  maxLength?: number;
  default?: Json;
  /** The choices, or (`names`) words that may stand for a number; `titles` are theirs, in order. */
  enum?: string[];
  names?: string[];
  titles?: string[];
}

export interface GameInfo {
  id: GameId;
  title: string;
  summary?: string;
  roles: { id: RoleId; title: string }[];
  /** How many seats must be filled to start. */
  seats_min: number;
  config: { type: 'object'; properties: Record<string, Setting> };
  bot_levels: string[];
  rules_version: number | string;
  rounds?: boolean;
}

/** An action was refused; `message` is the server's sentence. */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode | 'lost',
    message: string,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** Room ids are 4 to 12 letters and digits; case is folded to upper. */
export function roomId(text: string): string | null {
  const id = text.trim().toUpperCase();
  return /^[A-Z0-9]{4,12}$/.test(id) ? id : null;
}
