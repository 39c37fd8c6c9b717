// @vitest-environment node
/**
 * A simulated universe for the hall in WebAssembly, from one seed: a player in a tab whose journal stores late and
 * whose bots answer late. The tab is killed between any two steps, before or after pending writes were stored.
 * Everything shown is there when the tab opens again: no seq falls, the position at a seq is the one that was seen
 * there, and an acknowledged message is acknowledged again, and not applied twice.
 *
 * UNIVERSE=100000 npx vitest run universe: this many steps; UNIVERSE_SEED=7: another universe.
 */
import { expect, test } from 'vitest';
import type { ThinkTask } from './hall';
import { SlowJournal, Table, settled } from './table.fake';
import type { Message } from './table.fake';

const total = Number(process.env['UNIVERSE'] ?? 1_200);
const seed = Number(process.env['UNIVERSE_SEED'] ?? 1);

/** Mulberry32, by Tommy Ettinger. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What belongs to the moment, and not to a seq: who is connected, the clock, what a solver has found in the
 * meantime. */
const passing = /^(players|spectators|paused|server_time|next_round_at|best_known|proven|par)$/;
const lasting = (state: unknown): string =>
  JSON.stringify(state, (key, value: unknown) => (passing.test(key) ? undefined : value));

class Universe {
  readonly journal = new SlowJournal();
  readonly thoughts: (() => void)[] = [];
  readonly table: Table;
  readonly random: () => number;
  steps = 0;
  kills = 0;
  acks = 0;
  moves = 0;
  room = '';
  token = '';
  /** The connection of this life of the tab; each life has its own. */
  conn = 0;
  lastId = 0;
  seq = -1;
  state: Record<string, unknown> = {};
  readonly positions = new Map<number, string>();
  acked: { text: string; ack: Message } | null = null;
  readonly sent = new Map<number, string>();
  private read = 0;

  constructor(
    readonly game: string,
    seed: number,
  ) {
    this.random = randomFrom(seed);
    this.table = new Table(this.journal, {
      think: (task: ThinkTask) =>
        new Promise((resolve) => {
          this.thoughts.push(() => void this.table.think(task).then(resolve));
        }),
    });
  }

  below = (n: number): number => Math.floor(this.random() * n);

  /** Does everything that is pending, in any order. A long game needs a turn for each slice in which it is read, so
   * there are many turns. */
  async calm(done: () => boolean): Promise<void> {
    for (let turn = 0; turn < 20_000; turn += 1) {
      await settled();
      this.hear();
      if (done()) return;
      if (this.journal.busy) await this.journal.step();
      else if (this.thoughts.length > 0) this.thoughts.shift()?.();
      else await this.table.advance(1);
    }
    throw new Error(
      `${this.game}: nothing more arrives: ${JSON.stringify(this.messages().at(-1))}`,
    );
  }

  messages(): Message[] {
    return this.table.messages(this.conn);
  }

  /** What was sent since the last look, and whether it is allowed. */
  hear(): void {
    const all = this.messages();
    for (; this.read < all.length; this.read += 1) {
      const message = all[this.read];
      if (message === undefined) continue;
      if (typeof message['seq'] === 'number' && message.type !== 'ack') {
        expect(message['seq'], 'seq falls').toBeGreaterThanOrEqual(this.seq);
        this.seq = message['seq'];
      }
      if (message.type === 'room_state') this.whole(message);
      if (message.type === 'ack') {
        this.acks += 1;
        const text = this.sent.get(Number(message['id'])) ?? '';
        this.acked = { text, ack: message };
      }
    }
  }

  private whole(message: Message): void {
    this.state = message['state'] as Record<string, unknown>;
    const { token } = message['you'] as { token?: string };
    if (token !== undefined) this.token = token;
    const now = lasting(this.state);
    const before = this.positions.get(this.seq);
    if (before !== undefined) expect(now, `position at seq ${this.seq}`).toBe(before);
    this.positions.set(this.seq, now);
  }

  post(message: object): void {
    this.lastId += 1;
    const text = JSON.stringify({ ...message, id: this.lastId });
    this.sent.set(this.lastId, text);
    this.table.house.say(this.conn, text);
  }

