/** A board that a player left is never lost: not to another board in a second tab, from a link or from "New", and
 * not to an older version's save. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { SoloBoards } from './games/types';
import type { RoomState } from './protocol';
import { saveSeat } from './room/seat';

/* The hall and the engine: the existing rooms, and the requests. */
let made = 0;
const rooms = new Set<string>();
const files: Record<string, unknown>[] = [];
let dropped: readonly string[] = [];

vi.mock('./api', () => ({
  fetchRoom: (room: string) => Promise.resolve(rooms.has(room) ? {} : null),
  makeLocalRoom: () => {
    made += 1;
    const room = `local-ROOM${String(made)}`;
    rooms.add(room);
    return Promise.resolve(room);
  },
}));
vi.mock('./local/indexed', () => ({
  dropRooms: (gone: readonly string[]) => {
    dropped = gone;
    return Promise.resolve();
  },
}));
vi.mock('./engine/engine.svelte', () => ({
  engine: {
    start: () => undefined,
    loaded: Promise.resolve(true),
    ask: (request: Record<string, unknown>) => {
      files.push(request);
      const { config, actions = [] } = request as {
        config: { seed?: unknown; over?: boolean };
        actions?: unknown[];
      };
      if (actions.some((action) => typeof action !== 'object'))
        return Promise.resolve({ error: 'An action is an object with a "type".' });
      const game_status = config.over === true ? 'ended' : 'active';
      return Promise.resolve({ file: 'x', state: { ...config, actions, game_status } });
    },
  },
}));

const { lastBoard, moveSaves, noteBoard, openBoard, unfinished } = await import('./alone');

const played = (state: RoomState): unknown[] =>
  (state as unknown as { actions: unknown[] }).actions;
const boards = {
  board: (state: RoomState) => String((state as unknown as { seed: unknown }).seed),
  label: () => 'a board',
  moves: (state: RoomState) => played(state).length,
  dated: (settings: unknown) => settings,
} as unknown as SoloBoards;
const alone = { game: 'flood_it', role: 'player', boards };

let clock = 1000;
const state = (seed: string, moves: number, over = false): RoomState =>
  ({
    seed,
    actions: Array.from({ length: moves }, () => ({})),
    game_status: over ? 'ended' : 'active',
  }) as unknown as RoomState;
const open = (seed: string) => openBoard(alone, { settings: { seed } });

beforeEach(() => {
  localStorage.clear();
  rooms.clear();
  files.length = 0;
  dropped = [];
  vi.spyOn(Date, 'now').mockImplementation(() => (clock += 1));
});

test('every board has its own room, and is found again until it is finished', async () => {
  const [a, b] = [await open('a'), await open('b')];
  expect(a).not.toBe(b);
  expect(await open('a')).toBe(a);
  expect(unfinished('flood_it')).toEqual([]);
  noteBoard(a, state('a', 3), boards);
  noteBoard(b, state('b', 1), boards);
  expect(unfinished('flood_it').map(({ room, moves }) => [room, moves])).toEqual([
    [b, 1],
    [a, 3],
  ]);
  expect(await lastBoard(alone)).toBe(b);
  saveSeat(b, { status: 'ended' });
  expect(unfinished('flood_it').map(({ room }) => room)).toEqual([a]);
  expect(await open('b')).not.toBe(b);
  expect(unfinished('flag_war')).toEqual([]);
});

test('a board that the browser has deleted is not opened, and can be created again', async () => {
  const [a, b] = [await open('a'), await open('b')];
  rooms.delete(b);
  expect(await lastBoard(alone)).toBe(a);
  rooms.delete(a);
  expect(await lastBoard(alone)).toBeNull();
  expect(await open('a')).not.toBe(a);
});

test('of too many boards without a move the oldest is deleted, never the newest or one with moves', async () => {
  const left = await open('left');
  noteBoard(left, state('left', 2), boards);
  const first = await open('first');
  for (let n = 0; n < 9; n += 1) await open(`more${String(n)}`);
  expect(dropped).toEqual([]);
  const last = await open('last');
  expect(dropped).toEqual([first.slice('local-'.length)]);
  expect(unfinished('flood_it').map(({ room }) => room)).toEqual([left]);
  expect(await lastBoard(alone)).toBe(last);
});

const save = (change: object = {}): string =>
  JSON.stringify({
    config: { seed: 'kept' },
    seed: 'ab',
    actions: [{ type: 'select_color', color: 'red' }],
    moves: 1,
    ended: false,
    started: 4,
    ...change,
  });

test("an older version's saves become rooms, once; finished and empty ones are dropped", async () => {
  localStorage.setItem('boardwalk:solo:flood_it', save());
  localStorage.setItem('boardwalk:solo:flood_it:1', save({ config: { seed: 'b' }, given: '01' }));
  localStorage.setItem('boardwalk:solo:flood_it:2', save({ ended: true }));
  localStorage.setItem('boardwalk:solo:flood_it:3', save({ actions: [] }));
  localStorage.setItem('boardwalk:solo:flood_it:4', save({ config: { over: true } }));
  await moveSaves(alone);
  await moveSaves(alone);
  expect(unfinished('flood_it')).toHaveLength(2);
  expect(files[0]).toMatchObject({ ask: 'file', seed: 'ab', started_at: 4, role: 'player' });
  expect(files[1]).toMatchObject({ given: '01', actions: [{ type: 'select_color' }] });
  expect(Object.keys(localStorage).filter((key) => key.includes(':solo:'))).toEqual([]);
});

test.each([
  '{',
  'null',
  '[]',
  '{"config":{},"seed":"a"}',
  '{"config":{},"seed":"a","actions":{}}',
  '{"config":{},"seed":"a","actions":[{"type":"undo"},7]}',
])('a save that contains %s is ignored', async (broken) => {
  localStorage.setItem('boardwalk:solo:flood_it', broken);
  await moveSaves(alone);
  expect(localStorage.getItem('boardwalk:solo:flood_it')).toBeNull();
  expect(rooms.size).toBe(0);
});
