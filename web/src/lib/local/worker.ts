/**
 * The worker with this browser's hall: a House between a page's messages, IndexedDB, and a thinker's
 * worker.
 */
import type { ThinkTask } from './hall';
import { House } from './house';
import { openJournal } from './indexed';
import { channelName, closeCode } from './messages';
import type { FromHall, FromThinker, Told, ToHall, ToThinker } from './messages';

/** Built by wasm/build. */
const built = import.meta.glob<string>('../engine/hall.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

const say = (message: FromHall): void => {
  postMessage(message);
};

/** Time stops while the page is hidden and its game has rounds. */
class PausableClock {
  private lost = 0;
  private since: number | null = null;

  private real = (): number => performance.now();
  private away = (): number => this.lost + (this.since === null ? 0 : this.real() - this.since);
  mono = (): number => this.real() - this.away();
  wall = (): number => Date.now() - this.away();

  pause(on: boolean): void {
    if (on) this.since ??= this.real();
    else if (this.since !== null) {
      this.lost += this.real() - this.since;
      this.since = null;
    }
  }

  get paused(): boolean {
    return this.since !== null;
  }
}

/** Bots run elsewhere, so that the hall can go on. */
function makeThinker(module: WebAssembly.Module): (task: ThinkTask) => Promise<Uint8Array | null> {
  const worker = new Worker(new URL('./thinker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (answer: Uint8Array | null) => void>();
  const post = (message: ToThinker): void => {
    worker.postMessage(message);
  };
  worker.onmessage = ({ data: { work, answer } }: MessageEvent<FromThinker>) => {
    waiting.get(work)?.(answer);
    waiting.delete(work);
  };
  worker.onerror = () => {
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  post({ module });
  return (task) =>
    new Promise((resolve) => {
      waiting.set(task.work, resolve);
      post({ task });
    });
}

/** Tabs announce which room they are about to read. */
const channel = new BroadcastChannel(channelName);
const clock = new PausableClock();
const journal = openJournal((trouble) => {
  say({ trouble });
});

function makeHouse(module: WebAssembly.Module, think: ReturnType<typeof makeThinker>): House {
  return new House(module, {
    clock,
    key: crypto.getRandomValues(new Uint8Array(32)),
    journal,
    think,
    send: (conn, text) => {
      say({ text, conn });
    },
    closed: (conn, code, reason) => {
      say({ closed: conn, code, reason });
    },
    claim: (room) => {
      channel.postMessage({ room });
    },
  });
}

function run(module: WebAssembly.Module): (message: ToHall) => void {
  const think = makeThinker(module);
  let house = makeHouse(module, think);

  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (!house.holds(data.room)) return;
    // The room must leave this memory, so the hall is restarted. Connections to other rooms are reopened.
    const connections = [...house.connections];
    house.end();
    house = makeHouse(module, think);
    for (const [conn, of] of connections)
      say({ closed: conn, code: closeCode(of, data), reason: '' });
  };

  return (message) => {
    if ('open' in message) house.open(message.open, message.room, message.game);
    else if ('say' in message) house.say(message.say, message.text);
    else if ('close' in message) house.close(message.close);
    else if ('pause' in message) {
      clock.pause(message.pause);
      house.wake();
    } else if (message.kind === 'games')
      say({ answer: message.ask, reply: { status: 200, text: house.hall.games() } });
    else
      void house.ask(message.kind, message.text).then((reply) => {
        say({ answer: message.ask, reply });
      });
  };
}

async function load(): Promise<(message: ToHall) => void> {
  const url = Object.values(built)[0];
  if (url === undefined) throw new Error('There is no hall.wasm.');
  return run(await WebAssembly.compileStreaming(fetch(url)));
}

// Messages that come while it loads wait in the promise's queue, in order.
const ready = load();
ready.catch(() => {
  say({ broken: true });
});
onmessage = ({ data }: MessageEvent<ToHall>) => {
  ready.then(
    (take) => {
      take(data);
    },
    () => undefined,
  );
};
