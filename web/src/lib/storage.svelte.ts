/**
 * The data of this browser: the only module that uses localStorage and sessionStorage.
 *
 *   const name = new Kept('boardwalk:thing', { size: whole(1, 64), on: flag });
 *   name.read()              the fields that are there and pass their checks; a broken value counts as none
 *   name.watch()             the same in a template or an effect: it runs again when this or another tab writes
 *   name.write({ on: true }) reads again, changes only this field (undefined removes it), writes
 *
 * Storage may be forbidden, full, or contain anything. Values that cannot be stored are kept in memory
 * while the page lives, and `storage.trouble` says so once. Writes of another tab are seen here at once,
 * and replace values that are only in memory. A page from the back/forward cache has missed such writes, so
 * it reads everything watched again.
 *
 * Limits: a key is read and written whole, so two tabs that write different fields at the same instant may
 * lose one.
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

/** The items that pass; anything but a list, or a list that is too long, is empty. */
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
  /** Why nothing is stored, as a sentence; '': it is, or the person has read it. */
  trouble = $state('');
  private said = false;
  private told = '';
  /** Values that could not be stored; null: could not be removed. */
  private readonly unstored = new Map<string, string | null>();
  /** Increases with every change of a key, for watchers. */
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

  /** null removes it. False: it is only kept while the page lives. */
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

  /** The keys with this prefix, including those in memory. */
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

  /** In a template or an effect: runs again when the key changes. */
  watch(key: string): void {
    void this.versions.get(key);
  }

  /** The same for all keys. */
  watchAll(): void {
    void this.versions.get('');
  }

  /** Calls back when the key changes, in this tab or another; returns a function that stops it. */
  listen(key: string, listener: () => void): () => void {
    const all = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, all.add(listener));
    return () => all.delete(listener);
  }

  /** Something else is not stored, for this reason. */
  tell(words: string): void {
    if (this.told === words) return;
    this.told = words;
    this.trouble = words;
  }

  /** The person has read the message; it is not shown again. */
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
      'This browser cannot store anything: its storage is full or blocked. If you close this page, you lose your seats, boards and settings.';
  }
}

export const storage = new BrowserStorage();

/** The parsed value of a key; undefined: missing or unreadable. */
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

  /** Fields of other versions are kept. */
  write(change: { [K in keyof T]?: T[K] | undefined }): boolean {
    const now = readJson(this.key);
    const next = { ...(isRecord(now) ? now : {}), ...change };
    return writeJson(this.key, next);
  }

  forget(): void {
    storage.write(this.key, null);
  }
}
