import { describe, expect, it } from 'vitest';
import type { WarState } from './types';
import { groundOf, handlesOf, legsOf, viewFrom, zoneOf } from './types';
import { cellLabel, describeAction, told, turn } from './words';

const piece = (x: number | null, y: number | null, more: object = {}) => ({
  x,
  y,
  jailed: x === null,
  carrying: false,
  rescuing: false,
  ...more,
});

function position(more: object = {}): WarState {
  return {
    width: 11,
    height: 11,
    round: 6,
    pieces: {
      'blue-1': piece(4, 8),
      'blue-2': piece(5, 0, { carrying: true }),
      'blue-3': piece(null, null),
      'red-1': piece(4, 2),
    },
    flags: { blue: { x: 5, y: 10, carried_by: null }, red: { x: 5, y: 0, carried_by: 'blue-2' } },
    keys: { blue: { x: 9, y: 1 }, red: null },
    zones: { blue: true, red: false },
    territory: {
      blue: { from: 6, to: 10 },
      neutral: { from: 5, to: 5 },
      red: { from: 0, to: 4 },
    },
    config: { guard_distance: 1 },
    ...more,
  } as unknown as WarState;
}

const queue = [
  { round: 9, piece: 1, to: { x: 0, y: 3 } },
  { round: 7, piece: 1, to: { x: 0, y: 8 } },
  { round: 7, piece: 2, to: { x: 5, y: 6 } },
  { round: 6, piece: 2, to: { x: 1, y: 1 } }, // has been played
];

describe('a plan', () => {
  it('goes leg by leg from where the one before ends', () => {
    expect(legsOf(position(), queue, 'blue')).toEqual([
      { piece: 1, round: 7, from: { x: 4, y: 8 }, to: { x: 0, y: 8 } },
      { piece: 2, round: 7, from: { x: 5, y: 0 }, to: { x: 5, y: 6 } },
      { piece: 1, round: 9, from: { x: 0, y: 8 }, to: { x: 0, y: 3 } },
    ]);
  });

  it('is taken hold of at its ends, the latest first', () => {
    const handles = handlesOf(position(), queue.slice(0, 2), 'blue');
    expect(handles.map(({ piece, round }) => [piece, round])).toEqual([
      [1, 10],
      [1, 8],
      [1, 7],
      [2, 7],
    ]);
  });

  it('is judged from where the piece will be, with the flag that it carries', () => {
    const moved = viewFrom(position(), 'blue', { piece: 2, round: 8, at: { x: 5, y: 5 } });
    expect(moved.pieces['blue-2']).toMatchObject({ x: 5, y: 5, carrying: true });
    expect(moved.flags.red).toEqual({ x: 5, y: 5, carried_by: 'blue-2' });
    const next = position();
    expect(viewFrom(next, 'blue', { piece: 2, round: 7, at: { x: 5, y: 0 } })).toBe(next);
  });
});

describe('the map', () => {
  it('hatches the zones that are active', () => {
    expect(zoneOf(position(), 'red')).toEqual([]);
    expect(zoneOf(position(), 'blue')).toHaveLength(6);
    expect(zoneOf(position(), 'blue')[0]).toEqual({ x: 4, y: 9 });
  });

  it('knows whose ground a row is', () => {
    expect([0, 4, 5, 6, 10].map((y) => groundOf(position(), y))).toEqual([
      'red',
      'red',
      'neutral',
      'blue',
      'blue',
    ]);
  });
});

describe('the words', () => {
  it('say what matters most', () => {
    expect(turn(position(), 'blue').title).toBe('You have Red’s flag');
    expect(turn(position(), 'red').title).toBe('Blue has your flag');
    expect(turn(position(), null).title).toBe('Blue against Red');
  });

  it('tell a square', () => {
    const marks = { can: true, chosen: false, ghost: 8 };
    expect(cellLabel(position(), { x: 5, y: 10 }, marks)).toBe(
      '5,10, Blue’s ground, Blue’s flag, closed to Blue, planned for round 8, can be reached',
    );
  });

  it('tell what happened, and what was ordered', () => {
    expect(told({ type: 'rescued', team: 'blue', piece: 'blue-1', freed: ['blue-3'] })).toBe(
      'Blue 1 frees Blue 3',
    );
    const orders = [{ role: 'red', piece: 2, to: { x: 1, y: 2 } }];
    expect(describeAction({ type: 'round', orders }, null)).toBe('Red 2 to 1,2');
    expect(describeAction({ type: 'round', orders: [] }, null)).toBe('Everybody stays.');
  });
});
