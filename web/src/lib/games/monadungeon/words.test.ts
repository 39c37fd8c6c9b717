/** How a dungeon ended, in words: shared ranks, and players who resigned. */
import { describe, expect, it } from 'vitest';
import type { GameOver, RoomState } from '../../protocol';
import { lastBattle } from './last-battle';
import { lastWay, swap } from './model';
import { describeAction, itemNames, itemUses, lookWords, result, turn, turns } from './words';

function dungeon(points: Record<string, number>, gaveUp: string[], more: object = {}): RoomState {
  const players_info = Object.fromEntries(
    Object.entries(points).map(([role, n]) => [
      role,
      { points: n, resigned: gaveUp.includes(role), x: 0, y: 0, keys: 0 },
    ]),
  );
  const names = { player1: 'Ada', player2: null };
  const state = { names, bots: {}, tiles: {}, torches: null, turn_number: 9, awaiting: null };
  return { ...state, players_info, winner: null, current_role: null, ...more } as never;
}
const over = (winner: string[] | null, stats: object): GameOver =>
  ({ winner, stats: { turns: 9, ...stats } }) as never;
const labels = ({ figures }: ReturnType<typeof result>): string[] =>
  figures.map(({ label, value }) => `${label}: ${value}`);

describe('the end of a dungeon', () => {
  it('has shared ranks, and ranks those who resigned last, whatever their points', () => {
    const state = dungeon({ player1: 4, player2: 9, player3: 4, player4: 1 }, ['player2']);
    const ended = result(state, over(['player1', 'player3'], { slayer: 'player3' }), 'player3');
    expect(ended.title).toBe('You share the win');
    expect(ended.detail).toBe('You beat the dragon. Most points wins.');
    expect(labels(ended)).toEqual([
      '1. Ada: 4 points',
      '1. You: 4 points',
      '3. Player 4: 1 point',
      'Player 2, gave up: 9 points',
      'Turns: 9',
    ]);
  });

  it('has no ranking if nobody is left, or for a player alone', () => {
    const left = dungeon({ player1: 0, player2: 2 }, ['player1', 'player2']);
    expect(result(left, over(null, {}), null)).toMatchObject({
      title: 'Nobody is left',
      detail: 'Everybody gave up.',
    });
    const alone = result(
      dungeon({ player1: 4 }, []),
      over(['player1'], { slayer: null, hp_lost: { player1: 2 } }),
      null,
    );
    expect(alone).toMatchObject({
      title: 'The torches went out',
      detail: 'Nobody beat the dragon.',
    });
    expect(labels(alone)).toEqual(['Ada: 4 points', 'Turns: 9', 'HP lost: 2']);
  });

  it('shows no figure that is not known yet', () => {
    expect(labels(result(dungeon({ player1: 4 }, []), null, 'player1'))).toEqual([
      'You: 4 points',
      'Turns: 9',
    ]);
  });
});

it('tells a player who resigned that they are watching, and uses people’s names', () => {
  const state = dungeon({ player1: 0, player2: 0 }, ['player2'], { current_role: 'player1' });
  expect(turn(state, 'player2')).toEqual({
    title: 'Ada’s turn',
    detail: 'Ada is exploring. You gave up and are watching.',
  });
  expect(turn(state, null).detail).toBe('Ada is exploring.');
  expect(describeAction({ type: 'end_turn' }, 'player1', state)).toBe('Ada ends the turn');
  expect(describeAction({ type: 'end_turn' }, 'player2', state)).toBe('Player 2 ends the turn');
});

