import { describe, expect, it } from 'vitest';
import { blocksOf, inline } from './markdown';

describe('the rules as blocks', () => {
  it('distinguishes headings, paragraphs, lists, tables and boards', () => {
    const text =
      '# A\n\n## B\n\none\ntwo\n\n- x - y\n- z\n  on\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n![The start](board:3-after)\n';
    expect(blocksOf(text)).toEqual([
      { kind: 'title', words: [{ kind: 'text', text: 'A' }] },
      { kind: 'heading', words: [{ kind: 'text', text: 'B' }] },
      { kind: 'text', words: [{ kind: 'text', text: 'one two' }] },
      {
        kind: 'list',
        items: [[{ kind: 'text', text: 'x - y' }], [{ kind: 'text', text: 'z on' }]],
      },
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]],
        rows: [[[{ kind: 'text', text: '1' }], [{ kind: 'strong', text: '2' }]]],
      },
      { kind: 'board', step: 3, after: true, caption: 'The start' },
    ]);
  });

  it('leaves other characters, and HTML, as text', () => {
    expect(inline('2 * 3 <b>x</b> `a*b` *c*')).toEqual([
      { kind: 'text', text: '2 * 3 <b>x</b> ' },
      { kind: 'code', text: 'a*b' },
      { kind: 'text', text: ' ' },
      { kind: 'em', text: 'c' },
    ]);
    expect(inline('**open')).toEqual([{ kind: 'text', text: '**open' }]);
  });
});
