/**
 * Text that changes while a translator has replaced its text node. Wherever the text is (a line, between elements, a
 * block that appears and disappears, a list) and however the translator wraps it, the page shows the newest text.
 */
import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import Probe from './translated.fixture.svelte';
import { surviveTranslation } from './translated';

type Wrap = (node: Text) => void;

const font = (text?: string): HTMLElement => {
  const outer = document.createElement('font');
  const inner = document.createElement('font');
  if (text !== undefined) inner.textContent = text;
  outer.append(inner);
  return outer;
};

const wraps: Record<string, Wrap> = {
  'replaces it by other words': (node) => {
    node.replaceWith(font(`[${node.data}]`));
  },
  'puts other words before it, then takes it out': (node) => {
    node.parentNode?.insertBefore(font(`[${node.data}]`), node);
    node.remove();
  },
  'puts other words after it, then takes it out': (node) => {
    node.after(font(`[${node.data}]`));
    node.remove();
  },
  'wraps the node itself': (node) => {
    const wrapper = font();
    node.replaceWith(wrapper);
    wrapper.firstElementChild?.append(node);
  },
  'moves the node into a wrapper beside it': (node) => {
    const wrapper = font();
    node.before(wrapper);
    wrapper.firstElementChild?.append(node);
  },
};

const tick = () => new Promise((resolve) => setTimeout(resolve));

async function translate(root: Node, wrap: Wrap): Promise<void> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.data.trim() !== '' && node.parentNode?.nodeName !== 'FONT') nodes.push(node);
  }
  nodes.forEach(wrap);
  await tick();
}

const seen = (root: Element): string =>
  (root.textContent ?? '').replace(/[[\]]/g, '').replace(/\s+/g, ' ').trim();

let stop = (): void => undefined;
beforeEach(() => {
  stop = surviveTranslation(document.body);
});
afterEach(() => {
  stop();
  cleanup();
});

const first = { line: 'Your turn', count: 1, asked: true, list: ['a', 'b', 'c'] };
const props = [
  { line: 'Waiting', count: 1, asked: true, list: ['a', 'b', 'c'] },
  { line: '', count: 2, asked: true, list: ['c', 'b', 'a'] },
  { line: 'Your turn', count: 30, asked: false, list: ['b'] },
  { line: 'Over', count: 0, asked: true, list: [] },
  { line: 'Over', count: 4, asked: false, list: ['b', 'd'] },
];

describe.each(Object.entries(wraps))('a translator that %s', (_, wrap) => {
  test('leaves the newest text, once, whatever changes', async () => {
    const { container, rerender } = render(Probe, first);
    for (const next of props) {
      await translate(container, wrap);
      await rerender(next);
      await tick();
      const plain = document.createElement('div');
      document.body.append(plain);
      const untouched = render(Probe, { target: plain, props: next });
      expect(seen(container)).toBe(seen(plain));
      untouched.unmount();
    }
    await translate(container, wrap);
    cleanup();
    await tick();
    expect(seen(document.body)).toBe('');
  });
});

test('text that the translator restores is there again', async () => {
  const { container, rerender } = render(Probe, first);
  const before = seen(container);
  const taken: [Text, Element][] = [];
  await translate(container, (node) => {
    const shown = font('x');
    taken.push([node, shown]);
    node.replaceWith(shown);
  });
  expect(seen(container)).not.toBe(before);
  for (const [node, shown] of taken) shown.replaceWith(node);
  await tick();
  expect(seen(container)).toBe(before);
  await rerender({ ...first, line: 'Over' });
  expect(seen(container)).toBe(before.replaceAll('Your turn', 'Over'));
});
