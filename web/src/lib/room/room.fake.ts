/** Rooms of a test: sockets that say what the test lets them say, storage, and a clock that it moves. */
import { afterEach, beforeEach, vi } from 'vitest';
import type { RoomState } from '../protocol';
import type { Refused } from './reach';
import { Room } from './room.svelte';
import type { Socket } from './connection.svelte';

export class FakeSocket implements Socket {
  readyState: 0 | 1 | 2 | 3 = 0;
  sent: Record<string, unknown>[] = [];
  onopen: WebSocket['onopen'] = null;
  onmessage: WebSocket['onmessage'] = null;
  onclose: WebSocket['onclose'] = null;

  constructor(readonly url: string) {}

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.readyState = 3;
  }

  /** What was sent but for the heartbeat. */
  get said(): Record<string, unknown>[] {
    return this.sent.filter((message) => message['type'] !== 'ping');
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.call(this as never, new Event('open'));
  }

  says(message: object): void {
    this.onmessage?.call(
      this as never,
      new MessageEvent('message', { data: JSON.stringify(message) }),
    );
  }

  breaks(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.onclose?.call(this as never, new CloseEvent('close', { code, reason }));
  }
}

export const state = (more: Partial<RoomState> = {}): RoomState => ({
  room_id: 'ABCD',
  game: 'flooded_island',
  rules_version: 1,
  game_status: 'active',
  players: { journeyman: true, weather: true },
  names: {},
  bots: {},
  spectators: 0,
  paused: false,
  current_role: 'journeyman',
  current_turn: 1,
  winner: null,
  config: {},
  created_at: 0,
  started_at: 0,
  ended_at: null,
  seed_hash: null,
  ...more,
});

export let sockets: FakeSocket[];
export let rooms: Room[];
/** What a page would find out over HTTP where a connection does not come about. */
export let refused: Refused | null = null;
export const refuse = (why: Refused | null): void => {
  refused = why;
};

export const newest = (): FakeSocket => {
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error('No socket was opened.');
  return socket;
};

export function enter(game?: string): Room {
  const room = new Room('ABCD', {
    game,
    connect: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    random: () => 0.5,
    why: () => Promise.resolve(refused),
    origin: 'https://example.test',
  });
  rooms.push(room);
  return room;
}

/** A room in which this client holds the journeyman's seat. */
export function seatedRoom(): Room {
  const room = enter();
  newest().opens();
  newest().says({ type: 'room_state', seq: 1, state: state(), you: { role: null } });
  room.select('journeyman', 'Ada');
  newest().says({
    type: 'room_state',
    seq: 2,
    state: state(),
    you: { role: 'journeyman', token: 'secret' },
  });
  return room;
}

/** The connection breaks, and the next one gives the seat back. */
export function comeBack(seq = 2): FakeSocket {
  newest().breaks();
  vi.advanceTimersByTime(1000);
  newest().opens();
  newest().says({ type: 'room_state', seq, state: state(), you: { role: null } });
  newest().says({ type: 'room_state', seq, state: state(), you: { role: 'journeyman' } });
  return newest();
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  rooms = [];
  refused = null;
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage')); // as another tab would: forgets what is only in memory
});

afterEach(() => {
  for (const room of rooms) room.dispose();
  vi.useRealTimers();
});
