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
import { longest } from '../../tips/tips.svelte';
import { tips } from './tips';
import {
  cellLabel,
  describeAction,
  gettingReady,
  readyWords,
  result,
  summary,
  tipWords,
  told,
  turn,
  whyNot,
} from './words';

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
    game_status: 'active',
    names: { blue: null, red: null },
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
  it('goes leg by leg, each from where the one before ends', () => {
    expect(legsOf(position(), queue, 'blue')).toEqual([
      { piece: 1, round: 7, from: { x: 4, y: 8 }, to: { x: 0, y: 8 } },
      { piece: 2, round: 7, from: { x: 5, y: 0 }, to: { x: 5, y: 6 } },
      { piece: 1, round: 9, from: { x: 0, y: 8 }, to: { x: 0, y: 3 } },
    ]);
  });

  it('is dragged by its ends, the latest first', () => {
    const handles = handlesOf(position(), queue.slice(0, 2), 'blue');
    expect(handles.map(({ piece, round }) => [piece, round])).toEqual([
      [1, 10],
      [1, 8],
      [1, 7],
      [2, 7],
    ]);
  });

  it('is checked from where the piece will be, with the flag that it carries', () => {
    const moved = viewFrom(position(), 'blue', { piece: 2, round: 8, at: { x: 5, y: 5 } });
    expect(moved.pieces['blue-2']).toMatchObject({ x: 5, y: 5, carrying: true });
    expect(moved.flags.red).toEqual({ x: 5, y: 5, carried_by: 'blue-2' });
    const next = position();
    expect(viewFrom(next, 'blue', { piece: 2, round: 7, at: { x: 5, y: 0 } })).toBe(next);
  });
});

