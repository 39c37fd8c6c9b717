/**
 * A stand-in for the server while the real one is being built: enough of the
 * protocol for one Flooded Island room to be played by hand (`npm run dev:mock`).
 * Everything is in memory; nothing here is meant to be complete.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

type Point = { x: number; y: number };
type Role = 'journeyman' | 'weather';
type Message = Record<string, unknown> & { type: string; id?: number };

const games = [
  {
    id: 'flooded_island',
    title: 'Flooded Island',
    summary: 'An adventurer walks an island that the weather floods.',
    roles: [
      { id: 'journeyman', title: 'Adventurer' },
      { id: 'weather', title: 'Weather' },
    ],
    seats_min: 2,
    config: {
      type: 'object',
      properties: {
        width: { type: 'integer', minimum: 3, maximum: 10, default: 10, description: 'columns' },
        height: { type: 'integer', minimum: 3, maximum: 10, default: 10, description: 'rows' },
        max_flood_count: {
          type: 'integer',
          minimum: 1,
          maximum: 3,
          default: 2,
          description: 'squares that the weather may flood in a night',
        },
      },
    },
    bots: ['easy', 'normal', 'hard', 'perfect'],
    rules_version: 1,
    rounds: false,
  },
];

class MockRoom {
  seq = 1;
  sockets = new Map<WebSocket, Role | null>();
  tokens: Partial<Record<Role, string>> = {};
  staged: { position: Point | null; positions: Point[] } = { position: null, positions: [] };
  stats = { days_survived: 0, fields_flooded: 0, fields_dried: 0 };
  state;

  constructor(readonly id: string) {
    this.state = {
      room_id: id,
      game: 'flooded_island',
      rules_version: 1,
      game_status: 'waiting',
      players: { journeyman: false, weather: false } as Record<Role, boolean>,
      names: { journeyman: null, weather: null } as Record<Role, string | null>,
      bots: { journeyman: null, weather: null } as Record<Role, string | null>,
      spectators: 0,
      paused: false,
      current_role: null as Role | null,
      current_turn: 0,
      winner: null as Role | null,
      config: { width: 10, height: 10, max_flood_count: 2 },
      created_at: Date.now(),
      started_at: null as number | null,
      ended_at: null as number | null,
      seed_hash: null,
      width: 10,
      height: 10,
      grid_size: 10 as number | null,
      max_flood_count: 2,
      phase: 'day' as 'day' | 'night',
      days_survived: 0,
      fields_flooded: 0,
      fields_dried: 0,
      resigned: null,
      grid: [] as string[][],
      journeyman_position: null as Point | null,
    };
  }

  send(socket: WebSocket, message: object): void {
    socket.send(JSON.stringify(message));
  }

  greet(socket: WebSocket): void {
    const role = this.sockets.get(socket) ?? null;
    this.send(socket, {
      type: 'room_state',
      seq: this.seq,
      state: this.state,
      you: {
        role,
        token: role === null ? null : this.tokens[role],
        staged: this.view(role),
        may_configure: role === 'journeyman',
      },
    });
  }

  view(role: Role | null): object | null {
    if (role === null || role !== this.state.current_role) return null;
    return role === 'weather'
      ? { positions: this.staged.positions }
      : { position: this.staged.position };
  }

  everybody(): void {
    const roles = [...this.sockets.values()];
    this.seq += 1;
    this.state.spectators = roles.filter((role) => role === null).length;
    this.state.players.journeyman = roles.includes('journeyman');
    this.state.players.weather = roles.includes('weather');
    const { players, bots } = this.state;
    const full = (['journeyman', 'weather'] as const).every((r) => players[r] || bots[r] !== null);
    if (this.state.game_status === 'active') this.state.paused = !full;
    else if (this.state.game_status !== 'ended')
      this.state.game_status = full ? 'configuring' : 'waiting';
    for (const socket of this.sockets.keys()) this.greet(socket);
  }

  update(events: object[], changes: object): void {
    this.seq += 1;
    for (const socket of this.sockets.keys())
      this.send(socket, { type: 'game_update', seq: this.seq, events, changes });
  }

  start(): void {
    const s = this.state;
    Object.assign(s, s.config, {
      game_status: 'active',
      grid: Array.from({ length: s.config.height }, () => Array(s.config.width).fill('dry')),
      grid_size: s.config.width === s.config.height ? s.config.width : null,
      journeyman_position: { x: 0, y: 0 },
      current_role: 'journeyman',
      current_turn: 1,
      started_at: Date.now(),
    });
    this.everybody();
  }

  steps(): Point[] {
    const { grid, journeyman_position: at } = this.state;
    if (at === null) return [];
    return grid.flatMap((row, y) =>
      row.flatMap((field, x) =>
        field === 'dry' && Math.max(Math.abs(x - at.x), Math.abs(y - at.y)) === 1 ? [{ x, y }] : [],
      ),
    );
  }

  over(winner: Role): void {
    Object.assign(this.state, { game_status: 'ended', winner, ended_at: Date.now() });
    this.update([], { game_status: 'ended', winner });
    this.seq += 1;
    for (const socket of this.sockets.keys())
      this.send(socket, {
        type: 'game_over',
        seq: this.seq,
        winner,
        stats: this.stats,
        seed: null,
        replay_id: `${this.id}R`,
      });
  }

  endTurn(): string | null {
    const s = this.state;
    const events: object[] = [];
    if (s.current_role === 'journeyman') {
      const to = this.staged.position;
      if (to === null) return 'Choose a dry neighbouring field first.';
      events.push({ type: 'moved', from: s.journeyman_position, to });
      s.journeyman_position = to;
      const dried = [
        { x: to.x, y: to.y - 1 },
        { x: to.x + 1, y: to.y },
        { x: to.x, y: to.y + 1 },
        { x: to.x - 1, y: to.y },
      ].filter(({ x, y }) => s.grid[y]?.[x] === 'flooded');
      for (const { x, y } of dried) (s.grid[y] as string[])[x] = 'dry';
      events.push({ type: 'dried', positions: dried });
      this.stats.fields_dried += dried.length;
      this.stats.days_survived += 1;
      s.current_role = 'weather';
    } else {
      for (const { x, y } of this.staged.positions) (s.grid[y] as string[])[x] = 'flooded';
      this.stats.fields_flooded += this.staged.positions.length;
      events.push({ type: 'flooded', positions: this.staged.positions });
      s.current_role = 'journeyman';
      s.current_turn += 1;
    }
    this.staged = { position: null, positions: [] };
    s.phase = s.current_role === 'weather' ? 'night' : 'day';
    Object.assign(s, this.stats);
    const { phase, grid, journeyman_position, current_role, current_turn } = s;
    this.update(events, {
      ...this.stats,
      phase,
      grid,
      journeyman_position,
      current_role,
      current_turn,
    });
    if (s.current_role === 'journeyman' && this.steps().length === 0) this.over('weather');
    else if (s.current_role !== null && s.bots[s.current_role] !== null)
      setTimeout(() => {
        this.bot();
      }, 700);
    return null;
  }

  bot(): void {
    const steps = this.steps();
    const pick = (list: Point[]) => list[Math.floor(Math.random() * list.length)];
    if (this.state.current_role === 'weather') {
      const near = steps.filter(() => Math.random() < 0.7).slice(0, this.state.max_flood_count);
      this.staged.positions = near;
    } else this.staged.position = pick(steps) ?? null;
    this.endTurn();
  }

  /** An error's sentence, or null when it was done. */
  handle(socket: WebSocket, message: Message): [string, string] | null {
    const s = this.state;
    const role = this.sockets.get(socket) ?? null;
    switch (message.type) {
      case 'resume': {
        const mine = (['journeyman', 'weather'] as const).find(
          (one) => this.tokens[one] === message['token'],
        );
        if (mine === undefined) return ['no_seat', 'This seat is not yours any more.'];
        for (const [other, held] of this.sockets)
          if (held === mine && other !== socket) this.sockets.set(other, null);
        this.sockets.set(socket, mine);
        this.everybody();
        return null;
      }
      case 'select_role': {
        const wanted = message['role'] as Role;
        if (s.players[wanted] || s.bots[wanted] !== null)
          return ['role_taken', 'Somebody has that seat already.'];
        this.sockets.set(socket, wanted);
        this.tokens[wanted] = randomBytes(16).toString('hex');
        s.names[wanted] = (message['name'] as string | undefined) ?? null;
        this.everybody();
        return null;
      }
      case 'leave_role':
        if (role !== null) s.names[role] = null;
        this.sockets.set(socket, null);
        this.everybody();
        return null;
      case 'add_bot':
        s.bots[message['role'] as Role] = message['level'] as string;
        this.everybody();
        return null;
      case 'remove_bot':
        s.bots[message['role'] as Role] = null;
        this.everybody();
        return null;
      case 'configure': {
        const { type: _type, id: _id, ...rest } = message;
        Object.assign(s.config, rest);
        this.everybody();
        return null;
      }
      case 'start':
        this.start();
        if (s.bots.journeyman !== null)
          setTimeout(() => {
            this.bot();
          }, 700);
        return null;
      case 'resign':
        if (role !== null) this.over(role === 'weather' ? 'journeyman' : 'weather');
        return null;
      case 'ping':
        this.send(socket, { type: 'pong', t: message['t'], server_time: Date.now() });
        return null;
      case 'move': {
        const to = message['position'] as Point | null;
        if (to !== null && !this.steps().some((p) => p.x === to.x && p.y === to.y))
          return ['illegal', 'Choose a dry field beside the adventurer.'];
        this.staged.position = to;
        return null;
      }
      case 'flood':
        this.staged.positions = message['positions'] as Point[];
        return null;
      case 'end_turn': {
        const trouble = this.endTurn();
        return trouble === null ? null : ['illegal', trouble];
      }
      default:
        return ['unknown_type', `There is no message "${message.type}".`];
    }
  }
}

