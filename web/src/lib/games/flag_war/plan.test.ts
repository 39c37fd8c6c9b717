import { describe, expect, it } from 'vitest';
import type { WarEvent, WarOrder } from '../../generated/wire';
import type { Reach, WarState } from './types';
import {
  caughtOf,
  groundOf,
  handlesOf,
  legsOf,
  logOf,
  proposedFor,
  proposedLegs,
  skippedOf,
  trailsOf,
  viewFrom,
  zoneOf,
} from './types';
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
    players: { blue: true, red: true },
    bots: {},
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

describe('an order that was left behind', () => {
  /** As the engine has it, without the jailed: straight lines. */
  const view = position();
  const reach: Reach = async ({ piece, round, at }) =>
    view.pieces[`blue-${piece}`]?.jailed === true && round === 7
      ? []
      : Array.from({ length: 11 }, (_, i) => [
          { x: i, y: at.y },
          { x: at.x, y: i },
        ]).flat();
  const skipped = async (orders: typeof queue): Promise<[number, number][]> =>
    (await skippedOf(view, orders, 'blue', reach)).map(({ piece, round }) => [piece, round]);

  it('is one that cannot be followed from where those before it leave the piece', async () => {
    expect(await skipped(queue)).toEqual([]);
    const changed = queue.map((order) =>
      order.piece === 1 && order.round === 7 ? { ...order, to: { x: 4, y: 5 } } : order,
    );
    expect(await skipped(changed)).toEqual([[1, 9]]);
    const cancelled = queue.filter((order) => order.piece !== 1 || order.round !== 7);
    expect(await skipped(cancelled)).toEqual([[1, 9]]);
  });

  it('leaves its piece where it is, for the orders after it', async () => {
    const orders = [
      { round: 8, piece: 1, to: { x: 0, y: 3 } },
      { round: 9, piece: 1, to: { x: 4, y: 3 } },
      { round: 10, piece: 1, to: { x: 0, y: 8 } },
    ];
    expect(await skipped(orders)).toEqual([
      [1, 8],
      [1, 10],
    ]);
  });

  it('may be that of a piece in jail: next, and later as far as is known', async () => {
    const orders = [
      { round: 7, piece: 3, to: { x: 6, y: 5 } },
      { round: 8, piece: 3, to: { x: 6, y: 4 } },
      { round: 9, piece: 3, to: { x: 1, y: 1 } },
    ];
    expect(await skipped(orders)).toEqual([
      [3, 7],
      [3, 9],
    ]);
  });

  it('is none as long as nothing is known', async () => {
    const orders = [{ round: 8, piece: 1, to: { x: 0, y: 3 } }];
    expect(await skippedOf(view, orders, 'blue', async () => null)).toEqual([]);
  });
});

describe('a rescuer', () => {
  const view = position({
    pieces: { 'blue-1': piece(9, 1, { rescuing: true }), 'blue-2': piece(5, 8) },
  });
  const order = [
    { round: 7, piece: 1, to: { x: 4, y: 4 } },
    { round: 8, piece: 1, to: { x: 0, y: 4 } },
  ];
  const homes = new Map([['blue-1', { x: 4, y: 8 }]]);

  it('sets out from home, not from the key that it stands on', () => {
    expect(legsOf(view, order, 'blue', homes)).toEqual([
      { piece: 1, round: 7, from: { x: 4, y: 8 }, to: { x: 4, y: 4 } },
      { piece: 1, round: 8, from: { x: 4, y: 4 }, to: { x: 0, y: 4 } },
    ]);
    const [own] = handlesOf(view, [], 'blue', homes);
    expect(own).toMatchObject({ at: { x: 9, y: 1 }, from: { x: 4, y: 8 } });
  });

  it('is drawn no way that is not known', () => {
    expect(legsOf(view, order, 'blue').map(({ round }) => round)).toEqual([8]);
  });

  it('went home, and on from there', () => {
    const trails = trailsOf([
      {
        type: 'returned',
        piece: 'blue-1',
        from: { x: 9, y: 1 },
        to: { x: 4, y: 8 },
        reason: 'rescue',
      },
      { type: 'moved', piece: 'blue-1', from: { x: 4, y: 8 }, to: { x: 4, y: 4 } },
      { type: 'jailed', piece: 'blue-1', at: { x: 4, y: 4 } },
    ]);
    expect(trails).toEqual([
      { team: 'blue', from: { x: 9, y: 1 }, to: { x: 4, y: 8 } },
      { team: 'blue', from: { x: 4, y: 8 }, to: { x: 4, y: 4 } },
    ]);
    expect(caughtOf([{ type: 'jailed', piece: 'blue-1', at: { x: 4, y: 4 } }])).toEqual([
      { piece: 'blue-1', at: { x: 4, y: 4 } },
    ]);
  });
});

