/** A button that appears under the finger is not pressed by a tap that was meant for what was there before. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deadTime } from './dead-time';

const box = document.createElement('div');
let stop: () => void;
let pressed: string[];

/** A button of the box, 100 wide and 40 high, at this height of the page. */
function add(name: string, top = 0): HTMLButtonElement {
  const button = document.createElement('button');
  button.addEventListener('click', () => pressed.push(name));
  button.getBoundingClientRect = () => new DOMRect(0, top, 100, 40);
  box.append(button);
  return button;
}

function tap(button: Element, y = 20, at = performance.now()): void {
  const click = new MouseEvent('click', { bubbles: true, detail: 1, clientX: 50, clientY: y });
  Object.defineProperty(click, 'timeStamp', { value: at });
  button.dispatchEvent(click);
}

async function after(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  pressed = [];
  box.replaceChildren();
  document.body.append(box);
  stop = deadTime(box);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('ignores taps for half a second, then works', async () => {
  const place = add('place');
  await after(1000);
  tap(place);
  place.remove();
  const end = add('end');
  await after(300);
  tap(end);
  expect(pressed).toEqual(['place']);
  await after(300);
  tap(end);
  expect(pressed).toEqual(['place', 'end']);
});

test('works away from the last tap, for keys, and if it was there all the time', async () => {
  const first = add('first');
  await after(1000);
  tap(first);
  add('elsewhere', 100);
  await after(10);
  tap(box.lastElementChild ?? box, 120);
  tap(first);
  tap(first);
  expect(pressed).toEqual(['first', 'elsewhere', 'first', 'first']);
  first.remove();
  const next = add('next');
  await after(10);
  next.click();
  expect(pressed.at(-1)).toBe('next');
});

test('also ignores taps if it has moved under the finger', async () => {
  const first = add('first');
  const second = add('second', 50);
  await after(1000);
  tap(first);
  first.remove();
  second.getBoundingClientRect = () => new DOMRect(0, 0, 100, 40);
  await after(10);
  tap(second);
  expect(pressed).toEqual(['first']);
});

test('a tap counts at the time of the finger, however late a busy page handles it', async () => {
  const place = add('place');
  await after(1000);
  tap(place);
  place.remove();
  const end = add('end');
  await after(100);
  const came = performance.now();
  await after(800);
  tap(end, 20, came);
  expect(pressed).toEqual(['place']);
});
