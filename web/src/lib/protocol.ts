/**
 * The wire types for the whole client, under the client's names: types declared in C come from the
 * generated file, the answers over HTTP are declared here. docs/PROTOCOL.md is the reference.
 *
 * Unknown fields are accepted everywhere, because a newer server may send more.
 */
import type {
  Error as Refused,
  GameUpdate,
  GameWire,
  React,
  State,
  Variant as AnyVariant,
} from './generated/wire';

export type {
  ClientMessage,
  Event as GameEvent,
  GameOver,
  OrdersResult,
  ServerMessage,
  State as RoomState,
  You,
} from './generated/wire';

export type RoleId = string;
export type GameId = string;
export type GameStatus = State['game_status'];
export type ErrorCode = Refused['code'];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A square: column and row, from the top left. */
export interface Point {
  x: number;
  y: number;
}
export type Reaction = React['reaction'];

/** A room's state with one game's own fields, which are there from its start. */
export type GameState<G extends keyof GameWire> = State &
  GameWire[G]['state'] & { config: GameWire[G]['config'] };

/** An action of a game: its `type` names it. */
export type GameAction = GameWire[keyof GameWire]['action'];

/** The events of one update, kept for the boards' logs. */
export type Happened = Readonly<Pick<GameUpdate, 'seq' | 'events' | 'changes'>>;

/** A setting of a game, similar to JSON Schema. */
export interface Setting {
  type: string | string[];
  description: string;
  /** Its title for people; a setting without one is for programs. */
  title?: string;
  minimum?: number;
  maximum?: number;
  /** The unit of the number; "ms": milliseconds. */
  unit?: string;
  maxLength?: number;
  default?: Json;
  /** The choices, or (`names`) words that may replace a number; `titles` are theirs, in order. */
  enum?: string[];
  names?: string[];
  titles?: string[];
  /** Of an object. */
  properties?: Record<string, Setting>;
}

/** Named settings, for people who choose how to play before they know the settings. */
export type Variant = Omit<AnyVariant, 'config'> & { config: Record<string, Json> };

export interface GameInfo {
  id: GameId;
  title: string;
  summary?: string;
  roles: { id: RoleId; title: string }[];
  /** How many seats must be filled to start. */
  seats_min: number;
  config: { type: 'object'; properties: Record<string, Setting> };
  bot_levels: string[];
  /** The default one comes first. */
  variants: Variant[];
  rules_version: number | string;
  rounds?: boolean;
  /** Everybody seated may start; else those who may configure. */
  any_starts?: boolean;
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
