/** A room that is closed while a player is in it: its replay is one tap away. */
import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import RoomPage from './RoomPage.svelte';

class FakeSocket {
  static last: FakeSocket | null = null;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    FakeSocket.last = this;
  }
  send(): void {}
  close(): void {}
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('fetch', () => Promise.reject(new Error('There is no server.')));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const closed = { type: 'room_closed', reason: 'The game ended a while ago. Its replay stays.' };

test('links to the replay of a game that was played there', async () => {
  render(RoomPage, { id: 'ABCD' });
  FakeSocket.last?.says({ type: 'game_over', seq: 9, winner: null, stats: {}, replay_id: 'XYZ' });
  FakeSocket.last?.says(closed);
  const link = await screen.findByRole('link', { name: 'Replay' });
  expect(link.getAttribute('href')).toBe('/replay/XYZ');
  expect(screen.getByRole('link', { name: 'Choose a game' })).toBeTruthy();
});

test('links to nothing if there was no game', async () => {
  render(RoomPage, { id: 'ABCD' });
  FakeSocket.last?.says(closed);
  expect(await screen.findByRole('link', { name: 'Choose a game' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Replay' })).toBeNull();
});
