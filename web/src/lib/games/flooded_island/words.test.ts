/** The text of the island's page: turns, fields, refusals and the end, with people's names if they are known. */
import { describe, expect, it } from 'vitest';
import type { IslandEvent } from '../../generated/wire';
import type { Point } from '../../protocol';
import type { IslandState } from './types';
import { driedFrom, lastTurns, reachable } from './types';
import { longest } from '../../tips/tips.svelte';
import {
  chosenWords,
  fieldLabel,
  goal,
  hold,
  lastPlaces,
  lastWord,
  objection,
  result,
  season,
  tips,
  turn,
} from './words';

const state = (more: object = {}) =>
  ({
    game: 'flooded_island',
    game_status: 'active',
    current_role: 'journeyman',
    current_turn: 3,
    names: { journeyman: 'Ann', weather: 'Bo' },
    bots: {},
    config: {},
    days: 30,
    width: 4,
    height: 3,
    max_flood_count: 2,
    journeyman_position: { x: 1, y: 1 },
    grid: ['ddfd', 'dddd', 'fddd'].map((row) =>
      [...row].map((field) => (field === 'd' ? 'dry' : 'flooded')),
    ),
    phase: 'day',
    days_survived: 9,
    resigned: null,
    winner: null,
    ...more,
  }) as unknown as IslandState;
const nameless = { names: { journeyman: null, weather: '' } };
const at = (x: number, y: number): Point => ({ x, y });

describe('the turn', () => {
  it('shows the day, and of how many, to both sides', () => {
    const night = { current_role: 'weather' };
    expect(turn(state(), 'journeyman').title).toBe('Your turn, day 3 of 30');
    expect(turn(state(), 'weather').title).toBe('Day 3 of 30');
    expect(turn(state(night), 'weather').title).toBe('Your turn, night 3 of 30');
    expect(turn(state(night), null).title).toBe('Night 3 of 30');
    expect(turn(state({ days: 365 }), null).title).toBe('Day 3 of 365');
  });

  it('says whose turn it is, by name or by role', () => {
    const night = { current_role: 'weather' };
    expect(turn(state(night), 'journeyman').detail).toBe('Bo is choosing fields to flood.');
    expect(turn(state(), 'weather').detail).toBe('Ann is choosing a move.');
    expect(turn(state({ ...night, ...nameless }), null).detail).toMatch(/^The weather is/);
    expect(turn(state(nameless), null).detail).toMatch(/^The adventurer is/);
  });

  it('says what is still to be chosen', () => {
    expect(chosenWords(state(), 'weather', [at(0, 0)])).toMatch(/^1 field chosen\..* 1 more/);
    expect(chosenWords(state(), 'weather', [at(0, 0), at(1, 0)])).toMatch(/^2 fields .* End your/);
    expect(chosenWords(state(), 'journeyman', [at(0, 0)])).toMatch(/End your turn/);
  });

  it('has a goal for each side', () => {
    expect(goal(state(), 'journeyman')).toBe('Survive 30 days.');
    expect(goal(state(), 'weather')).toMatch(/no dry neighbouring field/);
  });
});

describe('a field', () => {
  it('is reachable if it is dry and next to the adventurer, and the move dries its neighbours', () => {
    expect(reachable(state())).toEqual([
      at(0, 0),
      at(1, 0),
      at(0, 1),
      at(2, 1),
      at(1, 2),
      at(2, 2),
    ]);
    expect(reachable(state({ journeyman_position: null }))).toEqual([]);
    expect(driedFrom(state(), at(2, 1))).toEqual([at(2, 0), at(1, 1), at(3, 1), at(2, 2)]);
    expect(driedFrom(state(), at(0, 0))).toEqual([at(1, 0), at(0, 1)]);
  });

  it.each([
    ['journeyman', at(1, 1), [], /You stand here/],
    ['journeyman', at(0, 2), [], /flooded/],
    ['journeyman', at(2, 0), [], /flooded/],
    ['journeyman', at(3, 1), [], /too far/],
    ['weather', at(1, 1), [], /That is Ann, the adventurer/],
    ['weather', at(0, 2), [], /flooded already/],
    ['weather', at(3, 0), [at(0, 0), at(1, 0)], /^At most 2 fields per night/],
    // A permanent obstacle is named before one that could be taken back.
    ['weather', at(1, 1), [at(0, 0), at(1, 0)], /Ann/],
  ] as const)(
    'that %s cannot choose is refused with a reason: %j',
    (role, field, chosen, words) => {
      const refusal = objection(state(), role, field, chosen, reachable(state()));
      expect(refusal).toMatch(words);
      expect(refusal).not.toMatch(/square|cell/);
    },
  );

  it('that can be chosen is not refused', () => {
    expect(objection(state(), 'journeyman', at(0, 0), [], reachable(state()))).toBeNull();
    expect(objection(state(), 'weather', at(3, 0), [at(0, 0)], [])).toBeNull();
    expect(objection(state(nameless), 'weather', at(1, 1), [], [])).toMatch(/is the adventurer\./);
  });

  it('is described with the effect of choosing it and of the last turn', () => {
    const none = { reachable: false, chosen: false, dries: false };
    const dries = { ...none, dries: true };
    expect(fieldLabel(state(), at(2, 0), dries)).toBe('column 3, row 1, flooded, would dry');
    expect(fieldLabel(state(), at(3, 0), dries)).toBe('column 4, row 1, dry, stays dry');
    expect(fieldLabel(state(), at(2, 0), { ...none, last: 'flooded' })).toMatch(
      /flooded last night/,
    );
    expect(fieldLabel(state(), at(1, 1), none)).toMatch(/the adventurer stands here/);
  });
});

