/**
 * The hall of rooms/ in this browser: a typed interface to hall.wasm; wasm/hall/api.h documents every call
 * and byte. It is a machine without I/O, as in the server: inputs go in with the time, and house.ts carries
 * out the outputs.
 */

/** What wasm/hall/api.h exports. */
interface Exports {
  memory: WebAssembly.Memory;
  bw_hall_room(length: number): number;
  bw_hall_start(hibernate: number, forget: number, unlisted: number): void;
  bw_hall_input(kind: number, mono: number, wall: number, number: number, length: number): void;
  bw_hall_output(): number;
  bw_hall_head(): number;
  bw_hall_body(): number;
  bw_hall_body_length(): number;
  bw_hall_due(): number;
  bw_hall_games(): void;
  bw_hall_think(seat: number, high: number, low: number, length: number): void;
  bw_hall_held(): number;
}

/** In the order of wasm/hall/api.h. */
const inputs = [
  'opened',
  'message',
  'message_too_large',
  'pong',
  'closed',
  'create',
  'state',
  'log',
  'replay',
  'share',
  'bring',
  'journalled',
  'journal_failed',
  'loaded',
  'load_failed',
  'replay_loaded',
  'swept',
  'bot_answer',
  'tick',
] as const;
export type InputKind = (typeof inputs)[number];

/** An entry for the journal: rooms/journal.h. */
export interface Entry {
  ticket: number;
  kind: 'record' | 'snapshot' | 'touch' | 'forget' | 'replay';
  room: string;
  index: number;
  /** The room's status after it, as a letter. */
  status: string;
  changed_at: number;
  replay_id: string;
  bytes: Uint8Array;
}

export interface ThinkTask {
  work: number;
  game: string;
  rules_version: number;
  /** Empty: for a solver. */
  level: string;
  seat: number;
  /** 16 hexadecimal digits. */
  seed: string;
  budget_ms: number;
  /** The seat's view, and the settings. */
  bytes: Uint8Array;
}

export type Output =
  | { out: 'send'; conn: number; text: string }
  | { out: 'close'; conn: number; code: number; reason: string }
  | { out: 'ping'; conn: number }
  | { out: 'reply'; conn: number; code: number; text: string }
  | ({ out: 'append' } & Entry)
  | { out: 'load'; room: string }
  | { out: 'replay'; conn: number; replay_id: string }
  | { out: 'sweep'; ended_before: number; unstarted_before: number }
  | ({ out: 'think' } & ThinkTask);

/** A stored room: its snapshot, and the records after it. */
export interface Stored {
  snapshot: { index: number; bytes: Uint8Array } | null;
  records: { index: number; bytes: Uint8Array }[];
}

export interface Clock {
  /** Monotonic milliseconds. */
  mono(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const none = new Uint8Array();

function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Texts, each with a NUL, then bytes. */
export const packed = (texts: string[], bytes: Uint8Array = none): Uint8Array =>
  joined([encoder.encode(texts.map((text) => `${text}\0`).join('')), bytes]);

function numbers(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return bytes;
}

/** One instance of the module: a hall, or a thinker. */
export class Instance {
  protected readonly wasm: Exports;

  constructor(module: WebAssembly.Module, keepGoing: () => boolean = () => true) {
    const imports = { boardwalk: { keep_going: () => (keepGoing() ? 1 : 0) } };
    this.wasm = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
  }

  protected put(bytes: Uint8Array): number {
    if (bytes.length === 0) return 0;
    const at = this.wasm.bw_hall_room(bytes.length) >>> 0;
    new Uint8Array(this.wasm.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  /** A copy, because the next call overwrites the module's memory. */
  protected body(): Uint8Array {
    const { wasm } = this;
    const at = wasm.bw_hall_body() >>> 0;
    return new Uint8Array(wasm.memory.buffer, at, wasm.bw_hall_body_length() >>> 0).slice();
  }
}

export interface HallOptions {
  clock: Clock;
  /** 32 random bytes, from which ids, tokens and seeds are drawn. */
  key: Uint8Array;
  /** A room with nobody in it leaves memory after this many milliseconds. */
  hibernate?: number;
  /** A room without a game is deleted after this many. */
  forget?: number;
  /** Also rooms of games that are not offered: for tests. */
  unlisted?: boolean;
}

export class Hall extends Instance {
  private readonly clock: Clock;

  constructor(module: WebAssembly.Module, options: HallOptions) {
    super(module);
    const { clock, key, hibernate = 60_000, forget = 3_600_000, unlisted = false } = options;
    if (key.length !== 32) throw new Error('A hall needs a key of 32 bytes.');
    this.clock = clock;
    this.put(key);
    this.wasm.bw_hall_start(hibernate, forget, unlisted ? 1 : 0);
  }

  input(kind: InputKind, number = 0, bytes: Uint8Array = none): void {
    const length = this.put(bytes);
    const { clock } = this;
    this.wasm.bw_hall_input(inputs.indexOf(kind), clock.mono(), clock.wall(), number, length);
  }

  loaded(room: string, stored: Stored | null): void {
    if (stored === null) {
      this.input('loaded', 0, packed([room]));
      return;
    }
    const { snapshot, records } = stored;
    const pieces = [packed([room]), numbers(snapshot?.index ?? 0, snapshot?.bytes.length ?? 0)];
    if (snapshot !== null) pieces.push(snapshot.bytes);
    for (const { index, bytes } of records) pieces.push(numbers(index, bytes.length), bytes);
    this.input('loaded', 0, joined(pieces));
  }

  /** The next output to carry out; null: none now. */
  output(): Output | null {
    const { wasm } = this;
    const length = wasm.bw_hall_output() >>> 0;
    if (length === 0) return null;
    const head = new Uint8Array(wasm.memory.buffer, wasm.bw_hall_head() >>> 0, length);
    const output = JSON.parse(decoder.decode(head)) as Output;
    const bytes = this.body();
    if (output.out === 'send' || output.out === 'reply') output.text = decoder.decode(bytes);
    if (output.out === 'append' || output.out === 'think') output.bytes = bytes;
    return output;
  }

  /** When the input `tick` is due, by the clock's `mono`. */
  due(): number {
    return this.wasm.bw_hall_due();
  }

  /** The answer to GET /api/games. */
  games(): string {
    this.wasm.bw_hall_games();
    return decoder.decode(this.body());
  }

  /** Bytes of memory in use. */
  held(): number {
    return this.wasm.bw_hall_held();
  }
}

/** The thinker: bots and solvers, in an instance of their own, because they take long. */
export class Thinker extends Instance {
  private until = Infinity;

  constructor(
    module: WebAssembly.Module,
    private readonly now: () => number,
  ) {
    // The class does not exist yet when the instance is made, but it does when a bot asks.
    super(module, () => this.now() < this.until);
  }

  /** The bytes for the input `bot_answer`. */
  think({ game, level, rules_version, seat, seed, budget_ms, bytes }: ThinkTask): Uint8Array {
    this.until = this.now() + budget_ms;
    const length = this.put(packed([game, level], joined([numbers(rules_version), bytes])));
    const half = (from: number): number => parseInt(seed.slice(from, from + 8), 16);
    this.wasm.bw_hall_think(seat, half(0), half(8), length);
    return this.body();
  }
}
