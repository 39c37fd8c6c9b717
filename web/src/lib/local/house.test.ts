// @vitest-environment node
/**
 * The hall of the browser, in the same module that the pages load: rooms are created, played, killed between any two
 * steps and opened again, and everything that was shown is still there. Also two tabs, a full disk, playing on from a
 * move, and sharing a file.
 */
import { describe, expect, test } from 'vitest';
import { Conflict, MemoryJournal } from './journal';
import { SlowJournal, Table, settled } from './table.fake';
import type { Message } from './table.fake';

interface Seen {
  seq: number;
  state: Record<string, unknown> & {
    game_status: string;
    current_role: string | null;
    current_turn: number;
    players: Record<string, boolean>;
    legal?: unknown;
  };
  you: { role: string | null; token?: string };
}

const seen = (message: Message | undefined): Seen => message as unknown as Seen;
const say = (table: Table, conn: number, message: object): void => {
  table.house.say(conn, JSON.stringify(message));
};
const isSeated = (message: Message): boolean => seen(message).you.role !== null;

/** A seat in a new room. */
async function sit(table: Table, conn: number, room: string, role?: string): Promise<string> {
  table.house.open(conn, room, '');
  const { state } = seen(await table.await(conn, 'room_state'));
  const wanted = role ?? Object.keys(state.players)[0] ?? '';
  say(table, conn, { type: 'select_role', role: wanted, reserve: true });
  return seen(await table.await(conn, 'room_state', isSeated)).you.token ?? '';
}

async function back(table: Table, conn: number, room: string, token: string): Promise<Seen> {
  table.house.open(conn, room, '');
  say(table, conn, { type: 'resume', token });
  return seen(await table.await(conn, 'room_state', isSeated));
}

const games: { game: string; config: object; move: (state: Seen['state']) => object }[] = [
  {
    game: 'flood_it',
    config: { rows: 6, cols: 6, colors: 4, seed: 7 },
    move: (state) => ({
      type: 'select_color',
      color: (state['colors'] as string[]).find(
        (_, i) => i !== (state['current_color'] as number | null),
      ),
    }),
  },
];

