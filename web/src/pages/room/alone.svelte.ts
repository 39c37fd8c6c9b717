/**
 * What the page of a room adds where one plays a board alone in this browser: another board is another room, a solver's
 * answer is shown at once, and others are invited to the same board in a room of the server.
 */
import { untrack } from 'svelte';
import { noteBoard, openBoard, takeArrival } from '../../lib/alone';
import type { Left } from '../../lib/alone';
import type { GameModule, SoloBoards } from '../../lib/games/types';
import { KnownBoard } from '../../lib/known.svelte';
import { roomPath } from '../../lib/place';
import type { GameAction, RoomState } from '../../lib/protocol';
import { loadSeat } from '../../lib/room/seat';
import type { Room } from '../../lib/room/room.svelte';
import { router } from '../../lib/router.svelte';
import { makeRoom } from './setup.svelte';

export class AlonePage {
  /** Of the board that the address asked for, or of what was just tried. */
  trouble = $state('');
  /** The board that a link took the place of; it stays on offer, so that nothing moves with the first move. */
  readonly left: Left | null;
  private readonly known = new KnownBoard();

  private constructor(
    private readonly room: () => Room,
    private readonly module: () => GameModule | null,
    id: string,
  ) {
    const { trouble = '', left = null } = takeArrival(id);
    this.trouble = trouble;
    this.left = left;
    $effect(() => {
      const { boards, seen } = this;
      const { role } = this.room().you;
      if (boards === null || seen === null || role === null) return;
      untrack(() => {
        noteBoard(id, seen, boards);
        this.known.look(seen, role, boards);
      });
    });
  }

  /** null: this is a room like any other. */
  static of(id: string, room: () => Room, module: () => GameModule | null): AlonePage | null {
    return loadSeat(id).alone === undefined ? null : new AlonePage(room, module, id);
  }

  private get boards(): SoloBoards | null {
    return this.module()?.solo ?? null;
  }

  private get seen(): RoomState | null {
    const { state } = this.room();
    return state !== null && ['active', 'ended'].includes(state.game_status) ? state : null;
  }

  /** With what is known of the board. */
  informed(view: RoomState): RoomState {
    return this.boards === null || this.seen === null
      ? view
      : this.known.informed(view, this.boards);
  }

  /** Settles when it has been played; rejects with a sentence. */
  async act(action: GameAction): Promise<void> {
    this.trouble = '';
    const room = this.room();
    const settings = this.boards?.asksForBoard(action) ?? null;
    const { state } = room;
    const { role } = room.you;
    if (settings === null || this.boards === null || state === null || role === null)
      return room.act(action);
    try {
      const of = { game: state.game, role, boards: this.boards };
      const to = roomPath(await openBoard(of, { settings }));
      if (to !== router.path) router.go(to);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** The same board in a room, for others to race on or to watch. */
  async invite(): Promise<void> {
    const { state } = this.room();
    if (state === null) return;
    const config = this.module()?.roomSettings?.(state) ?? state.config;
    this.trouble = typeof config === 'string' ? config : '';
    if (typeof config === 'string') return;
    await makeRoom(state.game, { kind: 'friend' }, { config }).catch((error: unknown) => {
      this.fail(error);
    });
  }

  dispose(): void {
    this.known.dispose();
  }

  private fail(error: unknown): void {
    this.trouble = error instanceof Error ? error.message : String(error);
  }
}
