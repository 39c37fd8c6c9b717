/** The text of a race: who is waiting, who won, and the result of the player's own board. */
import { describe, expect, it } from 'vitest';
import type { FloodState } from './types';
import { describeAction, othersSeat, result, seatLabel, standing, turn } from './words';

type Outcome = 'playing' | 'won' | 'lost' | 'resigned';

function race(outcomes: Record<string, [Outcome, number]>, more: object = {}): FloodState {
  const entries = Object.entries(outcomes).map(([seat, [outcome, move_count]]) => [
    seat,
    { outcome, move_count, controlled_count: outcome === 'won' ? 64 : 20, undone: false },
  ]);
  const state = {
    rows: 8,
    cols: 8,
    colors: ['red', 'green'],
    settings: {},
    game_status: 'active',
    names: { player3: 'Mo' },
    par: 12,
  };
  const own = { move_count: 5, move_limit: 14, controlled_count: 20, best_known: 9, proven: true };
  const race = Object.fromEntries(entries) as object;
  const players = Object.fromEntries(Object.keys(outcomes).map((seat) => [seat, true]));
  const room = { players, bots: {}, winner: null };
  return { ...state, ...own, ...room, race, ...more } as unknown as FloodState;
}

describe('a race in words', () => {
  it('says of a finished board who is still playing', () => {
    const state = race({ player: ['won', 10], player2: ['resigned', 5], player3: ['playing', 5] });
    expect(turn(state, 'player')).toEqual({
      title: 'Done in 10 moves',
      detail: 'Mo plays on.',
    });
    expect(turn(state, 'player2').title).toBe('You gave up');
    expect(turn(state, 'player3').title).toBe('Move 6 of 14');
    expect(turn(state, null).title).toBe('Player 1 is done in 10 moves');
    const two = race({ player: ['won', 10], player2: ['playing', 5], player3: ['playing', 5] });
    expect(turn(two, 'player').detail).toBe('Player 2 and Mo play on.');
  });

  it('says when nobody can play for the moment', () => {
    const outcomes: Record<string, [Outcome, number]> = {
      player: ['won', 10],
      player3: ['playing', 5],
    };
    const away = race(outcomes, { players: { player: true, player3: false } });
    expect(turn(away, 'player').detail).toBe('The race waits for Mo.');
    expect(standing(away, 'player3')).toBe('away');
    const bot = { players: { player: true, player3: false }, bots: { player3: 'hard' } };
    expect(turn(race(outcomes, bot), 'player').detail).toBe('Mo plays on.');
    expect(standing(race(outcomes, bot), 'player3')).toBe('20 of 64');
    const large = race(outcomes, { ...bot, rows: 64, cols: 64 });
    expect(standing(large, 'player3')).toBe('0 %');
  });

  it('never calls a bot a person, in any sentence', () => {
    const outcomes: Record<string, [Outcome, number]> = {
      player: ['won', 10],
      player2: ['playing', 5],
      player3: ['playing', 5],
    };
    const state = race(outcomes, { bots: { player2: 'easy', player3: null } });
    expect(turn(state, 'player').detail).toBe('Bot 2 and Mo play on.');
    expect(describeAction({ type: 'undo' }, 'player2', state)).toBe('Bot 2: Took a move back');
    expect(seatLabel(state, 'player2')).toBe('Bot 2, easy');
    expect(seatLabel(state, 'player3')).toBe('Mo');
    expect(seatLabel(state, 'player')).toBe('Player 1');
    const first = race(
      { player: ['playing', 5], player2: ['playing', 2] },
      { bots: { player: 'hard' } },
    );
    expect(turn(first, null).title).toBe('Bot 1: move 6 of 14');
  });

  it('says whose board a spectator sees', () => {
    const state = race({ player2: ['playing', 5], player3: ['playing', 2] });
    expect(turn(state, null).title).toBe('Player 2: move 6 of 14');
    expect(turn(state, 'player3').title).toBe('Move 6 of 14');
    expect(othersSeat(state, null)).toBe('player2');
    expect(othersSeat(state, 'player3')).toBeNull();
    const alone = { ...state, race: {} };
    expect(turn(alone, null).title).toBe('Move 6 of 14');
    expect(othersSeat(alone, null)).toBeNull();
    const blue = { type: 'select_color', color: 'blue' } as const;
    expect(describeAction(blue, 'player3', state)).toBe('Mo: Blue');
    expect(describeAction(blue, 'player', alone)).toBe('Blue');
  });

  it('tells a spectator about the winner, not about the first board', () => {
    const outcomes: Record<string, [Outcome, number]> = {
      player: ['lost', 14],
      player2: ['won', 11],
      player3: ['won', 11],
    };
    const over = race(outcomes, { game_status: 'ended', winner: 'player3', undone: true });
    expect(result(over, null, null)).toEqual({
      title: 'Mo won in 11 moves',
      detail: '2 moves more than the fewest possible. Player 2 needed as many, and finished later.',
      figures: [
        { label: 'Moves', value: '11' },
        { label: 'Fewest possible', value: '9' },
        { label: 'Par', value: '12' },
      ],
    });
    expect(result(over, null, 'player').detail).toBe(
      'You had 20 of 64 squares when your moves ran out. With moves taken back.',
    );
    const nobody = race(
      { player: ['lost', 14], player2: ['resigned', 5] },
      { game_status: 'ended' },
    );
    expect(result(nobody, null, null)).toMatchObject({
      title: 'Nobody flooded the board',
      detail: '',
      figures: [{ label: 'Fewest possible' }, { label: 'Par' }],
    });
    expect(result(nobody, null, 'player2').detail).toBe('You gave up.');
  });

  it('names the winner, and how the others finished', () => {
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
