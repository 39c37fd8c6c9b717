/**
 * One room, as this browser sees it: the WebSocket, the seat, the state, and unanswered actions. Pages and
 * boards read its fields and call its methods; nothing else in the client knows about sockets.
 *
 * Its rules:
 * - Only the server changes the state. An action that was sent is shown as a choice, never as a move, until
 * the server has confirmed it.
 * - An action made while the connection was lost, or just before, is applied once: outbox.svelte.ts. A
 * requested seat is requested again.
 * - A lost connection is retried automatically: connection.svelte.ts. A seat taken over by another tab
 * stays there until this tab asks for it, and this tab does not reconnect, so nobody is also a spectator.
 */
import { localHall } from '../local/client';
import { beside, isLocal } from '../place';
import { Refusal } from '../protocol';
import type {
  ClientMessage,
  GameEvent,
  GameId,
  GameOver,
  Happened,
  OrdersResult,
  Reaction,
  RoleId,
  RoomState,
  ServerMessage,
  You,
} from '../protocol';
import { plainText } from '../words';
import { ServerClock } from './clock';
import { Connection, SILENCE } from './connection.svelte';
import type { Link, Socket } from './connection.svelte';
import { Outbox } from './outbox.svelte';
import type { Action } from './outbox.svelte';
import { applyPatch } from './patch';
import { whyRefused } from './reach';
import type { Refused } from './reach';
import { forgetSeat, loadSeat, othersOf, saveSeat, turnOf } from './seat';

export interface RoomOptions {
  game?: GameId | undefined;
  /** Another seat of this browser in the same room (hot seat): its own place in storage. */
  slot?: number;
  connect?: (url: string) => Socket;
  random?: () => number;
  origin?: string;
  /** Why a connection that never opened was refused; null: the network. */
  why?: (room: string) => Promise<Refused | null>;
}

export interface Notice {
  kind: 'error' | 'info';
  text: string;
}

/** How many missed updates the server can certainly recompute. */
const REMEMBERED = 64;
/** How long a reaction is shown. */
const REACTION = 5_000;

export class Room {
  readonly id: string;
  /** Which of this browser's seats it is; 0: the first. */
  readonly slot: number;

  /** The seat's token was sent and is not answered yet. */
  resuming = $state(false);
  /** Another tab of this browser has the seat now. */
  takenOver = $state(false);
  /** Why the server closed the room for good. */
  closedBecause = $state<string | null>(null);
  state = $state.raw<RoomState | null>(null);
  you = $state.raw<You>({ role: null });
  /** Events of the newest update, for motion and sound. */
  events = $state.raw<readonly GameEvent[]>([]);
  /** The last updates, oldest first; after a reload too, as far back as the server knows. */
  history = $state.raw<readonly Happened[]>([]);
  /** The newest answer for us only: the result of orders as text. */
  told = $state.raw<OrdersResult | null>(null);
  over = $state.raw<GameOver | null>(null);
  /** Who wants to play again, and who said so last; null: that was withdrawn. */
  offer = $state.raw<{ roles: readonly RoleId[]; by: RoleId | null; swap: boolean } | null>(null);
  /** The room of the rematch, once everybody has agreed. */
  next = $state<string | null>(null);
  /** The same if the page should go there by itself; not when an old game is revisited. */
  movedTo = $state<string | null>(null);
  notice = $state.raw<Notice | null>(null);
  /** The newest reaction, for a few seconds; `at` tells two equal ones apart. */
  reaction = $state.raw<{ role: RoleId; reaction: Reaction; at: number } | null>(null);
  /** When (Date.now) this page first saw a seat without its player. */
  awaySince = $state.raw<Readonly<Record<RoleId, number>>>({});
  /** In the room, and in the seat if there was one. */
  readonly ready = $derived(this.state !== null && !this.resuming);
  /** Actions would reach the game now. */
  readonly live = $derived(this.link === 'open' && this.ready && !this.takenOver);

  /** The number of other spectators. */
  readonly lookingOn = $derived(
    Math.max(0, (this.state?.spectators ?? 0) - (this.you.role === null && this.ready ? 1 : 0)),
  );

  /** The server answered something after the room, so everything it sends on arrival is here. */
  private arrived = false;
  private seq = 0;
  /**
   * The first state of a new connection, as everybody sees the room. Until our token is answered, the old
   * state is kept; if the token is refused, this one is shown.
   */
  private greeting: { state: RoomState; seq: number } | null = null;
  /** Events up to here were seen, or happened before this page: no motion for them. */
  private shown = 0;
  /** The history is complete up to here; missed updates follow. */
  private known = 0;
  private leaving = false;
  /** What was last written for the list of this browser's games. */
  private noted = '';
  /** The requested seat, until the answer. */
  private wanted: ClientMessage | null = null;
  private readonly outbox = new Outbox({
    id: () => {
      const id = (this.seat().lastId ?? 0) + 1;
      this.keep({ lastId: id });
      return id;
    },
    send: (message) => {
      if (!this.live) return;
      this.transmit(message);
      if (!this.connection.waitsFor('answer')) this.connection.listen('answer', SILENCE);
    },
  });
  private readonly clock = new ServerClock();
  private readonly connection: Connection;

