/**
 * Vite plugin: writes `licenses.txt` with the licence of every package that went
 * into the pages, the fonts among them, as those licences ask.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

async function licence(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
  if (!name) throw new Error(`${folder} has no licence that could be passed on`);
  return (await readFile(join(folder, name), 'utf8')).trim();
}

export function licenses(): Plugin {
  let root = '';
  return {
    name: 'boardwalk:licenses',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_, bundle) {
      const sources = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' ? file.originalFileNames : Object.keys(file.modules),
      );
      const packages = new Set<string>();
      for (const source of sources) {
        const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source);
        if (found?.[1]) packages.add(found[1]);
      }
      const texts = [...packages]
        .sort()
        .map(async (name) => `${name}\n\n${await licence(join(root, 'node_modules', name))}\n`);
      const rule = `\n${'='.repeat(78)}\n\n`;
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: (await Promise.all(texts)).join(rule),
      });
    },
  };
}
