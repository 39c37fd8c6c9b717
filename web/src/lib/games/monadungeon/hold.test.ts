/** The player's own result stays for two seconds, a bot's step for about half a second, the player's own steps not
 * at all. */
import { expect, test } from 'vitest';
import type { RoomState } from '../../protocol';
import { hold } from './hold';

const party = (gaveUp: boolean) => ({
  players_info: { player1: { resigned: gaveUp }, player2: { resigned: false } },
  bots: {},
});

const held = (next: string, ...events: [string, string][]): ReturnType<typeof hold> =>
  hold({
    state: { current_role: next, ...party(false) } as unknown as RoomState,
    before: {} as RoomState,
    events: events.map(([role, type]) => ({ role, type })) as never,
    you: { role: 'player1' },
  });

test.each(['battle_won', 'battle_drawn', 'battle_lost', 'chest_opened', 'recovered'])(
  'the player’s own %s that ends the turn is held as a result',
  (type) => {
    expect(held('player2', ['player1', type], ['player1', 'turn_ended'])).toEqual({
      ms: 2000,
      own: true,
    });
  },
);

test.each(['battle_won', 'tile_drawn', 'tile_placed', 'moved', 'spell_cast'])(
  'the player’s own %s in the middle of the turn is not held',
  (type) => {
    expect(held('player1', ['player1', type])).toEqual({ ms: 0 });
  },
);

test('the end of the player’s own turn is shown before the next one starts', () => {
  expect(held('player2', ['player1', 'turn_ended'])).toEqual({ ms: 500 });
});

test('a player who plays alone is shown a result too', () => {
  expect(held('player1', ['player1', 'battle_lost'], ['player1', 'turn_ended']).own).toBe(true);
});

test.each([
  ['moved', 300, 700],
  ['tile_drawn', 300, 800],
  ['battle_lost', 1200, 2500],
])('%s of another player takes as long as a person needs to see it', (type, least, most) => {
  const { ms, own } = held('player2', ['player2', type]);
  expect(ms).toBeGreaterThanOrEqual(least);
  expect(ms).toBeLessThanOrEqual(most);
  expect(own).toBeUndefined();
});

test('several things in one update take as long as the longest', () => {
  const fight = held('player1', ['player2', 'battle_started'], ['player2', 'battle_won']);
  expect(fight.ms).toBe(held('player2', ['player2', 'battle_won']).ms);
});

test.each([
  ['a bot', { player2: 'easy' }, 0],
  ['a person', {}, 450],
])('whoever gave up need not watch each step of %s', (_, bots, ms) => {
  const state = { current_role: 'player2', ...party(true), bots } as unknown as RoomState;
  const events = [{ role: 'player2', type: 'moved' }] as never;
  expect(hold({ state, before: state, events, you: { role: 'player1' } })).toEqual({ ms });
});
