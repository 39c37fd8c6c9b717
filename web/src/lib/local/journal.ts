/**
 * The journal of the hall in this browser: what rooms/journal.h asks of one. Entries are stored in the order in which they
 * were given, those of one call all or none; `append` settles once they are stored, and only then is anything shown.
 *
 * MemoryJournal is what remains where a browser stores nothing; IndexedJournal (indexed.ts) stores.
 */
import type { Entry, Stored } from './hall';

export interface Journal {
  /** Fails if an entry does not continue what is stored: another tab plays in the room. */
  append(entries: readonly Entry[]): Promise<void>;
  load(room: string): Promise<Stored | null>;
  replay(id: string): Promise<Uint8Array | null>;
  /**
   * The rooms to delete: those that ended before `ended`, and those that never started and were not touched
   * since `unstarted`.
   */
  sweep(ended: number, unstarted: number): Promise<string[]>;
}

/** What is stored about a room besides its records. */
export interface RoomRow {
  room: string;
  status: string;
  changed_at: number;
  /** The newest record. */
  last: number;
}

export const isSwept = (
  { status, changed_at }: RoomRow,
  ended: number,
  unstarted: number,
): boolean => (status === 'e' ? changed_at < ended : status !== 'a' && changed_at < unstarted);

export class Conflict extends Error {
  constructor() {
    super('Another tab of this browser plays in this room.');
  }
}

/** Applies one entry to a stored room; false: it does not continue it. */
export function applied(row: RoomRow, stored: Stored, entry: Entry): boolean {
  const { kind, index, bytes } = entry;
  if (kind === 'record' && index !== row.last + 1) return false;
  if (kind === 'snapshot' && (index !== row.last || index < (stored.snapshot?.index ?? 0)))
    return false;
  row.status = entry.status;
  row.changed_at = entry.changed_at;
  if (kind === 'record') {
    stored.records.push({ index, bytes });
    row.last = index;
  } else if (kind === 'snapshot') {
    stored.snapshot = { index, bytes };
    stored.records = stored.records.filter((record) => record.index > index);
  }
  return true;
}

export class MemoryJournal implements Journal {
  readonly rooms = new Map<string, { row: RoomRow; stored: Stored }>();
  readonly replays = new Map<string, Uint8Array>();

  append(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      const { kind, room, replay_id, bytes } = entry;
      if (kind === 'replay') this.replays.set(replay_id, bytes);
      else if (kind === 'forget') this.rooms.delete(room);
      else {
        const kept = this.rooms.get(room) ?? {
          row: { room, status: 'w', changed_at: 0, last: 0 },
          stored: { snapshot: null, records: [] },
        };
        if (!applied(kept.row, kept.stored, entry)) return Promise.reject(new Conflict());
        this.rooms.set(room, kept);
      }
    }
    return Promise.resolve();
  }

  load(room: string): Promise<Stored | null> {
    const stored = this.rooms.get(room)?.stored;
    return Promise.resolve(
      stored === undefined ? null : { ...stored, records: [...stored.records] },
    );
  }

  replay(id: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.replays.get(id) ?? null);
  }

  sweep(ended: number, unstarted: number): Promise<string[]> {
    const rows = [...this.rooms.values()].map(({ row }) => row);
    return Promise.resolve(
      rows.filter((row) => isSwept(row, ended, unstarted)).map(({ room }) => room),
    );
  }
}
