/** A listed order is one that the game has stored. An order is drawn at once, and listed when the game has accepted
 * it. */
import { expect, test, vi } from 'vitest';
import type { BoardEngine } from '../../engine/engine.svelte';
import type { WarQueued } from '../../generated/wire';
import type { GameAction, You } from '../../protocol';
import { Planner } from './planner.svelte';
import type { WarState } from './types';

const order: WarQueued = { piece: 2, round: 4, to: { x: 5, y: 7 } };
const handle = { piece: 2, round: 4, at: { x: 5, y: 8 }, from: { x: 5, y: 8 } };

const view = {
  width: 11,
  height: 11,
  round: 3,
  game_status: 'active',
  pieces: {},
  zones: { blue: false, red: false },
  flags: { blue: { x: 5, y: 10 }, red: { x: 5, y: 0 } },
  config: { guard_distance: 1 },
} as unknown as WarState;

test('an order is listed when it is accepted, and drawn while it is in flight', async () => {
  let queue = $state.raw<WarQueued[]>([]);
  const sent: GameAction[] = [];
  let answer: (taken: boolean) => void = () => undefined;
  let planner: Planner | undefined;
  const stop = $effect.root(() => {
    planner = new Planner(() => ({
      view,
      you: { queue } as unknown as You,
      team: 'blue',
      mine: true,
      engine: { ready: false } as BoardEngine,
      lesson: true,
      send: (action) => {
        sent.push(action);
        return new Promise((resolve, reject) => {
          answer = (taken) => {
            if (taken) resolve();
            else reject(new Error('refused'));
          };
        });
      },
    }));
  });
  if (planner === undefined) throw new Error('no planner');
  planner.drop(handle, order.to);
  expect(sent).toEqual([{ type: 'command', ...order }]);
  expect(planner.queue).toEqual([order]);
  expect(planner.kept).toEqual([]);
  queue = [order];
  answer(true);
  await Promise.resolve();
  expect(planner.kept).toEqual([order]);
  expect(planner.queue).toEqual([order]);
  // A refused order leaves the one that it would have replaced.
  planner.drop(handle, { x: 5, y: 6 });
  expect(planner.kept).toEqual([order]);
  expect(planner.queue).toEqual([{ ...order, to: { x: 5, y: 6 } }]);
  answer(false);
  await new Promise((resolve) => setTimeout(resolve));
  expect(planner.queue).toEqual([order]);
  stop();
});

test('a sentence that is told twice stays as long as one that is told once', () => {
  vi.useFakeTimers();
  let planner: Planner | undefined;
  const stop = $effect.root(() => {
    planner = new Planner(() => ({
      view,
      you: {} as You,
      team: 'blue',
      mine: true,
      engine: { ready: false } as BoardEngine,
      lesson: false,
      send: () => Promise.resolve(),
    }));
  });
  if (planner === undefined) throw new Error('no planner');
  const nowhere = { x: 0, y: 3 };
  planner.choose(nowhere);
  const words = planner.said;
  expect(words).not.toBeNull();
  vi.advanceTimersByTime(3000);
  planner.choose(nowhere);
  vi.advanceTimersByTime(3000);
  expect(planner.said).toBe(words);
  vi.advanceTimersByTime(3000);
  expect(planner.said).toBeNull();
  stop();
  vi.useRealTimers();
});
