/**
 * Runs the hall, as server/ does on the server: it carries out the hall's outputs. Connections are
 * callbacks, the journal is passed in, bots ask a thinker; nothing here depends on a worker or a page.
 *
 *   const house = new House(module, { clock, key, journal, think, connections });
 *   house.open(1, 'K7RTQXBD', '');   house.say(1, '{"type":"ping","t":1}'); house.close(1);
 *   const { status, text } = await house.ask('create', '{"game":"flood_it"}');
 *
 * Entries are collected while the journal is busy, and are passed to it as soon as it has finished.
 */
import { Hall, packed } from './hall';
import type { Clock, Entry, HallOptions, InputKind, Output, ThinkTask } from './hall';
import type { Journal } from './journal';

export interface HouseOptions extends Omit<HallOptions, 'clock'> {
  clock: Clock;
  journal: Journal;
  /** The answer of Thinker.think; null: none. */
  think: (task: ThinkTask) => Promise<Uint8Array | null>;
  /** A text for a connection. */
  send: (conn: number, text: string) => void;
  /** The hall has closed a connection. */
  closed: (conn: number, code: number, reason: string) => void;
  /** A room is about to be read: other tabs that have it in memory give it up. */
  claim?: (room: string) => void;
  /** Calls back after so many milliseconds. */
  later?: (ms: number, task: () => void) => () => void;
}

export interface Reply {
  status: number;
  text: string;
}

const timer = (ms: number, task: () => void): (() => void) => {
  const handle = setTimeout(task, ms);
  return () => {
    clearTimeout(handle);
  };
};

const encoder = new TextEncoder();

export class House {
  readonly hall: Hall;
  private readonly options: HouseOptions;
  private gathered: Entry[] = [];
  private storing = false;
  private asked = 0;
  private readonly replies = new Map<number, (reply: Reply) => void>();
  /** The rooms of the connections. */
  private readonly rooms = new Map<number, string>();
  private readonly read = new Set<string>();
  private cancel: () => void = () => undefined;
  private ended = false;

  constructor(module: WebAssembly.Module, options: HouseOptions) {
    this.options = options;
    this.hall = new Hall(module, options);
    this.run();
  }

  open(conn: number, room: string, game: string): void {
    this.rooms.set(conn, room);
    this.input('opened', conn, packed([room, game]));
  }

  say(conn: number, text: string): void {
    this.input('message', conn, encoder.encode(text));
  }

  close(conn: number): void {
    if (this.rooms.delete(conn)) this.input('closed', conn);
  }

  /** What HTTP asks of a server; its answer. Of the texts: a room, a replay, or a body. */
  ask(
    kind: 'create' | 'state' | 'log' | 'replay' | 'share' | 'bring',
    text: string,
  ): Promise<Reply> {
    return new Promise((resolve) => {
      // Separate numbers: those of connections are lower.
      this.asked += 1;
      const conn = 2 ** 40 + this.asked;
      this.replies.set(conn, resolve);
      const body = kind === 'create' || kind === 'share' || kind === 'bring';
      this.input(kind, conn, body ? encoder.encode(text) : packed([text]));
    });
  }

  /** Was the room read? It may still be in memory, with nobody in it. */
  holds(room: string): boolean {
    return this.read.has(room);
  }

  /** All connections, with their rooms. */
  get connections(): ReadonlyMap<number, string> {
    return this.rooms;
  }

  /** Time did not pass normally: it was paused. */
  wake(): void {
    this.run();
  }

  /** Nothing has any effect any more. */
  end(): void {
    this.ended = true;
    this.cancel();
  }

  private input(kind: InputKind, number?: number, bytes?: Uint8Array): void {
    if (this.ended) return;
    this.hall.input(kind, number, bytes);
    this.run();
  }

  private run(): void {
    if (this.ended) return;
    for (let output = this.hall.output(); output !== null; output = this.hall.output())
      this.carryOut(output);
    void this.store();
    this.cancel();
    const due = this.hall.due();
    if (due === Infinity) return;
    const wait = Math.max(0, Math.ceil(due - this.options.clock.mono()));
    this.cancel = (this.options.later ?? timer)(Math.min(wait, 2 ** 30), () => {
      this.input('tick');
    });
  }

  private carryOut(output: Output): void {
    const { options } = this;
    switch (output.out) {
      case 'send':
        options.send(output.conn, output.text);
        break;
      case 'close':
        this.rooms.delete(output.conn);
        options.closed(output.conn, output.code, output.reason);
        break;
      case 'ping':
        // When a page is gone, its connections are closed; a message to a worker cannot be lost.
        queueMicrotask(() => {
          this.input('pong', output.conn);
        });
        break;
      case 'reply':
        this.replies.get(output.conn)?.({ status: output.code, text: output.text });
        this.replies.delete(output.conn);
        break;
      case 'append':
        this.gathered.push(output);
        break;
      case 'load':
        void this.load(output.room);
        break;
      case 'replay':
        void this.replay(output.conn, output.replay_id);
        break;
      case 'sweep':
        options.journal.sweep(output.ended_before, output.unstarted_before).then(
          (rooms) => {
            this.input('swept', 0, packed(rooms));
          },
          () => undefined,
        );
        break;
      case 'think':
        void this.think(output);
        break;
    }
  }

  private async store(): Promise<void> {
    if (this.storing || this.gathered.length === 0) return;
    this.storing = true;
    const entries = this.gathered;
    this.gathered = [];
    let failed: unknown = null;
    try {
      await this.options.journal.append(entries);
    } catch (error) {
      failed = error;
    }
    this.storing = false;
    if (failed === null) {
      this.input('journalled', entries.at(-1)?.ticket);
      return;
    }
    this.gathered = []; // and those after it: the hall rolls them back
    const reason = failed instanceof Error ? failed.message : 'This browser could not store that.';
    this.input('journal_failed', (entries[0]?.ticket ?? 1) - 1, packed([reason]));
  }

  private async load(room: string): Promise<void> {
    this.read.add(room);
    this.options.claim?.(room);
    try {
      const stored = await this.options.journal.load(room);
      if (this.ended) return;
      this.hall.loaded(room, stored);
      this.run();
    } catch {
      this.input('load_failed', 0, packed([room, 'This browser cannot read the game now.']));
    }
  }

  private async replay(conn: number, id: string): Promise<void> {
    const bytes = await this.options.journal.replay(id).catch(() => null);
    this.input('replay_loaded', conn, bytes ?? undefined);
  }

  private async think(task: ThinkTask): Promise<void> {
    const answer = await this.options.think(task).catch(() => null);
    this.input('bot_answer', task.work, answer ?? new Uint8Array(4));
  }
}
