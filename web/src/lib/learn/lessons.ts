/** The lessons of every game: texts in the games' own folders, fetched when their page opens. */
import type { GameId } from '../protocol';

const texts = import.meta.glob<string>('../../../../games/*/lessons/*.lesson', {
  query: '?raw',
  import: 'default',
});

/** The names of a game's lessons, in order. */
export function lessonsOf(game: GameId): string[] {
  return Object.keys(texts)
    .filter((path) => path.includes(`/${game}/lessons/`))
    .sort();
}

export async function lessonText(game: GameId): Promise<string | null> {
  const [first] = lessonsOf(game);
  return (await (first === undefined ? undefined : texts[first]?.())) ?? null;
}
