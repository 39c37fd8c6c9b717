/**
 * The rules' Markdown (docs/rules/*.md) as blocks that a page draws: headings, paragraphs, lists, tables,
 * and pictures of a board. No other Markdown is supported; anything else stays plain text. No HTML is made
 * from it.
 */
export type Inline = { kind: 'text' | 'strong' | 'em' | 'code'; text: string };

export type Block =
  | { kind: 'title'; words: Inline[] }
  | { kind: 'heading'; words: Inline[] }
  | { kind: 'text'; words: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  /** The position at the start of a step of the game's lesson, from 1; `after`: at its end. */
  | { kind: 'board'; step: number; after: boolean; caption: string };

const marks: [RegExp, Inline['kind']][] = [
  [/^\*\*([^*]+)\*\*/, 'strong'],
  [/^\*([^\s*][^*]*)\*/, 'em'],
  [/^`([^`]+)`/, 'code'],
];

export function inline(text: string): Inline[] {
  const words: Inline[] = [];
  for (let rest = text; rest !== '';) {
    const mark = marks
      .map(([pattern, kind]) => ({ found: pattern.exec(rest), kind }))
      .find(({ found }) => found !== null);
    const taken = mark?.found?.[0] ?? rest.charAt(0);
    const last = words.at(-1);
    if (mark?.found) words.push({ kind: mark.kind, text: mark.found[1] ?? '' });
    else if (last?.kind === 'text') last.text += taken;
    else words.push({ kind: 'text', text: taken });
    rest = rest.slice(taken.length);
  }
  return words;
}

function cells(line: string): Inline[][] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim().replaceAll(' %', '\u00a0%')));
}

function block(lines: string[]): Block {
  const [first = ''] = lines;
  const all = lines.join(' ');
  const board = /^!\[([^\]]*)\]\(board:(\d+)(-after)?\)$/.exec(all);
  if (board !== null)
    return {
      kind: 'board',
      step: Number(board[2]),
      after: board[3] !== undefined,
      caption: board[1] ?? '',
    };
  if (first.startsWith('# ')) return { kind: 'title', words: inline(all.slice(2)) };
  if (first.startsWith('## ')) return { kind: 'heading', words: inline(all.slice(3)) };
  if (first.startsWith('|') && /^\|[\s|:-]+$/.test(lines[1] ?? ''))
    return { kind: 'table', head: cells(first), rows: lines.slice(2).map(cells) };
  if (first.startsWith('- '))
    return {
      kind: 'list',
      items: lines
        .reduce<string[]>(
          (items, line) =>
            line.startsWith('- ')
              ? [...items, line.slice(2)]
              : [...items.slice(0, -1), `${items.at(-1) ?? ''} ${line}`],
          [],
        )
        .map(inline),
    };
  return { kind: 'text', words: inline(all) };
}

export function blocksOf(markdown: string): Block[] {
  return markdown
    .split(/\n\s*\n/)
    .map((part) =>
      part
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
    .map(block);
}
