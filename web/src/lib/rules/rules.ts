/** The rules of every game, from docs/rules/. */
import type { GameId } from '../protocol';
import type { Block } from './markdown';

const pages = import.meta.glob<Block[]>('../../../../docs/rules/*.md', { import: 'default' });

export async function rulesOf(game: GameId): Promise<Block[]> {
  const name = `/${game.replaceAll('_', '-')}.md`;
  const path = Object.keys(pages).find((one) => one.endsWith(name));
  return (await (path === undefined ? undefined : pages[path]?.())) ?? [];
}
