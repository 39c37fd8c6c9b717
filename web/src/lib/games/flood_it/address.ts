/** A board's address: what a share link says of it. */
import type { Json, RoomState } from '../../protocol';
import type { Start } from '../types';
import { readBoard, startOn, writeBoard } from './board-text';
import { boardOf } from './start';
import type { FloodState } from './types';

const page = '/play/flood_it';

/* A point ends a row: it needs no escape there. */
const inAddress = (text: string): string => text.trim().replace(/\s*\n\s*/g, '.');

export function pastedLink(text: string): string {
  return `${page}?${new URLSearchParams({ board: inAddress(text) }).toString()}`;
}

/** Opens the same board with the same limit, for whoever follows it. */
export function boardLink(view: FloodState): string {
  const { rows, cols, colors, seed, board, origin } = boardOf(view);
  const query =
    board === undefined
      ? new URLSearchParams({ seed, rows: `${rows}`, cols: `${cols}`, colors: `${colors}` })
      : new URLSearchParams({ board: inAddress(writeBoard(board, cols)) });
  if (origin.row !== 0 || origin.col !== 0) query.set('origin', `${origin.row}.${origin.col}`);
  query.set('move_limit', String(view.move_limit ?? 0));
  return `${page}?${query.toString()}`;
}

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
  const settings: Record<string, Json> = {};
  for (const [name, value] of query) if (name !== 'board') settings[name] = valueOf(name, value);
  const text = query.get('board');
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
    return 'A pasted board is for this page alone, for rooms draw theirs from a seed: share it by "Copy link".';
  const { row, col } = origin;
  return { rows, cols, colors, seed, origin: { row, col }, move_limit: view.move_limit ?? 0 };
}
