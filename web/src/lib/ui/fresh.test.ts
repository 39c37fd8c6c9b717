/** A tap that was meant for what stood there before does nothing; a button elsewhere works at once. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fresh } from './fresh';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
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

test('dead under the finger, for half a second', () => {
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

test('alive beside it', () => {
  press(50, 20);
  const said = vi.fn();
  fresh(said)(button(200));
  vi.advanceTimersByTime(600);
  expect(said).not.toHaveBeenCalled();
});