  constructor(id: string, options: RoomOptions = {}) {
    this.id = id;
    this.slot = options.slot ?? 0;
    const dial =
      options.connect ??
      ((url: string) => (isLocal(id) ? localHall.connect(url) : new WebSocket(url)));
    const why =
      options.why ?? ((room: string) => (isLocal(room) ? Promise.resolve(null) : whyRefused(room)));
    const origin = options.origin ?? location.origin;
    this.connection = new Connection({
      connect: () => {
        const game = options.game ?? this.seat().game;
        const query = game === undefined ? '' : `?game=${encodeURIComponent(game)}`;
        return dial(`${origin.replace(/^http/, 'ws')}/ws/${id}${query}`);
      },
      random: options.random ?? Math.random,
      why: () => why(id),
      blank: () => this.state === null,
      trying: () => {
        this.offer = null; // open proposals are sent again
      },
      opened: () => {
        this.greet();
      },
      heard: (message) => {
        this.receive(message);
      },
      taken: () => {
        this.another();
      },
      dropped: () => {
        this.resuming = false;
        this.greeting = null;
        this.reaction = null;
      },
    });
    this.over = this.seat().over ?? null;
    this.connection.open();
  }

  get link(): Link {
    return this.connection.link;
  }

  /** When the next attempt to connect is due (Date.now), while the link is lost. */
  get retryAt(): number | null {
    return this.connection.retryAt;
  }

  /** Why the connection is refused although the server answers over HTTP. */
  get refusedBecause(): Refused | null {
    return this.connection.refusedBecause;
  }

  /** The first attempt failed, and the reason is not known yet. */
  get wondering(): boolean {
    return this.connection.wondering;
  }

  /** How many actions wait for the server's answer. */
  get waiting(): number {
    return this.outbox.waiting;
  }

  /** The server's clock, in milliseconds since the epoch. */
  serverNow(): number {
    return this.clock.now();
  }

  /** Takes a seat. The answer is a room_state, or a refusal in `notice`. */
  select(role: RoleId, name: string): void {
    const trimmed = shortened(name);
    this.wanted = {
      type: 'select_role',
      role,
      reserve: true,
      ...(trimmed === '' ? {} : { name: trimmed }),
    };
    if (!this.resuming) this.seek();
  }

  leave(): Promise<void> {
    this.leaving = true;
    return this.act({ type: 'leave_role' }).finally(() => {
      this.leaving = false;
    });
  }

  /** Takes the seat back from the other tab. */
  playHere(): void {
    this.takenOver = false;
    this.connection.reopen();
  }

  /** Tries to connect now, without waiting for the countdown. */
  retryNow(): void {
    if (this.link === 'lost') this.connection.open();
  }

  dismiss(): void {
    this.notice = null;
  }

  /**
   * Sends an action of this seat. Settles when the server has acknowledged it (it is durable) or refused
   * it; survives reconnects.
   */
  act(action: Action): Promise<void> {
    const { token } = this.seat();
    if (token === undefined || this.takenOver) {
      return Promise.reject(this.say(new Refusal('no_seat', 'Take a seat first, then play.')));
    }
    return this.outbox.post(action, token);
  }

  /** Changes the name that others see; empty: none. */
  rename(name: string): Promise<void> {
    return this.act({ type: 'rename', name: shortened(name) });
  }

  /** Lets a bot play for a player who has been away for long, until they are back. */
  standIn(role: RoleId, level: string): Promise<void> {
    return this.act({ type: 'stand_in', role, level });
  }

  /** Ends a game that the others have left: it is won by absence. */
  claim(): Promise<void> {
    return this.act({ type: 'claim' });
  }

  /** Shown to everybody present. It is only for the moment, so a lost connection does not send it later. */
  react(reaction: Reaction): void {
    if (this.live) this.transmit({ type: 'react', reaction });
  }

  dispose(): void {
    this.connection.dispose();
  }

  // ---- the seat -----------------------------------------------------------

  private key(room = this.id): string {
    return this.slot === 0 ? room : `${room}/${this.slot}`;
  }

  private seat() {
    return loadSeat(this.key());
  }

