/** Kind: a board that one left is never lost to another board: a second tab, a link, "New", an older version's save. */
import { beforeEach, expect, test } from 'vitest';
import { adopt, keyOf, loadSave, most, newId, saves, unfinished, writeSave } from './solo-saves';
import type { Save } from './solo-saves';

const save = (change: Partial<Save> = {}): Save => ({
  id: newId(),
  board: '',
  label: '',
  config: {},
  seed: 'ab',
  actions: [{ type: 'select_color', color: 'red' }],
  moves: 1,
  ended: false,
  started: 1,
  touched: 1,
  ...change,
});

beforeEach(() => {
  localStorage.clear();
});

test('every board has its own save, the one touched last first', () => {
  writeSave('flood_it', save({ id: 'a', touched: 1 }));
  writeSave('flood_it', save({ id: 'b', touched: 3 }));
  writeSave('flood_it', save({ id: 'c', touched: 2, ended: true }));
  writeSave('flood_it', save({ id: 'd', touched: 2, moves: 0, actions: [] }));
  writeSave('flood_it2', save({ id: 'e' }));
  expect(saves('flood_it').map(({ id }) => id)).toEqual(['b', 'c', 'd', 'a']);
  expect(unfinished('flood_it').map(({ id }) => id)).toEqual(['b', 'a']);
});

test.each([
  '{',
  'null',
  '[]',
  '{"config":{},"seed":"a"}',
  '{"config":{},"seed":"a","actions":{}}',
  '{"config":{},"seed":"a","actions":[null]}',
  '{"config":{},"seed":"a","actions":[{"type":"undo"},7]}',
  '{"config":[],"seed":"a","actions":[]}',
  '{"config":{},"seed":5,"actions":[]}',
])('a save that says %s is none', (broken) => {
  localStorage.setItem(keyOf('flood_it', 'x'), broken);
  localStorage.setItem('boardwalk:solo:flood_it', broken);
  adopt('flood_it');
  expect(saves('flood_it')).toEqual([]);
  expect(loadSave('flood_it', 'x')).toBeNull();
  expect(localStorage.getItem('boardwalk:solo:flood_it')).toBeNull();
});

test('the one board of an older version becomes a save', () => {
  const { config, seed, actions } = save();
  localStorage.setItem(
    'boardwalk:solo:flood_it',
    JSON.stringify({ config, seed, actions, started: 4 }),
  );
  adopt('flood_it');
  adopt('flood_it');
  expect(unfinished('flood_it')).toMatchObject([{ config, seed, actions, started: 4, moves: 1 }]);
});

test('where there are too many, the finished and the empty ones go first, the new one never', () => {
  writeSave('flood_it', save({ id: 'left', touched: 0 }));
  for (let n = 0; n < most; n += 1)
    writeSave('flood_it', save({ id: `over${n}`, ended: true, touched: 10 + n }));
  writeSave('flood_it', save({ id: 'new', moves: 0, actions: [], touched: 0 }));
  const kept = saves('flood_it').map(({ id }) => id);
  expect(kept).toHaveLength(most);
  expect(kept).toContain('left');
  expect(kept).toContain('new');
  expect(kept).not.toContain('over0');
  expect(kept).toContain(`over${most - 1}`);
});