describe('a battle in words', () => {
  const state = dungeon({ player1: 0, player2: 0 }, []);
  const words = (event: object, you: string | null, ...more: object[]): string | undefined =>
    lastBattle(state, [{ fireballs: 0, ...event }, ...more] as never, you)?.words;
  const turnkey = { role: 'player1', monster: 'skeleton_turnkey' };

  it('says who fought, the total, the opponent, and the cost', () => {
    const lost = { ...turnkey, type: 'battle_lost', dice: [4, 2], damage: 6 };
    expect(words(lost, 'player1')).toBe('You: 4 + 2 = 6, skeleton turnkey 8: you lose a heart.');
    expect(words(lost, 'player2')).toBe('Ada: 4 + 2 = 6, skeleton turnkey 8: Ada loses a heart.');
    const out = { type: 'stunned', role: 'player1' };
    expect(words(lost, 'player1', out)).toContain('you lose a heart and will miss a turn.');
  });

  it('counts weapons and fireballs, each by its name', () => {
    const won = { ...turnkey, type: 'battle_won', dice: [4, 2], damage: 11, fireballs: 2 };
    expect(words(won, 'player1')).toBe(
      'You: 4 + 2 + 3 (weapons) + 2 (fireballs) = 11, skeleton turnkey 8: you win.',
    );
    const drawn = { ...turnkey, type: 'battle_drawn', dice: [6, 2], damage: 8 };
    expect(words(drawn, null)).toBe('Ada: 6 + 2 = 8, skeleton turnkey 8: a draw, Ada steps back.');
  });
});

it('never lists a pointless swap first, and lists better swaps before worse ones', () => {
  expect(swap('key', 'key')).toBe('same');
  expect(swap('dagger', 'dagger')).toBe('same');
  expect(swap('sword', 'dagger')).toBe('better');
  expect(swap('dagger', 'axe')).toBe('worse');
  expect(swap('fireball', 'teleport')).toBe('other');
  expect(swap('teleport', 'fireball')).toBe('other');
});

it('offers to rotate a tile only if that makes a visible difference', () => {
  const waits = (openings: boolean[], rotations: number[]): number =>
    turns({ waiting_tile: { openings, rotations } } as never);
  expect(waits([true, true, true, true], [0, 1, 2, 3])).toBe(1);
  expect(waits([true, false, true, false], [0, 2])).toBe(1);
  expect(waits([true, true, false, false], [0, 3])).toBe(2);
});

it('marks only the way that another player went in their last turn', () => {
  const go = (role: string, x: number): object => ({
    type: 'moved',
    role,
    from: { x, y: 0 },
    to: { x: x + 1, y: 0 },
  });
  const end = (role: string): object => ({ type: 'turn_ended', role });
  const history = [
    [go('player2', 0)],
    [end('player2')],
    [go('player1', 7), end('player1')],
    [go('player2', 1)],
    [go('player2', 2), end('player2')],
    [go('player1', 8)],
  ].map((events, seq) => ({ seq, events, changes: {} })) as never;
  expect(lastWay(history, 'player1')).toEqual({
    role: 'player2',
    cells: [1, 2, 3].map((x) => ({ x, y: 0 })),
  });
  expect(lastWay(history, 'player2')?.cells).toEqual([8, 9].map((x) => ({ x, y: 0 })));
  expect(lastWay([], 'player1')).toBeNull();
});

describe('an item', () => {
  it.each(Object.entries(itemNames))(
    '%s has a name that fits a button, and a use',
    (item, name) => {
      expect(name).toMatch(/^[a-z’ ]{3,20}$/);
      expect(itemUses[item as keyof typeof itemUses]).toMatch(/^[^.]{5,34}$/);
    },
  );

  it('says on a tap what it is and does, as monsters and tiles do', () => {
    const tile = { openings: [], kind: 'room', monster: null, loot: null, guards: null };
    const looks = (more: object): string => lookWords({ ...tile, ...more } as never);
    expect(looks({ loot: 'key' })).toBe('Key (opens one chest).');
    expect(looks({ monster: { name: 'mummy', hp: 7 }, guards: 'fireball' })).toBe(
      'Mummy, 7 HP. It guards: fireball (+1 damage after the roll, once).',
    );
    expect(looks({})).toBe('A room, empty now.');
    expect(looks({ kind: 'gate' })).toContain('teleportation gate');
  });
});
