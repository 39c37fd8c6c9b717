/**
 * Kinds: stored values are trusted; a value is written whole over what another tab chose; storage throws or is
 * full. Whatever is kept goes through this module, so these hold for all of it.
 */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { flag, Kept, listOf, oneOf, storage, text, whole } from './storage.svelte';

interface Thing {
  size: number;
  on: boolean;
  word: string;
  kind: 'a' | 'b';
  list: number[];
}

const thing = new Kept<Thing>('thing', {
  size: whole(1, 64),
  on: flag,
  word: text(5),
  kind: oneOf('a', 'b'),
  list: listOf(whole(), 3),
});

/** As another tab does it. */
function elsewhere(key: string, value: string | null): void {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
  dispatchEvent(new StorageEvent('storage', { key, newValue: value }));
}

beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage'));
});

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(['', '{', 'null', '5', '"x"', '[]', '[{"size":3}]', 'true', 'undefined'])(
  'what says %j counts as nothing, and can be written over',
  (broken) => {
    localStorage.setItem('thing', broken);
    expect(thing.read()).toEqual({});
    thing.write({ size: 3 });
    expect(thing.read()).toEqual({ size: 3 });
  },
);

test.each([
  ['size', 0],
  ['size', 65],
  ['size', 1.5],
  ['size', '3'],
  ['size', null],
  ['on', 1],
  ['on', 'true'],
  ['word', 'longer'],
  ['word', 7],
  ['kind', 'c'],
  ['kind', ['a']],
  ['list', { 0: 1 }],
  ['list', [1, 2, 3, 4]],
])('a field that is wrong (%s: %j) counts as none, and the others hold', (name, value) => {
  localStorage.setItem('thing', JSON.stringify({ size: 9, on: true, [name]: value }));
  expect(thing.read()).toEqual({ size: 9, on: true, [name]: undefined });
});

test('items of a list that are wrong are left out', () => {
  localStorage.setItem('thing', '{"list":[1,"2",null]}');
  expect(thing.read()).toEqual({ list: [1] });
});

describe('another tab', () => {
  it('keeps its choice where this one changes another field', () => {
    thing.write({ size: 3, on: false });
    elsewhere('thing', JSON.stringify({ size: 3, on: true, newer: { version: 2 } }));
    thing.write({ size: 4 });
    expect(JSON.parse(localStorage.getItem('thing') ?? '')).toEqual({
      size: 4,
      on: true,
      newer: { version: 2 },
    });
  });

  it('is followed by whoever watches, and told to whoever listens', () => {
    const seen: unknown[] = [];
    let told = 0;
    const silence = storage.listen('thing', () => (told += 1));
    const stop = $effect.root(() => {
      $effect(() => {
        seen.push(thing.watch().size);
      });
    });
    flushSync();
    thing.write({ size: 1 });
    flushSync();
    elsewhere('thing', '{"size":2}');
    flushSync();
    elsewhere('other', '1');
    flushSync();
    elsewhere('thing', null);
    flushSync();
    localStorage.setItem('thing', '{"size":5}'); // while this page was in the back/forward cache
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    flushSync();
    expect(seen).toEqual([undefined, 1, 2, undefined, 5]);
    expect(told).toBe(4);
    stop();
    silence();
    thing.write({ size: 6 });
    expect(told).toBe(4);
  });

  it('may write in an effect what it watches, without going round', () => {
    let runs = 0;
    const stop = $effect.root(() => {
      $effect(() => {
        runs += 1;
        thing.read();
        thing.write({ size: 7 });
      });
    });
    flushSync();
    expect(runs).toBe(1);
    stop();
  });
});

describe.each([
  ['is full', ['setItem']],
  ['is forbidden', ['getItem', 'setItem', 'removeItem', 'key']],
] as const)('storage that %s', (_, methods) => {
  it('goes on in memory, and says so once', () => {
    for (const method of methods)
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('No.', 'QuotaExceededError');
      });
    expect(thing.read()).toEqual({});
    thing.write({ size: 3 });
    thing.write({ on: true });
    expect(thing.read()).toEqual({ size: 3, on: true });
    expect(storage.keys('thi')).toEqual(['thing']);
    thing.forget();
    expect(thing.read()).toEqual({});
    storage.dismiss();
    thing.write({ size: 4 });
    expect(storage.trouble).toBe('');
  });
});

test('the trouble is told in words', async () => {
  vi.resetModules();
  const fresh = await import('./storage.svelte');
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('No.', 'SecurityError');
  });
  expect(fresh.storage.read('thing')).toBeNull();
  expect(fresh.storage.trouble).toBe(''); // there is nothing to lose yet
  expect(fresh.storage.write('thing', '{}')).toBe(false);
  expect(fresh.storage.trouble).toMatch(/cannot store anything/);
});
