/**
 * Every game for which the client has a board, in the order of games/games.def. A game's folder has an
 * entry (entry.ts), which is part of the first page, and a board (index.ts), which is loaded on demand.
 */
import { gameIds } from '../generated/wire';
import type { GameId } from '../protocol';
import type { GameEntry, GameModule } from './types';

const entries = import.meta.glob<Omit<GameEntry, 'id' | 'load'>>(['./*/entry.ts', '!./_blank/**'], {
  eager: true,
  import: 'default',
});
const modules = import.meta.glob<{ default: GameModule }>(['./*/index.ts', '!./_blank/**']);

export const games: GameEntry[] = gameIds.flatMap((id) => {
  const entry = entries[`./${id}/entry.ts`];
  const load = modules[`./${id}/index.ts`];
  return entry === undefined || load === undefined ? [] : [{ ...entry, id, load }];
});

export function gameEntry(id: GameId): GameEntry | undefined {
  return games.find((game) => game.id === id);
}
