/** A tip is shown when it is due, long enough to be read, and once. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../settings.svelte';
import { TipLine, seen, showTips } from './tips.svelte';
import type { Tip } from './tips.svelte';

const key: Tip = { id: 'a.key', text: 'A key opens a chest.' };
const gate: Tip = { id: 'a.gate', text: 'Gates lead to each other.' };

let due = $state.raw<readonly Tip[]>([]);
let reader = $state('');
let line: TipLine;
let stop: () => void;

function open(): void {
  stop = $effect.root(() => {
    line = new TipLine(
      () => due,
      () => reader,
    );
  });
  flushSync();
}

function now(...tips: Tip[]): string | undefined {
  due = tips;
  flushSync();
  return line.shown?.id;
}

function wait(ms: number): string | undefined {
  vi.advanceTimersByTime(ms);
  flushSync();
  return line.shown?.id;
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  due = [];
  showTips(true);
  open();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('stays until it is read, even if its moment has passed, and then disappears', () => {
  expect(now(key)).toBe('a.key');
  expect(now()).toBe('a.key');
  expect(wait(60_000)).toBeUndefined();
  expect(now(key)).toBeUndefined();
});

test('goes when somebody else reads, and is not taken for read', () => {
  expect(now(key)).toBe('a.key');
  reader = 'weather';
  expect(now()).toBeUndefined();
  reader = 'adventurer';
  expect(now(key)).toBe('a.key');
});

test('stays as long as its moment, and the next one replaces it only after it was read', () => {
  now(key);
  expect(now(key, gate)).toBe('a.key');
  expect(now(gate, key)).toBe('a.key');
  expect(wait(60_000)).toBe('a.gate');
  expect(wait(60_000)).toBe('a.gate');
  expect(now()).toBeUndefined();
});

test('disappears at once when it is closed, and the next one appears', () => {
  now(key, gate);
  line.dismiss();
  flushSync();
  expect(line.shown?.id).toBe('a.gate');
  line.dismiss();
  flushSync();
  expect(line.shown).toBeNull();
  expect(now(key, gate)).toBeUndefined();
});

test('is remembered on the next page, and forgotten when tips are turned on again', () => {
  now(key);
  line.dismiss();
  expect(JSON.parse(localStorage.getItem('boardwalk:tips') ?? '')).toEqual(['a.key']);
  expect(seen.has('a.key')).toBe(true);
  showTips(false);
  showTips(true);
  expect(now(key)).toBe('a.key');
});

test('is not shown, nor counted as seen, while tips are off', () => {
  showTips(false);
  expect(now(key)).toBeUndefined();
  wait(60_000);
  expect(seen.has('a.key')).toBe(false);
  showTips(true);
  now(key);
  showTips(false);
  flushSync();
  expect(line.shown).toBeNull();
  expect(settings.tips).toBe(false);
});
