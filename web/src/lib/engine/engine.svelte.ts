/**
 * The rules in the browser: the same C code as the server's, compiled to
 * WebAssembly, in a worker so that the page never waits for it.
 *
 * The engine is only asked for previews: what may be done, and what would come
 * of it. What is done, the server decides. Until it has loaded (or where it
 * cannot load) every answer is null, and boards simply show no previews.
 */
import type { GameAction, GameEvent, GameId, RoleId, RoomState } from '../protocol';

export interface Preview {
  /** The state that would follow, as the asker would see it. */
  state: RoomState;
  events: GameEvent[];
}

export interface EngineRequest {
  id: number;
  ask: 'legal' | 'preview';
  game: GameId;
  state: string;
  role: RoleId;
  action: GameAction | null;
}

export type EngineReply = { id: number; answer: unknown } | { ready: boolean };

/** What a board is given: the engine, bound to its game. */
export interface BoardEngine {
  /** Answers will come; false while the engine loads or cannot. */
  readonly ready: boolean;
  /** What `role` may do in `state`; null where that is not known. */
  legal(state: RoomState, role: RoleId): Promise<GameAction[] | null>;
  /**
   * What would come of an action; null where that is not known or not legal. An
   * action that is only staged in a room (a move before End Turn) counts as played.
   */
  preview(state: RoomState, role: RoleId, action: GameAction): Promise<Preview | null>;
}

class Engine {
  ready = $state(false);
  private worker: Worker | null = null;
  private next = 1;
  private readonly asked = new Map<number, (answer: unknown) => void>();

  for(game: GameId): BoardEngine {
    this.start();
    return Object.defineProperty(
      {
        ready: false,
        legal: (state: RoomState, role: RoleId) =>
          this.ask('legal', game, state, role, null) as Promise<GameAction[] | null>,
        preview: (state: RoomState, role: RoleId, action: GameAction) =>
          this.ask('preview', game, state, role, action) as Promise<Preview | null>,
      },
      'ready',
      { get: () => this.ready },
    );
  }

  private start(): void {
    if (this.worker !== null || typeof Worker === 'undefined') return;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<EngineReply>) => {
      const reply = event.data;
      if ('ready' in reply) {
        this.ready = reply.ready;
        return;
      }
      this.asked.get(reply.id)?.(reply.answer);
      this.asked.delete(reply.id);
    };
    worker.onerror = () => {
      this.ready = false;
      for (const answer of this.asked.values()) answer(null);
      this.asked.clear();
    };
    this.worker = worker;
  }

  private ask(
    ask: EngineRequest['ask'],
    game: GameId,
    state: RoomState,
    role: RoleId,
    action: GameAction | null,
  ): Promise<unknown> {
    const worker = this.worker;
    if (worker === null || !this.ready) return Promise.resolve(null);
    const request: EngineRequest = {
      id: this.next++,
      ask,
      game,
      state: JSON.stringify(state),
      role,
      action,
    };
    return new Promise((resolve) => {
      this.asked.set(request.id, resolve);
      worker.postMessage(request);
    });
  }
}

export const engine = new Engine();
