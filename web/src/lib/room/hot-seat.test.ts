/** Regression: a seat that was given back still counts: as a spectator, after a reload, or in place of the next one. */
import { beforeEach, expect, test, vi } from 'vitest';
import { HotSeat } from './hot-seat.svelte';
import { FakeSocket, state } from './room.fake';

let sockets: FakeSocket[] = [];

beforeEach(() => {
  sockets = [];
  localStorage.clear();
  vi.stubGlobal(
    'WebSocket',
    class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    },
  );
});

const open = (): FakeSocket[] => sockets.filter(({ readyState }) => readyState !== 3);

/** The newest connection has this seat. */
function sits(role: string, token: string): void {
  const socket = sockets.at(-1);
  if (socket?.readyState === 0) socket.opens();
  socket?.says({ type: 'room_state', seq: 1, state: state(), you: { role, token } });
}

test('a seat that was given back is gone, whichever answer comes first', async () => {
  const hot = new HotSeat('ABCD', 'flooded_island');
  sits('first', 'a');
  for (const role of ['second', 'third']) {
    hot.add(role);
    sits(role, role);
  }
  expect(open()).toHaveLength(3);
  // The answer to the message arrives before the state without the seat.
  const leaving = sockets[1];
  const done = hot.remove('second');
  leaving?.says({ type: 'ack', id: 1, seq: 2 });
  await done;
  expect(open()).toHaveLength(2);
  expect(hot.rooms.map((room) => room.you.role)).toEqual(['first', 'third']);
  expect(hot.room.you.role).toBe('first');
  // Or the state arrives first, as from the server.
  hot.add('second');
  sits('second', 'b');
  const gone = hot.remove('second');
  sockets.at(-1)?.says({ type: 'room_state', seq: 2, state: state(), you: { role: null } });
  await gone;
  expect(open()).toHaveLength(2);
  hot.dispose();
  // After a reload the seat in between does not exist, and its place is free.
  sockets = [];
  const again = new HotSeat('ABCD', undefined);
  expect(sockets).toHaveLength(2);
  again.add('second');
  expect(again.rooms.map(({ slot }) => slot)).toEqual([0, 2, 1]);
  again.dispose();
});
