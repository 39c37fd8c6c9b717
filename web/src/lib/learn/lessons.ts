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

/** All texts of a lesson: a box that fits the longest never has to grow. */
export function saidIn(text: string): string[][] {
  const said: string[][] = [];
  let task: string[] = [];
  for (const line of text.split('\n')) {
    const [, word = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    if (word === 'step') task = [];
    else if (word === 'say') {
      if (task.length === 0) said.push(task);
      task.push(rest);
    } else if (word === 'then' || word === 'else' || word === 'again') said.push([rest]);
    else if (word === 'wrong') said.push([rest.slice(rest.indexOf(' | ') + 3)]);
  }
  return said;
}
