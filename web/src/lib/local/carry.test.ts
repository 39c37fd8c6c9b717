/**
 * Games of a browser in a backup file. Packed games are restored byte for byte; anything else in that place is refused:
 * another shape, a gap between records, too many, invalid bytes.
 */
import { expect, test } from 'vitest';
import { checkedGames, fitting, missingWords, mostGames, packedGames } from './carry';
import type { SavedGames } from './carry';
import { closeCode, TAKEN } from './messages';

const piece = (index: number, length = 3) => ({
  index,
  bytes: new Uint8Array(length).map((_, i) => (i * 31 + index) & 255),
});
const game = (room: string, from = 0, records = 3): SavedGames['rooms'][number] => ({
  row: { room, status: 'a', changed_at: 5, last: from + records },
  stored: {
    snapshot: from > 0 ? piece(from, 20_000) : null,
    records: Array.from({ length: records }, (_, i) => piece(from + i + 1)),
  },
});
const some = (): SavedGames => ({
  rooms: [game('BCDFGHJK'), game('WXZ2', 7, 0), game('MNPQ', 40, 2)],
  replays: [{ id: 'k3_-x', bytes: piece(1, 0).bytes }],
});
const written = (games: SavedGames): Record<string, unknown> =>
  JSON.parse(JSON.stringify(packedGames(games))) as Record<string, unknown>;

test('games are restored as they were', () => {
  expect(checkedGames(written(some()))).toEqual(some());
});

test('anything else is refused as a whole', () => {
  const changed = (
    change: (room: Record<string, unknown>, all: Record<string, unknown>) => void,
  ) => {
    const all = written(some());
    change((all['rooms'] as Record<string, unknown>[])[0] ?? {}, all);
    return checkedGames(all);
  };
  expect(changed(() => undefined)).not.toBeNull();
  const wrong: Parameters<typeof changed>[0][] = [
    (room) => (room['room'] = '../x'),
    (room) => (room['room'] = 7),
    (room) => (room['last'] = 4),
    (room) => (room['last'] = 1.5),
    (room) => (room['changed_at'] = -1),
    (room) => (room['status'] = null),
    (room) => (room['records'] as unknown[]).splice(1, 1),
    (room) => (room['records'] as unknown[]).reverse(),
    (room) => (room['records'] = {}),
    (room) => ((room['records'] as Record<string, unknown>[])[0] = { index: 1, bytes: '%' }),
    (room) => (room['snapshot'] = { index: 2, bytes: 'AAAA' }),
    (_, all) => delete all['replays'],
    (_, all) => (all['replays'] = [{ id: '', bytes: '' }]),
    (_, all) => (all['rooms'] = [null]),
    (_, all) =>
      (all['rooms'] = written({
        rooms: Array.from({ length: mostGames + 1 }, () => game('A')),
        replays: [],
      })['rooms']),
  ];
  wrong.forEach((change, i) => {
    expect(changed(change), `change ${i}`).toBeNull();
  });
});

test('a game that is damaged, empty or too large is left out, and the file is still readable', () => {
  const gap = game('GAP');
  gap.stored.records.splice(1, 1);
  const cut = game('CUT');
  cut.stored.records.pop();
  const empty = game('EMPTY', 0, 0);
  const right = [game('SMALL'), game('FIRST', 7, 2)];
  const large = game('LARGE', 40, 2); // as large as FIRST, and two do not fit
  const replays = [{ id: 'r', bytes: piece(1, 30_000).bytes }, ...some().replays];
  const rooms = [gap, cut, empty, right[1], large, right[0]].filter((one) => one !== undefined);
  const fit = fitting({ rooms, replays }, 40_000);
  expect(fit.rooms.map(({ row }) => row.room)).toEqual(['FIRST', 'SMALL']);
  expect(fit.replays).toEqual(some().replays);
  expect(checkedGames(written(fit))).toEqual(fit);
});

test('the file is never longer than estimated, in however many pieces', () => {
  for (const length of [0, 1, 2, 100, 5_000]) {
    const rooms = Array.from({ length: 20 }, (_, i) => {
      const one = game(`${'ROOM'.repeat(15)}${String(i)}`, 19_000_000, 200);
      one.stored.records = one.stored.records.map(({ index }) => piece(index, length));
      return one;
    });
    const replays = Array.from({ length: 20 }, (_, i) => ({
      id: `${'replay_'.repeat(8)}${String(i)}`,
      bytes: piece(1, length).bytes,
    }));
    const most = 2_000_000;
    const fit = fitting({ rooms, replays }, most);
    expect(fit.rooms.length).toBeGreaterThan(0);
    const file = JSON.stringify({ boardwalk: 1, kept: {}, games: packedGames(fit) }, null, 1);
    expect(file.length).toBeLessThan(most + 100);
  }
});

test('one sentence says what is missing from the file, and nothing if it is complete', () => {
  const found = some();
  const rooms = found.rooms.map(({ row }) => row.room);
  expect(missingWords(rooms, found, found)).toBe('');
  const fit = { rooms: found.rooms.slice(1), replays: [] };
  expect(missingWords(rooms, found, fit)).toMatch(
    /^1 game and 1 replay of this browser alone are not in the file: [^.]*\.$/,
  );
  // A seat whose game is not stored, and one whose game is: each counts once.
  expect(missingWords([...rooms, ...rooms, 'GONE'], found, found)).toMatch(/^1 game .* is not in/);
});

test('a tab whose game was restored from a file reloads it, without a message about another tab', () => {
  expect(closeCode('HERE', { room: 'HERE' })).toBe(TAKEN);
  expect(closeCode('ELSE', { room: 'HERE' })).toBe(1012);
  expect(closeCode('HERE', { room: 'HERE', replaced: true })).toBe(1012);
});
