import { describe, expect, it } from 'vitest';
import flood from '../../lib/games/flood_it';
import island from '../../lib/games/flooded_island';
import dungeon from '../../lib/games/monadungeon';
import type { GameInfo, RoomState } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import {
  connectionNotice,
  freeSeats,
  listed,
  otherPeople,
  partOf,
  resigning,
  whoIs,
} from './notices';

const info = (id: string, title: string) => ({ roles: [{ id, title }] }) as GameInfo;
const room = (game: string, names: Record<string, string | null>) =>
  ({ game, names, bots: {} }) as unknown as RoomState;

describe('who somebody is', () => {
  it('is a name, a role, or a colour', () => {
    expect(whoIs(room('flag_war', { blue: 'Ada' }), info('blue', 'Blue'), 'blue')).toBe('Ada');
    expect(whoIs(room('flag_war', { blue: null }), info('blue', 'Blue'), 'blue')).toBe('Blue');
    expect(whoIs(room('flooded_island', {}), info('weather', 'Weather'), 'weather')).toBe(
      'the Weather',
    );
    const three = room('monadungeon', { player1: 'Ada', player2: 'Bo' });
    expect(listed(three, info('player3', 'Player 3'), ['player1', 'player2', 'player3'])).toBe(
      'Ada, Bo and Player 3',
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

  it('are all seats that nobody holds, before the start', () => {
    expect(freeSeats(state({ game_status: 'configuring' }), flood)).toEqual(['player2', 'player4']);
  });

  it('are none in a puzzle for one player, unless that player is away', () => {
    const alone = { race: {}, current_role: 'player' };
    expect(freeSeats(state(alone), flood)).toEqual([]);
    expect(
      freeSeats(state({ ...alone, players: { player: false, player2: false } }), flood),
    ).toEqual(['player']);
  });

  it('are in a race those with an unfinished board', () => {
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

  it('are in the dungeon those of players who started and have not resigned; the game waits for them', () => {
    const room = (players: string[], you: string | null = 'player1') => {
      const players_info = Object.fromEntries(
        players.map((role) => [role, { resigned: role === 'player4' }]),
      );
      return {
        link: 'open',
        you: { role: you },
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
    // A spectator has no opponent.
    const watching = room(['player1', 'player2'], null);
    expect(connectionNotice(watching, undefined, dungeon, 0)).toMatchObject({
      title: 'The game is paused',
      detail: 'It goes on when Ada is back.',
    });
  });
});

describe('resigning', () => {
  const roles = ['player', 'player2', 'player3'];
  const state = (more: object) =>
    ({
      game_status: 'active',
      players: Object.fromEntries(roles.map((role) => [role, true])),
      names: {},
      bots: {},
      ...more,
    }) as unknown as RoomState;
  const race = (...outcomes: string[]) =>
    state({ race: Object.fromEntries(outcomes.map((outcome, i) => [roles[i], { outcome }])) });

  it('ends a game for two', () => {
    const words = resigning(state({}), island, 'player');
    expect(words).toBe('The game ends, and you lose.');
    expect(resigning(state({ game_status: 'ended' }), island, 'player')).toBeNull();
    expect(resigning(state({}), island, null)).toBeNull();
  });

  it('lets the others of a race continue, if any are still playing', () => {
    expect(resigning(race('playing', 'playing'), flood, 'player')).toMatch(/others play on/);
    expect(resigning(race('playing', 'won', 'lost'), flood, 'player')).toMatch(/^The game ends/);
  });

  it('is not offered to a player who has finished, has resigned, or plays alone', () => {
    expect(resigning(race('won', 'playing'), flood, 'player')).toBeNull();
    expect(resigning(race('resigned', 'playing'), flood, 'player')).toBeNull();
    const alone = state({ race: {}, current_role: 'player' });
    expect(resigning(alone, flood, 'player')).toBeNull();
    const one = { players: { player1: true, player2: false }, names: {}, bots: {} };
    const party = (players_info: object) => state({ ...one, players_info });
    expect(resigning(party({ player1: { resigned: false } }), dungeon, 'player1')).toBeNull();
    const two = { player1: { resigned: true }, player2: { resigned: false } };
    expect(resigning(party(two), dungeon, 'player1')).toBeNull();
  });

  it('and playing again concern the people who played', () => {
    const two = { ...race('won', 'lost', 'won'), bots: { player3: 'hard' } };
    expect(otherPeople(two, flood, ['player'])).toEqual(['player2']);
    expect(otherPeople(race('won', 'lost'), flood, [])).toEqual(['player', 'player2']);
  });
});

it('before the start every seat counts, and a game is asked only for fields that it has', () => {
  for (const game_status of ['waiting', 'configuring']) {
    const state = {
      game_status,
      players: { player: true, player1: false },
    } as unknown as RoomState;
    for (const module of [flood, dungeon, island, null])
      for (const role of ['player', 'player1']) expect(partOf(state, module, role)).toBe('playing');
  }
});
