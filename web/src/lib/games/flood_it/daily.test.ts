/** A day of the daily board counts once: at midnight, in another time zone, after a missed day, and by an old link. */
import { beforeEach, expect, test } from 'vitest';
import { dayOf, keepDay, longest, solvedDays, streak, weeks } from './daily';
import type { FloodState } from './types';

beforeEach(() => {
  localStorage.clear();
});

const at = (text: string): number => Date.parse(text);
const solve = (date: string, started: string, move_count = 30, ended = started): void => {
  const board = { settings: { daily: true, date }, started_at: at(started), move_count };
  keepDay(board as unknown as FloodState, at(ended));
};

test('a day follows UTC, wherever the player is', () => {
  // It is 9:30 in the evening in New York, and 4:30 in the afternoon of the next day in Kiritimati.
  expect(dayOf(at('2026-11-28T21:30:00-05:00'))).toBe('2026-11-29');
  expect(dayOf(at('2026-11-29T16:30:00+14:00'))).toBe('2026-11-29');
  expect(dayOf(at('2026-11-29T09:00:00+14:00'))).toBe('2026-11-28');
});

test('a board started before midnight counts for its day, however late it is finished', () => {
  solve('2026-11-28', '2026-11-28T23:59:59.999Z', 30, '2026-11-29T00:10:00Z');
  solve('2026-11-29', '2026-11-29T00:00:00Z');
  expect(solvedDays()).toEqual({ '2026-11-28': 30, '2026-11-29': 30 });
  expect(streak(solvedDays(), '2026-11-29')).toBe(2);
});

test('an old board does not make up for a missed day, and other boards count for no day', () => {
  solve('2026-11-27', '2026-11-29T10:00:00Z');
  keepDay({ settings: {}, started_at: 0, move_count: 3 } as unknown as FloodState, 0);
  expect(solvedDays()).toEqual({});
});

test('a streak lasts until the end of the day after, and a missed day ends it', () => {
  for (const day of ['24', '26', '27', '28']) solve(`2026-11-${day}`, `2026-11-${day}T12:00:00Z`);
  const days = solvedDays();
  expect(streak(days, '2026-11-28')).toBe(3);
  expect(streak(days, '2026-11-29')).toBe(3); // today's board is not solved yet
  expect(streak(days, '2026-11-30')).toBe(0);
  expect(longest(days)).toBe(3);
  solve('2026-11-30', '2026-11-30T00:00:01Z');
  expect(streak(solvedDays(), '2026-11-30')).toBe(1);
  expect(longest(solvedDays())).toBe(3);
});

test('a new year, a new month and a leap day do not end a streak', () => {
  for (const day of ['2027-12-31', '2028-01-01', '2028-02-28', '2028-02-29', '2028-03-01'])
    solve(day, `${day}T08:00:00Z`);
  expect(streak(solvedDays(), '2028-01-01')).toBe(2);
  expect(streak(solvedDays(), '2028-03-01')).toBe(3);
});

test('the same day twice keeps the lower number of moves', () => {
  solve('2026-11-29', '2026-11-29T08:00:00Z', 33);
  solve('2026-11-29', '2026-11-29T09:00:00Z', 29);
  solve('2026-11-29', '2026-11-29T10:00:00Z', 40);
  expect(solvedDays()).toEqual({ '2026-11-29': 29 });
});

test('weeks are complete, and the last is this week', () => {
  expect(weeks('2026-11-29', 2)).toEqual([
    ['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-11-${day}`),
    ['23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}`),
  ]);
  expect(weeks('2026-11-30', 1)[0]?.[0]).toBe('2026-11-30');
});

test.each(['{', '[]', '{"2026-11-29":0,"x":4,"2026-11-28":"7"}'])(
  'data of another version, %s, is no day',
  (left) => {
    localStorage.setItem('boardwalk:flood_it:daily', left);
    expect(solvedDays()).toEqual({});
    expect(streak(solvedDays(), '2026-11-29')).toBe(0);
  },
);
