/**
 * The games of this browser's own hall, as they go into a file and come back from one: text out, text in.
 *
 *   await savedGames()          what IndexedDB holds, for JSON (null: nothing), and in a sentence what of it is missing
 *   checkedGames(value)         the same from a file, checked; null: it is none of these
 *   await putGames(games)       all of them or none; a game that has gone further here stays as it is;
 *                               tabs that play in one that is replaced read it anew
 *
 * What stands in a record is read by the hall alone, which checks it as it checks everything that was stored. Limits:
 * 200 games, the newest ones, and 25 million letters of the file, which takes 30 in all.
 */
import { bareId, isLocal } from '../place';
import { keptRooms, loadSeat } from '../room/seat';
import { isRecord } from '../storage.svelte';
import { list as listed, plural } from '../words';
import type { Stored } from './hall';
import { ended, finished, openDatabase, recordsOf } from './indexed';
import type { RoomRow } from './journal';
import { channelName } from './messages';
import type { Told } from './messages';

export interface SavedGame {
  row: RoomRow;
  stored: Stored;
}

export interface SavedGames {
  rooms: SavedGame[];
  replays: { id: string; bytes: Uint8Array }[];
}

export const mostGames = 200;
const mostReplays = 400;
const mostRecords = 20_000;
const mostLetters = 25_000_000;
const stores = ['rooms', 'snapshots', 'records', 'replays'];
const idShape = /^[A-Za-z0-9_-]{1,64}$/;

interface SavedSnapshot {
  room: string;
  index: number;
  bytes: Uint8Array;
}

type Packed = Record<string, unknown>;

/** What a piece takes in the file at most, with its number, names, line ends and spaces; and a game, beside its pieces. */
const lettersOf = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 100;
const lettersOfGame = 400;

function text(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192)
    letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

/** Fails with what is no such text. */
function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw new Error('no text');
  return Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0));
}

function whole(value: unknown, least: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < least) throw new Error('no number');
  return value as number;
}

function list(value: unknown, most: number): Packed[] {
  if (!Array.isArray(value) || value.length > most || !value.every(isRecord))
    throw new Error('no list');
  return value;
}

function id(value: unknown): string {
  if (typeof value !== 'string' || !idShape.test(value)) throw new Error('no id');
  return value;
}

/** As JSON holds them. */
export function packedGames({ rooms, replays }: SavedGames): Packed {
  const piece = ({ index, bytes }: { index: number; bytes: Uint8Array }): Packed => ({
    index,
    bytes: text(bytes),
  });
  return {
    rooms: rooms.map(({ row, stored: { snapshot, records } }) => ({
      ...row,
      snapshot: snapshot === null ? null : piece(snapshot),
      records: records.map(piece),
    })),
    replays: replays.map((replay) => ({ id: replay.id, bytes: text(replay.bytes) })),
  };
}

/** Only what is taken back: one game that is damaged or too large costs no other its place. */
export function fitting({ rooms, replays }: SavedGames, most = mostLetters): SavedGames {
  let left = most;
  const fits = (pieces: { bytes: Uint8Array }[]): boolean => {
    const letters = pieces.reduce((sum, { bytes }) => sum + lettersOf(bytes.length), lettersOfGame);
    if (letters > left) return false;
    left -= letters;
    return true;
  };
  return {
    rooms: rooms.filter(
      ({ row, stored: { snapshot, records } }) =>
        records.length <= mostRecords &&
        follow(row, snapshot?.index ?? 0, records) &&
        fits(snapshot === null ? records : [snapshot, ...records]),
    ),
    replays: replays.slice(0, mostReplays).filter((replay) => fits([replay])),
  };
}

/** Do records follow one another, from the snapshot or from the first, to the newest? */
const follow = ({ last }: RoomRow, before: number, records: { index: number }[]): boolean =>
  last > 0 &&
  last === before + records.length &&
  records.every(({ index }, i) => index === before + i + 1);

function checkedGame(packed: Packed): SavedGame {
  const piece = (value: Packed): { index: number; bytes: Uint8Array } => ({
    index: whole(value['index'], 1),
    bytes: bytesOf(value['bytes']),
  });
  const snapshot = isRecord(packed['snapshot']) ? piece(packed['snapshot']) : null;
  const records = list(packed['records'], mostRecords).map(piece);
  const row = {
    room: id(packed['room']),
    status: id(packed['status']).slice(0, 1),
    changed_at: whole(packed['changed_at'], 0),
    last: whole(packed['last'], 1),
  };
  if (!follow(row, snapshot?.index ?? 0, records)) throw new Error('a record is missing');
  return { row, stored: { snapshot, records } };
}

export function checkedGames(value: unknown): SavedGames | null {
  try {
    if (!isRecord(value)) return null;
    return {
      rooms: list(value['rooms'], mostGames).map(checkedGame),
      replays: list(value['replays'], mostReplays).map((replay) => ({
        id: id(replay['id']),
        bytes: bytesOf(replay['bytes']),
      })),
    };
  } catch {
    return null;
  }
}

