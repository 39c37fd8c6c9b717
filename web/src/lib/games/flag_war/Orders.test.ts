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

const planner = {
  proposals: [],
  queue: [],
  next: 1,
  propose: () => undefined,
} as unknown as Planner;
const answer = {
  commands: [{ type: 'command', piece: 2, round: 1, to: { x: 4, y: 4 } }],
  summary: '',
  error: null,
} as unknown as OrdersResult;

async function give() {
  let acknowledge = (): void => undefined;
  const send = vi.fn<(action: GameAction) => Promise<void>>(
    () => new Promise((resolve) => (acknowledge = resolve)),
  );
  const props = { live: true, round: 0, answer: null as OrdersResult | null, send, planner };
  const { rerender } = render(Orders, { props });
  await fireEvent.input(screen.getByLabelText('Orders in words'), {
    target: { value: 'piece 2 up 3' },
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }));
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

test('show an answer that arrives after its time has run out', async () => {
  const { acknowledge, again } = await give();
  await acknowledge();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(screen.getByText(/No answer has come/)).toBeTruthy();
  await again({ answer });
  expect(screen.queryByText(/No answer has come/)).toBeNull();
  expect(screen.getByText('Round 1: piece 2 to 5,5.')).toBeTruthy();
});

test('remove their answer when its round is over', async () => {
  const { acknowledge, again } = await give();
  await acknowledge();
  await again({ answer });
  expect(screen.getByText('Round 1: piece 2 to 5,5.')).toBeTruthy();
  await again({ answer, round: 1 });
  expect(screen.queryByText('Round 1: piece 2 to 5,5.')).toBeNull();
});

test('propose what was only half understood, but nothing from a model', async () => {
  const { acknowledge, again } = await give();
  await acknowledge();
  const half = { ...answer, understood: false, error: 'Not understood: "gracefully".' };
  const propose = vi.spyOn(planner, 'propose');
  await again({ answer: { ...half, by: 'interpreter' } });
  expect(propose).toHaveBeenLastCalledWith(half.commands);
  await again({ answer: { ...half, by: 'model' } });
  expect(propose).toHaveBeenLastCalledWith([]);
  propose.mockRestore();
});

test('keep a text that was not understood for a few rounds only', async () => {
  const { acknowledge, again } = await give();
  await acknowledge();
  const wrong = { ...answer, commands: [], error: 'Not understood.' };
  await again({ answer: wrong });
  await again({ answer: wrong, round: 2 });
  expect(screen.getByText('Not understood.')).toBeTruthy();
  await again({ answer: wrong, round: 4 });
  expect(screen.queryByText('Not understood.')).toBeNull();
});

test.each(['Send', 'Preview'])('say what to do if nothing was typed: %s', async (name) => {
  const send = vi.fn(() => Promise.resolve());
  render(Orders, { props: { live: true, round: 0, answer: null, send, planner } });
  await fireEvent.click(screen.getByRole('button', { name }));
  expect(screen.getByText(/^Type an order first/)).toBeTruthy();
  expect(send).not.toHaveBeenCalled();
});

/* Joined emoji hold characters that the server takes nowhere. */
test('are sent without invisible characters', async () => {
  const send = vi.fn<(action: GameAction) => Promise<void>>(() => Promise.resolve());
  render(Orders, { props: { live: true, round: 0, answer: null, send, planner } });
  const family = '\u{1f469}\u200d\u{1f467}';
  await fireEvent.input(screen.getByLabelText('Orders in words'), {
    target: { value: `\u202e2 up ${family}` },
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(send.mock.calls[0]?.[0]).toMatchObject({ text: '2 up \u{1f469}\u{1f467}' });
});
