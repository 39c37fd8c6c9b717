/**
 * Screen readers read what changes in a live region that they know already. One that comes together with its words,
 * or that is not displayed while it is empty, may stay silent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  attributes?: { name?: string; value?: unknown }[];
  [key: string]: unknown;
}

const folder = join(import.meta.dirname, '../..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.svelte'),
);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const isLive = (node: Node): boolean =>
  node.attributes?.some(
    ({ name, value }) =>
      name === 'aria-live' || (name === 'role' && /"(alert|status)"/.test(JSON.stringify(value))),
  ) ?? false;

/** The live regions that are all that their block shows, and the classes of all others. */
function look(source: string): { alone: string[]; classes: string[] } {
  const found: { alone: string[]; classes: string[] } = { alone: [], classes: [] };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(walk);
      return;
    }
    if (!isNode(value)) {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
      return;
    }
    if (value.type === 'IfBlock')
      for (const branch of [value['consequent'], value['alternate']]) {
        const nodes = ((branch as { nodes?: Node[] } | null)?.nodes ?? []).filter(
          ({ type, start, end }) => type !== 'Text' || source.slice(start, end).trim() !== '',
        );
        const [only] = nodes;
        if (nodes.length === 1 && only !== undefined && isLive(only))
          found.alone.push(source.slice(only.start, only.end));
      }
    if (isLive(value)) {
      const words = source.slice(value.start, source.indexOf('>', value.start));
      found.classes.push(...(/class="([\w -]*)"/.exec(words)?.[1]?.split(' ') ?? []));
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'css') walk(child);
  };
  walk(parse(source, { modern: true }).fragment);
  return found;
}

const sources = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
let regions = 0;

test.each(files)('%s', (name) => {
  const source = sources.get(name) ?? '';
  if (!/aria-live|role="(alert|status)"/.test(source)) return;
  const { alone, classes } = look(source);
  regions += 1;
  expect(alone).toEqual([]);
  const unshown = [...source.matchAll(/\.([\w-]+):empty\s*\{[^}]*display:\s*none/g)].map(
    (match) => match[1] ?? '',
  );
  expect(unshown.filter((one) => classes.includes(one))).toEqual([]);
});

test('there are live regions', () => {
  expect(regions).toBeGreaterThan(10);
});
