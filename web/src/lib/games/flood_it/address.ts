/** A board's address: what a share link says of it. */
import type { Json, RoomState } from '../../protocol';
import type { Start } from '../types';
import type { GivenBoard } from './board-text';
import { readBoard, startOn, writeBoard } from './board-text';
import { boardOf } from './start';
import type { FloodState } from './types';

export const page = '/play/flood_it';

/* A point ends a row: it needs no escape there. */
const inAddress = (cells: string, cols: number): string =>
  writeBoard(cells, cols).replaceAll('\n', '.');

export function pastedLink({ cells, cols }: GivenBoard): string {
  return `${page}?${new URLSearchParams({ board: inAddress(cells, cols) }).toString()}`;
}

/** Opens the same board with the same limit, for whoever follows it. */
export function boardLink(view: FloodState): string {
  const { rows, cols, colors, seed, board, origin } = boardOf(view);
  const query =
    board === undefined
      ? new URLSearchParams({ seed, rows: `${rows}`, cols: `${cols}`, colors: `${colors}` })
      : new URLSearchParams({ board: inAddress(board, cols) });
  if (origin.row !== 0 || origin.col !== 0) query.set('origin', `${origin.row}.${origin.col}`);
  query.set('move_limit', String(view.move_limit ?? 0));
  return `${page}?${query.toString()}`;
}

/* What else stands in an address is not the board's: mailers and networks hang names of their own on links. */
const drawnBy = [
  'rows',
  'cols',
  'colors',
  'move_limit',
  'seed',
  'origin',
  'preset',
  'daily',
  'date',
];
const besideBoard = ['move_limit', 'origin'];

/** Words stay words, for a seed may look like anything. */
function valueOf(name: string, value: string): Json {
  if (name === 'seed') return value;
  const cell = name === 'origin' ? /^(\d+)\.(\d+)$/.exec(value) : null;
  if (cell !== null) return { row: Number(cell[1]), col: Number(cell[2]) };
  if (/^\d+$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

/** What a link asks for, or a sentence on what is wrong with its board; null: nothing. */
export function linkedStart(query: URLSearchParams): Start | string | null {
  const text = query.get('board');
  const settings: Record<string, Json> = {};
  for (const name of text === null ? drawnBy : besideBoard) {
    const value = query.get(name);
    if (value !== null) settings[name] = valueOf(name, value);
  }
  if (text === null) return Object.keys(settings).length === 0 ? null : { settings };
  const board = readBoard(text.replaceAll('.', '\n'));
  if (typeof board === 'string') return board;
  const start = startOn(board);
  return { ...start, settings: { ...start.settings, ...settings } };
}

/** The same board in a room. */
export function roomSettings(room: RoomState): Record<string, Json> | string {
  const view = room as FloodState;
  const { rows, cols, colors, seed, board, origin } = boardOf(view);
  if (board !== undefined)
    return 'A pasted board can be played on this page only: rooms make their boards from a seed. Use "Copy link" to share it.';
  const { row, col } = origin;
  return { rows, cols, colors, seed, origin: { row, col }, move_limit: view.move_limit ?? 0 };
}
