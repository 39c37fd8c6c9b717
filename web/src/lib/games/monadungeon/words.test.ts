/** How a dungeon ended, in words: ranks that are shared, and those who gave up. */
import { describe, expect, it } from 'vitest';
import type { GameOver, RoomState } from '../../protocol';
import { describeAction, result, turn } from './words';

function dungeon(points: Record<string, number>, gaveUp: string[], more: object = {}): RoomState {
  const players_info = Object.fromEntries(
    Object.entries(points).map(([role, n]) => [
      role,
      { points: n, resigned: gaveUp.includes(role), x: 0, y: 0, keys: 0 },
    ]),
  );
  const names = { player1: 'Ada', player2: null };
  const state = { names, tiles: {}, torches: null, turn_number: 9, awaiting: null };
  return { ...state, players_info, winner: null, current_role: null, ...more } as never;
}
const over = (winner: string[] | null, stats: object): GameOver =>
  ({ winner, stats: { turns: 9, ...stats } }) as never;
const labels = ({ figures }: ReturnType<typeof result>): string[] =>
  figures.map(({ label, value }) => `${label}: ${value}`);

describe('the end of a dungeon', () => {
  it('has shared ranks, and who gave up stands below whatever their points', () => {
    const state = dungeon({ player1: 4, player2: 9, player3: 4, player4: 1 }, ['player2']);
    const told = result(state, over(['player1', 'player3'], { slayer: 'player3' }), 'player3');
    expect(told.title).toBe('You share the win');
    expect(told.detail).toBe('You beat the dragon; the points decide.');
    expect(labels(told)).toEqual([
      '1. Ada: 4 points',
      '1. You: 4 points',
      '3. Player 4: 1 point',
      'Player 2, gave up: 9 points',
      'Turns: 9',
    ]);
  });

  it('has nothing to decide where nobody is left, or one was alone', () => {
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
      detail: 'The dragon sleeps on.',
    });
    expect(labels(alone)).toEqual(['Ada: 4 points', 'Turns: 9', 'HP lost: 2']);
  });
});

it('tells who gave up that they look on, and calls people by their names', () => {
  const state = dungeon({ player1: 0, player2: 0 }, ['player2'], { current_role: 'player1' });
  expect(turn(state, 'player2')).toEqual({
    title: 'Ada explores',
    detail: 'Turn 9. You gave up, and look on.',
  });
  expect(turn(state, null).detail).toBe('Turn 9.');
  expect(describeAction({ type: 'end_turn' }, 'player1', state)).toBe('Ada ends the turn');
  expect(describeAction({ type: 'end_turn' }, 'player2', state)).toBe('Player 2 ends the turn');
});
