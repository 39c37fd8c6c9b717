import { describe, expect, it } from 'vitest';
import flood from '../../lib/games/flood_it';
import dungeon from '../../lib/games/monadungeon';
import type { GameInfo, RoomState } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import { connectionNotice, freeSeats, whoIs } from './notices';

const info = (id: string, title: string) => ({ roles: [{ id, title }] }) as GameInfo;
const room = (game: string, names: Record<string, string | null>) => ({ game, names }) as RoomState;

describe('who somebody is', () => {
  it('is a name, a calling, or a colour', () => {
    expect(whoIs(room('flag_war', { blue: 'Ada' }), info('blue', 'Blue'), 'blue')).toBe('Ada');
    expect(whoIs(room('flag_war', { blue: null }), info('blue', 'Blue'), 'blue')).toBe('Blue');
    expect(whoIs(room('flooded_island', {}), info('weather', 'Weather'), 'weather')).toBe(
      'the Weather',
    );
  });
});

describe('the free seats', () => {
  const state = (more: object) =>
    ({
      game_status: 'active',
      players: { player: true, player2: false, player3: false, player4: false },
      names: {},
      bots: { player3: 'hard' },
      current_role: null,
      ...more,
    }) as unknown as RoomState;

  it('are all that nobody holds, before the start', () => {
    expect(freeSeats(state({ game_status: 'configuring' }), flood)).toEqual(['player2', 'player4']);
  });

  it('are none of a puzzle that one plays alone, but when that one is away', () => {
    const alone = { race: {}, current_role: 'player' };
    expect(freeSeats(state(alone), flood)).toEqual([]);
    expect(
      freeSeats(state({ ...alone, players: { player: false, player2: false } }), flood),
    ).toEqual(['player']);
  });

  it('are in a race those with a board that is played on', () => {
    const race = {
      player: { outcome: 'playing' },
      player2: { outcome: 'playing' },
      player3: { outcome: 'won' },
    };
    expect(freeSeats(state({ race }), flood)).toEqual(['player2']);
    expect(
      freeSeats(state({ race: { ...race, player2: { outcome: 'resigned' } } }), flood),
    ).toEqual([]);
  });

  it('are in the dungeon those of who set out and has not resigned; the others are waited for', () => {
    const room = (players: string[]) => {
      const players_info = Object.fromEntries(
        players.map((role) => [role, { resigned: role === 'player4' }]),
      );
      return {
        link: 'open',
        you: { role: 'player1' },
        state: state({
          paused: true,
          players: { player1: true, player2: false, player3: false, player4: false },
          names: { player2: 'Ada', player3: 'Bo' },
          bots: {},
          players_info,
        }),
      } as unknown as Room;
    };
    const words = (players: string[]) =>
      connectionNotice(room(players), undefined, dungeon, 0)?.detail;
    expect(words(['player1', 'player2', 'player4'])).toBe('The game is paused until Ada is back.');
    expect(words(['player1', 'player2', 'player3'])).toBe(
      'The game is paused until Ada and Bo are back.',
    );
  });
});
