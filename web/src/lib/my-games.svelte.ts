/**
 * The games this browser is in, for the home page. It is read from what each room's page keeps (room/seat.ts),
 * so it needs no account, and it is the same in every tab.
 *
 *   myGames.list        running and waiting games first (your turn on top), then finished ones, the newest first;
 *                       reactive: use it in a template or a $derived
 *   myGames.refresh()   asks the server about the running ones: whose turn it is now, what has ended, what is gone.
 *                       Call it when the page is shown. It never fails; without a network the list stays as it was.
 *   myGames.forget(id)  takes a room off the list; with it goes the token of the seat, so ask first while it runs
 *
 * A game is listed where this browser holds, or held to the end, a seat in it. At most `most` are kept: the oldest
 * finished go first, then the oldest of all. place.ts has the address of a game
 * and of its replay.
 */
import { fetchRoom } from './api';
import { isLocal } from './place';
import type { GameId, RoleId, RoomState } from './protocol';
import {
  forgetRoom,
  keptRooms,
  loadSeat,
  othersOf,
  saveSeat,
  turnOf,
  watchSeats,
} from './room/seat';
import type { Seat, Turn } from './room/seat';
import { storage } from './storage.svelte';
import { plural } from './words';

export interface MyGame {
  room: string;
  game: GameId;
  role: RoleId;
  status: 'waiting' | 'configuring' | 'active' | 'ended';
  /** Whose turn it was when last seen; null before the start and after the end. */
  turn: Turn | null;
  /** The names of the others, as "Ann, Bo"; '' if they gave none. */
  others: string;
  /** Of a board that one plays alone, in a few words; '' of every other game. */
  board: string;
  /** ms since the epoch; 0: not known. */
  seen: number;
  /** For a finished game: did this seat win, and its replay. null: nobody won, or unknown. */
  won: boolean | null;
  replay: string | null;
  /** The same in words; '': not known. */
  result: string;
}

/** Of a game that several play on this device: the turn of the one who is to move. */
const turnHere = (room: string): Turn | null =>
  keptRooms()
    .filter((one) => one === room || one.startsWith(`${room}/`))
    .map((one) => loadSeat(one).turn ?? null)
    .sort((a, b) => Number(b === 'you') - Number(a === 'you'))[0] ?? null;

/** Boards that an earlier version kept in another way (lib/alone.ts). */
export const hasSaves = (): boolean => storage.keys('boardwalk:solo:').length > 0;

export const most = 60;
/** At most this many are requested, because room look-ups are limited per address. */
const asked = 8;

function wonBy({ over, role }: Seat): boolean | null {
  const winner = over?.winner ?? null;
  if (winner === null) return null;
  return winner === role || (Array.isArray(winner) && winner.includes(role ?? ''));
}

function gameOf(room: string): MyGame | null {
  const seat = loadSeat(room);
  const { game, role, token, status } = seat;
  const alone = seat.alone;
  if (game === undefined || role === undefined) return null;
  if (token === undefined && alone === undefined) return null;
  if (alone?.moves === 0) return null; // nothing was done there yet
  return {
    room,
    game,
    role,
    status: status ?? 'waiting',
    turn: status === 'active' ? turnHere(room) : null,
    others: seat.others ?? '',
    board: alone === undefined ? '' : `${alone.label}, ${plural(alone.moves, 'move')}`,
    seen: seat.seen ?? 0,
    won: wonBy(seat),
    replay: seat.over?.replay_id ?? null,
    result: status === 'ended' ? (seat.result ?? '') : '',
  };
}

const rank = (game: MyGame): number =>
  game.status === 'ended' ? 2 : game.turn === 'you' || game.turn === 'all' ? 0 : 1;

/** Another seat of a shared device ("ABCD/1") is the same game. */
function all(): MyGame[] {
  return keptRooms()
    .filter((room) => !room.includes('/'))
    .map(gameOf)
    .filter((game) => game !== null)
    .sort((a, b) => rank(a) - rank(b) || b.seen - a.seen);
}

class MyGames {
  readonly list: readonly MyGame[] = $derived.by(() => {
    watchSeats();
    return all().slice(0, most);
  });

  forget(room: string): void {
    for (const one of keptRooms()) if (one === room || one.startsWith(`${room}/`)) forgetRoom(one);
  }

  async refresh(): Promise<void> {
    this.tidy();
    // Games of this browser's hall are as they were left.
    const running = all().filter((game) => game.status !== 'ended' && !isLocal(game.room));
    await Promise.all(running.slice(0, asked).map((game) => this.ask(game)));
  }

  private async ask({ room, role }: MyGame): Promise<void> {
    let state: RoomState | null;
    try {
      state = await fetchRoom(room);
    } catch {
      return;
    }
    if (state === null) {
      this.forget(room);
      return;
    }
    saveSeat(room, {
      status: state.game_status,
      turn: turnOf(state, role),
      others: othersOf(state, role),
    });
  }

  /** Rooms that were only watched, and the oldest games above the limit. */
  private tidy(): void {
    const games = all();
    const listed = new Set(games.map(({ room }) => room));
    for (const { room } of games.slice(most)) this.forget(room);
    const looked = keptRooms().filter((room) => !room.includes('/') && !listed.has(room));
    for (const room of looked.slice(most)) this.forget(room);
  }
}

export const myGames = new MyGames();