describe('what happened last', () => {
  const walked: IslandEvent = { type: 'moved', from: at(0, 0), to: at(1, 1) };
  const dried: IslandEvent = { type: 'dried', positions: [at(1, 0)] };
  const flooded: IslandEvent = { type: 'flooded', positions: [at(3, 2), at(2, 2)] };
  const dawn: IslandEvent = { type: 'day', n: 2 };

  it('is the move until a night has passed, then that night', () => {
    expect(lastTurns([{ events: [walked, dried] }])).toEqual({
      walk: { from: at(0, 0), to: at(1, 1) },
      dried: [at(1, 0)],
      flooded: null,
    });
    const night = [{ events: [walked, dried] }, { events: [] }, { events: [flooded, dawn] }];
    expect(lastTurns(night).flooded).toEqual([at(3, 2), at(2, 2)]);
    expect(lastTurns([...night, { events: [walked] }])).toMatchObject({ dried: [], flooded: null });
    // A night that passed differs from one that is not over.
    expect(lastTurns([{ events: [walked] }, { events: [dawn] }]).flooded).toEqual([]);
    expect(lastTurns([]).walk).toBeNull();
  });

  it('is described in a sentence', () => {
    expect(lastWord(state(), lastTurns([]))).toBeNull();
    expect(lastWord(state(), lastTurns([{ events: [walked, dried] }]))).toBe(
      'Today Ann dried 1 field.',
    );
    expect(lastWord(state(), lastTurns([{ events: [flooded, dawn] }]))).toBe(
      'Last night Bo flooded 2 fields.',
    );
    expect(lastWord(state(), lastTurns([{ events: [dawn] }]))).toMatch(/flooded nothing/);
  });

  it('says where it happened, for screen readers', () => {
    expect(lastPlaces(lastTurns([]))).toBe('');
    expect(lastPlaces(lastTurns([{ events: [walked, dried] }]))).toBe('to column 2, row 2');
    expect(lastPlaces(lastTurns([{ events: [flooded, dawn] }]))).toBe(
      'column 4, row 3; column 3, row 3',
    );
  });
});

describe('the result', () => {
  const ended = (more: object) => state({ game_status: 'ended', ...more });

  it('says who won, and why', () => {
    const trapped = ended({ winner: 'weather' });
    expect(result(trapped, null, 'journeyman')).toMatchObject({
      title: 'You lost',
      detail: 'Trapped after 9 days: every neighbouring field is flooded.',
    });
    expect(result(trapped, null, 'weather').detail).toMatch(/^Ann was trapped after 9 days:/);
    expect(result(trapped, null, null).title).toBe('Bo won');
    const survived = ended({ winner: 'journeyman', days_survived: 30 });
    expect(result(survived, null, 'journeyman').detail).toBe('You survived all 30 days.');
    expect(result(survived, null, 'weather')).toMatchObject({
      title: 'You lost',
      detail: 'Ann survived all 30 days.',
    });
  });

  it('says who resigned', () => {
    const given = ended({ winner: 'weather', resigned: 'journeyman', days_survived: 1 });
    expect(result(given, null, 'journeyman').detail).toBe('You resigned after 1 day.');
    expect(result({ ...given, ...nameless } as never, null, null)).toMatchObject({
      title: 'The weather won',
      detail: 'The adventurer resigned after 1 day.',
    });
  });
});

it('the seasons pass within the days of the game, however many there are', () => {
  for (const days of [10, 30, 365]) {
    expect(season(1, days).now).toBe('spring');
    expect(season(days, days).now).toBe('winter');
    expect(season(Math.ceil(days / 2) + 1, days).now).toBe('autumn');
  }
});

describe('a tip', () => {
  const now = { chosen: 0, dried: 0, near: 8, back: false };
  const ids = (view: IslandState, role: string | null, more: object = {}) =>
    tips(view, role, { ...now, ...more }).map(({ id }) => id.replace('flooded_island.', ''));

  it('appears at its moment, only on the player’s own turn, and fits its line', () => {
    const night = state({ current_role: 'weather', current_turn: 1 });
    expect(ids(state({ current_turn: 1 }), 'journeyman')).toEqual(['walk']);
    expect(ids(state({ current_turn: 1 }), 'journeyman', { chosen: 1 })[0]).toBe('dries');
    expect(ids(state({ current_turn: 2 }), 'journeyman', { near: 3 })).toEqual(['trapped']);
    expect(ids(state(), 'journeyman', { back: true })[0]).toBe('back');
    expect(ids(night, 'weather', { dried: 2 })).toEqual(['flood', 'dried']);
    for (const role of ['journeyman', null]) expect(ids(night, role)).toEqual([]);
    expect(ids(state({ game_status: 'ended' }), 'journeyman')).toEqual([]);
    const all = [
      ...tips(night, 'weather', { ...now, dried: 1 }),
      ...tips(state(), 'journeyman', { ...now, chosen: 1, back: true }),
      ...tips(state({ current_turn: 1 }), 'journeyman', now),
    ];
    for (const { text } of all) expect(text.length).toBeLessThanOrEqual(longest);
  });
});

it("only a bot's next turn is held back, because people take their own time", () => {
  const events = [{ type: 'moved' }] as never;
  const step = (bots: object) =>
    hold({
      state: state({ current_role: 'weather', bots }),
      before: state(),
      events,
      you: {} as never,
    });
  expect(step({ weather: 'easy' }).ms).toBeGreaterThan(500);
  expect(step({ journeyman: 'easy' }).ms).toBe(0);
  expect(step({}).ms).toBe(0);
});