export function mockServer(): Plugin {
  const rooms = new Map<string, MockRoom>();
  const room = (id: string): MockRoom => {
    const found = rooms.get(id) ?? new MockRoom(id);
    rooms.set(id, found);
    return found;
  };
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  return {
    name: 'boardwalk:mock-server',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const id = url.pathname.split('/')[3] ?? '';
        if (url.pathname === '/api/games') json(response, 200, games);
        else if (url.pathname === '/api/rooms' && request.method === 'POST') {
          const created = room(randomBytes(3).toString('hex').toUpperCase());
          json(response, 201, {
            room_id: created.id,
            game: created.state.game,
            url: `/game/${created.id}`,
          });
        } else if (url.pathname.startsWith('/api/rooms/')) {
          const found = rooms.get(id);
          if (found === undefined) json(response, 404, { message: 'There is no such room.' });
          else json(response, 200, found.state);
        } else if (url.pathname.startsWith('/api/')) json(response, 404, {});
        else next();
      });
      const sockets = new WebSocketServer({ noServer: true });
      server.httpServer?.on('upgrade', (request: IncomingMessage, socket, head) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        if (!url.pathname.startsWith('/ws/')) return;
        sockets.handleUpgrade(request, socket, head, (ws) => {
          const here = room(url.pathname.split('/')[2] ?? '');
          here.sockets.set(ws, null);
          here.everybody();
          ws.on('message', (data) => {
            const message = JSON.parse(String(data)) as Message;
            const trouble = here.handle(ws, message);
            if (trouble !== null)
              here.send(ws, {
                type: 'error',
                code: trouble[0],
                message: trouble[1],
                id: message.id,
              });
            else if (message.id !== undefined)
              here.send(ws, { type: 'ack', id: message.id, seq: here.seq });
          });
          ws.on('close', () => {
            here.sockets.delete(ws);
            here.everybody();
          });
        });
      });
    },
  };
}
