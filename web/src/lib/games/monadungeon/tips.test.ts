/** Each rule is explained when it matters, to the player to whom it matters, and fits its line. */
import { describe, expect, it } from 'vitest';
import { longest } from '../../tips/tips.svelte';
import type { LastBattle } from './last-battle';
import type { DungeonState } from './model';
import { tips } from './tips';
import { tipWords } from './words';

function dungeon(me: object = {}, more: object = {}, tile: object = {}): DungeonState {
  const bag = { weapons: [], spells: [], keys: 0, treasures: [] };
  return {
    game_status: 'active',
    current_role: 'player1',
    awaiting: null,
    dragon: null,
    torches: null,
    config: { max_hp: 5 },
    players_info: {
      player1: { x: 0, y: 0, hp: 5, stunned: false, resigned: false, ...bag, ...me },
    },
    tiles: { '0,0': { kind: 'corridor', loot: null, monster: null, ...tile } },
    ...more,
  } as unknown as DungeonState;
}
const first = (view: DungeonState, fights = false, last: LastBattle | null = null): string =>
  tips(view, 'player1', fights, last)[0]?.id ?? '';
const fought = (damage: number, role = 'player1'): LastBattle =>
  ({ role, damage, hp: 8 }) as LastBattle;

describe('a tip', () => {
  it.each(Object.entries(tipWords))('on %s fits two lines of a phone', (_, words) => {
    expect(words.length).toBeLessThanOrEqual(longest);
    expect(words).toMatch(/^[A-Z].*\.$/);
  });

  it('appears at the moment it is needed', () => {
    expect(first(dungeon())).toBe('monadungeon.start');
    expect(first(dungeon({ keys: 1 }))).toBe('monadungeon.key');
    expect(first(dungeon({ keys: 1 }), true)).toBe('monadungeon.fight');
    expect(first(dungeon({}, {}, { loot: 'chest' }))).toBe('monadungeon.chest');
    expect(first(dungeon({ keys: 1 }, {}, { loot: 'chest' }))).toBe('monadungeon.key');
    expect(first(dungeon({}, {}, { kind: 'gate' }))).toBe('monadungeon.gate');
    expect(first(dungeon({ hp: 4 }, {}, { kind: 'start' }))).toBe('monadungeon.fountain');
    expect(first(dungeon({ hp: 5 }, {}, { kind: 'fountain' }))).toBe('monadungeon.start');
    expect(first(dungeon({ weapons: ['axe'] }))).toBe('monadungeon.bag');
    expect(first(dungeon({ spells: ['fireball'] }))).toBe('monadungeon.fireball');
    expect(first(dungeon({ spells: ['fireball'] }, { awaiting: 'battle' }))).toBe(
      'monadungeon.fireballs',
    );
    expect(first(dungeon({ weapons: ['axe', 'axe'] }, { awaiting: 'loot' }))).toBe(
      'monadungeon.full',
    );
    expect(first(dungeon({}, { dragon: { x: 1, y: 1 } }))).toBe('monadungeon.dragon');
    expect(first(dungeon({}, { torches: 25 }))).toBe('monadungeon.torches');
    expect(first(dungeon({ stunned: true }, { current_role: 'player2' }))).toBe('monadungeon.stun');
  });

  it('explains the player’s own fight, and never the fights of others', () => {
    const theirs = dungeon({}, { current_role: 'player2' });
    expect(first(theirs, false, fought(7))).toBe('monadungeon.lost');
    expect(first(theirs, false, fought(8))).toBe('monadungeon.drawn');
    expect(first(theirs, false, fought(9))).toBe('');
    expect(first(theirs, false, fought(7, 'player2'))).toBe('');
  });

  it('is not shown to spectators, to players who resigned, or after the end', () => {
    expect(tips(dungeon(), null, false, null)).toEqual([]);
    expect(first(dungeon({ resigned: true }))).toBe('');
    expect(first(dungeon({}, { game_status: 'ended' }))).toBe('');
  });
});
