/**
 * What this browser keeps: the only module that touches localStorage and sessionStorage.
 *
 *   const name = new Kept('boardwalk:thing', { size: whole(1, 64), on: flag });
 *   name.read()              the fields that are there and pass their checks; a broken value counts as none
 *   name.watch()             the same in a template or an effect: it runs again when this or another tab writes
 *   name.write({ on: true }) reads again, changes this field and no other (undefined removes it), writes
 *
 * Storage may be forbidden, full, or hold anything. What cannot be stored is kept in memory for as long as the
 * page lives, and `storage.trouble` says so in words, once. What another tab writes is seen here at once, and
 * replaces what only this page remembers. A page that comes out of the back/forward cache heard nothing
 * meanwhile, so everything that is watched is read again then.
 *
 * Limits: a key is read and written whole, so two tabs that write different fields in the same instant may
 * still lose one; people are slower than that.
 */
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

/** The value if it is right, else undefined. */
export type Check<T> = (value: unknown) => T | undefined;

export const text =
  (most: number): Check<string> =>
  (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined;

export const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

export const whole =
  (least = 0, most = Number.MAX_SAFE_INTEGER): Check<number> =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : undefined;

export const oneOf =
  <const T extends string>(...words: readonly T[]): Check<T> =>
  (value) =>
    words.find((word) => word === value);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items that pass; what is no list, or too long, is none. */
export const listOf =
  <T>(check: Check<T>, most: number): Check<T[]> =>
  (value) =>
    Array.isArray(value) && value.length <= most
      ? value.map(check).filter((item): item is T & NonNullable<unknown> => item !== undefined)
      : undefined;

type Area = 'local' | 'session';

const areaOf = (area: Area): Storage =>
  area === 'local' ? globalThis.localStorage : globalThis.sessionStorage;

class BrowserStorage {
  /** Why nothing is stored, in words; '': it is, or the person has read it. */
  trouble = $state('');
  private said = false;
  private told = '';
  /** What could not be stored; null: what could not be removed. */
  private readonly unstored = new Map<string, string | null>();
  /** Rises with every change of a key, for those who watch it. */
  private readonly versions = new SvelteMap<string, number>();
  private readonly listeners = new Map<string, Set<() => void>>();

  constructor() {
    addEventListener('storage', (event) => {
      if (event.storageArea !== null && event.storageArea !== this.local()) return;
      if (event.key === null) {
        this.unstored.clear();
        this.changedAll();
      } else {
        this.unstored.delete(event.key);
        this.changed(event.key);
      }
    });
    addEventListener('pageshow', (event) => {
      if (event.persisted) this.changedAll();
    });
  }

  read(key: string, area: Area = 'local'): string | null {
    const kept = this.unstored.get(key);
    if (kept !== undefined) return kept;
    try {
      return areaOf(area).getItem(key);
    } catch {
      return null;
    }
  }

  /** null removes it. False: it lasts as long as the page only. */
  write(key: string, value: string | null, area: Area = 'local'): boolean {
    let stored = true;
    try {
      if (value === null) areaOf(area).removeItem(key);
      else areaOf(area).setItem(key, value);
      this.unstored.delete(key);
    } catch {
      stored = false;
      this.unstored.set(key, value);
      this.complain();
    }
    this.changed(key);
    return stored;
  }

  /** The keys that begin so, those in memory too. */
  keys(prefix: string): string[] {
    const found = new Set<string>();
    try {
      const local = areaOf('local');
      for (let n = 0; n < local.length; n += 1) found.add(local.key(n) ?? '');
    } catch {
      // Only what is in memory, then.
    }
    for (const [key, value] of this.unstored) {
      if (value === null) found.delete(key);
      else found.add(key);
    }
    return [...found].filter((key) => key.startsWith(prefix)).sort();
  }

  /** In a template or an effect: run again when the key changes. */
  watch(key: string): void {
    void this.versions.get(key);
  }

  /** The same for every key. */
  watchAll(): void {
    void this.versions.get('');
  }

  /** Calls back when the key changes, in this tab or another; returns how to stop that. */
  listen(key: string, listener: () => void): () => void {
    const all = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, all.add(listener));
    return () => all.delete(listener);
  }

  /** Something else is not stored, and why. */
  tell(words: string): void {
    if (this.told === words) return;
    this.told = words;
    this.trouble = words;
  }

  /** The person has read the trouble; it is not told again. */
  dismiss(): void {
    this.trouble = '';
  }

  private local(): Storage | null {
    try {
      return areaOf('local');
    } catch {
      return null;
    }
  }

  private changed(key: string): void {
    untrack(() => {
      for (const one of [key, '']) this.versions.set(one, (this.versions.get(one) ?? 0) + 1);
    });
    for (const listener of this.listeners.get(key) ?? []) listener();
  }

  private changedAll(): void {
    for (const key of new Set([...this.versions.keys(), ...this.listeners.keys()]))
      this.changed(key);
  }

  private complain(): void {
    if (this.said) return;
    this.said = true;
    this.trouble =
      'This browser is not storing anything: its storage is full or blocked. Closing this page loses your seats, boards and settings.';
  }
}

export const storage = new BrowserStorage();

/** What a key holds, parsed; undefined: nothing that can be read. */
export function readJson(key: string): unknown {
  const value = storage.read(key);
  if (value === null) return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

export function writeJson(key: string, value: unknown): boolean {
  return storage.write(key, JSON.stringify(value));
}

export type Checks<T> = { [K in keyof T]-?: Check<Exclude<T[K], undefined>> };

/** The fields that pass their checks. */
export function checked<T extends object>(value: unknown, checks: Checks<T>): Partial<T> {
  const found: Partial<T> = {};
  if (!isRecord(value)) return found;
  for (const name of Object.keys(checks) as (keyof T & string)[]) {
    const field = checks[name](value[name]);
    if (field !== undefined) found[name] = field;
  }
  return found;
}

/** Some fields under one key. */
export class Kept<T extends object> {
  constructor(
    readonly key: string,
    private readonly checks: Checks<T>,
  ) {}

  read(): Partial<T> {
    return checked(readJson(this.key), this.checks);
  }

  watch(): Partial<T> {
    storage.watch(this.key);
    return this.read();
  }

  /** Fields of other versions stay as they are. */
  write(change: { [K in keyof T]?: T[K] | undefined }): boolean {
    const now = readJson(this.key);
    const next = { ...(isRecord(now) ? now : {}), ...change };
    return writeJson(this.key, next);
  }

  forget(): void {
    storage.write(this.key, null);
  }
}
