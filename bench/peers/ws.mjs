// A server on Node's `ws` that stores nothing: ws.mjs PORT
import { WebSocketServer } from 'ws';
import { newGame, play } from './turns.mjs';

const rooms = new Map();
const server = new WebSocketServer({ host: '127.0.0.1', port: Number(process.argv[2]), perMessageDeflate: false });
server.on('listening', () => console.log('ready'));
server.on('connection', (socket, request) => {
  const id = request.url;
  const room = rooms.get(id) ?? { game: newGame(), seats: [] };
  rooms.set(id, room);
  const seat = room.seats.push(socket) - 1;
  socket.on('message', (data) => {
    const update = play(room.game, seat, JSON.parse(data).position);
    if (!update) return socket.send('{"type":"error"}');
    const text = JSON.stringify(update);
    for (const other of room.seats) other.send(text);
  });
  socket.on('close', () => rooms.delete(id));
});
