/**
 * The boards that one plays alone in this browser: a save for each, so that no board takes the place of another,
 * whether it is opened in a second tab, by a link, or by "New". A save holds settings, seed and actions, and is
 * replayed to its position.
 *
 * At most `most` saves are kept for a game: what is finished or has no move goes first, the oldest before others.
 */
import type { GameAction, GameId, Json } from './protocol';
import { checked, flag, isRecord, listOf, readJson, storage, text, whole } from './storage.svelte';
import type { Check } from './storage.svelte';

export interface Save {
  id: string;
  /** The same for the same board. */
  board: string;
  /** "10×10, 4 colours", to choose it by. */
  label: string;
  config: Record<string, Json>;
  seed: string;
  /** The start as text, where somebody gave one. */
  given?: string | undefined;
  actions: GameAction[];
  moves: number;
  ended: boolean;
  started: number;
  touched: number;
}

export const most = 40;

const prefixOf = (game: GameId): string => `boardwalk:solo:${game}`;
export const keyOf = (game: GameId, id: string): string => `${prefixOf(game)}:${id}`;

const json: Check<Record<string, Json>> = (value) =>
  isRecord(value) ? (value as Record<string, Json>) : undefined;
const action: Check<GameAction> = (value) =>
  isRecord(value) && typeof value['type'] === 'string' ? (value as GameAction) : undefined;

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function parsed(id: string, value: unknown): Save | null {
  const save = checked<Save>(value, {
    id: text(40),
    board: text(9000),
    label: text(200),
    config: json,
    seed: text(64),
    given: text(20_000),
    actions: listOf(action, 100_000),
    moves: whole(),
    ended: flag,
    started: whole(),
    touched: whole(),
  });
  const { config, seed, actions } = save;
  if (config === undefined || seed === undefined || actions === undefined) return null;
  // An action that cannot be read would leave another game than the one that was played.
  if (
    isRecord(value) &&
    Array.isArray(value['actions']) &&
    value['actions'].length > actions.length
  )
    return null;
  const { board = '', label = '', moves = actions.length, ended = false } = save;
  const { started = 0, touched = started } = save;
  return {
    id,
    board,
    label,
    config,
    seed,
    given: save.given,
    actions,
    moves,
    ended,
    started,
    touched,
  };
}

export const loadSave = (game: GameId, id: string): Save | null =>
  parsed(id, readJson(keyOf(game, id)));

/** The text that was written: what stands there later, if nobody else wrote. */
export function writeSave(game: GameId, save: Save): string {
  const written = JSON.stringify(save);
  const fresh = storage.read(keyOf(game, save.id)) === null;
  storage.write(keyOf(game, save.id), written);
  if (fresh) tidy(game, save.id);
  return written;
}

/** Every save that can be read, the one touched last first. */
export function saves(game: GameId): Save[] {
  const prefix = `${prefixOf(game)}:`;
  return storage
    .keys(prefix)
    .map((key) => loadSave(game, key.slice(prefix.length)))
    .filter((save) => save !== null)
    .sort((a, b) => b.touched - a.touched);
}

/** Those that somebody may want to go on with. */
export const unfinished = (game: GameId): Save[] =>
  saves(game).filter((save) => save.moves > 0 && !save.ended);

/** Earlier versions kept one board under the game's own key: it becomes a save like the others. */
export function adopt(game: GameId): void {
  const old = parsed(newId(), readJson(prefixOf(game)));
  if (old !== null) writeSave(game, { ...old, touched: old.touched || Date.now() });
  if (storage.read(prefixOf(game)) !== null) storage.write(prefixOf(game), null);
}

function tidy(game: GameId, but: string): void {
  const all = saves(game).filter((save) => save.id !== but);
  const spare = (save: Save): boolean => save.ended || save.moves === 0;
  const order = [...all.filter((save) => !spare(save)), ...all.filter(spare)];
  for (const { id } of order.slice(most - 1)) storage.write(keyOf(game, id), null);
}
