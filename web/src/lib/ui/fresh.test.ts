/** A tap that was meant for what was there before does nothing; a button elsewhere works at once. */
import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Button from './Button.svelte';
import { fresh } from './fresh';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const press = (clientX: number, clientY: number): void => {
  dispatchEvent(new MouseEvent('pointerdown', { clientX, clientY }));
};

function button(left: number): HTMLElement {
  const node = document.createElement('button');
  node.getBoundingClientRect = () => new DOMRect(left, 0, 100, 44);
  return node;
}

test('ignores taps under the finger, for half a second', () => {
  press(50, 20);
  const said = vi.fn();
  fresh(said)(button(0));
  vi.advanceTimersByTime(30);
  expect(said).toHaveBeenLastCalledWith(true);
  vi.advanceTimersByTime(400);
  expect(said).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(120);
  expect(said).toHaveBeenLastCalledWith(false);
});

test('works beside it, from the first frame on', () => {
  press(50, 20);
  const said = vi.fn();
  fresh(said)(button(200));
  vi.advanceTimersByTime(30);
  expect(said).toHaveBeenLastCalledWith(false);
});

/* A slow phone: the second tap comes before the page is laid out. */
test('ignores a second tap that comes before the first frame', () => {
  press(50, 20);
  const said = vi.fn();
  fresh(said)(button(0));
  expect(said).toHaveBeenLastCalledWith(true);
});

test('works at once for keys', () => {
  press(50, 20);
  vi.advanceTimersByTime(600);
  const said = vi.fn();
  fresh(said)(button(200));
  vi.advanceTimersByTime(600);
  expect(said).not.toHaveBeenCalled();
});

test('a button starts to work, and stops again only when its meaning changes', async () => {
  press(0, 0); // where jsdom puts everything
  const state = (): string | null => screen.getByRole('button').getAttribute('aria-disabled');
  const { rerender } = render(Button, { label: 'Go', meaning: 'start', disabled: false });
  await vi.advanceTimersByTimeAsync(100);
  expect(state()).toBe('true');
  await vi.advanceTimersByTimeAsync(600);
  expect(state()).toBeNull();
  await rerender({ label: 'Go on', meaning: 'start' });
  await vi.advanceTimersByTimeAsync(100);
  expect(state()).toBeNull();
  await rerender({ meaning: 'stop' });
  await vi.advanceTimersByTimeAsync(100);
  expect(state()).toBe('true');
  await vi.advanceTimersByTimeAsync(600);
  expect(state()).toBeNull();
});
