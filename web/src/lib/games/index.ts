/**
 * Every game the client has a board for, in the order of games/games.def. A game's folder has an entry (entry.ts),
 * which is in the first page, and its board (index.ts), which is loaded when it is needed.
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
