/** The HTTP side of the server: the list of games, new rooms, finished games. */
import type { GameId, GameInfo, RoomState } from './protocol';

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Error('The server cannot be reached. Check the network, then try again.');
  }
  if (response.ok || response.status === 404) return response;
  // {"error": {"code", "message"}}, the message a sentence for people.
  const body = (await response.json().catch(() => null)) as {
    error?: { message?: string };
  } | null;
  const said = body?.error?.message;
  throw new Error(said ?? `The server answered with error ${response.status}. Try again soon.`);
}

let games: Promise<GameInfo[]> | null = null;

/** Every game of the server; asked for once. */
export function fetchGames(): Promise<GameInfo[]> {
  games ??= ask('/api/games').then((response) => response.json() as Promise<GameInfo[]>);
  games.catch(() => {
    games = null;
  });
  return games;
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

/** The room as a spectator sees it, or null where there is none. */
export async function fetchRoom(id: string): Promise<RoomState | null> {
  const response = await ask(`/api/rooms/${id}`);
  return response.status === 404 ? null : ((await response.json()) as RoomState);
}

/** A finished game's file, or null where there is none. */
export async function fetchReplay(id: string): Promise<string | null> {
  const response = await ask(`/api/replays/${encodeURIComponent(id)}`);
  return response.status === 404 ? null : response.text();
}