  open(): void {
    this.conn += 1;
    this.read = 0;
    this.table.house.open(this.conn, this.room, '');
  }

  async begin(config: object): Promise<void> {
    let made = '';
    void this.table.house
      .ask('create', JSON.stringify({ game: this.game, config }))
      .then(({ text }) => (made = text));
    await this.calm(() => made !== '');
    this.room = (JSON.parse(made) as { room_id: string }).room_id;
    this.open();
    await this.calm(() => this.messages().length > 0);
    const roles = Object.keys(this.state['players'] as object);
    const say = (message: object): void => {
      this.table.house.say(this.conn, JSON.stringify(message));
    };
    say({ type: 'select_role', role: roles[0], reserve: true });
    await this.calm(() => this.token !== '');
    if (roles.length <= 4) this.post({ type: 'add_bot', role: roles[1], level: 'easy' });
    this.post({ type: 'start' });
    await this.calm(() => this.state['game_status'] === 'active');
    if (this.game === 'flag_war') this.post({ type: 'ready' });
  }

  /** Something that a player may try; much of it is refused. */
  act(): void {
    const { below } = this;
    const cell = { x: below(8), y: below(8) };
    this.moves += 1;
    const tries: Record<string, object[]> = {
      flood_it: [
        { type: 'select_color', color: (this.state['colors'] as string[] | undefined)?.[below(4)] },
        { type: 'undo' },
        { type: 'redo' },
        { type: 'new_game' },
      ],
      flooded_island: [{ type: 'move', position: cell }, { type: 'end_turn' }],
      monadungeon: [
        { type: 'end_turn' },
        { type: 'rest' },
        { type: 'place', rotation: below(4) },
        { type: 'explore', to: { x: below(3) - 1, y: below(3) - 1 } },
      ],
      flag_war: [{ type: 'command', piece: 1 + below(3), direction: 'right', distance: 1 }],
      rename: [{ type: 'rename', name: `Ann ${below(9)}` }],
    };
    const mine = tries[below(8) === 0 ? 'rename' : this.game] ?? [];
    this.post(mine[below(mine.length)] ?? { type: 'rename' });
  }

  async kill(): Promise<void> {
    this.kills += 1;
    this.table.house.end();
    await this.journal.kill(this.random() < 0.5);
    this.thoughts.length = 0;
    this.table.kill();
    this.open();
    this.table.house.say(this.conn, JSON.stringify({ type: 'resume', token: this.token }));
    const seated = (m: Message): boolean =>
      m.type === 'room_state' && (m['you'] as { role: unknown }).role !== null;
    const before = this.acked;
    await this.calm(() => this.messages().some(seated));
    if (before === null) return;
    const { seq } = this;
    this.table.house.say(this.conn, before.text);
    const { id } = before.ack;
    await this.calm(() => this.messages().some((m) => m['id'] === id));
    expect(this.messages().find((m) => m['id'] === id)).toEqual(before.ack);
    expect(Number(before.ack['seq'])).toBeLessThanOrEqual(seq);
  }

  async step(): Promise<void> {
    this.steps += 1;
    const dice = this.below(100);
    if (dice < 40) this.act();
    else if (dice < 70) await this.journal.step();
    else if (dice < 80) this.thoughts.shift()?.();
    else if (dice < 97) await this.table.advance(this.below(3_000));
    else await this.kill();
    await settled();
    this.hear();
  }
}

const universes: [string, object][] = [
  ['flood_it', { rows: 6, cols: 6, colors: 4, seed: 7 }],
  ['flooded_island', { width: 5, height: 5 }],
  ['monadungeon', {}],
  ['flag_war', {}],
];

for (const [game, config] of universes)
  test(
    `${game}: what was shown is there, whenever the tab is killed (seed ${seed})`,
    { timeout: 600_000 },
    async () => {
      const universe = new Universe(game, seed);
      await universe.begin(config);
      while (universe.steps < total / universes.length) await universe.step();
      expect(universe.kills).toBeGreaterThan(total / 400);
      expect(universe.acks).toBeGreaterThan(total / 400);
    },
  );
