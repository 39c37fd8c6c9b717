/**
 * The rules in the browser: the same C code as the server's, compiled to
 * WebAssembly (wasm/api.h lists what can be asked), in a worker so that the page
 * never waits for it.
 *
 * In a room the engine is asked for previews alone: what may be done, and what
 * would come of it. What is done, the server decides. What is asked while it
 * loads waits for it; where it cannot load every answer is null, and boards simply
 * show no previews.
 */
import type { GameAction, GameEvent, GameId, RoleId, RoomState } from '../protocol';

export interface Preview {
  /** The state that would follow, as the asker would see it. */
  state: RoomState;
  events: GameEvent[];
}

export interface Hint {
  action: GameAction;
  /** Moves left on the line, this one included. */
  moves_left: number;
  proven: boolean;
  /** No line fits into the moves that the limit leaves. */
  hopeless: boolean;
}

/** What a board is given: the engine, bound to its game. */
export interface BoardEngine {
  /** Answers will come; false while the engine loads or cannot. */
  readonly ready: boolean;
  /** What `role` may do in `view`; null where that is not known. */
  legal(view: RoomState, role: RoleId): Promise<GameAction[] | null>;
  /**
   * What would come of actions, one after the other; null where that is not known or
   * not legal. One that is only staged in a room (a move before End Turn) counts as
   * played. In a game of rounds the next round is played with them as orders.
   */
  preview(view: RoomState, role: RoleId, actions: GameAction[]): Promise<Preview | null>;
  /**
   * The next move of the best line known from `view` (after `actions`, where given);
   * null where there is none, or the game has no solver. `effort`: 100 (the default) is
   * a second or two at the most, 1 a hundredth of that.
   */
  hint(
    view: RoomState,
    role: RoleId,
    actions?: GameAction[],
    effort?: number,
  ): Promise<Hint | null>;
  /** The start of a game with these settings, for one seat; `given`: as text. Null where there is none. */
  lay(settings: object, given?: string): Promise<Partial<RoomState> | null>;
  /** A bot's answer; null where there is none. */
  choose(view: RoomState, role: RoleId, level?: string): Promise<GameAction[] | null>;
}

/** To the worker: a request of wasm/api.h, or a game file to open. */
export type EngineRequest = { id: number } & ({ ask: string } | { open: Uint8Array });
export type EngineReply = { id: number; answer: EngineAnswer } | { ready: boolean };
export type EngineAnswer = Record<string, unknown> & { error?: string };

/** One worker with one instance of the engine. A page of its own needs (a replay, a solver) may make another. */
export class Engine {
  ready = $state(false);
  /** Settles once the worker has said whether the engine is there. */
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

  /** Starts the worker; called by whatever needs it, as often as it likes. */
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

  /** Ends the worker at once, whatever it is thinking about. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
  }

  /** A request of wasm/api.h; null while the engine is not there. */
  ask(request: object): Promise<EngineAnswer | null> {
    // As text: what pages hand in may be proxies, which no worker can be sent.
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

  /** What is asked while the engine loads waits for it: whoever is quick gets the same answer. */
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

/** The one for boards in rooms. */
export const engine = new Engine();
