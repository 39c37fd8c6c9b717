/** "Start this board again" can be undone, because it is easily tapped by mistake. */
import { beforeEach, expect, test } from 'vitest';
import type { GameAction } from '../../protocol';
import { Again } from './again.svelte';
import type { FloodState } from './types';

const view = (change: object = {}): FloodState =>
  ({
    rows: 3,
    cols: 3,
    colors: ['red', 'green', 'blue'],
    seed: 'a',
    settings: {},
    moves: [1, 2],
    move_count: 2,
    undone: false,
    ...change,
  }) as unknown as FloodState;
const empty = (change: object = {}) => view({ moves: [], move_count: 0, ...change });

async function taken(again: Again, at: FloodState): Promise<string[]> {
  const sent: GameAction[] = [];
  await again.back(at, (action) => {
    sent.push(action);
    return Promise.resolve();
  });
  return sent.map((action) => ('color' in action ? action.color : action.type));
}

beforeEach(() => {
  localStorage.clear();
});

test('in a room the same moves are played again', async () => {
  const again = new Again();
  again.remember(view());
  expect(again.possible(view())).toBe(false);
  expect(again.possible(empty())).toBe(true);
  expect(await taken(again, empty())).toEqual(['green', 'blue']);
  expect(again.possible(empty())).toBe(false);
});

test('a game that used undo still counts as one that did', async () => {
  const again = new Again();
  again.remember(view({ undone: true }));
  expect(await taken(again, empty())).toEqual(['green', 'blue', 'undo', 'redo']);
});

test('another page of this browser, or this page after a reload, can undo it too, but not twice', async () => {
  new Again().remember(view());
  const later = new Again();
  expect(later.possible(empty())).toBe(true);
  expect(await taken(later, empty())).toEqual(['green', 'blue']);
  expect(later.possible(empty())).toBe(false);
});

test.each(['{', '[[1]]', '[["x",["mauve"],true]]', '[["x",[],1]]'])(
  'data of another version, %s, restores nothing',
  (left) => {
    localStorage.setItem('boardwalk:flood_it:again', left);
    expect(new Again().possible(empty())).toBe(false);
  },
);

test('after another board or without a move there is nothing to undo', () => {
  const again = new Again();
  again.remember(view());
  expect(again.possible(empty({ seed: 'b' }))).toBe(false);
  localStorage.clear();
  const none = new Again();
  none.remember(empty());
  expect(none.possible(empty())).toBe(false);
});
