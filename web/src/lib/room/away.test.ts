/** What is offered to a player whom the others have left, and when. */
import { describe, expect, test, vi } from 'vitest';
import type { You } from '../protocol';
import { offerAlone } from './away';
import { comeBack, newest, seatedRoom, state } from './room.fake';

const away = (more = {}) => state({ players: { journeyman: true, weather: false }, ...more });

describe('away since', () => {
  test('is kept while the seat is empty, and gone when the player or a bot is there', () => {
    const room = seatedRoom();
    const left = Date.now();
    newest().says({ type: 'player_disconnected', role: 'weather' });
    expect(room.awaySince).toEqual({ weather: left });
    vi.advanceTimersByTime(5_000);
    newest().says({ type: 'room_state', seq: 3, state: away(), you: { role: 'journeyman' } });
    expect(room.awaySince).toEqual({ weather: left });
    newest().says({ type: 'player_reconnected', role: 'weather' });
    expect(room.awaySince).toEqual({});
    const bots = { weather: 'easy' };
    newest().says({
      type: 'room_state',
      seq: 4,
      state: away({ bots }),
      you: { role: 'journeyman' },
    });
    expect(room.awaySince).toEqual({});
  });
});

describe('the offer', () => {
  const seat = { role: 'journeyman' };
  const at = (seconds: number, more = {}, you: You = seat) =>
    offerAlone(
      { state: away(more), you, awaySince: { weather: 1_000 } },
      null,
      1_000 + seconds * 1000,
    );

  test('appears after 60 seconds, and the claim after 180', () => {
    expect(at(59)).toBeNull();
    expect(at(60)).toEqual({ roles: ['weather'], claimIn: 120 });
    expect(at(180)).toEqual({ roles: ['weather'], claimIn: 0 });
  });

  test('appears when the server says', () => {
    expect(at(0, {}, { ...seat, away_seconds: 0 })).toEqual({ roles: ['weather'], claimIn: 180 });
    expect(at(99, {}, { ...seat, away_seconds: 100 })).toBeNull();
    expect(at(100, {}, { ...seat, away_seconds: 100 })).not.toBeNull();
  });

  test('is for a seated player who is alone in a running game', () => {
    expect(at(200, {}, { role: null })).toBeNull();
    expect(at(200, { game_status: 'ended' })).toBeNull();
    expect(at(200, { players: { journeyman: true, weather: false, third: true } })).toBeNull();
  });

  test('the claim waits for the player who left last', () => {
    const players = { journeyman: true, weather: false, third: false };
    const awaySince = { weather: 0, third: 50_000 };
    expect(offerAlone({ state: state({ players }), you: seat, awaySince }, null, 100_000)).toEqual({
      roles: ['weather'],
      claimIn: 130,
    });
  });
});

describe('reactions', () => {
  test('one is shown for a few seconds, and no longer than the connection lasts', () => {
    const room = seatedRoom();
    newest().says({ type: 'react', role: 'weather', reaction: 'clap' });
    expect(room.reaction).toMatchObject({ role: 'weather', reaction: 'clap' });
    vi.advanceTimersByTime(4_900);
    newest().says({ type: 'react', role: 'weather', reaction: 'heart' });
    vi.advanceTimersByTime(2_000);
    expect(room.reaction).toMatchObject({ reaction: 'heart' });
    newest().breaks();
    expect(room.reaction).toBeNull();
  });

  test('one that could not be sent is not sent later', () => {
    const room = seatedRoom();
    room.react('wave');
    expect(newest().said.at(-1)).toEqual({ type: 'react', reaction: 'wave' });
    newest().breaks();
    room.react('heart');
    expect(comeBack().said.some((message) => message['type'] === 'react')).toBe(false);
  });
});

test('a name is cut to the length that the server accepts, by characters', () => {
  const room = seatedRoom();
  void room.rename(`  ${'🎈'.repeat(30)}`);
  expect(newest().said.at(-1)).toMatchObject({ type: 'rename', name: '🎈'.repeat(24) });
});
