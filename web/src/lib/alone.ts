/**
 * Boards that one plays alone: each is a room of this browser (lib/local) with one seat, so that no board takes the
 * place of another, whether it is opened in a second tab, by a link, or by "New". What this module keeps of it stands
 * beside its seat (room/seat.ts).
 *
 *   await openBoard(alone, start)   the room with that board: where it was left, else a new one; fails with a sentence
 *   await lastBoard(alone)          the room of the board that was touched last; null: there is none
 *   unfinished(game)                what somebody may want to go on with
 *
 * A room is made from the file of a game (POST /api/games/running, to this browser's own hall), for a file holds what no
 * settings can: a start that was written down, and moves that an earlier version kept. At most `most` boards without a
 * move are kept.
 */
import { fetchRoom, makeLocalRoom } from './api';
import { engine } from './engine/engine.svelte';
import type { EngineAnswer } from './engine/engine.svelte';
import { games } from './games';
import type { SoloBoards, Start } from './games/types';
import { bareId, isLocal } from './place';
import type { GameId, RoleId, RoomState } from './protocol';
import { forgetRoom, keptRooms, loadSeat, saveSeat } from './room/seat';
import type { Seat } from './room/seat';
import { isRecord, readJson, storage } from './storage.svelte';

/** A game that can be played so. */
export interface Alone {
  game: GameId;
  role: RoleId;
  boards: SoloBoards;
}

export interface Left {
  room: string;
  /** "10×10, 4 colours". */
  label: string;
  moves: number;
}

const most = 10;

type Board = Seat & Required<Pick<Seat, 'alone'>> & { room: string };

/** Every board of a game, the one touched last first. */
function boardsOf(game: GameId): Board[] {
  return keptRooms()
    .filter((room) => isLocal(room) && !room.includes('/'))
    .map((room) => ({ room, ...loadSeat(room) }))
    .filter((seat): seat is Board => seat.game === game && seat.alone !== undefined)
    .sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
}

export const unfinished = (game: GameId): Left[] =>
  boardsOf(game)
    .filter(({ alone, status }) => alone.moves > 0 && status !== 'ended')
    .map(({ room, alone }) => ({ room, label: alone.label, moves: alone.moves }));

/** What the page of such a room has to say when it opens: why it is not the one that was asked for, and what was left. */
export interface Arrival {
  trouble?: string;
  left?: Left | undefined;
}
const arrivals = new Map<string, Arrival>();

export function takeArrival(room: string): Arrival {
  const arrival = arrivals.get(room) ?? {};
  arrivals.delete(room);
  return arrival;
}

export function setArrival(room: string, arrival: Arrival): void {
  arrivals.set(room, arrival);
}

/** Keeps how a board stands, when that has changed. */
export function noteBoard(room: string, state: RoomState, boards: SoloBoards): void {
  const alone = {
    board: boards.board(state),
    label: boards.label(state),
    moves: boards.moves(state),
  };
  if (JSON.stringify(loadSeat(room).alone) !== JSON.stringify(alone))
    saveSeat(room, { alone, seen: Date.now() });
}

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A game's file by the rules; null: the engine is not there. */
async function fileOf({ game, role }: Alone, of: object): Promise<EngineAnswer | null> {
  engine.start();
  await engine.loaded;
  return engine.ask({ ask: 'file', game, role, ...of });
}

async function keepRoom({ game, role, boards }: Alone, made: EngineAnswer): Promise<string> {
  const room = await makeLocalRoom(String(made['file']));
  saveSeat(room, { game, role, status: 'active', turn: 'you' });
  noteBoard(room, made['state'] as RoomState, boards);
  return room;
}

const isThere = async (room: string): Promise<boolean> => (await fetchRoom(room)) !== null;

/** That board, unless it is finished. */
async function sameBoard({ game }: Alone, board: string): Promise<string | null> {
  for (const { room, alone, status } of boardsOf(game))
    if (alone.board === board && status !== 'ended' && (await isThere(room))) return room;
  return null;
}

export async function openBoard(of: Alone, { settings, given }: Start): Promise<string> {
  const config = of.boards.dated(settings);
  const made = await fileOf(of, { config, given, seed: randomSeed(), started_at: Date.now() });
  if (made === null)
    throw new Error('The engine did not load, so there is no game yet. Load the page again.');
  if (made.error !== undefined) throw new Error(`This board cannot be made: ${made.error}`);
  const before = await sameBoard(of, of.boards.board(made['state'] as RoomState));
  if (before !== null) return before;
  const room = await keepRoom(of, made);
  await tidy(of.game, room);
  return room;
}

export async function lastBoard({ game }: Alone): Promise<string | null> {
  for (const { room } of boardsOf(game)) {
    if (await isThere(room)) return room;
    forgetRoom(room); // the browser has given it up
  }
  return null;
}

async function tidy(game: GameId, but: string): Promise<void> {
  const untouched = boardsOf(game).filter(({ room, alone }) => alone.moves === 0 && room !== but);
  const old = untouched.slice(most - 1).map(({ room }) => room);
  old.forEach(forgetRoom);
  if (old.length === 0) return;
  const { dropRooms } = await import('./local/indexed');
  await dropRooms(old.map(bareId)).catch(() => undefined);
}

/** Earlier versions kept each board as a save of its own: what somebody may want to go on with becomes a room. */
export async function moveSaves(of: Alone): Promise<void> {
  for (const key of storage.keys(savesOf(of.game))) {
    const save = readJson(key);
    if (isRecord(save) && save['ended'] !== true && isPlayed(save['actions'])) {
      const { config, seed, given, actions, started } = save;
      const started_at = Number.isSafeInteger(started) ? started : 0;
      const made = await fileOf(of, { config, seed, given, actions, started_at });
      if (made === null) return;
      const state = made['state'] as RoomState | undefined;
      if (state?.game_status === 'active') {
        if ((await sameBoard(of, of.boards.board(state))) === null) await keepRoom(of, made);
        if (storage.trouble !== '') return; // the room is in memory alone
      }
    }
    storage.write(key, null);
  }
}

/** For whoever opens the home page first: those of every game. */
export async function moveAllSaves(): Promise<void> {
  for (const { id, solo, load } of games) {
    const boards = solo && (await load()).default.solo;
    if (boards !== undefined) await moveSaves({ game: id, role: solo?.role ?? '', boards });
  }
}

const savesOf = (game: GameId): string => `boardwalk:solo:${game}`;
const isPlayed = (actions: unknown): boolean => Array.isArray(actions) && actions.length > 0;
