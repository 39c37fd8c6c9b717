// A server on Colyseus that stores nothing: colyseus.mjs PORT
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { newGame, play } from './turns.mjs';

class Turns extends Room {
  maxClients = 2;

  onCreate() {
    const game = newGame();
    this.onMessage('move', (client, message) => {
      const update = play(game, this.clients.indexOf(client), message.position);
      if (update) this.broadcast('update', update);
      else client.send('error', {});
    });
  }
}

const server = new Server({ transport: new WebSocketTransport({ perMessageDeflate: false }), greet: false });
server.define('turns', Turns);
await server.listen(Number(process.argv[2]), '127.0.0.1');
console.log('ready');
