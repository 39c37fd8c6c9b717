/**
 * The journal of the hall in IndexedDB. Every call is one transaction, so a tab that is killed leaves all of it or
 * nothing; it is asked for on disk before it counts.
 *
 * A room's row says which record is the newest. It is read within the transaction that appends, so of two tabs that
 * play in one room the later one fails (Conflict), and its hall reads the room anew.
 *
 * What a browser cannot store (its storage is denied, or full) is kept in memory: the game goes on, `trouble` is told
 * why, once, and each later call tries to store it after all. A tab that is closed before that loses it.
 */
import { databaseName } from './forget';
import type { Entry, Stored } from './hall';
import { applied, Conflict, isSwept, MemoryJournal } from './journal';
import type { Journal, RoomRow } from './journal';

const version = 1;

interface SnapshotRow {
  room: string;
  index: number;
  bytes: Uint8Array;
}

export const finished = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB failed.'));
    };
  });

export const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = () => {
      reject(transaction.error ?? new Error('IndexedDB gave up.'));
    };
  });

/** All records of a room, or those up to one of them. */
export const recordsOf = (room: string, last = Infinity): IDBKeyRange =>
  IDBKeyRange.bound([room, 0], [room, last]);

export async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, version);
  request.onupgradeneeded = () => {
    const database = request.result;
    database.createObjectStore('rooms', { keyPath: 'room' });
    database.createObjectStore('snapshots', { keyPath: 'room' });
    database.createObjectStore('records');
    database.createObjectStore('replays');
  };
  return finished(request);
}

/** Rooms that nobody asks for any more. */
export async function dropRooms(rooms: readonly string[]): Promise<void> {
  const database = await openDatabase();
  try {
    const names = ['rooms', 'snapshots', 'records'];
    const transaction = database.transaction(names, 'readwrite');
    const done = ended(transaction);
    for (const room of rooms) {
      transaction.objectStore('records').delete(recordsOf(room));
      transaction.objectStore('snapshots').delete(room);
      transaction.objectStore('rooms').delete(room);
    }
    await done;
  } finally {
    database.close();
  }
}

export class IndexedJournal implements Journal {
  private database: Promise<IDBDatabase> | null = null;
  /** Entries that could not be stored, in order. */
  private unstored: Entry[] = [];

  constructor(
    private readonly trouble: (words: string) => void,
    private readonly open: () => Promise<IDBDatabase> = openDatabase,
  ) {}

  async append(entries: readonly Entry[]): Promise<void> {
    const all = [...this.unstored, ...entries];
    try {
      await this.store(all);
      this.unstored = [];
    } catch (error) {
      if (error instanceof Conflict) {
        this.unstored = [];
        throw error;
      }
      this.unstored = all;
      this.trouble(
        'This browser cannot store the game: its storage is full or blocked. If you close this page, you lose this game.',
      );
    }
  }

  async load(room: string): Promise<Stored | null> {
    const found = await this.read(room).catch(() => null);
    const row = found?.row ?? { room, status: 'w', changed_at: 0, last: 0 };
    const stored = found?.stored ?? { snapshot: null, records: [] };
    let there = found !== null;
    for (const entry of this.unstored) {
      if (entry.room !== room || entry.kind === 'replay') continue;
      if (entry.kind === 'forget') return null;
      there = applied(row, stored, entry) || there;
    }
    return there ? stored : null;
  }

  async replay(id: string): Promise<Uint8Array | null> {
    const kept = this.unstored.find((one) => one.kind === 'replay' && one.replay_id === id);
    if (kept !== undefined) return kept.bytes;
    const database = await this.connected();
    const store = database.transaction('replays').objectStore('replays');
    return ((await finished(store.get(id))) as Uint8Array | undefined) ?? null;
  }

  async sweep(over: number, unstarted: number): Promise<string[]> {
    const database = await this.connected();
    const rows = database.transaction('rooms').objectStore('rooms').getAll();
    return ((await finished(rows)) as RoomRow[])
      .filter((row) => isSwept(row, over, unstarted))
      .map(({ room }) => room);
  }

  private connected(): Promise<IDBDatabase> {
    this.database ??= this.open().then((database) => {
      // Deleted by the person, or needed by a newer page.
      database.onclose = database.onversionchange = () => {
        database.close();
        this.database = null;
      };
      return database;
    });
    this.database.catch(() => {
      this.database = null;
    });
    return this.database;
  }

  private async read(room: string): Promise<{ row: RoomRow; stored: Stored } | null> {
    const database = await this.connected();
    const transaction = database.transaction(['rooms', 'snapshots', 'records']);
    const records = transaction.objectStore('records');
    const [row, snapshot, keys, bytes] = await Promise.all([
      finished(transaction.objectStore('rooms').get(room)) as Promise<RoomRow | undefined>,
      finished(transaction.objectStore('snapshots').get(room)) as Promise<SnapshotRow | undefined>,
      finished(records.getAllKeys(recordsOf(room))) as Promise<[string, number][]>,
      finished(records.getAll(recordsOf(room))) as Promise<Uint8Array[]>,
    ]);
    if (row === undefined) return null;
    return {
      row,
      stored: {
        snapshot: snapshot ?? null,
        records: keys.map(([, index], i) => ({ index, bytes: bytes[i] ?? new Uint8Array() })),
      },
    };
  }

  private async store(entries: readonly Entry[]): Promise<void> {
    const database = await this.connected();
    const names = ['rooms', 'snapshots', 'records', 'replays'];
    const transaction = database.transaction(names, 'readwrite', { durability: 'strict' });
    const done = ended(transaction);
    try {
      const rooms = [...new Set(entries.map((entry) => entry.room))].filter((room) => room !== '');
      const rows = transaction.objectStore('rooms');
      const before = await Promise.all(
        rooms.map((room) => finished(rows.get(room)) as Promise<RoomRow | undefined>),
      );
      const known = new Map(rooms.map((room, i) => [room, before[i]]));
      for (const entry of entries) write(transaction, known, entry);
      for (const [room, row] of known) {
        if (row !== undefined) rows.put(row);
        else rows.delete(room);
      }
    } catch (error) {
      transaction.abort();
      await done.catch(() => undefined);
      throw error;
    }
    await done;
  }
}

function write(
  transaction: IDBTransaction,
  rows: Map<string, RoomRow | undefined>,
  entry: Entry,
): void {
  const { kind, room, index, bytes } = entry;
  const store = (of: string): IDBObjectStore => transaction.objectStore(of);
  if (kind === 'replay') {
    store('replays').put(bytes, entry.replay_id);
    return;
  }
  if (kind === 'forget') {
    rows.set(room, undefined);
    store('records').delete(recordsOf(room));
    store('snapshots').delete(room);
    return;
  }
  const row = rows.get(room) ?? { room, status: 'w', changed_at: 0, last: 0 };
  rows.set(room, row);
  if (!applied(row, { snapshot: null, records: [] }, entry)) throw new Conflict();
  if (kind === 'record') store('records').put(bytes, [room, index]);
  if (kind === 'snapshot') {
    store('snapshots').put({ room, index, bytes } satisfies SnapshotRow);
    store('records').delete(recordsOf(room, index));
  }
}

/** If IndexedDB is missing. */
export function openJournal(trouble: (words: string) => void): Journal {
  if (typeof indexedDB !== 'undefined') return new IndexedJournal(trouble);
  trouble('This browser cannot store games. If you close this page, you lose this game.');
  return new MemoryJournal();
}
