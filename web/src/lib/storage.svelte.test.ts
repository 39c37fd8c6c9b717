/**
 * Regressions: stored values are trusted; a whole value overwrites what another tab chose; storage throws or is full.
 * Everything that is stored goes through this module, so these tests cover all of it.
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
  'a stored %j counts as nothing, and can be overwritten',
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
])('an invalid field (%s: %j) is ignored, and the others are kept', (name, value) => {
  localStorage.setItem('thing', JSON.stringify({ size: 9, on: true, [name]: value }));
  expect(thing.read()).toEqual({ size: 9, on: true, [name]: undefined });
});

test('invalid items of a list are dropped', () => {
  localStorage.setItem('thing', '{"list":[1,"2",null]}');
  expect(thing.read()).toEqual({ list: [1] });
});

describe('another tab', () => {
  it('keeps its choice if this one changes another field', () => {
    thing.write({ size: 3, on: false });
    elsewhere('thing', JSON.stringify({ size: 3, on: true, newer: { version: 2 } }));
    thing.write({ size: 4 });
    expect(JSON.parse(localStorage.getItem('thing') ?? '')).toEqual({
      size: 4,
      on: true,
      newer: { version: 2 },
    });
  });

  it('is followed by watchers, and reported to listeners', () => {
    const seen: unknown[] = [];
    let calls = 0;
    const silence = storage.listen('thing', () => (calls += 1));
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
    expect(calls).toBe(4);
    stop();
    silence();
    thing.write({ size: 6 });
    expect(calls).toBe(4);
  });

  it('may write in an effect what the effect reads, without a loop', () => {
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
  it('continues in memory, and says so once', () => {
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

test('the problem is explained in words', async () => {
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
