/**
 * The connection of a room: a WebSocket that reconnects by itself, at once when the page wakes or the
 * network returns. It knows nothing of the messages.
 *
 * A page that goes into the back/forward cache or is frozen disconnects, because the browser would go on
 * answering the server's pings in its place; so the player counts as away. On return it connects at once. A
 * hidden page stays connected.
 */
import { TAKEN } from '../local/messages';
import type { ServerMessage } from '../protocol';
import { movedDelay, retryDelay } from './backoff';
import type { Refused } from './reach';

export type Link = 'connecting' | 'open' | 'lost' | 'closed';

/** The part of WebSocket that a room uses. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose'
>;

/** What a connection asks of its room, and the events it reports. */
export interface Ends {
  connect: () => Socket;
  random: () => number;
  /** Why a connection that never opened was refused; null: the network. */
  why: () => Promise<Refused | null>;
  /** Nothing has been shown yet, so the first connection is not a lost one. */
  blank: () => boolean;
  /** A new attempt starts. */
  trying: () => void;
  opened: () => void;
  heard: (message: ServerMessage) => void;
  /** Another tab took over the seat. */
  taken: () => void;
  /** Pending requests of this connection will not be answered. */
  dropped: () => void;
}

const OPEN = 1;
/** Timeout of a connection attempt; a browser by itself waits for minutes. */
const HANDSHAKE = 15_000;
const PING_EVERY = 10_000;
/** How long the other side may be silent after a request. */
export const SILENCE = 6_000;
const SILENCE_ON_WAKE = 2_500;

export class Connection {
  link = $state<Link>('connecting');
  /** When the next attempt is due (Date.now), while the link is lost. */
  retryAt = $state<number | null>(null);
  /** Why the connection is refused although the server answers over HTTP. */
  refusedBecause = $state.raw<Refused | null>(null);
  /** The first attempt failed, and it is not known yet why: nothing is blamed before. */
  wondering = $state(false);

  private socket: Socket | null = null;
  /** The page is in the back/forward cache, or frozen. */
  private asleep = false;
  /** It is closed for good. */
  private ended = false;
  private attempt = 0;
  /** Number of messages so far. */
  private messages = 0;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly listening = new AbortController();

  constructor(private readonly ends: Ends) {
    const { signal } = this.listening;
    document.addEventListener('visibilitychange', this.wake, { signal });
    document.addEventListener('freeze', this.sleep, { signal });
    document.addEventListener('resume', this.wake, { signal });
    addEventListener('online', this.wake, { signal });
    addEventListener('pageshow', this.wake, { signal });
    addEventListener('pagehide', this.sleep, { signal });
  }

  /** `link`: the state shown meanwhile. If the page itself disconnected, nothing was lost. */
  open(link: Link = this.ends.blank() && this.attempt === 0 ? 'connecting' : 'lost'): void {
    if (this.ended) return;
    this.asleep = false;
    this.drop();
    this.link = link;
    this.retryAt = null;
    this.ends.trying();
    const socket = this.ends.connect();
    this.socket = socket;
    let opened = false;
    this.later('silence', HANDSHAKE, () => {
      this.lost();
      void this.blame();
    });
    socket.onopen = () => {
      opened = true;
      this.link = 'open';
      this.refusedBecause = null;
      this.ends.opened();
      this.ping();
    };
    socket.onmessage = (event) => {
      this.messages += 1;
      const message = parse(event.data);
      if (message !== null) this.ends.heard(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (event.code === TAKEN) {
        this.ends.taken();
        return;
      }
      // 1012: the server restarts and is back in a moment. 1008: we sent too much.
      if (event.code === 1008) this.attempt = Math.max(this.attempt, 4);
      this.lost(event.code === 1012 && event.reason === 'room_moved');
      if (!opened) void this.blame();
    };
  }

  /** Connects again although it was closed. */
  reopen(): void {
    this.ended = false;
    this.attempt = 0;
    this.open('connecting');
  }

  /** It works: after the next loss the first retry comes soon. */
  settled(): void {
    this.attempt = 0;
  }

  /** Disconnects, and retries after a while. `moved`: another server has the room already. */
  lost(moved = false): void {
    this.drop();
    if (this.ended) return;
    const delay =
      moved && this.attempt === 0
        ? movedDelay(this.ends.random)
        : retryDelay(this.attempt, this.ends.random);
    this.attempt += 1;
    this.link = 'lost';
    this.retryAt = Date.now() + delay;
    this.later('retry', delay, () => {
      this.open();
    });
  }

  /** Disconnects for good. */
  close(): void {
    this.ended = true;
    this.drop();
    this.link = 'closed';
  }

  dispose(): void {
    this.listening.abort();
    this.close();
  }

  transmit(message: object): void {
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Asks for a sign of life, now and regularly; silence means that the connection is dead. */
  ping(patience = SILENCE): void {
    this.transmit({ type: 'ping', t: Date.now() });
    this.listen('silence', patience);
    this.later('ping', PING_EVERY, () => {
      this.ping();
    });
  }

  /** Expects to hear from the server soon; one timer per name. */
  listen(name: string, patience: number): void {
    const before = this.messages;
    this.later(name, patience, () => {
      if (this.messages === before) this.lost();
    });
  }

  /** Runs `task` after `delay` ms, unless the connection is gone by then. */
  later(name: string, delay: number, task: () => void): void {
    clearTimeout(this.timers.get(name));
    const due = (): void => {
      this.timers.delete(name);
      task();
    };
    this.timers.set(name, setTimeout(due, delay));
  }

  waitsFor(name: string): boolean {
    return this.timers.has(name);
  }

  /** Asks over HTTP before blaming the network. */
  private async blame(): Promise<void> {
    this.wondering = this.attempt === 1;
    const refused = await this.ends.why();
    this.wondering = false;
    // On a slow network the next attempt has failed meanwhile: the reason is as good for that one.
    if (this.link === 'lost') this.refusedBecause = refused;
  }

  /** Drops the socket silently; its further events are ignored. */
  private drop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    const socket = this.socket;
    this.socket = null;
    this.ends.dropped();
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private readonly sleep = (): void => {
    if (this.ended) return;
    this.asleep = true;
    this.drop();
    this.link = 'lost';
    this.retryAt = null;
  };

  private readonly wake = (): void => {
    if (this.ended) return;
    if (this.asleep) {
      this.open('connecting');
      return;
    }
    if (document.visibilityState === 'hidden') return;
    if (this.link === 'lost') this.open();
    else if (this.link === 'open') this.ping(SILENCE_ON_WAKE);
  };
}

function parse(data: unknown): ServerMessage | null {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null && 'type' in value
      ? (value as ServerMessage)
      : null;
  } catch {
    return null;
  }
}
