/**
 * A game of one's own, played by the engine in this browser without any server.
 * It is kept as settings, seed and actions, so a reload replays it to the same position.
 */
import { Engine } from './engine/engine.svelte';
import type { Start } from './games/types';
import type { FlooditView } from './generated/wire';
import type { GameAction, GameEvent, GameId, Json, RoleId, RoomState } from './protocol';
import { Refusal } from './protocol';
import { browserStorage } from './room/seat';

interface Saved {
  config: Record<string, Json>;
  seed: string;
  /** The start as text, where somebody gave one. */
  given?: string | undefined;
  actions: GameAction[];
  started: number;
}

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function boardOf(state: RoomState): string {
  const { rows, cols, colors, settings, seed } = state as Partial<FlooditView>;
  return JSON.stringify([rows, cols, colors, settings?.origin, seed]);
}

/** Today's board is that of the day (UTC) it was asked for, as a room's server has it. */
function dated(settings: Record<string, Json>): Record<string, Json> {
  if (settings['daily'] !== true || settings['date'] !== undefined) return settings;
  return { ...settings, date: new Date().toISOString().slice(0, 10) };
}

export class Solo {
  state = $state.raw<RoomState | null>(null);
  events = $state.raw<GameEvent[]>([]);
  /** Why there is no game to show. */
  trouble = $state('');

  private readonly engine = new Engine();
  private saved: Saved | null = null;
  private ended: number | null = null;
  private last: Promise<void> = Promise.resolve();
  /** Of the board that lies there: what a solver found. */
  private known: { board: string; best: number | null; proven: boolean } | null = null;

  constructor(
    readonly game: GameId,
    readonly role: RoleId,
  ) {
    this.engine.start();
  }

  private get key(): string {
    return `boardwalk:solo:${this.game}`;
  }

  /** The game that was left, or a new one; with a start: that one. */
  async open(start: Start | null): Promise<void> {
    if (!(await this.engine.loaded)) {
      this.trouble = 'The engine did not load, so there is no game yet. Load the page again.';
      return;
    }
    await this.inTurn(() => this.begin(start));
  }

  /** Settles when it has been played; rejects with the engine's sentence. */
  act(action: GameAction): Promise<void> {
    return this.inTurn(() => this.play(action));
  }

  dispose(): void {
    this.engine.stop();
  }

  /* One at a time, in order: a move must not come between a new board and its first position. */
  private inTurn(job: () => Promise<void>): Promise<void> {
    const mine = this.last.then(job);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async begin(start: Start | null): Promise<void> {
    const left = this.saved;
    const kept = start === null ? this.read() : null;
    if (kept !== null && (await this.replay(kept))) return;
    const fresh: Saved = {
      config: dated(start?.settings ?? {}),
      seed: randomSeed(),
      given: start?.given,
      actions: [],
      started: Date.now(),
    };
    if ((await this.replay(fresh)) || start === null) return;
    const trouble = `This board cannot be made: ${this.trouble}`;
    if (left !== null) await this.replay(left); // the engine gave it up for the new one
    this.trouble = trouble;
  }

  private async play(asked: GameAction): Promise<void> {
    const action =
      asked.type === 'new_game' && asked.settings !== undefined
        ? ({ ...asked, settings: dated(asked.settings as Record<string, Json>) } as GameAction)
        : asked;
    const answer = await this.engine.ask({ ask: 'play', role: this.role, action });
    if (answer === null || answer.error !== undefined)
      throw new Refusal('illegal', answer?.error ?? 'The engine is gone. Load the page again.');
    this.saved?.actions.push(action);
    this.trouble = '';
    this.show(answer);
    this.write();
  }

  private async replay(saved: Saved): Promise<boolean> {
    this.trouble = '';
    let answer = await this.engine.ask({
      ask: 'start',
      game: this.game,
      config: saved.config,
      seed: saved.seed,
      given: saved.given,
    });
    for (const action of saved.actions) {
      if (answer?.error !== undefined) break;
      answer = await this.engine.ask({ ask: 'play', role: this.role, action });
    }
    if (answer === null || answer.error !== undefined) {
      this.trouble = answer?.error ?? 'The engine is gone. Load the page again.';
      return false;
    }
    this.saved = saved;
    this.ended = null;
    this.show({ ...answer, events: [] });
    this.write();
    return true;
  }

  private show(answer: Record<string, unknown>): void {
    const position = answer['state'] as Record<string, unknown>;
    const over = position['game_status'] === 'ended';
    this.ended = over ? (this.ended ?? Date.now()) : null;
    this.events = (answer['events'] as GameEvent[] | undefined) ?? [];
    this.state = {
      room_id: '',
      game: this.game,
      rules_version: 0,
      game_status: 'active',
      players: { [this.role]: true },
      names: {},
      bots: {},
      spectators: 0,
      paused: false,
      current_role: this.role,
      current_turn: 0,
      winner: null,
      config: this.saved?.config ?? {},
      created_at: this.saved?.started ?? 0,
      started_at: this.saved?.started ?? null,
      seed_hash: null,
      ...position,
      ended_at: this.ended,
    };
    if ('best_known' in position) {
      this.learn(this.state);
      this.state = this.informed(this.state);
    }
  }

  /** As a room's server does: has a solver look at a new board, in a worker of its own, so that no move waits for it. */
  private learn(state: RoomState): void {
    const board = boardOf(state);
    if (this.known?.board === board) return;
    this.known = { board, best: null, proven: false };
    const solver = new Engine();
    solver.start();
    void solver.loaded
      .then(() => solver.for(this.game).hint(state, this.role, [{ type: 'reset' }]))
      .then((hint) => {
        solver.stop();
        if (hint === null || this.known?.board !== board) return;
        this.known = { board, best: hint.moves_left, proven: hint.proven };
        if (this.state !== null) this.state = this.informed(this.state);
      });
  }

  /** With what is known of the board, unless the player did better. */
  private informed(state: RoomState): RoomState {
    const best = this.known?.best ?? null;
    const own = state as Partial<FlooditView>;
    if (best === null || (own.best_known ?? best) < best) return state;
    const proven = this.known?.proven === true || (own.best_known === best && own.proven === true);
    return Object.assign({ ...state }, { best_known: best, proven });
  }

  private read(): Saved | null {
    try {
      const text = browserStorage()?.getItem(this.key);
      const saved = text == null ? null : (JSON.parse(text) as Saved);
      return Array.isArray(saved?.actions) ? saved : null;
    } catch {
      return null;
    }
  }

  private write(): void {
    try {
      browserStorage()?.setItem(this.key, JSON.stringify(this.saved));
    } catch {
      // The game lasts as long as the page.
    }
  }
}
