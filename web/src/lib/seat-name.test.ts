/**
 * A bot is never taken for a person. Pages and boards name a seat the same way, in sentences, logs and results.
 */
import { describe, expect, it, test } from 'vitest';
import { whoIs } from '../pages/room/notices';
import dungeon from './games/monadungeon';
import { eventWords } from './games/monadungeon/words';
import flood from './games/flood_it';
import type { GameInfo, RoomState } from './protocol';
import { seatLabel, seatName } from './seat-name';

const seats = {
  names: { b: 'Ann', c: null },
  bots: { a: 'easy', b: 'hard' },
} as unknown as Parameters<typeof seatName>[0];

describe('a seat', () => {
  it('is called by its name or its title; a numbered bot is not called a player', () => {
    expect(seatName(seats, 'a', 'Player 1')).toBe('Bot 1');
    expect(seatName(seats, 'a', 'the weather')).toBe('the weather');
    expect(seatName(seats, 'b', 'Player 2')).toBe('Ann');
    expect(seatName(seats, 'c', 'Player 3')).toBe('Player 3');
    expect(seatName({ ...seats, names: { a: '' } }, 'a', 'Player 1')).toBe('Bot 1');
    // A person may use such a name, and then be replaced by a bot.
    expect(seatName({ names: { a: 'Player 9' }, bots: {} }, 'a', 'Player 1')).toBe('Player 9');
  });

  it('is followed by the level of its bot, if there is space', () => {
    expect(seatLabel(seats, 'a', 'Player 1')).toBe('Bot 1, easy');
    expect(seatLabel(seats, 'a', 'Red')).toBe('Red, easy bot');
    expect(seatLabel(seats, 'b', 'Player 2')).toBe('Ann, hard bot');
    expect(seatLabel(seats, 'c', 'Player 3')).toBe('Player 3');
  });
});

test('games with numbered seats and the pages around them use the same names', () => {
  const two = (roles: readonly string[], more: object): RoomState => {
    const [, bot = ''] = roles;
    return { game_status: 'active', names: {}, bots: { [bot]: 'easy' }, ...more } as never;
  };
  const titles = (roles: readonly string[]): GameInfo =>
    ({ roles: roles.map((id, i) => ({ id, title: `Player ${i + 1}` })) }) as never;

  const heroes = ['player1', 'player2'];
  const players_info = { player1: { points: 1 }, player2: { points: 4 } };
  const room = two(heroes, {
    game: 'monadungeon',
    current_role: 'player2',
    players_info,
    tiles: {},
    torches: null,
  });
  const texts = [
    whoIs(room, titles(heroes), 'player2'),
    dungeon.turn(room, 'player1').title,
    dungeon.turn(room, 'player1').detail,
    dungeon.describeAction?.({ type: 'rest' }, 'player2', room),
    eventWords(room, { type: 'picked_up', role: 'player2', item: 'key' } as never, 'player1'),
    dungeon.result(room, { winner: ['player2'] } as never, 'player1').title,
    ...dungeon
      .result(room, null, 'player1')
      .figures.slice(0, 1)
      .map(({ label }) => label),
  ];
  for (const words of texts) expect(words).toMatch(/^(1\. )?Bot 2\b/);

  const racers = ['player', 'player2'];
  const copy = { outcome: 'playing', move_count: 1, controlled_count: 2 };
  const race = two(racers, {
    game: 'flood_it',
    race: { player: copy, player2: copy },
    players: {},
    colors: [],
  });
  expect(whoIs(room, titles(heroes), 'player2')).toBe(whoIs(race, titles(racers), 'player2'));
  expect(flood.describeAction?.({ type: 'undo' }, 'player2', race)).toMatch(/^Bot 2:/);
});
