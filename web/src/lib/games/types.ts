/**
 * What a game's board is given and what it gives back. A board takes a view of
 * the game and emits actions; it knows nothing of sockets, seats or pages.
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
  /** Your role, or null when you look on. */
  role: RoleId | null;
  /** An action of yours would reach the game now: it runs, is not paused, you are connected. */
  live: boolean;
  /** What happened in the newest update, for motion and sound. */
  events: readonly GameEvent[];
  /** What happened before and in it, the oldest first, for a log. Nothing of it moves or sounds. */
  history?: readonly Happened[];
  engine: BoardEngine;
  /** The server's clock, milliseconds since the epoch. */
  serverNow: () => number;
  /** The newest answer to this player alone (`orders_result`), where a game has such. */
  told?: OrdersResult | null;
  /** Updates are shown one by one (room/pace): what is shown is held, and a tap may end that. */
  pacing?: { holding: 'own' | 'others' | null; skip: () => void };
  /** One plays a board alone, in this browser: another board is another room. */
  alone?: boolean;
  /** A lesson is played: it answers every try, also one that the board would refuse by itself. */
  lesson?: boolean;
  /** What would have been better in this position, to be shown on the board: a review of a finished game. */
  better?: { role: RoleId; actions: readonly GameAction[] } | null;
  /** Settles when the server has acknowledged the action; rejects with a Refusal in words. */
  onAction: (action: GameAction) => Promise<void>;
  /** Says that the clock need not wait for you, in a game that gets ready. */
  onReady?: () => Promise<void>;
}

/** One sentence on whose turn it is and what to do, and a second, smaller one. */
export interface Turn {
  title: string;
  detail?: string;
}

/** How a game of one's own begins: its settings and, where it was given as text, that. */
export interface Start {
  settings: Record<string, Json>;
  given?: string;
}

/** What is known of a puzzle's best line. */
export interface Known {
  best: number;
  proven: boolean;
}

/** A game that one person plays alone in the browser, board after board (lib/alone.ts). */
export interface SoloBoards {
  /** The same for two states of the same board, whatever was played on it. */
  board: (state: RoomState) => string;
  /** The board in a few words, for the list of saves. */
  label: (state: RoomState) => string;
  /** Moves made. */
  moves: (state: RoomState) => number;
  /** Settings with the date filled in that a server would fill in. */
  dated: (settings: Record<string, Json>) => Record<string, Json>;
  /** The settings of an action that asks for a new board; null: it is a move. */
  asksForBoard: (action: GameAction) => Record<string, Json> | null;
  /** The action that starts the board again. */
  again: GameAction;
  /** The state with what a solver found, unless the player did better. */
  informed: (state: RoomState, known: Known) => RoomState;
}

/** What a role has of a game: it plays, is done with it while others may play on, or there is nothing for it. */
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

/** What a game's folder exports by default; loaded when its first room opens. */
export interface GameModule {
  Board: Component<BoardProps>;
  /** Fills the page behind the board. */
  Backdrop?: Component<{ view: RoomState }>;
  /** Of games that go on when one gives up, and whose seats may stay empty; in others every role plays to the end. */
  part?: (state: RoomState, role: RoleId) => Part;
  /** The page turns to night (dark tokens). */
  isNight?: (state: RoomState) => boolean;
  turn: (state: RoomState, role: RoleId | null) => Turn;
  /** How long an update is shown before the one after it; without it, none is held back. */
  hold?: HoldOf;
  /**
   * `title`: who won, by name ("You won", "Ann won"). `detail`: why, in a sentence ("Trapped after 9 days: every
   * neighbouring field is flooded."). Both stand above "Play again", the figures below it.
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
  /** What a link to a game of one's own asks for; a sentence where that can't be; null: for nothing. */
  linked?: (query: URLSearchParams) => Start | string | null;
  /** Settings of a room with this position's start; a sentence where no room can have it. */
  roomSettings?: (state: RoomState) => Record<string, Json> | string;
  /** One line of the move list; the state is that after it. */
  describeAction?: (action: GameAction, role: RoleId | null, state: RoomState) => string;
}

export interface GameEntry {
  id: GameId;
  title: string;
  /** One sentence for somebody who has never heard of it. */
  pitch: string;
  /** "2 players", as on the lid of a box. */
  players: string;
  minutes: string;
  /** What a role plays for, on its seat; one sentence where every role wants the same. */
  goals: string | Readonly<Record<RoleId, string>>;
  /** The roles are callings, not names: "the Weather", but "Blue". */
  callings?: boolean;
  Cover: Component;
  RoleIcon?: Component<{ role: RoleId }>;
  /** What the home page shows of its board of the day. */
  today?: () => Promise<{ default: Component }>;
  /** A game that one person can play in the browser alone; /play/<id> leads to a board of it. */
  solo?: { role: RoleId };
  load: () => Promise<{ default: GameModule }>;
}
