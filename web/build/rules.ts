/** Vite plugin: a file of docs/rules/ is imported as the blocks that the page draws, so that no parser is shipped. */
import type { Plugin } from 'vite';
import { blocksOf } from '../src/lib/rules/markdown.ts';

export function rules(): Plugin {
  return {
    name: 'boardwalk:rules',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/docs\/rules\/[^/]+\.md$/.test(id)) return null;
      return { code: `export default ${JSON.stringify(blocksOf(code))}`, map: null };
    },
  };
}