describe('the hall in WebAssembly', () => {
  test('it knows every listed game', () => {
    const all = JSON.parse(new Table().house.hall.games()) as { id: string; variants: object[] }[];
    expect(all.map((game) => game.id).sort()).toEqual([
      'flag_war',
      'flood_it',
      'flooded_island',
      'monadungeon',
    ]);
    for (const game of all) expect(game.variants.length, game.id).toBeGreaterThan(0);
  });

  test('nothing is shown before it is stored', async () => {
    const journal = new SlowJournal();
    const table = new Table(journal);
    const asked = table.makeRoom('flood_it');
    await settled();
    while (journal.busy) await journal.step().then(settled);
    const room = await asked;
    table.house.open(1, room, '');
    await table.await(1, 'room_state');
    const before = table.messages(1).length;
    say(table, 1, { type: 'select_role', role: 'player', reserve: true });
    await settled();
    await table.advance(3_000);
    expect(table.messages(1)).toHaveLength(before);
    await journal.step();
    await table.await(1, 'room_state', isSeated);
  });

  for (const { game, config, move } of games)
    test(`${game}: everything shown is there after a kill`, async () => {
      const table = new Table();
      const room = await table.makeRoom(game, config);
      const token = await sit(table, 1, room);
      say(table, 1, { type: 'start', id: 1 });
      const { state } = seen(
        await table.await(1, 'room_state', (m) => seen(m).state.game_status === 'active'),
      );
      say(table, 1, { ...move(state), id: 2 });
      const acked = await table.await(1, 'ack', (m) => m['id'] === 2);
      table.kill();
      const after = await back(table, 1, room, token);
      expect(after.seq).toBe(acked['seq']);
      expect(after.state.game_status).toBe('active');
      say(table, 1, { ...move(state), id: 2 });
      expect(await table.await(1, 'ack')).toEqual(acked);
    });

  for (const game of ['flooded_island', 'monadungeon', 'flag_war'])
    test(`${game}: a bot plays, and its moves are there after a kill`, async () => {
      const table = new Table();
      // Over short distances Flag War would end too soon.
      const room = await table.makeRoom(game, game === 'flag_war' ? { max_distance: 3 } : {});
      const token = await sit(table, 1, room);
      const { you, state } = seen(table.last(1, 'room_state'));
      for (const role of Object.keys(state.players).slice(0, 2))
        if (role !== you.role) say(table, 1, { type: 'add_bot', role, level: 'easy', id: 1 });
      await table.await(1, 'ack');
      say(table, 1, { type: 'start', id: 2 });
      await table.await(1, 'ack', (m) => m['id'] === 2);
      if (game === 'flag_war') say(table, 1, { type: 'ready', id: 3 });
      // A player who left the game to the bot has lost it.
      await table.advance(20_000);
      if (game !== 'flag_war') say(table, 1, { type: 'resign', id: 3 });
      await table.await(1, 'ack', (m) => m['id'] === 3);
      // The bot plays alone to the end. A long game is read back from the journal before it is over.
      if (game !== 'flag_war') await table.await(1, 'game_over');
      await settled();
      const last = table.messages(1).findLast((m) => typeof m['seq'] === 'number');
      table.kill();
      const after = await back(table, 1, room, token);
      expect(after.seq).toBeGreaterThanOrEqual(Number(last?.['seq']));
      expect(after.state.game_status).toBe(game === 'flag_war' ? 'active' : 'ended');
    });

  test('a finished game has its replay, and can be continued from any move', async () => {
    const table = new Table();
    const room = await table.makeRoom('flooded_island');
    await sit(table, 1, room);
    const roles = Object.keys(seen(table.last(1, 'room_state')).state.players);
    await sit(table, 2, room, roles[1]);
    say(table, 1, { type: 'start', id: 1 });
    await table.await(1, 'ack');
    say(table, 2, { type: 'resign', id: 1 });
    const { replay_id } = (await table.await(1, 'game_over')) as unknown as { replay_id: string };
    table.kill();
    const kept = await table.ask('replay', replay_id);
    expect(kept.status).toBe(200);
    expect(kept.text.split('\n')[0]).toContain('"seed"');
    const again = await table.ask(
      'create',
      JSON.stringify({ game: 'flooded_island', replay_id, seq: 0 }),
    );
    expect(again.status, again.text).toBe(201);
    const shared = await table.ask('share', kept.text);
    expect(shared.status, shared.text).toBe(201);
    expect((await table.ask('share', `${kept.text}{"seq":9}\n`)).status).not.toBe(201);
    expect((await table.ask('replay', 'NOTTHERE')).status).toBe(404);
  });

  test('a room that was never created does not exist', async () => {
    const table = new Table();
    expect((await table.ask('state', 'NEVERWAS')).status).toBe(404);
  });

  test('a full disk is reported, and nothing that was refused is stored', async () => {
    const journal = new SlowJournal();
    const table = new Table(journal);
    const run = async (): Promise<void> => {
      for (let i = 0; i < 20; i += 1) await journal.step().then(settled);
    };
    const asked = table.makeRoom('flood_it');
    await settled();
    await run();
    const room = await asked;
    const sitting = sit(table, 1, room);
    for (let i = 0; i < 50 && journal.busy === false; i += 1) await settled();
    await run();
    const token = await sitting;
    journal.full = true;
    say(table, 1, { type: 'start', id: 1 });
    await settled();
    await run();
    const error = await table.await(1, 'error');
    expect([error['code'], error['message']]).toEqual([
      'storage',
      'This browser has no space left.',
    ]);
    journal.full = false;
    say(table, 1, { type: 'start', id: 2 });
    await settled();
    await run();
    await table.await(1, 'ack', (m) => m['id'] === 2);
    table.kill();
    const after = await back(table, 1, room, token);
    expect(after.state.game_status).toBe('active');
  });

  test('two tabs with one room: the one that writes later notices the other, and reloads', async () => {
    const journal = new MemoryJournal();
    const [one, two] = [new Table(journal), new Table(journal)];
    const room = await one.makeRoom('flood_it');
    const token = await sit(one, 1, room);
    await back(two, 1, room, token);
    expect([two.house.holds(room), [...two.house.connections]]).toEqual([true, [[1, room]]]);
    say(one, 1, { type: 'start', id: 1 });
    await one.await(1, 'ack');
    say(two, 1, { type: 'rename', name: 'Ann', id: 2 });
    const error = await two.await(1, 'error');
    expect(error['message']).toBe(new Conflict().message);
    say(two, 1, { type: 'rename', name: 'Ann', id: 3 });
    await two.await(1, 'ack', (m) => m['id'] === 3);
    const { state } = await back(two, 2, room, token);
    expect([state.game_status, state['names']]).toEqual(['active', { player: 'Ann' }]);
  });

  test('a room that falls asleep leaves no memory in use, and wakes from its snapshot', async () => {
    const journal = new MemoryJournal();
    const table = new Table(journal, { hibernate: 1_000 });
    await settled();
    const empty = table.house.hall.held();
    const room = await table.makeRoom('flood_it', games[0]?.config);
    const token = await sit(table, 1, room);
    say(table, 1, { type: 'start', id: 1 });
    await table.await(1, 'ack');
    for (let id = 2; id < 60; id += 1) {
      say(table, 1, { type: 'rename', name: `Ann ${id}`, id });
      await table.await(1, 'ack', (m) => m['id'] === id);
      await table.advance(200);
    }
    table.house.close(1);
    await table.advance(60_000);
    await settled();
    expect(journal.rooms.get(room)?.stored.snapshot?.index).toBe(journal.rooms.get(room)?.row.last);
    expect(table.house.hall.held() - empty).toBeLessThan(4_096);
    const { state } = await back(table, 2, room, token);
    expect(state['names']).toEqual({ player: 'Ann 59' });
  });
});
