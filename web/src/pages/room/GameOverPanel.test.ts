/** What the end of a game says to players and spectators, and how often. */
import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import flood from '../../lib/games/flood_it';
import type { RoomState } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import { announcements } from '../../lib/ui/announcer.svelte';
import GameOverPanel from './GameOverPanel.svelte';

afterEach(cleanup);

const entry = (move_count: number) => ({ outcome: 'won', move_count, controlled_count: 64 });

function room(you: string | null, offered: string[], more: object = {}): Room {
  const state = {
    game: 'flood_it',
    game_status: 'ended',
    players: { player: true, player2: true, player3: true, player4: false },
    names: { player: 'Ada', player2: 'Bo', player3: 'Cy' },
    bots: {},
    race: { player: entry(9), player2: entry(8), player3: entry(10) },
    colors: ['red', 'green'],
    seed: 'a',
    settings: {},
    rows: 8,
    cols: 8,
    par: 12,
    winner: 'player2',
    ...more,
  } as unknown as RoomState;
  const offer =
    offered.length === 0 ? null : { roles: offered, by: offered.at(-1) ?? null, swap: false };
  return {
    state,
    you: { role: you },
    offer,
    over: { winner: 'player2' },
    next: null,
    live: true,
  } as unknown as Room;
}

const show = (shown: Room) =>
  render(GameOverPanel, { room: shown, info: undefined, module: flood });

test('one of three people who wants to play again sees who is still awaited', () => {
  show(room('player', ['player', 'player2']));
  expect(screen.getByText('You asked to play again. Waiting for Cy...')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Cancel request' })).toBeTruthy();
});

test('it also says if they are not here', () => {
  show(room('player', ['player'], { players: { player: true, player2: true, player3: false } }));
  expect(screen.getByText(/Waiting for Bo and Cy... Cy is not here now.$/)).toBeTruthy();
});

test('a player who has not agreed yet sees all who want to, and agrees with one button', () => {
  show(room('player3', ['player', 'player2']));
  expect(screen.getByText('Ada and Bo want to play again.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Play again' })).toBeTruthy();
});

test('a spectator sees it too, and has nothing to agree to', () => {
  show(room(null, ['player']));
  expect(screen.getByText('Ada wants to play again.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Play again' })).toBeNull();
});

test('the result is announced once, whoever joins or leaves', async () => {
  const say = vi.spyOn(announcements, 'say');
  const { rerender } = show(room('player', []));
  await rerender({ room: room('player', [], { spectators: 3 }) });
  expect(say).toHaveBeenCalledTimes(1);
});
