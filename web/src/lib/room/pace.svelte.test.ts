/** Events that arrive together are shown step by step, and never longer than a player wants to watch. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GameEvent, RoomState } from '../protocol';
import { settings } from '../settings.svelte';
import { Pace } from './pace.svelte';
import type { Hold, HoldOf, Snapshot } from './pace.svelte';

const room = {};
const start: Snapshot = {
  of: room,
  state: { current_turn: 0 } as RoomState,
  you: { role: 'player1' },
  events: [],
  history: [],
};
let now = $state.raw(start);
let pace: Pace;
let stop = (): void => undefined;
let turn = 0;

/** Each event says how long it is held. */
const byEvent: HoldOf = ({ events }) => (events[0] as unknown as { hold: Hold }).hold;

function open(holdOf: HoldOf | null = byEvent): void {
  now = start;
  turn = 0;
  stop = $effect.root(() => {
    pace = new Pace(
      () => now,
      () => holdOf ?? undefined,
    );
  });
  flushSync();
}

function happens(hold: Hold | null): void {
  turn += 1;
  const events = hold === null ? now.events : [{ type: 'moved', hold } as unknown as GameEvent];
  now = { ...now, state: { ...now.state, current_turn: turn } as RoomState, events };
  flushSync();
}

const seen = (): number | undefined => pace.shown.state?.current_turn;
const wait = (ms: number): number | undefined => {
  vi.advanceTimersByTime(ms);
  flushSync();
  return seen();
};
const others = { ms: 500 };
const own = { ms: 2000, own: true };

beforeEach(() => {
  vi.useFakeTimers();
  settings.set('pace', 'normal');
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('three steps at once are shown one after another', () => {
  open();
  for (let step = 0; step < 3; step += 1) happens(others);
  expect([seen(), pace.holding, pace.behind]).toEqual([1, 'others', true]);
  expect(wait(499)).toBe(1);
  expect(wait(1)).toBe(2);
  expect(wait(500)).toBe(3);
  expect([pace.holding, pace.behind]).toEqual([null, false]);
  wait(500);
  happens(others);
  expect(seen()).toBe(4);
});

test('a step without a hold is shown at once, but never before an earlier one that is held', () => {
  open();
  happens({ ms: 0 });
  happens(null); // somebody joins or leaves
  expect(seen()).toBe(2);
  happens(others);
  happens(null);
  expect(seen()).toBe(3);
  expect(wait(500)).toBe(4);
});

test('"slow" takes twice as long, "instant" no time, and the player’s own result is held in both', () => {
  open();
  settings.set('pace', 'slow');
  happens(others);
  happens(others);
  expect(wait(999)).toBe(1);
  expect(wait(1)).toBe(2);
  wait(1000);
  settings.set('pace', 'instant');
  happens(others);
  happens(own);
  happens(others);
  expect([seen(), pace.holding]).toEqual([4, 'own']);
  expect(wait(1999)).toBe(4);
  expect(wait(1)).toBe(5);
});

test("a tap on the player's own result moves on to the others, a tap on those to the present", () => {
  open();
  happens(own);
  for (let step = 0; step < 4; step += 1) happens(others);
  pace.skip();
  flushSync();
  expect([seen(), pace.holding]).toEqual([2, 'others']);
  pace.skip();
  flushSync();
  expect([seen(), pace.holding, pace.behind]).toEqual([5, null, false]);
  expect(wait(60_000)).toBe(5);
});

test('nothing is held on a hidden page, for another room, or without end', () => {
  open();
  happens(others);
  happens(others);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(seen()).toBe(2);
  happens(others);
  happens(others);
  expect(seen()).toBe(4);
  vi.restoreAllMocks();

  happens(others);
  happens(others);
  now = { ...start, of: {}, state: { current_turn: 40 } as RoomState };
  flushSync();
  expect([seen(), pace.behind]).toEqual([40, false]);

  for (let step = 0; step < 120; step += 1) happens(others);
  expect(turn - (seen() ?? 0)).toBeLessThan(60);
});

test.each([null, (): Hold => ({ ms: 0 })])(
  'a game that holds nothing is shown as it comes',
  (hold) => {
    open(hold);
    for (let step = 1; step < 4; step += 1) {
      happens(others);
      expect(seen()).toBe(step);
    }
  },
);