describe('a proposal', () => {
  const commands = [
    { type: 'command', piece: 1, round: 7, to: { x: 4, y: 4 } },
    { type: 'command', piece: 1, round: 8, to: { x: 2, y: 4 } },
    { type: 'cancel', piece: 2, round: 7 },
  ];

  it('is a plan over what waits', () => {
    const proposals = proposedFor(commands, 7);
    expect(proposals.map(({ piece, round }) => [piece, round])).toEqual([
      [1, 7],
      [1, 8],
      [2, 7],
    ]);
    const waits = [{ round: 7, piece: 1, to: { x: 0, y: 8 } }];
    expect(proposedLegs(position(), waits, proposals, 'blue')).toEqual([
      { piece: 1, round: 7, from: { x: 4, y: 8 }, to: { x: 4, y: 4 } },
      { piece: 1, round: 8, from: { x: 4, y: 4 }, to: { x: 2, y: 4 } },
    ]);
  });

  it('that was not accepted in time begins later, the whole of it', () => {
    expect(proposedFor(commands, 9).map(({ piece, round, to }) => [piece, round, to])).toEqual([
      [1, 9, { x: 4, y: 4 }],
      [1, 10, { x: 2, y: 4 }],
    ]);
  });

  it('for a round to come waits for it', () => {
    const later = [{ type: 'command', piece: 1, round: 12, to: { x: 4, y: 4 } }];
    expect(proposedFor(later, 9)[0]?.round).toBe(12);
  });
});

describe('the log', () => {
  it('has the rounds in which something happened, the newest first', () => {
    const scored: WarEvent = { type: 'scored', team: 'blue', piece: 'blue-1' };
    expect(
      logOf([
        { seq: 10, events: [scored], changes: { round: 4 } },
        { seq: 11, events: [], changes: { round: 5 } },
        { seq: 12, events: [scored, scored], changes: { round: 6 } },
      ]).map(({ round, events }) => [round, events.length]),
    ).toEqual([
      [6, 2],
      [4, 1],
    ]);
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
    const marks = { can: true, chosen: false, ghost: 8, skipped: 8, proposed: 9 };
    expect(cellLabel(position(), { x: 5, y: 10 }, marks)).toBe(
      '5,10, Blue’s ground, Blue’s flag, closed to Blue, planned for round 8, skipped in round 8, proposed for round 9, can be reached',
    );
  });

  it('tell what happened, and what was ordered', () => {
    expect(told({ type: 'rescued', team: 'blue', piece: 'blue-1', freed: ['blue-3'] })).toBe(
      'Blue 1 frees Blue 3',
    );
    const orders: WarOrder[] = [{ role: 'red', piece: 2, to: { x: 1, y: 2 } }];
    expect(describeAction({ type: 'round', orders }, null)).toBe('Red 2 to 1,2');
    expect(describeAction({ type: 'round', orders: [] }, null)).toBe('Everybody stays.');
  });
});

it('is told who is away, for the rounds go on; a bot never is', () => {
  const left = (players: object, bots = {}, role: string | null = 'blue') =>
    turn(position({ players, bots }), role).detail;
  expect(left({ blue: true, red: true })).not.toMatch(/away/);
  expect(left({ blue: true, red: false })).toBe('Round 7 is next. Red is away.');
  expect(left({ blue: true, red: false }, { red: 'hard' })).not.toMatch(/away/);
  expect(left({ blue: false, red: false }, {}, null)).toBe(
    'Round 6 has been played. Both are away.',
  );
});
