/**
 * What a room's tab says while the person looks elsewhere: the words at the front of its title, a sound, a vibration, a
 * dot on the icon and a notification. What happens while the page is hidden stays there until the page is seen again: it
 * is your turn, a friend has arrived, somebody offers to play again, the game is over; but no longer than it is so.
 * While the game is paused nobody has a turn.
 */
import { notify, vibrate, withdraw } from '../notifications';
import type { Source } from '../notifications';
import { play } from '../sound';
import type { Sound } from '../sound';
import { turnOf } from './seat';
import type { RoleId, RoomState } from '../protocol';

/** What a title depends on. */
export interface Seen {
  state: RoomState | null;
  you: RoleId | null;
  /** Is this seat still playing? In a race it may finish before the others. */
  playing: boolean;
  /** Who proposed to play again, except this seat. */
  offered: RoleId | null;
  /** The name of a seat's holder, else the role's title. */
  name: (role: RoleId) => string;
}

/** The permanent words: whose turn it is. */
export function turnWords({ state, you, playing }: Seen): string {
  if (state === null || state.paused || !playing) return '';
  const turn = turnOf(state, you);
  return turn === 'you' ? 'Your turn' : turn === 'all' ? 'Playing now' : '';
}

/** People who sit there and are not you. */
const others = ({ state, you }: Seen): RoleId[] =>
  Object.keys(state?.players ?? {}).filter((role) => role !== you && state?.players[role] === true);

export interface News {
  words: string;
  sound: Sound;
  /** Is it still true? A friend may have left again, or a turn ended. */
  holds: (now: Seen) => boolean;
}

/** The event between two states; null: nothing worth a signal. */
export function news(before: Seen, now: Seen): News | null {
  if (before.state === null || now.state === null || now.you === null) return null;
  const status = now.state.game_status;
  if (status === 'ended' && before.state.game_status !== 'ended')
    return {
      words: 'Game over',
      sound: 'turn',
      holds: ({ state }) => state?.game_status === 'ended',
    };
  const { offered } = now;
  if (offered !== null && offered !== before.offered)
    return {
      words: `${now.name(offered)} wants to play again`,
      sound: 'turn',
      holds: (later) => later.offered === offered,
    };
  const arrived = others(now).find((role) => !others(before).includes(role));
  if (arrived !== undefined && status !== 'ended')
    return {
      words: `${now.name(arrived)} is here`,
      sound: 'turn',
      holds: (later) => others(later).includes(arrived),
    };
  const turn = turnWords(now);
  if (turn !== '' && turn !== turnWords(before))
    return { words: turn, sound: 'turn', holds: (later) => turnWords(later) === turn };
  return null;
}

export class Signals {
  /** What happened while the page was hidden. */
  private missed = $state.raw<News | null>(null);
  private before: Seen | null = null;

  constructor(private readonly source: () => Source) {
    document.addEventListener('visibilitychange', this.look);
  }

  /** Called with every change. */
  see(now: Seen): void {
    const found = this.before === null ? null : news(this.before, now);
    this.before = now;
    if (this.missed?.holds(now) === false) this.clear();
    if (found === null) return;
    // The end has its own sound, with the result.
    if (found.words !== 'Game over') play(found.sound);
    vibrate();
    if (document.visibilityState !== 'hidden') return;
    this.missed = found;
    notify(found.words, this.source());
  }

  /** The front of the title, with its separator. */
  front(now: Seen): string {
    const words = this.missed?.holds(now) === true ? this.missed.words : turnWords(now);
    return words === '' ? '' : `${words} · `;
  }

  dispose(): void {
    document.removeEventListener('visibilitychange', this.look);
    this.clear();
  }

  private clear(): void {
    if (this.missed === null) return;
    this.missed = null;
    withdraw(this.source());
  }

  private readonly look = (): void => {
    if (document.visibilityState === 'visible') this.clear();
  };
}
