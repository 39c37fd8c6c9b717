/**
 * A browser reports a lost focus in the middle of a page update, when Svelte allows no state change. The page that
 * replaces a board must still appear. Every board with fields to walk on uses this grid.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GridFocus } from './grid-focus.svelte';

const grid = document.createElement('div');
let focus: GridFocus;
let stop: () => void;

beforeEach(() => {
  grid.innerHTML = '<button data-cell="0,0"></button><button data-cell="2,1"></button>';
  document.body.append(grid);
  focus = new GridFocus(() => ({ width: 3, height: 2 }));
  stop = focus.attach(grid);
});
afterEach(() => {
  stop();
  grid.remove();
});

const cell = (at: string): HTMLElement => {
  const found = grid.querySelector<HTMLElement>(`[data-cell="${at}"]`);
  if (found === null) throw new Error(`No cell ${at}`);
  return found;
};

/** Runs it while Svelte computes what to show; returns what was thrown. */
function amidAChange(task: () => void): unknown {
  let thrown: unknown;
  // An error in a listener goes to the window, as in a browser.
  const failed = (event: ErrorEvent): void => {
    thrown = event.error;
    event.preventDefault();
  };
  addEventListener('error', failed);
  const change = $derived.by(() => {
    task();
    return true;
  });
  const stopEffect = $effect.root(() => {
    $effect.pre(() => {
      void change;
    });
  });
  stopEffect();
  removeEventListener('error', failed);
  return thrown;
}

test('movement starts from the cell that has the focus', () => {
  cell('2,1').focus();
  expect([focus.x, focus.y, focus.inside]).toEqual([2, 1, true]);
  cell('2,1').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Home', ctrlKey: true, bubbles: true }),
  );
  expect(document.activeElement).toBe(cell('0,0'));
  expect([focus.x, focus.y]).toEqual([0, 0]);
});

describe('during a page update', () => {
  test('the focus may be lost', () => {
    cell('2,1').focus();
    expect(
      amidAChange(() => {
        cell('2,1').blur();
      }),
    ).toBeUndefined();
    expect(focus.inside).toBe(false);
  });

  test('the focus may arrive', () => {
    expect(
      amidAChange(() => {
        cell('2,1').focus();
      }),
    ).toBeUndefined();
    expect([focus.x, focus.y, focus.inside]).toEqual([2, 1, true]);
  });

  test('a key may be pressed', () => {
    cell('2,1').focus();
    const key = new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true });
    expect(amidAChange(() => cell('2,1').dispatchEvent(key))).toBeUndefined();
    expect(focus.y).toBe(0);
  });
});
