// Offers moves to a peer at an even pace, and checks every answer:
//   offer.mjs KIND PORT --rooms N --rate M --seconds S     KIND: echo, ws, fastapi, colyseus, boardgame
//   offer.mjs KIND PORT --idle N                           opens N connections, prints "idle", waits until stdin ends
// In each room two clients move in turn; a move is complete when both have received its update. Prints "playing" when
// all rooms are open, and one line of JSON at the end.
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rooms: { type: 'string', default: '500' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '6' },
    idle: { type: 'string', default: '0' },
  },
});
const [kind, port] = positionals;
const [rooms, rate, seconds, idle] = [values.rooms, values.rate, values.seconds, values.idle].map(Number);

/** A client of a peer that speaks plain WebSocket: calls `told` with each update. */
async function plain(room, told) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/${room}`, { perMessageDeflate: false });
  await new Promise((opened, failed) => socket.on('open', opened).on('error', failed));
  socket.on('message', (data) => told(JSON.parse(data)));
  return (position, id) => socket.send(JSON.stringify({ type: 'move', position, id }));
}

async function colyseus() {
  const { Client } = await import('@colyseus/sdk');
  const client = new Client(`ws://127.0.0.1:${port}`);
  const made = new Map();
  return async (room, told) => {
    const joined = made.has(room) ? await client.joinById(made.get(room)) : await client.create('turns');
    made.set(room, joined.roomId);
    joined.onMessage('update', told);
    joined.onMessage('error', () => told({}));
    return (position, id) => joined.send('move', { position, id });
  };
}

async function boardgame() {
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  const { Client } = require('boardgame.io/client');
  const { SocketIO } = require('boardgame.io/multiplayer');
  const { Turns } = await import('./turns-boardgame.mjs');
  const seats = new Map();
  return async (room, told) => {
    const seat = seats.get(room) ?? 0;
    seats.set(room, seat + 1);
    const client = Client({ game: Turns, numPlayers: 2, matchID: room, playerID: String(seat), debug: false,
      multiplayer: SocketIO({ server: `http://127.0.0.1:${port}`, socketOpts: { transports: ['websocket'] } }) });
    let seq = 0;
    await new Promise((opened) => {
      client.subscribe((state) => {
        if (state?.G && state.isConnected) opened();
        if (!state?.G || state.G.seq <= seq) return;
        seq = state.G.seq;
        told({ seq, position: state.G.last });
      });
      client.start();
    });
    return (position) => client.moves.play(position);
  };
}

const connect = kind === 'colyseus' ? await colyseus() : kind === 'boardgame' ? await boardgame() : plain;

if (idle) {
  for (let i = 0; i < idle; i++) await connect(`IDLE${i >> 1}`, () => {});
  console.log('idle');
  for await (const _ of process.stdin);
  process.exit(0);
}

const latencies = [];
let failed = 0;
const open = [];
for (let i = 0; i < rooms; i++) {
  const room = { seq: 0, waiting: 0, position: undefined, at: 0, clients: [] };
  const told = (update) => {
    const right = kind === 'echo' ? update.id === room.seq : update.seq === room.seq;
    if (!room.waiting || !right || update.position?.x !== room.position.x || update.position?.y !== room.position.y) failed++;
    else if (--room.waiting === 0) latencies.push(performance.now() - room.at);
  };
  for (let seat = 0; seat < 2; seat++) room.clients.push(await connect(`ROOM${i}`, told));
  open.push(room);
}
latencies.length = 0;
console.log('playing');

let passed = 0;
const begun = performance.now();
for (let offered = 0, next = 0; performance.now() - begun < seconds * 1000; await pause(1)) {
  for (const due = ((performance.now() - begun) / 1000) * rate; offered < due; offered++) {
    const room = open[next++ % rooms];
    if (room.waiting) {
      passed++;
      continue;
    }
    room.position = { x: (room.seq * 7) % 10, y: (room.seq * 3) % 10 };
    room.waiting = kind === 'echo' ? 1 : 2;
    room.at = performance.now();
    room.clients[room.seq++ % 2](room.position, room.seq);
  }
}
const took = (performance.now() - begun) / 1000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
console.log(JSON.stringify({ moves: latencies.length, moves_per_second: latencies.length / took, passed_over: passed, failed,
  latency_ms: { p50: at(0.5), p99: at(0.99) } }));
process.exit(failed ? 1 : 0);
