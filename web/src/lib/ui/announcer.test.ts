/** No announcement is lost, and none is repeated in one go. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announce, announcements } from './announcer.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function hear(...sentences: string[]): string {
  sentences.forEach(announce);
  vi.runAllTimers();
  return announcements.text.trim();
}

test('announcements within a moment are read in one go', () => {
  expect(hear('Ada: 8 moves, done', 'Game over. You won.', 'Game over. You won.')).toBe(
    'Ada: 8 moves, done. Game over. You won.',
  );
});

test('the same sentence, announced later, is another text', () => {
  hear('Your turn');
  const before = announcements.text;
  expect(hear('Your turn')).toBe('Your turn');
  expect(announcements.text).not.toBe(before);
});