  private keep(change: Parameters<typeof saveSeat>[1]): void {
    saveSeat(this.key(), change);
  }

  private forget(): void {
    forgetSeat(this.key());
    this.outbox.abandon('This is no longer your seat.');
  }

  // ---- what is said first ------------------------------------------------

  private greet(): void {
    const { token, from } = this.seat();
    if (token === undefined) this.seek();
    // A new page first needs the greeting, which says how far back it may ask.
    else if (this.state === null && from !== undefined) this.resuming = true;
    else this.resume(this.state === null ? undefined : this.seq);
  }

  private transmit(message: Action & { id?: number }): void {
    this.connection.transmit(message);
  }

  private seek(): void {
    if (this.wanted !== null) this.transmit(this.wanted);
  }

  private resume(since: number | undefined): void {
    const token = this.seat().token;
    if (token === undefined) return;
    this.resuming = true;
    this.known = since ?? this.known;
    this.transmit({ type: 'resume', token, ...(since === undefined ? {} : { since }) });
    this.connection.ping(); // its answer comes after everything that the seat is sent
  }

  /** The game waits for an empty seat. */
  private get incomplete(): boolean {
    return this.state?.paused === true || this.state?.game_status === 'waiting';
  }

  // ---- what the server says -----------------------------------------------

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case 'room_state':
        this.whole(message.state, message.you, message.seq);
        break;
      case 'game_update':
        this.update(message);
        break;
      case 'game_over': {
        const over = { ...message, replay_id: beside(this.id, message.replay_id) };
        this.over = over;
        this.keep({ over, status: 'ended', turn: undefined });
        break;
      }
      case 'ack':
        this.outbox.acknowledged(message.id);
        break;
      case 'error':
        this.refused(message);
        break;
      case 'player_disconnected':
      case 'player_reconnected':
        this.seated(message.role, message.type === 'player_reconnected');
        break;
      case 'rematch_offered':
        this.offered(message);
        break;
      case 'rematch':
        // Without the seat's token this is what everybody is greeted with; our own state comes with the
        // seat.
        if (message.token === undefined && this.resuming) break;
        if (message.token !== undefined) {
          saveSeat(this.key(beside(this.id, message.room_id)), {
            ...(this.state === null ? {} : { game: this.state.game }),
            ...(message.role === undefined ? {} : { role: message.role }),
            token: message.token,
            before: this.id,
          });
        }
        this.follow(beside(this.id, message.room_id));
        break;
      case 'pong':
        this.arrived ||= this.ready;
        this.clock.sample(message.t, message.server_time);
        break;
      case 'orders_result':
        this.told = message;
        break;
      case 'react':
        this.reaction = { role: message.role, reaction: message.reaction, at: Date.now() };
        this.connection.later('reaction', REACTION, () => {
          this.reaction = null;
        });
        break;
      case 'room_closed':
        this.closed(message.reason);
        break;
      default:
        break;
    }
    this.note();
    this.watchSeats();
    if (this.live && !this.incomplete) this.outbox.release(this.seat().token);
  }

  /** A page that opens a finished game stays there, unless it has never been in the next one. */
  private follow(room: string): void {
    this.next = room;
    const { token, seen } = loadSeat(this.key(room));
    if (this.arrived || (token !== undefined && seen === undefined)) this.movedTo = room;
  }

  private watchSeats(): void {
    const { state, awaySince } = this;
    if (state === null) return;
    const away = Object.keys(state.players).filter(
      (role) =>
        state.game_status === 'active' && state.players[role] !== true && state.bots[role] == null,
    );
    const now = Object.fromEntries(away.map((role) => [role, awaySince[role] ?? Date.now()]));
    if (Object.keys(now).join() !== Object.keys(awaySince).join()) this.awaySince = now;
  }

  /** The game's status, for the list of this browser's games; written when it changes. */
  private note(): void {
    const { state, you } = this;
    if (state === null || you.role === null || this.resuming || this.takenOver) return;
    const status = state.game_status;
    const turn = turnOf(state, you.role);
    const others = othersOf(state, you.role);
    const now = JSON.stringify([status, turn, others]);
    if (now === this.noted) return;
    this.noted = now;
    this.keep({ status, turn, others, seen: Date.now() });
  }

  private closed(why: string): void {
    this.closedBecause = why;
    this.outbox.abandon('The room is closed.');
    this.connection.close();
  }

  private whole(state: RoomState, you: You, seq: number): void {
    if (this.state?.started_at != null && this.state.created_at !== state.created_at) {
      // Another, empty room has the id now: it must not replace what was played here.
      this.closed('This room was closed while you were away.');
      return;
    }
    this.connection.settled();
    if (this.resuming && you.role === null) {
      const first = this.state === null && this.greeting === null;
      const { from } = this.seat();
      this.greeting = { state, seq };
      if (first && from !== undefined) {
        this.shown = seq;
        this.resume(Math.max(from, seq - REMEMBERED));
      }
      return;
    }
    const before = this.you.role;
    const last = this.history.at(-1);
    const missed = this.greeting !== null && last?.seq === seq && seq > this.shown;
    this.greeting = null;
    this.state = state;
    this.seq = seq;
    this.you = you;
    if (missed) this.events = last.events;
    this.shown = seq;
    if (state.game_status !== 'ended') {
      this.over = null;
      this.offer = null;
    }
    // We missed more than moves (a start, a new player), or more than the server remembers.
    if (this.known !== seq) this.keep({ from: seq });
    this.known = seq;
    const seat = this.seat();
    if (you.role !== null) {
      const token = you.token ?? seat.token;
      const fresh = token !== seat.token;
      this.keep({
        game: state.game,
        role: you.role,
        ...(token === undefined ? {} : { token }),
        lastId: fresh ? 0 : (seat.lastId ?? 0),
      });
      this.wanted = null;
      if (this.resuming) {
        this.resuming = false;
        this.takenOver = false;
        this.outbox.again(token);
      }
    } else {
      this.keep({ game: state.game });
      if (this.leaving) {
        this.leaving = false;
        this.forget();
      } else if (before !== null) {
        this.another();
      }
    }
  }

  /** Another tab has the seat. */
  private another(): void {
    this.takenOver = true;
    this.notice = null;
    this.outbox.abandon('You play in another tab now.');
    this.connection.close();
  }

  private update(message: Extract<ServerMessage, { type: 'game_update' }>): void {
    if (message.you !== undefined) this.you = { ...this.you, ...message.you };
    if (this.state === null && this.greeting === null) return;
    const { seq, events, changes } = message;
    // Momentary things (who is connected) do not change seq. Events during the request are part of its
    // answer.
    if (seq === this.known + 1 || (!this.resuming && seq > this.known)) {
      this.history = [...this.history.slice(1 - REMEMBERED), { seq, events, changes }];
      this.known = seq;
    }
    const { greeting } = this;
    if (greeting !== null) {
      if (seq >= greeting.seq) this.greeting = { state: applyPatch(greeting.state, changes), seq };
      return;
    }
    if (seq < this.seq || this.state === null) return;
    this.seq = seq;
    this.state = applyPatch(this.state, changes);
    if (events.length === 0 || seq > this.shown) this.events = events;
    this.shown = seq;
  }

  /** Another `swap` is a new proposal, to which nobody else has agreed yet. */
  private offered({
    role,
    swap,
    cancel,
  }: Extract<ServerMessage, { type: 'rematch_offered' }>): void {
    const before = this.offer?.swap === swap ? this.offer.roles : [];
    const others = before.filter((one) => one !== role);
    const taken = cancel === true;
    const roles = taken ? others : [...others, role];
    this.offer = roles.length === 0 ? null : { roles, by: taken ? null : role, swap };
  }

  private seated(role: RoleId, present: boolean): void {
    if (this.state === null) return;
    this.state = applyPatch(this.state, { players: { [role]: present } });
  }

  /** The token no longer opens a seat. */
  private seatless(): void {
    const meant = this.leaving;
    const { greeting } = this;
    this.forget();
    this.you = { role: null };
    if (greeting !== null) this.whole(greeting.state, this.you, greeting.seq);
    this.seek();
    if (meant) return;
    const why = 'This is no longer your seat: somebody else took it, or the room was restarted.';
    this.say(new Refusal('no_seat', why));
  }

  private refused(message: Extract<ServerMessage, { type: 'error' }>): void {
    const { id, code } = message;
    // The server is about to restart: what it refuses now is sent again when it is back.
    if (code === 'draining') return;
    const refusal = new Refusal(code, message.message);
    const early = code === 'paused' || (code === 'wrong_status' && this.incomplete);
    const action = id === undefined ? null : this.outbox.refused(id, refusal, early);
    if (action === 'kept') return;
    if (action === 'given back') {
      this.say(refusal);
    } else if (this.resuming) {
      this.resuming = false;
      if (code === 'rate_limited' || code === 'storage') this.connection.lost();
      else this.seatless();
    } else {
      this.wanted = null;
      this.say(refusal);
    }
  }

  private say(refusal: Refusal): Refusal {
    this.notice = { kind: 'error', text: refusal.message };
    return refusal;
  }
}

/** The part of a name that the server accepts. */
const shortened = (name: string): string => [...plainText(name).trim()].slice(0, 24).join('');
