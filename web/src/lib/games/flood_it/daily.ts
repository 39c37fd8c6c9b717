/**
 * Today's board, day by day: which ones this browser has seen solved, and how many days in a row. A day is one of UTC,
 * as the board is, so it is the same day for everybody who plays it. A board counts for its day where it was begun or
 * finished on that day; an old one that a link opens mends no missed day.
 *
 *   keepDay(state)               of a board that is solved
 *   solvedDays()                 fewest moves by day
 *   streak(solvedDays(), today)  days in a row up to today, or up to yesterday while today's board is still to come
 *   weeks(today, 4)              so many weeks of days, whole ones from Monday to Sunday, today's last
 */
import { isRecord, readJson, storage, whole, writeJson } from '../../storage.svelte';
import type { FloodState } from './types';

/** As 2026-11-29. */
export type Day = string;
export type Solved = Readonly<Record<Day, number>>;

const key = 'boardwalk:flood_it:daily';
const most = 400;
const dayMs = 86_400_000;
const shape = /^\d{4}-\d{2}-\d{2}$/;

export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

const after = (day: Day, days: number): Day => dayOf(Date.parse(day) + days * dayMs);

function read(): Record<Day, number> {
  const found = readJson(key);
  if (!isRecord(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [Day, number] => shape.test(entry[0]) && whole(1)(entry[1]) !== undefined,
    ),
  );
}

export function solvedDays(): Solved {
  storage.watch(key);
  return read();
}

export function keepDay(state: FloodState, now = Date.now()): void {
  const { settings, started_at, move_count } = state;
  const { daily, date } = settings;
  if (daily !== true || date === undefined) return;
  if (![started_at ?? 0, now].some((time) => dayOf(time) === date)) return;
  const days = read();
  const all = Object.entries({ ...days, [date]: Math.min(days[date] ?? Infinity, move_count) });
  writeJson(key, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)).slice(-most)));
}

export function streak(solved: Solved, today: Day): number {
  let day = solved[today] === undefined ? after(today, -1) : today;
  let days = 0;
  for (; solved[day] !== undefined; day = after(day, -1)) days += 1;
  return days;
}

/** The longest that there was. */
export function longest(solved: Solved): number {
  return Math.max(0, ...Object.keys(solved).map((day) => streak(solved, day)));
}

export function weeks(today: Day, count: number): Day[][] {
  const monday = after(today, -((new Date(today).getUTCDay() + 6) % 7));
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, n) => after(monday, 7 * (week - count + 1) + n)),
  );
}