describe('a skipped order', () => {
  /** As the engine has it, except for pieces in jail: straight lines. */
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

  it('is one that cannot be followed from where the earlier orders leave the piece', async () => {
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

  it('may belong to a piece in jail: in the next round, and later as far as is known', async () => {
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

  it('is never reported while the reach is unknown', async () => {
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

  it('starts from home, not from the key that it stands on', () => {
    expect(legsOf(view, order, 'blue', homes)).toEqual([
      { piece: 1, round: 7, from: { x: 4, y: 8 }, to: { x: 4, y: 4 } },
      { piece: 1, round: 8, from: { x: 4, y: 4 }, to: { x: 0, y: 4 } },
    ]);
    const [own] = handlesOf(view, [], 'blue', homes);
    expect(own).toMatchObject({ at: { x: 9, y: 1 }, from: { x: 4, y: 8 } });
  });

  it('has no leg drawn while its home is unknown', () => {
    expect(legsOf(view, order, 'blue').map(({ round }) => round)).toEqual([8]);
  });

  it('goes home, and on from there', () => {
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

  it('is drawn as a plan over the queued orders', () => {
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

  it('keeps its round, and disappears with it', () => {
    expect(proposedFor(commands, 8).map(({ piece, round, to }) => [piece, round, to])).toEqual([
      [1, 8, { x: 2, y: 4 }],
    ]);
    expect(proposedFor(commands, 9)).toEqual([]);
  });

  it('for a later round stays until that round', () => {
    const later = [{ type: 'command', piece: 1, round: 12, to: { x: 4, y: 4 } }];
    expect(proposedFor(later, 9)[0]?.round).toBe(12);
  });
});

describe('the log', () => {
  it('lists the rounds in which something happened, newest first', () => {
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

  it('is not filled by the orders of a jailed piece, round after round', () => {
    const skipped = (reason: string, piece = 'blue-1'): WarEvent =>
      ({ type: 'skipped', piece, to: { x: 1, y: 1 }, reason }) as WarEvent;
    const moved = { type: 'moved', piece: 'blue-2' } as WarEvent;
    const rounds = [[skipped('jailed')], [skipped('jailed'), moved], [skipped('path')]];
    expect(
      logOf(rounds.map((events, seq) => ({ seq, events, changes: { round: seq + 1 } }))).map(
        ({ round, events }) => [round, events.length],
      ),
    ).toEqual([
      [3, 1],
      [2, 1],
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

  it('use people’s names, and count squares from 1', () => {
    const named = position({ names: { blue: 'Ann', red: 'Bo' }, winner: 'blue' });
    expect(turn(named, 'blue').title).toBe('You have Bo’s flag');
    expect(turn(named, null).title).toBe('Ann against Bo');
    const over = { winner: 'blue', stats: { reason: 'flag', jailed: {} } } as never;
    expect(result(named, over, null)).toMatchObject({
      title: 'Ann won',
      detail: 'Ann brought the flag home.',
    });
    expect(result(named, over, 'blue').detail).toBe('You brought the flag home.');
    expect(
      turn(position({ flags: { blue: { carried_by: null }, red: { carried_by: null } } }), 'blue')
        .detail,
    ).toContain('Your key is at 10,2.');
  });

  it('sum up the result of orders in words', () => {
    const at = { x: 4, y: 5 };
    expect(
      summary(
        [
          { piece: 1, round: 2, to: at },
          { piece: 2, round: 2, to: at },
          { piece: 2, round: 3, to: at },
        ],
        2,
        [],
      ),
    ).toBe('Round 2: piece 1 to 5,6, piece 2 to 5,6. Round 3: piece 2 to 5,6.');
    const many = [2, 3, 4].flatMap((round) => [3, 1].map((piece) => ({ piece, round, to: at })));
    expect(summary(many, 2, [])).toBe('6 orders for pieces 1 and 3, rounds 2 to 4.');
    const cancels = [
      { piece: 3, round: 2 },
      { piece: 3, round: 3 },
    ];
    expect(summary(cancels, 2, [])).toBe('Piece 3 has no orders now.');
    expect(summary(cancels, 2, [{ piece: 3, round: 9 }])).toBe('Piece 3 has 1 order left.');
  });

  it('say why a piece cannot be ordered to a square', () => {
    const view = (config: object) => position({ config: { guard_distance: 1, ...config } });
    const from = { x: 4, y: 8 };
    const march = view({ max_distance: 3, diagonals: false });
    expect(whyNot(march, from, { x: 5, y: 7 }, false)).toContain('straight lines only');
    expect(whyNot(march, from, { x: 4, y: 2 }, false)).toBe(
      'Too far: at most 3 squares per round.',
    );
    expect(whyNot(march, from, { x: 4, y: 9 }, true)).toContain('hatched squares');
    const free = view({ max_distance: 0, diagonals: true });
    expect(whyNot(free, from, { x: 5, y: 7 }, false)).toBe(
      '5,7 cannot be reached.'.replace('5,7', '6,8'),
    );
    expect(whyNot(free, from, { x: 6, y: 7 }, false)).toContain('straight or diagonal');
  });

  it('describe a square', () => {
    const marks = { can: true, chosen: false, ghost: 8, skipped: 8, proposed: 9 };
    expect(cellLabel(position(), { x: 5, y: 10 }, marks)).toBe(
      '6,11, Blue’s ground, Blue’s flag, closed to Blue, planned for round 8, skipped in round 8, proposed for round 9, can be reached',
    );
  });

  it('describe what happened, and what was ordered', () => {
    expect(told({ type: 'rescued', team: 'blue', piece: 'blue-1', freed: ['blue-3'] })).toBe(
      'Blue 1 frees Blue 3',
    );
    const orders: WarOrder[] = [{ role: 'red', piece: 2, to: { x: 1, y: 2 } }];
    expect(describeAction({ type: 'round', orders }, null)).toBe('Red 2 to 2,3');
    expect(describeAction({ type: 'round', orders: [] }, null)).toBe('Everybody stays.');
  });
});

describe('before the clock starts', () => {
  const waits = (ready: object, more: object = {}) =>
    position({
      round: 0,
      ready,
      ready_until: 30_000,
      clock_started_at: null,
      names: { blue: null, red: 'Bo' },
      ...more,
    });

  it('players get ready, unless the room has no such phase', () => {
    expect(gettingReady(waits({ blue: false, red: true }))).toBe(true);
    expect(gettingReady(waits({ blue: true, red: true }, { clock_started_at: 7 }))).toBe(false);
    expect(gettingReady(position({ round: 0 }))).toBe(false);
    // A game that continues in a room with a free seat: there is no deadline yet, and rounds have been played.
    expect(gettingReady(waits({}, { ready_until: null, round: 7 }))).toBe(true);
    expect(gettingReady(waits({}, { game_status: 'ended' }))).toBe(false);
  });

  it('the page says who is still awaited', () => {
    expect(turn(waits({ blue: false, red: true }), 'blue').title).toBe('Get ready');
    expect(turn(waits({ blue: true, red: false }), 'blue').title).toBe('You are ready');
    expect(readyWords(waits({ blue: false, red: true }), 'blue', 20)).toBe(
      'Bo is ready. The clock starts in 20 seconds.',
    );
    expect(readyWords(waits({ blue: true, red: false }), 'blue', 1)).toBe(
      'Waiting for Bo. The clock starts in 1 second.',
    );
    expect(readyWords(waits({ blue: false, red: false }), null, null)).toBe(
      'Waiting for Blue and Bo.',
    );
    expect(readyWords(waits({ blue: true, red: false }, { ready_until: null }), 'blue', null)).toBe(
      'Waiting for Bo. No round is played before every seat is taken.',
    );
  });
});

describe('a tip', () => {
  const happened = (...events: object[]): string[] =>
    tips(
      position({ keys: { blue: null, red: null }, flags: { red: { carried_by: null } } }),
      'blue',
      events as never,
      false,
    ).map(({ id }) => id);

  it.each(Object.entries(tipWords))('on %s fits two lines of a phone', (_, words) => {
    expect(words.length).toBeLessThanOrEqual(longest);
    expect(words).toMatch(/^[A-Z].*\.$/);
  });

  it('appears when it matters, to the player to whom it matters first', () => {
    expect(happened()[0]).toBe('flag_war.crossing');
    expect(happened({ type: 'jailed', piece: 'blue-1' })[0]).toBe('flag_war.jail');
    expect(happened({ type: 'jailed', piece: 'red-1' })[0]).toBe('flag_war.catching');
    expect(happened({ type: 'voided', piece: 'blue-1' })[0]).toBe('flag_war.zone');
    expect(happened({ type: 'voided', piece: 'red-1' })[0]).toBe('flag_war.crossing');
    expect(tips(position(), 'blue', [], false)[0]?.id).toBe('flag_war.home');
    expect(tips(position(), 'blue', [], true)[0]?.id).toBe('flag_war.zone');
    expect(tips(position(), null, [], true)).toEqual([]);
    expect(tips(position({ game_status: 'ended' }), 'blue', [], true)).toEqual([]);
  });
});

it('the page says who is away, because the rounds continue; a bot is never away', () => {
  const left = (players: object, bots = {}, role: string | null = 'blue') =>
    turn(position({ players, bots }), role).detail;
  expect(left({ blue: true, red: true })).not.toMatch(/away/);
  expect(left({ blue: true, red: false })).toBe('Round 7 is next. Red is away.');
  expect(left({ blue: true, red: false }, { red: 'hard' })).not.toMatch(/away/);
  expect(left({ blue: false, red: false }, {}, null)).toBe(
    'Round 6 has been played. Both are away.',
  );
});
