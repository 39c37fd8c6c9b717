/**
 * The rules in the browser: the server's C code, compiled to WebAssembly (wasm/api.h lists the requests),
 * in a worker so that the page never blocks.
 *
 * In a room the engine only makes previews: what is legal, and what it would lead to. The server decides
 * what is done. Requests wait while it loads; if it cannot load, every answer is null, and boards show no
 * previews.
 */
import type { GameAction, GameEvent, GameId, RoleId, RoomState } from '../protocol';

export interface Preview {
  /** The resulting state, as the asker would see it. */
  state: RoomState;
  events: GameEvent[];
}

export interface Hint {
  action: GameAction;
  /** Moves left in this solution, including this one. */
  moves_left: number;
  proven: boolean;
  /** No solution fits in the moves left by the limit. */
  hopeless: boolean;
}

/** The engine as boards see it, bound to their game. */
export interface BoardEngine {
  /** Requests will be answered; false while the engine loads or has failed. */
  readonly ready: boolean;
  /** Legal actions of `role` in `view`; null if unknown. */
  legal(view: RoomState, role: RoleId): Promise<GameAction[] | null>;
  /**
   * The result of playing actions one after another; null if unknown or illegal. An action that a room only
   * stages (a move before End Turn) counts as played. In a game of rounds the next round is played with
   * them as orders.
   */
  preview(view: RoomState, role: RoleId, actions: GameAction[]): Promise<Preview | null>;
  /**
   * The next move of the best known solution from `view` (after `actions`, if given); null if there is
   * none, or the game has no solver. `effort`: 100 (the default) takes at most a second or two, 1 a
   * hundredth of that.
   */
  hint(
    view: RoomState,
    role: RoleId,
    actions?: GameAction[],
    effort?: number,
  ): Promise<Hint | null>;
  /**
   * The start of a game with these settings, for one seat; `given`: the board as text. null if impossible.
   */
  lay(settings: object, given?: string): Promise<Partial<RoomState> | null>;
  /** A bot's answer; null if there is none. */
  choose(view: RoomState, role: RoleId, level?: string): Promise<GameAction[] | null>;
}

/** Messages to the worker: a request of wasm/api.h, or a game file to open. */
export type EngineRequest = { id: number } & ({ ask: string } | { open: Uint8Array });
export type EngineReply = { id: number; answer: EngineAnswer } | { ready: boolean };
export type EngineAnswer = Record<string, unknown> & { error?: string };

/**
 * One worker with one instance of the engine. A page with its own needs (a replay, a solver) can make
 * another.
 */
export class Engine {
  ready = $state(false);
  /** Settles when the worker has loaded the engine or failed. */
  readonly loaded: Promise<boolean>;
  private told: (there: boolean) => void = () => undefined;
  private worker: Worker | null = null;
  private next = 1;
  private readonly asked = new Map<number, (answer: EngineAnswer | null) => void>();

  constructor() {
    this.loaded = new Promise((resolve) => {
      this.told = resolve;
    });
  }

  /** Starts the worker; may be called any number of times. */
  start(): void {
    if (this.worker !== null || typeof Worker === 'undefined') return;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<EngineReply>) => {
      const reply = event.data;
      if ('ready' in reply) {
        this.ready = reply.ready;
        this.told(reply.ready);
        return;
      }
      this.asked.get(reply.id)?.(reply.answer);
      this.asked.delete(reply.id);
    };
    worker.onerror = () => {
      this.ready = false;
      this.told(false);
      for (const answer of this.asked.values()) answer(null);
      this.asked.clear();
    };
    this.worker = worker;
  }

  /** Terminates the worker at once, whatever it is doing. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
  }

  /** A request of wasm/api.h; null if the engine has not loaded. */
  ask(request: object): Promise<EngineAnswer | null> {
    // As text, because pages may pass proxies, which cannot be sent to a worker.
    const text = JSON.stringify(request);
    return this.post((id) => ({ id, ask: text }));
  }

  /** Opens, replays and checks a whole game file. */
  open(file: Uint8Array): Promise<EngineAnswer | null> {
    return this.post((id) => ({ id, open: file }));
  }

  for(game: GameId): BoardEngine {
    this.start();
    const ask = async (
      what: string,
      view: RoomState,
      role: RoleId,
      more: object = {},
    ): Promise<EngineAnswer | null> => {
      const answer = await this.ask({ ask: what, game, state: view, role, ...more });
      return answer?.error === undefined ? answer : null;
    };
    return Object.defineProperty(
      {
        ready: false,
        async legal(view: RoomState, role: RoleId) {
          return (
            ((await ask('legal', view, role))?.['actions'] as GameAction[] | undefined) ?? null
          );
        },
        async hint(view: RoomState, role: RoleId, actions: GameAction[] = [], effort = 100) {
          const answer = await ask('hint', view, role, { actions, effort });
          return (answer?.['hint'] as Hint | null | undefined) ?? null;
        },
        async preview(view: RoomState, role: RoleId, actions: GameAction[]) {
          const answer = await ask('preview', view, role, { actions });
          if (answer === null) return null;
          return {
            state: { ...view, ...(answer['state'] as Partial<RoomState>) } as RoomState,
            events: (answer['events'] as GameEvent[] | undefined) ?? [],
          };
        },
        lay: async (settings: object, given?: string) => {
          const answer = await this.ask({
            ask: 'start',
            game,
            config: settings,
            seed: '0'.repeat(64),
            given,
          });
          return (answer?.['state'] as Partial<RoomState> | undefined) ?? null;
        },
        async choose(view: RoomState, role: RoleId, level?: string) {
          const answer = await ask('choose', view, role, level === undefined ? {} : { level });
          return (answer?.['actions'] as GameAction[] | undefined) ?? null;
        },
      },
      'ready',
      { get: () => this.ready },
    );
  }

  /** Requests made while the engine loads wait for it, so callers need not care. */
  private async post(request: (id: number) => EngineRequest): Promise<EngineAnswer | null> {
    if (this.worker !== null && !this.ready) await this.loaded;
    const worker = this.worker;
    if (worker === null || !this.ready) return null;
    const id = this.next++;
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      worker.postMessage(request(id));
    });
  }
}

/** The engine for boards in rooms. */
export const engine = new Engine();
