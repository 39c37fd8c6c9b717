/**
 * For tests: the hall as the pages load it (hall.wasm), with a journal in memory, connections that are lists of
 * messages, a clock that goes when told to, and a tab that can be killed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Thinker } from './hall';
import type { Entry, ThinkTask } from './hall';
import { House } from './house';
import type { HouseOptions, Reply } from './house';
import { MemoryJournal } from './journal';
import type { Journal } from './journal';

const path = new URL('../engine/hall.wasm', import.meta.url).pathname;
if (!existsSync(path)) throw new Error('There is no hall.wasm; wasm/build makes it.');
export const module = new WebAssembly.Module(readFileSync(path));

export type Message = Record<string, unknown> & { type: string };

/** Until everything that is ready has been done. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class Table {
  readonly heard = new Map<number, Message[]>();
  readonly closed = new Map<number, number>();
  house: House;
  time = 1_000;
  boots = 0;
  private readonly thinker = new Thinker(module, () => 0);
  private timer: { at: number; task: () => void } | null = null;

  constructor(
    readonly journal: Journal = new MemoryJournal(),
    private readonly more: Partial<HouseOptions> = {},
  ) {
    this.house = this.make();
  }

  think = (task: ThinkTask): Promise<Uint8Array> => Promise.resolve(this.thinker.think(task));

  /** The tab is killed: what was not stored is gone, and every connection; another tab opens. */
  kill(): void {
    this.house.end();
    this.timer = null;
    this.heard.clear();
    this.time += 5_000;
    this.house = this.make();
  }

  /** The clock goes on, timer by timer. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    while (this.timer !== null && this.timer.at <= end) {
      const { at, task } = this.timer;
      this.time = Math.max(this.time + 0.1, at); // work takes time
      this.timer = null;
      task();
      await settled();
    }
    this.time = Math.max(this.time, end);
  }

  messages(conn: number): Message[] {
    return this.heard.get(conn) ?? [];
  }

  last(conn: number, type: string): Message | undefined {
    return this.messages(conn).findLast((message) => message.type === type);
  }

  /** The newest message of a type, once there is one that is right. */
  async await(
    conn: number,
    type: string,
    right: (message: Message) => boolean = () => true,
  ): Promise<Message> {
    for (let turn = 0; turn < 1_000; turn += 1) {
      const found = this.messages(conn).findLast((m) => m.type === type && right(m));
      if (found !== undefined) return found;
      if (this.timer !== null && this.timer.at <= this.time) await this.advance(0);
      await settled();
    }
    throw new Error(`No ${type} came; the last: ${JSON.stringify(this.messages(conn).at(-1))}`);
  }

  /** As House.ask, while the clock goes on. */
  async ask(...asked: Parameters<House['ask']>): Promise<Reply> {
    let reply: Reply | null = null;
    void this.house.ask(...asked).then((found) => (reply = found));
    for (let turn = 0; turn < 1_000 && reply === null; turn += 1) {
      await this.advance(0);
      await settled();
    }
    if (reply === null) throw new Error(`${asked[0]} is not answered.`);
    return reply;
  }

  async makeRoom(game: string, config: object = {}): Promise<string> {
    const { status, text } = await this.ask('create', JSON.stringify({ game, config }));
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { room_id: string }).room_id;
  }

  private make(): House {
    this.boots += 1;
    return new House(module, {
      clock: { mono: () => this.time, wall: () => 1_700_000_000_000 + this.time },
      key: new Uint8Array(32).map((_, i) => (i * 7 + this.boots) & 255),
      journal: this.journal,
      think: this.think,
      send: (conn, text) => {
        const all = this.heard.get(conn) ?? [];
        all.push(JSON.parse(text) as Message);
        this.heard.set(conn, all);
      },
      closed: (conn, code) => this.closed.set(conn, code),
      later: (ms, task) => {
        const mine = { at: this.time + ms, task };
        this.timer = mine;
        return () => {
          if (this.timer === mine) this.timer = null;
        };
      },
      unlisted: true,
      ...this.more,
    });
  }
}

/** A journal that stores when it is told to. What waits when the tab is killed is lost, or was stored after all. */
export class SlowJournal extends MemoryJournal {
  private waiting: { entries: readonly Entry[]; done: () => void; failed: (e: Error) => void }[] =
    [];
  /** What the next stores fail with. */
  full = false;

  override append(entries: readonly Entry[]): Promise<void> {
    return new Promise((done, failed) => this.waiting.push({ entries, done, failed }));
  }

  get busy(): boolean {
    return this.waiting.length > 0;
  }

  async step(): Promise<void> {
    const one = this.waiting.shift();
    if (one === undefined) return;
    if (this.full) one.failed(new Error('This browser has no space left.'));
    else await super.append(one.entries).then(one.done, one.failed);
  }

  /** `stored`: the tab was killed after the store, and before anybody was told. */
  async kill(stored: boolean): Promise<void> {
    if (stored && !this.full) for (const { entries } of this.waiting) await super.append(entries);
    this.waiting = [];
  }
}
