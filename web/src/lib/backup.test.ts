/** A backup file restores everything that a browser stored; any other file changes nothing. */
import { beforeEach, expect, test } from 'vitest';
import { backup, forgetAll, kept, restore } from './backup';
import { storage } from './storage.svelte';

beforeEach(() => {
  localStorage.clear();
});

const things = {
  'boardwalk:settings': '{"sound":true}',
  'boardwalk:seat:ABCD': '{"token":"t","name":"Zoë 🌊"}',
};

test('everything is restored, and foreign data stays out of it', async () => {
  localStorage.setItem('other', 'theirs');
  for (const [key, value] of Object.entries(things)) storage.write(key, value);
  const { text: file } = await backup();
  expect(file).not.toContain('theirs');
  await forgetAll();
  expect(kept()).toEqual([]);
  expect(localStorage.getItem('other')).toBe('theirs');
  expect(await restore(file)).toBe(2);
  for (const [key, value] of Object.entries(things)) expect(storage.read(key)).toBe(value);
  expect((await backup()).text).toBe(file);
});

test('best scores and solved days of both sides are merged, the better of each', async () => {
  storage.write('boardwalk:x:best', '{"20x20x4x0":30,"10x10x4x0":15}');
  storage.write('boardwalk:x:daily', '{"2026-11-27":31}');
  storage.write('boardwalk:x:other', '{"a":1,"b":"x"}');
  const { text: file } = await backup();
  storage.write('boardwalk:x:best', '{"20x20x4x0":33,"28x28x8x0":50}');
  storage.write('boardwalk:x:daily', '{"2026-11-28":29}');
  storage.write('boardwalk:x:other', '{"a":2}');
  await restore(file);
  expect(JSON.parse(storage.read('boardwalk:x:best') ?? '')).toEqual({
    '20x20x4x0': 30,
    '10x10x4x0': 15,
    '28x28x8x0': 50,
  });
  expect(storage.read('boardwalk:x:daily')).toBe('{"2026-11-27":31,"2026-11-28":29}');
  expect(storage.read('boardwalk:x:other')).toBe('{"a":1,"b":"x"}');
});

test.each([
  '',
  'null',
  '[]',
  '{}',
  '{"kept":{}}',
  '{"boardwalk":1}',
  '{"boardwalk":1,"kept":[]}',
  '{"boardwalk":1,"kept":{"other":"x"}}',
  '{"boardwalk":1,"kept":{"boardwalk:a":"x","other":"x"}}',
  '{"boardwalk":1,"kept":{"boardwalk:a":7}}',
  '{"boardwalk":1,"kept":{},"games":[]}',
  '{"boardwalk":1,"kept":{"boardwalk:a":"x"},"games":{"rooms":[{"room":"A"}],"replays":[]}}',
  '{"format":1,"game":"flood_it"}\n',
])('%j is refused, and none of it is stored', async (text) => {
  storage.write('boardwalk:settings', 'mine');
  await expect(restore(text)).rejects.toThrow('not a file that Boardwalk saved');
  expect(kept()).toEqual(['boardwalk:settings']);
  expect(storage.read('boardwalk:settings')).toBe('mine');
});

test('a file of a later version, and one that is too long, are refused with their own messages', async () => {
  await expect(restore('{"boardwalk":2,"kept":{}}')).rejects.toThrow('newer version of Boardwalk');
  await expect(restore(' '.repeat(30_000_001))).rejects.toThrow('too large');
  const much = { 'boardwalk:a': 'x'.repeat(2_000_001) };
  const file = JSON.stringify({ boardwalk: 1, kept: much });
  await expect(restore(file)).rejects.toThrow('too large');
  expect(kept()).toEqual([]);
});

test('a seat that is further ahead here stays, because older ids would be refused', async () => {
  const seat = (lastId: number): string => JSON.stringify({ token: 't', lastId });
  storage.write('boardwalk:room:ABCD', seat(3));
  const { text: file } = await backup();
  storage.write('boardwalk:room:ABCD', seat(9));
  await restore(file);
  expect(storage.read('boardwalk:room:ABCD')).toBe(seat(9));
  await forgetAll();
  await restore(file);
  expect(storage.read('boardwalk:room:ABCD')).toBe(seat(3));
});
