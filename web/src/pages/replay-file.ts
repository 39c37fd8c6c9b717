/** A game file in the browser: opened, replayed and checked by the engine itself. */
import { Engine } from '../lib/engine/engine.svelte';
import type {
  GameAction,
  GameEvent,
  GameOver,
  Happened,
  Json,
  RoleId,
  RoomState,
} from '../lib/protocol';

/** So many steps are told of at once. */
const TOLD = 24;

export interface Step {
  /** 0: the start. */
  index: number;
  seq: number;
  /** Milliseconds since the start. */
  t: number;
  role: RoleId | null;
  /** null: the start, a resignation (the only one of them with a role), or the result. */
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

/** What the last line of a file says: who won, by what figures, and when. */
export function resultOf(text: string): { over: GameOver | null; ended_at?: number } {
  const line = text.slice(text.trimEnd().lastIndexOf('\n') + 1);
  try {
    const { result, ended_at } = JSON.parse(line) as {
      result?: Pick<GameOver, 'winner' | 'stats'>;
      ended_at?: number;
    };
    if (result === undefined) return { over: null };
    const over: GameOver = { seq: 0, seed: '', replay_id: '', ...result };
    return { over, ...(ended_at === undefined ? {} : { ended_at }) };
  } catch {
    return { over: null };
  }
}

export class ReplayFile {
  private constructor(
    readonly head: Head,
    /** The start, every action, and the result. */
    readonly steps: number,
    /** null: everything holds; else what does not, with its line. */
    readonly fault: string | null,
    /** Of the file's last line. */
    readonly over: GameOver | null,
    private readonly ended: number | null,
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
    const { over, ended_at } = resultOf(text);
    const ended = ended_at === undefined ? null : ended_at - head.started_at;
    return new ReplayFile(head, answer['steps'], fault, over, ended, engine);
  }

  async at(index: number): Promise<Step> {
    const answer = await this.engine.ask({ ask: 'at', step: index });
    if (answer === null || answer.error !== undefined)
      throw new Error(answer?.error ?? 'The engine is gone. Load the page again.');
    const role = (answer['role'] as RoleId | null | undefined) ?? null;
    const action = answer['action'] as GameAction | { type: 'resign' } | null | undefined;
    const last = index === this.steps - 1 && action == null;
    return {
      index,
      seq: Number(answer['seq'] ?? 0),
      t: (last ? this.ended : null) ?? Number(answer['t'] ?? 0),
      role,
      action: action == null || action.type === 'resign' ? null : action,
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
