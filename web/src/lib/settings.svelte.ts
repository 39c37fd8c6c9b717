/**
 * The player's preferences, kept in this browser; a choice in one tab applies to all. The page's root
 * element has theme, contrast and motion as data attributes, which the tokens use (public/theme.js sets
 * them before the first paint).
 */
import { flag, Kept, oneOf, storage, text } from './storage.svelte';

const key = 'boardwalk:settings';

interface Saved {
  theme: 'system' | 'light' | 'dark';
  contrast: 'system' | 'normal' | 'more';
  motion: 'system' | 'full' | 'less';
  sound: boolean;
  vibration: boolean;
  /** The system tells what happens in a game while its page is hidden. */
  notify: boolean;
  /** Letters or symbols on pieces and colours, where a game offers them. */
  symbols: boolean;
  /** Tips explain rules when they first matter. */
  tips: boolean;
  /** If a choice waits for "End Turn", a second tap on it also ends the turn. */
  secondTap: boolean;
  /** How fast the moves of others are shown. */
  pace: 'slow' | 'normal' | 'instant';
  /** Show the reactions of others. */
  reactions: boolean;
  name: string;
}

const defaults: Saved = {
  theme: 'system',
  contrast: 'system',
  motion: 'system',
  sound: false,
  vibration: false,
  notify: false,
  symbols: false,
  tips: true,
  secondTap: false,
  pace: 'normal',
  reactions: true,
  name: '',
};

const kept = new Kept<Saved>(key, {
  theme: oneOf('system', 'light', 'dark'),
  contrast: oneOf('system', 'normal', 'more'),
  motion: oneOf('system', 'full', 'less'),
  sound: flag,
  vibration: flag,
  notify: flag,
  symbols: flag,
  name: text(100),
  tips: flag,
  secondTap: flag,
  pace: oneOf('slow', 'normal', 'instant'),
  reactions: flag,
});

const load = (): Saved => ({ ...defaults, ...kept.read() });

function watched(query: string, changed: () => void): MediaQueryList | null {
  if (typeof matchMedia !== 'function') return null;
  const list = matchMedia(query);
  list.addEventListener('change', changed);
  return list;
}

class Settings {
  private saved = $state(load());
  private systemLess = $state(false);
  private systemMore = $state(false);

  constructor() {
    const read = (): void => {
      this.systemLess = less?.matches ?? false;
      this.systemMore = more?.matches ?? false;
      this.apply();
    };
    const less = watched('(prefers-reduced-motion: reduce)', read);
    const more = watched('(prefers-contrast: more)', read);
    read();
    storage.listen(key, () => {
      this.saved = load();
      this.apply();
    });
  }

  get theme() {
    return this.saved.theme;
  }
  get contrast() {
    return this.saved.contrast;
  }
  get motion() {
    return this.saved.motion;
  }
  get sound() {
    return this.saved.sound;
  }
  get vibration() {
    return this.saved.vibration;
  }
  get notify() {
    return this.saved.notify;
  }
  get symbols() {
    return this.saved.symbols;
  }
  get tips() {
    return this.saved.tips;
  }
  get secondTap() {
    return this.saved.secondTap;
  }
  get pace() {
    return this.saved.pace;
  }
  get reactions() {
    return this.saved.reactions;
  }
  get name() {
    return this.saved.name;
  }

  /** Replace motion by fades or nothing. */
  get still(): boolean {
    return this.motion === 'less' || (this.motion === 'system' && this.systemLess);
  }

  /** Changes only this one: another tab may have changed others meanwhile. */
  set<K extends keyof Saved>(name: K, value: Saved[K]): void {
    kept.write({ [name]: value });
  }

  private apply(): void {
    const root = document.documentElement.dataset;
    if (this.theme === 'system') delete root['theme'];
    else root['theme'] = this.theme;
    if (this.contrast === 'more' || (this.contrast === 'system' && this.systemMore))
      root['contrast'] = 'more';
    else delete root['contrast'];
    if (this.still) root['motion'] = 'less';
    else delete root['motion'];
  }
}

export const settings = new Settings();
