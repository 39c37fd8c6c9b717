/** What a race is told in words: who waits, who won, and what became of one's own copy. */
import { describe, expect, it } from 'vitest';
import type { FloodState } from './types';
import { result, turn } from './words';

type Outcome = 'playing' | 'won' | 'lost' | 'resigned';

function race(outcomes: Record<string, [Outcome, number]>, more: object = {}): FloodState {
  const entries = Object.entries(outcomes).map(([seat, [outcome, move_count]]) => [
    seat,
    { outcome, move_count, controlled_count: outcome === 'won' ? 64 : 20 },
  ]);
  const state = { rows: 8, cols: 8, game_status: 'active', names: { player3: 'Mo' }, par: 12 };
  const own = { move_count: 5, move_limit: 14, controlled_count: 20, best_known: 9, proven: true };
  const race = Object.fromEntries(entries) as object;
  return { ...state, ...own, winner: null, race, ...more } as unknown as FloodState;
}

describe('a race in words', () => {
  it('says of a copy that has ended that the others play on', () => {
    const state = race({ player: ['won', 10], player2: ['resigned', 5], player3: ['playing', 5] });
    expect(turn(state, 'player')).toEqual({
      title: 'Done in 10 moves',
      detail: 'The others play on.',
    });
    expect(turn(state, 'player2').title).toBe('You gave up');
    expect(turn(state, 'player3').title).toBe('Move 6 of 14');
    expect(turn(state, null).title).toBe('Player 1 is done in 10 moves');
  });

  it('names the winner, and what became of the others', () => {
    const over = { game_status: 'ended', winner: 'player3' };
    const outcomes: Record<string, [Outcome, number]> = {
      player: ['won', 12],
      player2: ['resigned', 5],
      player3: ['won', 10],
    };
    const won = { ...over, move_count: 10, controlled_count: 64 };
    expect(result(race(outcomes, won), null, 'player3')).toMatchObject({
      title: 'You won in 10 moves',
      detail: '1 move more than the fewest possible.',
    });
    expect(result(race(outcomes, over), null, 'player')).toMatchObject({
      title: 'Mo won in 10 moves',
      detail: 'You needed 12 moves.',
    });
    expect(result(race(outcomes, over), null, 'player2').detail).toBe('You gave up.');
    const lost = race({ player: ['lost', 14], player2: ['resigned', 5] }, { game_status: 'ended' });
    expect(result(lost, null, 'player').title).toBe('Nobody flooded the board');
  });
});