const all = <T>(store: IDBObjectStore): Promise<T[]> => finished(store.getAll()) as Promise<T[]>;

async function storedOf(transaction: IDBTransaction, room: string): Promise<Stored> {
  const records = transaction.objectStore('records');
  const [snapshot, keys, bytes] = await Promise.all([
    finished(transaction.objectStore('snapshots').get(room)) as Promise<SavedSnapshot | undefined>,
    finished(records.getAllKeys(recordsOf(room))) as Promise<[string, number][]>,
    finished(records.getAll(recordsOf(room))) as Promise<Uint8Array[]>,
  ]);
  return {
    snapshot: snapshot === undefined ? null : { index: snapshot.index, bytes: snapshot.bytes },
    records: keys.map(([, index], i) => ({ index, bytes: bytes[i] ?? new Uint8Array() })),
  };
}

/** Everything that can be read, whether it fits or not. */
async function readGames(database: IDBDatabase): Promise<{ found: SavedGames; older: RoomRow[] }> {
  const transaction = database.transaction(stores);
  const replays = transaction.objectStore('replays');
  const [rows, ids, bytes] = await Promise.all([
    all<RoomRow>(transaction.objectStore('rooms')),
    finished(replays.getAllKeys()) as Promise<string[]>,
    all<Uint8Array>(replays),
  ]);
  rows.sort((a, b) => b.changed_at - a.changed_at);
  const rooms = await Promise.all(
    rows
      .slice(0, mostGames)
      .map(async (row) => ({ row, stored: await storedOf(transaction, row.room) })),
  );
  return {
    found: {
      rooms,
      replays: ids.map((name, i) => ({ id: name, bytes: bytes[i] ?? new Uint8Array() })),
    },
    older: rows.slice(mostGames),
  };
}

/** The rooms of this browser that its player may come back to. */
const seatsHere = (): string[] =>
  keptRooms()
    .filter((room) => isLocal(room) && !room.includes('/'))
    .filter((room) => ['active', 'ended'].includes(loadSeat(room).status ?? ''))
    .map(bareId);

/** What is not in the file, in a sentence; '': all is. `rooms`: those that there are. */
export function missingWords(rooms: readonly string[], found: SavedGames, fit: SavedGames): string {
  const within = new Set(fit.rooms.map(({ row }) => row.room));
  const games = new Set(rooms.filter((room) => !within.has(room))).size;
  const replays = found.replays.length - fit.replays.length;
  const parts = [
    ...(games > 0 ? [plural(games, 'game')] : []),
    ...(replays > 0 ? [plural(replays, 'replay')] : []),
  ];
  if (parts.length === 0) return '';
  const [are, they] = games + replays === 1 ? ['is', 'it is'] : ['are', 'they are'];
  return `${listed(parts)} of this browser alone ${are} not in the file: ${they} damaged, too long, or older than the rest.`;
}

export const unread =
  'Games that you play without a server are not in the file: this browser does not let them be read.';

export async function savedGames(): Promise<{ games: Packed | null; missing: string }> {
  if (typeof indexedDB === 'undefined') return { games: null, missing: unread };
  let database: IDBDatabase | null = null;
  try {
    database = await openDatabase();
    const { found, older } = await readGames(database);
    const fit = fitting(found);
    const there = [...found.rooms.map(({ row }) => row), ...older].map(({ room }) => room);
    return {
      games: fit.rooms.length + fit.replays.length === 0 ? null : packedGames(fit),
      missing: missingWords([...there, ...seatsHere()], found, fit),
    };
  } catch {
    return { games: null, missing: unread };
  } finally {
    database?.close();
  }
}

export async function putGames({ rooms, replays }: SavedGames): Promise<void> {
  const database = await openDatabase();
  const replaced: string[] = [];
  try {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
    const done = ended(transaction);
    const at = (name: string): IDBObjectStore => transaction.objectStore(name);
    for (const { row, stored } of rooms) {
      const here = (await finished(at('rooms').get(row.room))) as RoomRow | undefined;
      if (here !== undefined && here.last >= row.last) continue;
      replaced.push(row.room);
      at('records').delete(recordsOf(row.room));
      at('snapshots').delete(row.room);
      at('rooms').put(row);
      if (stored.snapshot !== null) at('snapshots').put({ room: row.room, ...stored.snapshot });
      for (const { index, bytes } of stored.records) at('records').put(bytes, [row.room, index]);
    }
    for (const { id: name, bytes } of replays) at('replays').put(bytes, name);
    await done;
  } finally {
    database.close();
  }
  const channel = new BroadcastChannel(channelName);
  for (const room of replaced) channel.postMessage({ room, replaced: true } satisfies Told);
  channel.close();
}
