/**
 * The list of games, new rooms and finished games: from the server over HTTP, or from this browser's own
 * hall (lib/local), whose rooms and replays have recognisable names (place.ts).
 */
import { localHall } from './local/client';
import type { Asked } from './local/messages';
import { bareId, isLocal, localName } from './place';
import type { GameId, GameInfo, RoomState } from './protocol';

/** A file is sent for so long at most. */
const uploadMs = 60_000;
const upload = (body: Blob): RequestInit => ({
  method: 'POST',
  body,
  signal: AbortSignal.timeout(uploadMs),
});

async function request(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new Error('The server cannot be reached. Check the network, then try again.');
  }
}

/** {"type": "error", "code", "message"}; the message is a sentence for people. */
async function refusal(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => null)) as { message?: string } | null;
  const status = `The server answered with error ${response.status}. Try again soon.`;
  return new Error(body?.message ?? status);
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const response = await request(path, init);
  if (!response.ok) throw await refusal(response);
  return response;
}

/** null: not found. */
async function look(path: string): Promise<Response | null> {
  const response = await request(path);
  if (!response.ok && response.status !== 404) throw await refusal(response);
  return response.ok ? response : null;
}

/** null: not found in this browser. */
async function here(kind: Asked, text = ''): Promise<string | null> {
  const reply = await localHall.ask(kind, text);
  if (reply.status < 300) return reply.text;
  if (reply.status === 404) return null;
  throw new Error((JSON.parse(reply.text) as { message: string }).message);
}

let games: Promise<GameInfo[]> | null = null;
let localGames: Promise<GameInfo[]> | null = null;

/** Every game that this browser can play by itself. */
export function fetchLocalGames(): Promise<GameInfo[]> {
  localGames ??= here('games').then((text) => JSON.parse(text ?? '[]') as GameInfo[]);
  localGames.catch(() => {
    localGames = null;
  });
  return localGames;
}

/** Every game of the server; fetched once. */
export function fetchGames(): Promise<GameInfo[]> {
  games ??= ask('/api/games').then((response) => response.json() as Promise<GameInfo[]>);
  games.catch(() => {
    games = null;
  });
  return games;
}

/** In this browser: with its name as room_id. */
export async function createLocalRoom(
  game: GameId,
  config?: object,
  from?: { replay_id: string; seq: number },
): Promise<{ room_id: string }> {
  const replay = from === undefined ? {} : { ...from, replay_id: bareId(from.replay_id) };
  const text = await here('create', JSON.stringify({ game, config, ...replay }));
  if (text === null) throw new Error('This browser no longer has this game.');
  return { room_id: localName((JSON.parse(text) as { room_id: string }).room_id) };
}

/** A room of this browser at the last position of a running game's file; its seats are free. */
export async function makeLocalRoom(file: string): Promise<string> {
  const text = await here('bring', file);
  if (text === null) throw new Error('This browser does not play the game.');
  return localName((JSON.parse(text) as { room_id: string }).room_id);
}

/** Gives a finished game's file to this browser's hall, as to a server. */
export async function keepReplay(file: string): Promise<{ replay_id: string }> {
  const text = await here('share', file);
  return { replay_id: localName((JSON.parse(text ?? '{}') as { replay_id: string }).replay_id) };
}

export async function createRoom(
  game: GameId,
  config?: object,
  /** Play on from a move of a finished game. */
  from?: { replay_id: string; seq: number },
): Promise<{ room_id: string; game: GameId; url: string }> {
  const response = await ask('/api/rooms', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game, config, ...from }),
  });
  return (await response.json()) as { room_id: string; game: GameId; url: string };
}

/** The room as a spectator sees it, or null if there is none. */
export async function fetchRoom(id: string): Promise<RoomState | null> {
  if (isLocal(id)) {
    const text = await here('state', bareId(id));
    return text === null ? null : (JSON.parse(text) as RoomState);
  }
  const response = await look(`/api/rooms/${id}`);
  return response === null ? null : ((await response.json()) as RoomState);
}

/**
 * Uploads a finished game's file to the server, which checks every line. Fails with a sentence that names
 * the line.
 */
export async function shareReplay(file: Blob): Promise<{ replay_id: string; url: string }> {
  const response = await ask('/api/replays', upload(file));
  return (await response.json()) as { replay_id: string; url: string };
}

/**
 * Uploads a running game of this browser to the server, which makes a room from it. The game here is
 * unchanged.
 */
export async function bringGame(id: string): Promise<{ room_id: string }> {
  const file = await here('log', bareId(id));
  if (file === null) throw new Error('This browser no longer has this game.');
  const response = await ask('/api/games/running', upload(new Blob([file])));
  return (await response.json()) as { room_id: string };
}

/** A finished game's file, or null if there is none. */
export async function fetchReplay(id: string): Promise<string | null> {
  if (isLocal(id)) return here('replay', bareId(id));
  const response = await look(`/api/replays/${encodeURIComponent(id)}`);
  return response === null ? null : response.text();
}
