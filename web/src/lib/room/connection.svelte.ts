/**
 * The connection of a room: a WebSocket that is tried again by itself, at once when the page wakes or the
 * network returns. What is said on it, it does not know.
 *
 * Whoever leaves the page is away: a page that goes into the back/forward cache or is frozen hangs up, for the
 * browser would go on answering the server's pings in its place. On return it connects at once. A hidden page
 * plays on.
 */
import { TAKEN } from '../local/messages';
import type { ServerMessage } from '../protocol';
import { retryDelay } from './backoff';
import type { Refused } from './reach';

export type Link = 'connecting' | 'open' | 'lost' | 'closed';

/** The part of WebSocket that a room uses. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose'
>;

/** What a connection asks of its room, and tells it. */
export interface Ends {
  connect: () => Socket;
  random: () => number;
  /** Why a connection that never came about was refused; null: the network. */
  why: () => Promise<Refused | null>;
  /** Nothing was seen yet: the first connection is no loss. */
  blank: () => boolean;
  /** A new one is tried. */
  trying: () => void;
  opened: () => void;
  heard: (message: ServerMessage) => void;
  /** Another tab took the seat over. */
  taken: () => void;
  /** Whatever was asked on it is answered no more. */
  dropped: () => void;
}

const OPEN = 1;
/** How long a connection may take to come about; a browser by itself waits for minutes. */
const HANDSHAKE = 15_000;
const PING_EVERY = 10_000;
/** How long the other side may take for a sign of life. */
export const SILENCE = 6_000;
const SILENCE_ON_WAKE = 2_500;

export class Connection {
  link = $state<Link>('connecting');
  /** When the next try is due (Date.now), while the link is lost. */
  retryAt = $state<number | null>(null);
  /** The server answers over HTTP but the connection is refused: what is so. */
  refusedBecause = $state.raw<Refused | null>(null);

  private socket: Socket | null = null;
  /** The page is in the back/forward cache, or frozen. */
  private asleep = false;
  /** It is not to be tried again. */
  private ended = false;
  private attempt = 0;
  /** Messages so far. */
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

  /** `link`: how that looks meanwhile. Where the page had hung up by itself, nothing was lost. */
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
      // 1012: the server restarts and is back in a moment. 1008: we were too loud.
      if (event.code === 1008) this.attempt = Math.max(this.attempt, 4);
      this.lost();
      if (!opened) void this.blame();
    };
  }

  /** Connects again although it was closed. */
  reopen(): void {
    this.ended = false;
    this.attempt = 0;
    this.open('connecting');
  }

  /** It works: the next loss is tried again soon. */
  settled(): void {
    this.attempt = 0;
  }

  /** Hangs up, and tries again after a while. */
  lost(): void {
    this.drop();
    if (this.ended) return;
    const delay = retryDelay(this.attempt, this.ends.random);
    this.attempt += 1;
    this.link = 'lost';
    this.retryAt = Date.now() + delay;
    this.later('retry', delay, () => {
      this.open();
    });
  }

  /** Hangs up, and connects no more. */
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

  /** Asks for a sign of life, now and from now on; silence means that the connection is gone. */
  ping(patience = SILENCE): void {
    this.transmit({ type: 'ping', t: Date.now() });
    this.listen('silence', patience);
    this.later('ping', PING_EVERY, () => {
      this.ping();
    });
  }

  /** Something should be heard from the server soon. One at a time of each name. */
  listen(name: string, patience: number): void {
    const before = this.messages;
    this.later(name, patience, () => {
      if (this.messages === before) this.lost();
    });
  }

  /** Calls `task` in `delay` ms, unless the connection is gone by then. */
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

  /** Asks over HTTP before the network is blamed. */
  private async blame(): Promise<void> {
    const attempt = this.attempt;
    const refused = await this.ends.why();
    if (this.attempt === attempt && this.link === 'lost') this.refusedBecause = refused;
  }

  /** Forgets the socket without a word; whatever it still says is not heard. */
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
