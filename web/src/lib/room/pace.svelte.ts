/**
 * Shows a room's updates one by one, at a pace that people can follow. The server plays a bot's whole turn
 * at once; the board gets one update, then, after the time that the game asks for (`GameModule.hold`), the
 * next. In games without `hold`, on hidden pages, and if too many updates wait, the present is shown at
 * once.
 *
 * The player's own result is held whatever the setting says, and a tap ends only that hold; a tap while
 * others play shows the present.
 *
 * Create it during component initialisation: it has effects.
 */
import { untrack } from 'svelte';
import type { GameEvent, Happened, RoomState, You } from '../protocol';
import { settings } from '../settings.svelte';

/** What a board is given of a room. */
export interface Snapshot {
  /** The room; another one is shown at once. */
  of: object;
  state: RoomState | null;
  you: You;
  events: readonly GameEvent[];
  history: readonly Happened[];
}

/** How long an update is shown before the next one. */
export interface Hold {
  /** At normal speed. */
  ms: number;
  /** It is the player's own result. */
  own?: boolean;
}

/** An update with events: the state after it, and the one before. */
export interface Step {
  state: RoomState;
  before: RoomState;
  events: readonly GameEvent[];
  you: You;
}

export type HoldOf = (step: Step) => Hold;

const factors = { slow: 2, normal: 1, instant: 0 } as const;
const most = 48;

export class Pace {
  shown: Snapshot = $state.raw<Snapshot>(nothing);
  /** The current update is held: the player's own result, or because steps of others wait. */
  holding: 'own' | 'others' | null = $derived.by(() =>
    this.held?.own === true ? 'own' : this.queue.length > 0 ? 'others' : null,
  );
  /** The game is ahead of what is shown, so actions are disabled. */
  behind = $derived.by(() => this.queue.length > 0);

  private queue = $state.raw<readonly Snapshot[]>([]);
  private held = $state.raw<Hold | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    now: () => Snapshot,
    private readonly holdOf: () => HoldOf | undefined,
  ) {
    this.shown = untrack(now);
    $effect.pre(() => {
      const next = now();
      untrack(() => {
        this.take(next);
      });
    });
    $effect(() => {
      const hidden = (): void => {
        if (document.hidden) this.catchUp();
      };
      document.addEventListener('visibilitychange', hidden);
      return () => {
        document.removeEventListener('visibilitychange', hidden);
        clearTimeout(this.timer);
      };
    });
  }

  /** A tap: the own result has been seen, or the player does not want to watch. */
  skip(): void {
    if (this.holding === 'own') this.advance();
    else this.catchUp();
  }

  /** Shows the present, as before an own action. */
  catchUp(): void {
    const last = this.queue.at(-1);
    this.queue = [];
    this.rest(null);
    if (last !== undefined) this.shown = last;
  }

  private take(next: Snapshot): void {
    const before = this.queue.at(-1) ?? this.shown;
    if (next.of !== before.of || next.state === null) {
      this.queue = [];
      this.rest(null);
      this.shown = next;
      return;
    }
    this.queue = [...this.queue, next];
    if (document.hidden || this.queue.length > most) this.catchUp();
    else if (this.held === null) this.advance();
  }

  /** Shows what waits, up to the next update that is held. */
  private advance(): void {
    this.rest(null);
    while (this.held === null) {
      const [next, ...rest] = this.queue;
      if (next === undefined) return;
      const before = this.shown;
      this.queue = rest;
      this.shown = next;
      this.rest(this.judge(before, next));
    }
  }

  private judge(before: Snapshot, next: Snapshot): Hold | null {
    const holdOf = this.holdOf();
    const { state, events, you } = next;
    if (holdOf === undefined || state === null || before.state === null) return null;
    if (events === before.events || events.length === 0) return null;
    const hold = holdOf({ state, before: before.state, events, you });
    const ms = hold.own === true ? hold.ms : hold.ms * factors[settings.pace];
    return ms > 0 ? { ...hold, ms } : null;
  }

  private rest(hold: Hold | null): void {
    clearTimeout(this.timer);
    this.held = hold;
    if (hold === null) return;
    this.timer = setTimeout(() => {
      this.advance();
    }, hold.ms);
  }
}

const nothing: Snapshot = { of: {}, state: null, you: { role: null }, events: [], history: [] };
