/**
 * A game of one's own, played by the engine in this browser without any server. Each board has a save of its own
 * (solo-saves.ts): a reload goes on where it was left, and no other board takes its place. Two tabs that show the
 * same board show the same moves.
 */
import { Engine } from './engine/engine.svelte';
import type { Known, SoloBoards, Start } from './games/types';
import type { GameAction, GameEvent, GameId, Json, RoleId, RoomState } from './protocol';
import { Refusal } from './protocol';
import { adopt, keyOf, loadSave, newId, saves, unfinished, writeSave } from './solo-saves';
import type { Save } from './solo-saves';
import { storage } from './storage.svelte';

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export class Solo {
  state = $state.raw<RoomState | null>(null);
  events = $state.raw<GameEvent[]>([]);
  /** Why there is no game to show. */
  trouble = $state('');

  /** Of the board that is shown. */
  id = $state('');
  /** The board that was left last, with moves in it and not finished; null: there is none but this. */
  readonly left: Pick<Save, 'id' | 'label' | 'moves'> | null = $derived.by(() => {
    storage.watchAll();
    return unfinished(this.game).find((save) => save.id !== this.id) ?? null;
  });

  private readonly engine = new Engine();
  private saved: Save | null = null;
  /** The save as this tab knows it: where it reads otherwise, another tab has played. */
  private written: string | null = null;
  private unlisten = (): void => undefined;
  private ended: number | null = null;
  private last: Promise<void> = Promise.resolve();
  /** Of the board that lies there: what a solver found. */
  private known: { board: string; found: Known | null } | null = null;

  constructor(
    readonly game: GameId,
    readonly role: RoleId,
    private readonly boards: SoloBoards,
  ) {
    this.engine.start();
    adopt(game);
  }

  /**
   * With a start: that board, where it was left if it is not finished. Without: the save of that id, else the
   * board that was left last, else a new one.
   */
  async open(start: Start | null, id?: string): Promise<void> {
    if (!(await this.engine.loaded)) {
      this.trouble = 'The engine did not load, so there is no game yet. Load the page again.';
      return;
    }
    await this.inTurn(() => this.begin(start, id));
  }

  /** Settles when it has been played; rejects with the engine's sentence. */
  act(action: GameAction): Promise<void> {
    return this.inTurn(() => this.play(action));
  }

  dispose(): void {
    this.unlisten();
    this.engine.stop();
  }

  /* One at a time, in order: a move must not come between a new board and its first position. */
  private inTurn(job: () => Promise<void>): Promise<void> {
    const mine = this.last.then(job);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async begin(start: Start | null, id: string | undefined): Promise<void> {
    const left = this.saved;
    const kept = start === null ? this.find(id) : null;
    if (kept !== null && (await this.replay(kept))) return;
    const fresh = this.fresh(this.boards.dated(start?.settings ?? {}), start?.given);
    if (await this.replay(fresh, start === null)) {
      if (start !== null) await this.goOn();
      return;
    }
    if (start === null) return;
    const trouble = `This board cannot be made: ${this.trouble}`;
    if (left !== null) await this.replay(left); // the engine gave it up for the new one
    this.trouble = trouble;
  }

  private find(id: string | undefined): Save | null {
    const all = saves(this.game);
    return all.find((save) => save.id === id) ?? all[0] ?? null;
  }

  private fresh(config: Record<string, Json>, given?: string): Save {
    return {
      id: newId(),
      board: '',
      label: '',
      config,
      seed: randomSeed(),
      given,
      actions: [],
      moves: 0,
      ended: false,
      started: Date.now(),
      touched: Date.now(),
    };
  }

  /** A new board is shown, not saved yet: if it was left unfinished before, that goes on. */
  private async goOn(): Promise<void> {
    const made = this.saved;
    if (made === null || this.state === null) return;
    const board = this.boards.board(this.state);
    const before = unfinished(this.game).find((save) => save.board === board);
    if (before !== undefined && (await this.replay(before))) return;
    if (this.saved !== made) await this.replay(made);
    else this.write();
  }

  private async play(asked: GameAction): Promise<void> {
    await this.follow();
    if (asked.type === this.boards.undo.type && (await this.takeResetBack())) return;
    const board = this.boards.asksForBoard(asked);
    const action =
      board === null || Object.keys(board).length === 0
        ? asked
        : ({ ...asked, settings: this.boards.dated(board) } as GameAction);
    const answer = await this.engine.ask({ ask: 'play', role: this.role, action });
    if (answer === null || answer.error !== undefined)
      throw new Refusal('illegal', answer?.error ?? 'The engine is gone. Load the page again.');
    this.trouble = '';
    if (board !== null) {
      const made = this.fresh(this.boards.settings(answer['state'] as RoomState));
      if (!(await this.replay(made, false))) throw new Refusal('illegal', this.trouble);
      await this.goOn();
      return;
    }
    this.saved?.actions.push(action);
    this.show(answer);
    this.write();
  }

  /** "Start this board again" was the last thing that was done: the save still has all that was played before. */
  private get justReset(): boolean {
    const actions = this.saved?.actions ?? [];
    return actions.length > 1 && actions.at(-1)?.type === this.boards.again.type;
  }

  private async takeResetBack(): Promise<boolean> {
    if (this.saved === null || !this.justReset) return false;
    return this.replay({ ...this.saved, actions: this.saved.actions.slice(0, -1) });
  }

  /** What another tab has played on this board meanwhile. */
  private async follow(): Promise<void> {
    const own = this.saved;
    if (own === null || this.written === null) return;
    const now = storage.read(keyOf(this.game, own.id));
    if (now === null || now === this.written) return;
    const theirs = loadSave(this.game, own.id);
    // Shown, not written: each tab would answer what the other writes, for ever, and lay old moves over new ones.
    if (theirs !== null && (await this.replay(theirs, false))) this.written = now;
    else await this.replay(own);
  }

  private async replay(saved: Save, keep = true): Promise<boolean> {
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
    if (keep) this.write();
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
      ...(this.justReset ? { can_return: true } : {}),
    } as RoomState;
    this.learn(this.state);
    this.state = this.informed(this.state);
  }

  /** As a room's server does: has a solver look at a new board, in a worker of its own, so that no move waits for it. */
  private learn(state: RoomState): void {
    const board = this.boards.board(state);
    if (this.known?.board === board) return;
    this.known = { board, found: null };
    const solver = new Engine();
    solver.start();
    void solver.loaded
      .then(() => solver.for(this.game).hint(state, this.role, [this.boards.again]))
      .then((hint) => {
        solver.stop();
        if (hint === null || this.known?.board !== board) return;
        this.known = { board, found: { best: hint.moves_left, proven: hint.proven } };
        if (this.state !== null) this.state = this.informed(this.state);
      });
  }

  /** With what is known of the board, unless the player did better. */
  private informed(state: RoomState): RoomState {
    const found = this.known?.found ?? null;
    return found === null ? state : this.boards.informed(state, found);
  }

  private write(): void {
    const { saved, state } = this;
    if (saved === null || state === null) return;
    saved.board = this.boards.board(state);
    saved.label = this.boards.label(state);
    saved.moves = this.boards.moves(state);
    saved.ended = state.game_status === 'ended';
    saved.touched = Date.now();
    this.written = writeSave(this.game, saved);
    if (this.id === saved.id) return;
    this.id = saved.id;
    this.unlisten();
    this.unlisten = storage.listen(keyOf(this.game, saved.id), () => {
      void this.inTurn(() => this.follow());
    });
  }
}
