/** A game file in the browser: opened, replayed and checked by the engine itself. */
import { Engine } from '../lib/engine/engine.svelte';
import type { GameAction, GameEvent, Happened, Json, RoleId, RoomState } from '../lib/protocol';

/** So many steps are told of at once. */
const TOLD = 24;

export interface Step {
  /** 0: the start. */
  index: number;
  seq: number;
  /** Milliseconds since the start. */
  t: number;
  role: RoleId | null;
  action: GameAction | null;
  events: GameEvent[];
  state: RoomState;
}

interface Head {
  game: string;
  rules_version: number;
  config: Record<string, Json>;
  seats: RoleId[];
  names: Record<RoleId, string>;
  bots: Record<RoleId, string>;
  started_at: number;
  seed_hash: string;
  seed?: string;
}

export class ReplayFile {
  private constructor(
    readonly head: Head,
    /** The start, every action, and the result. */
    readonly steps: number,
    /** null: everything holds; else what does not, with its line. */
    readonly fault: string | null,
    private readonly engine: Engine,
  ) {}

  static async open(text: string): Promise<ReplayFile> {
    const head = JSON.parse(text.slice(0, text.indexOf('\n'))) as Head;
    const engine = new Engine();
    engine.start();
    await engine.loaded;
    const answer = await engine.open(new TextEncoder().encode(text));
    if (answer === null || typeof answer['steps'] !== 'number')
      throw new Error('The engine did not load, so the game cannot be shown. Load the page again.');
    const fault = answer['valid'] === true ? null : String(answer['message'] ?? answer.error);
    return new ReplayFile(head, answer['steps'], fault, engine);
  }

  async at(index: number): Promise<Step> {
    const answer = await this.engine.ask({ ask: 'at', step: index });
    if (answer === null || answer.error !== undefined)
      throw new Error(answer?.error ?? 'The engine is gone. Load the page again.');
    const role = (answer['role'] as RoleId | null | undefined) ?? null;
    return {
      index,
      seq: Number(answer['seq'] ?? 0),
      t: Number(answer['t'] ?? 0),
      role,
      action: (answer['action'] as GameAction | null | undefined) ?? null,
      events: (answer['events'] as GameEvent[] | undefined) ?? [],
      state: this.room(answer['state'] as Record<string, unknown>),
    };
  }

  /** What happened in the last steps up to this one, the oldest first. */
  async before(index: number): Promise<Happened[]> {
    const from = Math.max(1, index - TOLD + 1);
    const steps = await Promise.all(
      Array.from({ length: index - from + 1 }, (_, i) => this.at(from + i)),
    );
    return steps.map(({ seq, events, state }) => ({ seq, events, changes: state }));
  }

  close(): void {
    this.engine.stop();
  }

  /** A room's state as boards want it: nobody is connected, everything else is the file's. */
  private room(position: Record<string, unknown>): RoomState {
    const { head } = this;
    return {
      room_id: '',
      game: head.game,
      rules_version: head.rules_version,
      game_status: 'active',
      players: Object.fromEntries(head.seats.map((seat) => [seat, true])),
      names: head.names,
      bots: head.bots,
      spectators: 0,
      paused: false,
      current_role: null,
      current_turn: 0,
      winner: null,
      config: head.config,
      created_at: head.started_at,
      started_at: head.started_at,
      ended_at: null,
      seed_hash: head.seed_hash,
      ...position,
    };
  }
}
