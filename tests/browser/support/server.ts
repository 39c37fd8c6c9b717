/** A server for one test: a free port, a database in a temporary folder, and a way to kill it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program =
  process.env['BOARDWALK'] ?? fileURLToPath(new URL('../../../build/boardwalk', import.meta.url));

let last = 20_000 + ((process.pid * 16) % 10_000);

/** Below the system's range for outgoing connections: nobody takes it before the server does, or while the server is
 * down. */
async function freePort(): Promise<number> {
  for (;;) {
    last += 1;
    const probe = createServer().listen(last, '127.0.0.1');
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (free) return last;
  }
}

export class Server {
  private process: ChildProcess | null = null;
  private said = '';

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly settings: Record<string, string>,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** With additional settings, by their names in the environment. */
  static async start(settings: Record<string, string> = {}): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), 'boardwalk-browser-'));
    const server = new Server(await freePort(), folder, settings);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const child = spawn(program, ['serve'], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      env: {
        ...process.env,
        BACKEND_PORT: String(this.port),
        BIND: '127.0.0.1',
        FRONTEND_URL: this.url,
        DATABASE: join(this.folder, 'boardwalk.db'),
        MAX_ROOMS_PER_ADDRESS_PER_MINUTE: '0',
        MAX_MISSES_PER_ADDRESS_PER_MINUTE: '0',
        ...this.settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = child;
    child.stdout.on('data', (data) => (this.said += String(data)));
    child.stderr.on('data', (data) => (this.said += String(data)));
    const until = Date.now() + 10_000;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The server exited at once:\n${this.said}`);
      const ready = await fetch(`${this.url}/readyz`).catch(() => null);
      if (ready?.ok) return;
      if (Date.now() > until) throw new Error(`The server is not ready after 10 s:\n${this.said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Stops responding, until it is killed. */
  stall(): void {
    this.process?.kill('SIGSTOP');
  }

  /** SIGKILL: it closes no connection properly. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process;
    this.process = null;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
