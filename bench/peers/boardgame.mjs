// A server on boardgame.io, in memory: boardgame.mjs PORT
import { createRequire } from 'node:module';
import { Turns } from './turns-boardgame.mjs';

const { Server, Origins } = createRequire(import.meta.url)('boardgame.io/server');
const server = Server({ games: [Turns], origins: [Origins.LOCALHOST] });
await server.run({ port: Number(process.argv[2]), callback: () => console.log('ready') });
