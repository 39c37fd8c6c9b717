/** Boards as text, to copy and to paste: a line for each row, a character for each cell. */
import type { Start } from '../types';
import { colorOrder } from './types';

/** A board that somebody wrote down. */
export interface GivenBoard {
  rows: number;
  cols: number;
  colors: number;
  /** In reading order, a digit for each cell: its colour's place in the palette. */
  cells: string;
}

const sideLeast = 2;
const sideMost = 64;
/** One for each colour, in the order of the palette; k is pink and n brown, for p and b are taken. */
const letters = 'rgbyopcknw';

interface Row {
  /** As an editor counts lines, blank ones too. */
  line: number;
  cells: string;
}

const spelled = (count: number): string => `${count} ${count === 1 ? 'square' : 'squares'}`;

/** The lines that hold cells. Between them there may be spaces, commas, semicolons and what cannot be seen. */
function rowsOf(text: string): Row[] {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line, i) => ({ line: i + 1, cells: line.replace(/[\s,;\p{Cf}]/gu, '') }))
    .filter((row) => row.cells !== '');
}

/** A single line is a square board, row after row, as the solver of the command line takes it. */
function unfolded(rows: Row[]): Row[] | null {
  const only = rows[0];
  if (rows.length !== 1 || only === undefined) return rows;
  const side = Math.sqrt(only.cells.length);
  if (!Number.isInteger(side) || side < sideLeast) return null;
  return Array.from({ length: side }, (_, r) => ({
    line: only.line,
    cells: only.cells.slice(r * side, (r + 1) * side),
  }));
}

/** What is wrong with the shape, or ''. */
function shapeTrouble(rows: Row[]): string {
  const first = rows[0];
  if (first === undefined) return 'There is no board in this text: write a line for each row.';
  for (const { line, cells } of rows) {
    const odd = /[^A-Za-z0-9]/u.exec(cells);
    if (odd !== null)
      return `Line ${line} has "${odd[0]}" in it: a square is a letter from a to z or a digit, one for each colour.`;
  }
  const square = unfolded(rows);
  if (square === null)
    return `Line ${first.line} stands alone, so it must be a square board row after row, of 4, 9, 16 squares and so on; it has ${spelled(first.cells.length)}.`;
  const cols = square[0]?.cells.length ?? 0;
  for (const { line, cells } of square) {
    if (cells.length !== cols)
      return `Line ${line} has ${spelled(cells.length)}, and line ${first.line} has ${cols}: every row needs the same number.`;
    if (cells.length < sideLeast || cells.length > sideMost)
      return `Line ${line} makes a row of ${spelled(cells.length)}: ${sideLeast} to ${sideMost} will do.`;
  }
  const over = square[sideMost];
  return over === undefined
    ? ''
    : `Line ${over.line} is one row too many: ${sideLeast} to ${sideMost} will do.`;
}

/**
 * The palette that a text is written in: the letters of the colours' names, small or
 * large, where it has no others; else each different character is a colour, in the
 * order of digits, large and small letters.
 */
function paletteOf(cells: string): { text: string; palette: string } {
  const named = cells.toLowerCase();
  return [...named].every((cell) => letters.includes(cell))
    ? { text: named, palette: letters }
    : { text: cells, palette: [...new Set(cells)].sort().join('') };
}

/** The first character beyond as many colours as there are, by the order in which they come. */
function colorTrouble(rows: Row[]): string {
  const seen = new Set<string>();
  for (const { line, cells } of rows)
    for (const cell of cells) {
      seen.add(cell);
      if (seen.size > colorOrder.length)
        return `Line ${line} brings an ${seen.size}th colour, "${cell}": a board has at most ${colorOrder.length}.`;
    }
  return '';
}

/** The board of a text, or a sentence on what is wrong with it, and where. */
export function readBoard(text: string): GivenBoard | string {
  const written = rowsOf(text);
  const trouble = shapeTrouble(written);
  if (trouble !== '') return trouble;
  const rows = unfolded(written) ?? [];
  const { text: joined, palette } = paletteOf(rows.map((row) => row.cells).join(''));
  if (palette.length > colorOrder.length) return colorTrouble(rows);
  const indices = [...joined].map((cell) => palette.indexOf(cell));
  return {
    rows: rows.length,
    cols: rows[0]?.cells.length ?? 0,
    colors: Math.max(2, ...indices.map((index) => index + 1)),
    cells: indices.join(''),
  };
}

/** A board's cells (digits, as in GivenBoard) as the text that readBoard reads. */
export function writeBoard(cells: string, cols: number): string {
  const named = [...cells].map((cell) => letters[Number(cell)] ?? '?');
  return Array.from({ length: named.length / cols }, (_, r) =>
    named.slice(r * cols, (r + 1) * cols).join(''),
  ).join('\n');
}

/** The cells of a grid that no move has changed. */
export function cellsOf(grid: number[][]): string {
  return grid.map((row) => row.join('')).join('');
}

/** A word for scores and lists, the same for the same board (FNV-1a, Fowler, Noll, Vo). */
function wordOf({ cols, cells }: GivenBoard): string {
  let hash = 0x811c9dc5;
  for (const cell of `${cols}:${cells}`)
    hash = Math.imul(hash ^ cell.charCodeAt(0), 0x01000193) >>> 0;
  return `pasted-${hash.toString(16).padStart(8, '0')}`;
}

/** A game on a board of one's own. */
export function startOn(board: GivenBoard): Start {
  const { rows, cols, colors, cells } = board;
  return {
    settings: { rows, cols, colors, move_limit: 'classic', seed: wordOf(board) },
    given: cells,
  };
}
