/** Orders in words whose answer is late, or whose connection is lost. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GameAction } from '../../protocol';
import Orders from './Orders.svelte';
import type { Planner } from './planner.svelte';
import type { OrdersResult } from './types';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const planner = { proposals: [], propose: () => undefined } as unknown as Planner;
const answer = {
  commands: [],
  summary: 'Round 1: 2 to 5,5.',
  error: null,
} as unknown as OrdersResult;

async function give() {
  let acknowledge = (): void => undefined;
  const send = vi.fn<(action: GameAction) => Promise<void>>(
    () => new Promise((resolve) => (acknowledge = resolve)),
  );
  const props = { live: true, answer: null as OrdersResult | null, send, planner };
  const { rerender } = render(Orders, { props });
  await fireEvent.input(screen.getByLabelText('Orders in words'), {
    target: { value: 'piece 2 up 3' },
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Give' }));
  expect(send).toHaveBeenCalledOnce();
  return {
    acknowledge: async () => {
      acknowledge();
      await vi.advanceTimersByTimeAsync(0);
    },
    again: (more: object) => rerender({ ...props, ...more }),
  };
}

test('are not called unanswered while they wait for the connection', async () => {
  const { again } = await give();
  await again({ live: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.getByText('Your orders wait for the connection.')).toBeTruthy();
});

test('show an answer that comes after one had given up on it', async () => {
  const { acknowledge, again } = await give();
  await acknowledge();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(screen.getByText(/No answer has come/)).toBeTruthy();
  await again({ answer });
  expect(screen.queryByText(/No answer has come/)).toBeNull();
  expect(screen.getByText('Round 1: 2 to 5,5.')).toBeTruthy();
});
