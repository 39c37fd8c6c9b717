/** The list of this browser's games: only those in which it holds a seat, those that wait for the player first. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RoomState } from './protocol';
import { most, myGames } from './my-games.svelte';
import { loadSeat, saveSeat } from './room/seat';
import { state } from './room/room.fake';

const ask = vi.hoisted(() => vi.fn<(room: string) => Promise<RoomState | null>>());
vi.mock('./api', () => ({ fetchRoom: ask }));

const seat = { game: 'flooded_island', role: 'weather', token: 't' } as const;
const rooms = (): string[] => myGames.list.map(({ room }) => room);

beforeEach(() => {
  ask.mockReset();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('your turn comes first, then games that wait for others, then finished ones', () => {
  saveSeat('OVER', { ...seat, status: 'ended', seen: 9 });
  saveSeat('THEIRS', { ...seat, status: 'active', turn: 'other', seen: 8 });
  saveSeat('WAITS', { ...seat, status: 'waiting', seen: 3 });
  saveSeat('ALL', { ...seat, status: 'active', turn: 'all', seen: 2 });
  saveSeat('MINE', { ...seat, status: 'active', turn: 'you', seen: 1, others: 'Ann' });
  saveSeat('MINE/1', { ...seat, status: 'active', turn: 'you', seen: 1 });
  saveSeat('LOOKED', { game: 'flooded_island' });
  localStorage.setItem('boardwalk:room:BROKEN', '{"token":5,"game":[],"role":"weather"');
  localStorage.setItem('boardwalk:room:WRONG', '{"token":5,"game":[],"role":"weather"}');
  expect(rooms()).toEqual(['ALL', 'MINE', 'THEIRS', 'WAITS', 'OVER']);
  expect(myGames.list[1]).toMatchObject({ turn: 'you', others: 'Ann', won: null, replay: null });
});

test('on a shared device it is your turn, whichever of the two is to move', () => {
  saveSeat('SHARED', { ...seat, status: 'active', turn: 'other' });
  saveSeat('SHARED/1', { ...seat, role: 'journeyman', status: 'active', turn: 'you' });
  expect(myGames.list).toHaveLength(1);
  expect(myGames.list[0]).toMatchObject({ turn: 'you', role: 'weather' });
});

test.each([
  ['weather', true],
  ['journeyman', false],
  [['journeyman', 'weather'], true],
  [null, null],
])('a finished game names its winner: %j', (winner, won) => {
  const over = { seq: 1, winner, stats: {}, seed: '', replay_id: 'R' };
  saveSeat('OVER', { ...seat, status: 'ended', over });
  expect(myGames.list[0]).toMatchObject({ won, replay: 'R' });
});

test('the server is asked about running games, and deleted games are forgotten', async () => {
  saveSeat('MINE', { ...seat, status: 'active', turn: 'other' });
  saveSeat('GONE', { ...seat, status: 'waiting' });
  saveSeat('GONE/1', { ...seat, status: 'waiting' });
  saveSeat('DEAF', { ...seat, status: 'active', turn: 'other' });
  saveSeat('OVER', { ...seat, status: 'ended' });
  ask.mockImplementation((room) =>
    room === 'DEAF'
      ? Promise.reject(new Error('No network.'))
      : Promise.resolve(
          room === 'GONE'
            ? null
            : state({ current_role: 'weather', names: { journeyman: 'Bo', weather: 'Me' } }),
        ),
  );
  await myGames.refresh();
  expect(ask.mock.calls.flat().sort()).toEqual(['DEAF', 'GONE', 'MINE']);
  expect(rooms().sort()).toEqual(['DEAF', 'MINE', 'OVER']);
  expect(myGames.list[0]).toMatchObject({ room: 'MINE', turn: 'you', others: 'Bo' });
  expect(loadSeat('GONE/1')).toEqual({});
  expect(loadSeat('MINE').token).toBe('t');
});

test('if there are too many, the oldest finished games are dropped first', async () => {
  for (let n = 0; n <= most; n += 1)
    saveSeat(`R${100 + n}`, { ...seat, status: n < 2 ? 'active' : 'ended', turn: 'you', seen: n });
  ask.mockResolvedValue(state({ current_role: 'weather' }));
  await myGames.refresh();
  expect(rooms()).toHaveLength(most);
  expect(rooms()).toContain('R100');
  expect(rooms()).not.toContain('R102');
});
