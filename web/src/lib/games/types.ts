/**
 * What a game's board gets and returns. A board takes a view of the game and emits actions; it knows
 * nothing of sockets, seats or pages.
 */
import type { Component } from 'svelte';
import type { BoardEngine } from '../engine/engine.svelte';
import type { HoldOf } from '../room/pace.svelte';
import type {
  GameAction,
  GameEvent,
  GameId,
  GameOver,
  Happened,
  Json,
  OrdersResult,
  RoleId,
  RoomState,
  You,
} from '../protocol';

export interface BoardProps<S extends RoomState = RoomState> {
  view: S;
  you: You;
  /** Your role, or null for a spectator. */
  role: RoleId | null;
  /** Your actions would reach the game now: it is running, not paused, and you are connected. */
  live: boolean;
  /** Events of the newest update, for motion and sound. */
  events: readonly GameEvent[];
  /** Earlier events and these, oldest first, for a log. They cause no motion or sound. */
  history?: readonly Happened[];
  engine: BoardEngine;
  /** The server's clock, milliseconds since the epoch. */
  serverNow: () => number;
  /** The newest answer to this player only (`orders_result`), if the game has such. */
  told?: OrdersResult | null;
  /** Updates are shown one by one (room/pace): the current one is held, and a tap may end that. */
  pacing?: { holding: 'own' | 'others' | null; skip: () => void };
  /** One plays a board alone, in this browser: another board is another room. */
  alone?: boolean;
  /** A lesson is played: it answers every try, also one that the board would refuse by itself. */
  lesson?: boolean;
  /** What would have been better in this position, to be shown on the board: a review of a finished game. */
  better?: { role: RoleId; actions: readonly GameAction[] } | null;
  /** Settles when the server has acknowledged the action; rejects with a Refusal, which has a sentence. */
  onAction: (action: GameAction) => Promise<void>;
  /** Says that the clock need not wait for you, in a game where players get ready. */
  onReady?: () => Promise<void>;
}

/** A sentence about whose turn it is and what to do, and a second, smaller one. */
export interface Turn {
  title: string;
  detail?: string;
}

/** How a solo game starts: its settings and, if it was given as text, that. */
export interface Start {
  settings: Record<string, Json>;
  given?: string;
}

/** A solver's result for a puzzle. */
export interface Known {
  best: number;
  proven: boolean;
}

/** A game that one person plays alone in the browser, board after board (lib/alone.ts). */
export interface SoloBoards {
  /** Equal for two states of the same board, whatever was played on it. */
  board: (state: RoomState) => string;
  /** A short description of the board, for the list of saves. */
  label: (state: RoomState) => string;
  /** Moves made. */
  moves: (state: RoomState) => number;
  /** Settings with the date filled in that a server would fill in. */
  dated: (settings: Record<string, Json>) => Record<string, Json>;
  /** The settings of an action that asks for a new board; null for other actions. */
  asksForBoard: (action: GameAction) => Record<string, Json> | null;
  /** The action that starts the board again. */
  again: GameAction;
  /** The state with what a solver found, unless the player did better. */
  informed: (state: RoomState, known: Known) => RoomState;
}

/** A role's part in a game: it plays, has finished while others may play on, or has no part. */
export type Part = 'playing' | 'done' | 'none';

/** How a review measures a game whose solver counts what is left (bots/review.h). */
export interface Worths {
  /** "move", "day". */
  one: string;
  /** What is left, at the beginning of a sentence: "Moves left". */
  left: string;
  /** Said where the solver sees no end. */
  open: string;
  /** How it is found out, and how sure it is. */
  method: string;
  /** Every seat has the same number left: it is told for this one. */
  of?: RoleId;
}

/** The default export of a game's folder; loaded when its first room opens. */
export interface GameModule {
  Board: Component<BoardProps>;
  /** Fills the page behind the board. */
  Backdrop?: Component<{ view: RoomState }>;
  /**
   * For games that go on when one gives up, and whose seats may stay empty; in others every role plays to
   * the end.
   */
  part?: (state: RoomState, role: RoleId) => Part;
  /** The page turns to night (dark tokens). */
  isNight?: (state: RoomState) => boolean;
  turn: (state: RoomState, role: RoleId | null) => Turn;
  /** How long an update is shown before the next one; without it, none is held. */
  hold?: HoldOf;
  /**
   * `title`: who won, by name ("You won", "Ann won"). `detail`: why, in a sentence ("Trapped after 9 days:
   * every neighbouring field is flooded."). Both are above "Play again", the figures below it.
   */
  result: (
    state: RoomState,
    over: GameOver | null,
    role: RoleId | null,
  ) => { title: string; detail?: string; figures: { label: string; value: string }[] };
  /** Of games that a review measures by what is left; others by chances. */
  worths?: Worths;
  /** For a game with `solo` in its entry. */
  solo?: SoloBoards;
  /** The game that a link asks for; a sentence if that is impossible; null: none. */
  linked?: (query: URLSearchParams) => Start | string | null;
  /** Settings of a room that starts from this position; a sentence if no room can. */
  roomSettings?: (state: RoomState) => Record<string, Json> | string;
  /** One line of the move list; the state is the one after the move. */
  describeAction?: (action: GameAction, role: RoleId | null, state: RoomState) => string;
}

export interface GameEntry {
  id: GameId;
  title: string;
  /** One sentence for somebody who has never heard of it. */
  pitch: string;
  /** "2 players", as on a game box. */
  players: string;
  minutes: string;
  /** A role's goal, shown on its seat; one sentence if all roles have the same. */
  goals: string | Readonly<Record<RoleId, string>>;
  /** The roles take an article: "the Weather", but "Blue". */
  callings?: boolean;
  Cover: Component;
  RoleIcon?: Component<{ role: RoleId }>;
  /** What the home page shows of its board of the day. */
  today?: () => Promise<{ default: Component }>;
  /** A game that one person can play in the browser alone; /play/<id> leads to a board of it. */
  solo?: { role: RoleId };
  load: () => Promise<{ default: GameModule }>;
}
