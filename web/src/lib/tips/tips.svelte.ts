/**
 * Rules that explain themselves once, at the moment they matter.
 *
 * A game names the tips that are due in its present position, the most urgent first,
 * and hands them to Table, which shows one of them in the line below the turn. A tip
 * stays until it was read or taken away, is then remembered in this browser, and is
 * never shown again. A setting turns tips off; turning it on again shows them anew.
 *
 * A tip is one sentence from the game's words.ts and fits two lines on a phone: at
 * most `longest` characters. Its id begins with its game: 'monadungeon.key'.
 */
import { untrack } from 'svelte';
import { settings } from '../settings.svelte';
import { listOf, readJson, storage, text, writeJson } from '../storage.svelte';

export interface Tip {
  id: string;
  text: string;
}

export const longest = 80;
const key = 'boardwalk:tips';

/** Slow readers get time, plus a moment to look up from the board. */
const readingMs = (text: string): number => 3000 + 70 * text.length;

const known = listOf(text(100), 1000);

class Seen {
  private get ids(): string[] {
    return known(readJson(key)) ?? [];
  }

  has(id: string): boolean {
    return this.ids.includes(id);
  }

  add(id: string): void {
    if (!this.has(id)) writeJson(key, [...this.ids, id]);
  }

  clear(): void {
    storage.write(key, null);
  }
}

export const seen = new Seen();

/** The switch in the settings: turned on again, all tips are new. */
export function showTips(on: boolean): void {
  if (on) seen.clear();
  settings.set('tips', on);
}

/** Which tip is shown. Create it during component initialisation: it has an effect. */
export class TipLine {
  shown = $state.raw<Tip | null>(null);
  /** It has been shown long enough, and may be replaced. */
  private read = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `reader`: whom it is said to; another one, as on a shared device, is not told of the first one's rules. */
  constructor(due: () => readonly Tip[], reader: () => string = () => '') {
    $effect(() => {
      void reader();
      untrack(() => {
        this.show(null);
      });
    });
    $effect(() => {
      const tips = settings.tips ? due() : [];
      void this.shown; // once dismissed, it makes room for the next
      const { read } = this;
      untrack(() => {
        this.choose(tips, read);
      });
    });
    $effect(() => () => {
      clearTimeout(this.timer);
    });
  }

  /** The player has dismissed it. */
  dismiss(): void {
    if (this.shown === null) return;
    seen.add(this.shown.id);
    this.show(null);
  }

  private choose(tips: readonly Tip[], read: boolean): void {
    const now = this.shown;
    if (!settings.tips) {
      if (now !== null) this.show(null);
      return;
    }
    if (now !== null && !read) return;
    const fresh = tips.find(({ id }) => !seen.has(id));
    if (fresh !== undefined) this.show(fresh);
    else if (now !== null && !tips.some(({ id }) => id === now.id)) this.show(null);
  }

  private show(tip: Tip | null): void {
    clearTimeout(this.timer);
    this.shown = tip;
    this.read = false;
    if (tip === null) return;
    this.timer = setTimeout(() => {
      seen.add(tip.id);
      this.read = true;
    }, readingMs(tip.text));
  }
}
