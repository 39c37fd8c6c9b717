/**
 * Vite plugin: writes `.br` and `.gz` beside every built file that shrinks, so
 * that the server hands out compressed bytes without compressing anything.
 * Fonts and pictures are left alone, they are compressed already.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(html|js|css|svg|json|webmanifest|wasm|txt)$/;

export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'boardwalk:precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.isFile() || !compressible.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        const packed: [string, Buffer][] = [
          ['br', brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
          ['gz', gzipSync(bytes, { level: 9 })],
        ];
        for (const [ending, result] of packed) {
          if (result.length < bytes.length) await writeFile(`${path}.${ending}`, result);
        }
      }
    },
  };
}
