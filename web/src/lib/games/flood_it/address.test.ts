import { describe, expect, test } from 'vitest';
import type { RoomState } from '../../protocol';
import type { Start } from '../types';
import { boardLink, linkedStart, pastedLink, roomSettings } from './address';
import { readBoard } from './board-text';
import type { FloodState } from './types';

const drawn = {
  rows: 5,
  cols: 7,
  colors: ['red', 'green', 'blue'],
  seed: 'a b&c',
  move_limit: 12,
  settings: { origin: { row: 2, col: 3 } },
} as unknown as FloodState;
const pasted = {
  ...drawn,
  rows: 2,
  cols: 3,
  board: '012210',
  move_limit: 0,
  settings: { origin: { row: 0, col: 0 } },
};

const opened = (link: string): ReturnType<typeof linkedStart> =>
  linkedStart(new URL(link, 'http://localhost').searchParams);

describe("a board's link", () => {
  test('opens the same board with the same limit', () => {
    expect(opened(boardLink(drawn))).toEqual({
      settings: {
        seed: 'a b&c',
        rows: 5,
        cols: 7,
        colors: 3,
        origin: { row: 2, col: 3 },
        move_limit: 12,
      },
    });
  });

  test('holds a complete pasted board', () => {
    expect(boardLink(pasted)).toBe('/play/flood_it?board=rgb.bgr&move_limit=0');
    expect(opened(boardLink(pasted))).toMatchObject({
      settings: { rows: 2, cols: 3, colors: 3, move_limit: 0 },
      given: '012210',
    });
    const read = readBoard('\t12 3\r\r\n321' + ' '.repeat(5000));
    if (typeof read === 'string') throw new Error(read);
    expect(pastedLink(read)).toBe('/play/flood_it?board=rgb.bgr');
    expect(opened(pastedLink(read))).toMatchObject({
      settings: { rows: 2, cols: 3, colors: 3, move_limit: 'classic' },
      given: '012210',
    });
  });

  test('works with extra parameters, and with settings that a board has already', () => {
    expect(opened('/play/flood_it?utm_source=mail&fbclid=1')).toBeNull();
    expect(opened('/play/flood_it?seed=a&gclid=2')).toEqual({ settings: { seed: 'a' } });
    expect(opened('/play/flood_it?board=rgb.bgr&rows=5&seed=a&daily=true&origin=1.2')).toEqual({
      settings: {
        ...(opened('/play/flood_it?board=rgb.bgr') as Start).settings,
        origin: { row: 1, col: 2 },
      },
      given: '012210',
    });
    expect(opened('/play/flood_it?board=rgb%0D%0Abgr')).toMatchObject({ given: '012210' });
  });

  test('may ask for nothing, for a preset, or for impossible settings', () => {
    expect(opened('/play/flood_it')).toBeNull();
    expect(opened('/play/flood_it?seed=007&daily=true&preset=easy')).toEqual({
      settings: { seed: '007', daily: true, preset: 'easy' },
    });
    expect(opened('/play/flood_it?board=rg.r')).toMatch(/^Line 2 has 1 square/);
  });
});

test('a room gets the current board, unless it was pasted', () => {
  expect(roomSettings(drawn as RoomState)).toEqual({
    rows: 5,
    cols: 7,
    colors: 3,
    seed: 'a b&c',
    origin: { row: 2, col: 3 },
    move_limit: 12,
  });
  expect(roomSettings(pasted as RoomState)).toMatch(/Copy link/);
});
