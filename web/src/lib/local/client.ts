/**
 * The interface of pages to this browser's hall: sockets for rooms, and requests as over HTTP. The worker
 * and hall.wasm are loaded on first use.
 */
import { bareId } from '../place';
import type { Socket } from '../room/connection.svelte';
import { storage } from '../storage.svelte';
import type { Reply } from './house';
import type { Asked, FromHall, ToHall } from './messages';

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;

class LocalSocket implements Socket {
  readyState: Socket['readyState'] = CONNECTING;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;

  constructor(
    private readonly conn: number,
    private readonly hall: LocalHall,
  ) {}

  send(text: string): void {
    this.hall.post({ say: this.conn, text });
  }

  close(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.hall.hangUp(this.conn);
  }

  /* Handlers are called like those of a WebSocket, whose type asks for `this`. */
  opened(): void {
    if (this.readyState !== CONNECTING) return;
    this.readyState = OPEN;
    this.onopen?.call(this as unknown as WebSocket, new Event('open'));
  }

  heard(data: string): void {
    this.onmessage?.call(this as unknown as WebSocket, new MessageEvent('message', { data }));
  }

  closed(code: number, reason: string): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.onclose?.call(this as unknown as WebSocket, new CloseEvent('close', { code, reason }));
  }
}

class LocalHall {
  private worker: Worker | null = null;
  private last = 0;
  private readonly sockets = new Map<number, LocalSocket>();
  private readonly asked = new Map<number, (reply: Reply | null) => void>();

  /** `url` as of a server's room, /ws/{room}?game={game}. */
  connect(url: string): Socket {
    const { pathname, searchParams } = new URL(url);
    this.last += 1;
    const conn = this.last;
    const socket = new LocalSocket(conn, this);
    this.sockets.set(conn, socket);
    const room = bareId(decodeURIComponent(pathname.split('/').at(-1) ?? ''));
    this.post({ open: conn, room, game: searchParams.get('game') ?? '' });
    // From here on the worker handles messages in order.
    queueMicrotask(() => {
      socket.opened();
    });
    return socket;
  }

  /** Fails with a sentence if the hall cannot be loaded, or refuses. */
  async ask(kind: Asked, text = ''): Promise<Reply> {
    this.last += 1;
    const id = this.last;
    const reply = await new Promise<Reply | null>((resolve) => {
      this.asked.set(id, resolve);
      this.post({ ask: id, kind, text });
    });
    if (reply === null)
      throw new Error('The game could not be loaded. Check the network, then try again.');
    return reply;
  }

  /** Stops or resumes the clock. Without an open game there is none. */
  pause(on: boolean): void {
    if (this.worker !== null) this.post({ pause: on });
  }

  post(message: ToHall): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  hangUp(conn: number): void {
    this.sockets.delete(conn);
    if (this.worker !== null) this.post({ close: conn });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromHall>) => {
      this.receive(data);
    };
    worker.onerror = () => {
      this.broken();
    };
    return worker;
  }

  private receive(message: FromHall): void {
    if ('text' in message) this.sockets.get(message.conn)?.heard(message.text);
    else if ('closed' in message) {
      const socket = this.sockets.get(message.closed);
      this.sockets.delete(message.closed);
      socket?.closed(message.code, message.reason);
    } else if ('answer' in message) {
      this.asked.get(message.answer)?.(message.reply);
      this.asked.delete(message.answer);
    } else if ('trouble' in message) storage.tell(message.trouble);
    else this.broken();
  }

  /** The next use tries again. */
  private broken(): void {
    this.worker?.terminate();
    this.worker = null;
    const sockets = [...this.sockets.values()];
    this.sockets.clear();
    for (const socket of sockets) socket.closed(1006, '');
    for (const answer of this.asked.values()) answer(null);
    this.asked.clear();
  }
}

export const localHall = new LocalHall();
