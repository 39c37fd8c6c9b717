/** What a browser keeps comes back from its file as it was; a file of anything else changes nothing. */
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

test('everything comes back, and what is not ours stays out of it', () => {
  localStorage.setItem('other', 'theirs');
  for (const [key, value] of Object.entries(things)) storage.write(key, value);
  const file = backup();
  expect(file).not.toContain('theirs');
  forgetAll();
  expect(kept()).toEqual([]);
  expect(localStorage.getItem('other')).toBe('theirs');
  expect(restore(file)).toBe(2);
  for (const [key, value] of Object.entries(things)) expect(storage.read(key)).toBe(value);
  expect(backup()).toBe(file);
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
  '{"format":1,"game":"flood_it"}\n',
])('%j is refused, and nothing of it is kept', (text) => {
  storage.write('boardwalk:settings', 'mine');
  expect(() => restore(text)).toThrow('not a file that Boardwalk saved');
  expect(kept()).toEqual(['boardwalk:settings']);
  expect(storage.read('boardwalk:settings')).toBe('mine');
});

test('a file of the future, and one without end, are refused in words of their own', () => {
  expect(() => restore('{"boardwalk":2,"kept":{}}')).toThrow('newer Boardwalk');
  expect(() => restore(' '.repeat(2_000_001))).toThrow('too large');
});
