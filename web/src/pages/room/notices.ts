/** The page's messages about the connection and the other seats. */
import { gameEntry } from '../../lib/games';
import type { GameModule, Part } from '../../lib/games/types';
import type { GameInfo, RoleId, RoomState } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import { seatName } from '../../lib/seat-name';
import type { TableNotice } from '../../lib/ui/table-context';
import { list } from '../../lib/words';

export function roleTitle(info: GameInfo | undefined, role: RoleId): string {
  return info?.roles.find((one) => one.id === role)?.title ?? role;
}

/** "Ada", or "the Weather", "Bot 2" if the seat's holder gave no name. */
export function whoIs(state: RoomState, info: GameInfo | undefined, role: RoleId): string {
  const the = gameEntry(state.game)?.callings === true ? 'the ' : '';
  return seatName(state, role, `${the}${roleTitle(info, role)}`);
}

/** All seats are the same, and some may stay empty. */
export const isAlike = (info: GameInfo | undefined, state: RoomState): boolean =>
  info !== undefined && info.seats_min < Object.keys(state.players).length;

/** The seats with people. */
export const people = (state: RoomState): RoleId[] =>
  Object.keys(state.players).filter(
    (role) => state.players[role] === true && state.bots[role] == null,
  );

export function seated(state: RoomState, role: RoleId): boolean {
  return state.players[role] === true || state.bots[role] != null;
}

/** "Ada, Bo and Player 3". */
export const listed = (
  state: RoomState,
  info: GameInfo | undefined,
  roles: readonly RoleId[],
): string => list(roles.map((role) => whoIs(state, info, role)));

/* Before the start a state has none of the game's fields, so the game is not asked. */
export const partOf = (state: RoomState, module: GameModule | null, role: RoleId): Part =>
  state.game_status === 'waiting' || state.game_status === 'configuring'
    ? 'playing'
    : (module?.part?.(state, role) ?? 'playing');

/** The seats that a newcomer could take; in a running game, those that play. */
export function freeSeats(state: RoomState, module: GameModule | null): RoleId[] {
  const wanted = (role: RoleId) =>
    state.game_status !== 'active' || partOf(state, module, role) === 'playing';
  return Object.keys(state.players).filter((role) => !seated(state, role) && wanted(role));
}

/** The consequence of giving up; null: there is nothing to give up, or nobody to give up to. */
export function resigning(
  state: RoomState,
  module: GameModule | null,
  you: RoleId | null,
): string | null {
  if (state.game_status !== 'active' || module === null || you === null) return null;
  const others = Object.keys(state.players).filter((role) => role !== you);
  const parts = others.map((role) => partOf(state, module, role));
  if (partOf(state, module, you) !== 'playing' || parts.every((part) => part === 'none'))
    return null;
  return module.part !== undefined && parts.includes('playing')
    ? 'You lose this game. The others play on.'
    : 'The game ends, and you lose.';
}

/** The people who played, except those in a list. */
export function otherPeople(
  state: RoomState,
  module: GameModule | null,
  than: readonly RoleId[],
): RoleId[] {
  return Object.keys(state.players).filter(
    (role) =>
      state.bots[role] == null && partOf(state, module, role) !== 'none' && !than.includes(role),
  );
}

export function retrySeconds(room: Room, now: number): string {
  if (room.retryAt === null) return 'now';
  const seconds = Math.max(1, Math.ceil((room.retryAt - now) / 1000));
  return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

export function connectionNotice(
  room: Room,
  info: GameInfo | undefined,
  module: GameModule | null,
  now: number,
): TableNotice | null {
  const state = room.state;
  if (room.link === 'lost') {
    return {
      title: room.refusedBecause?.title ?? 'Connection lost',
      detail: `${room.refusedBecause === null ? '' : `${room.refusedBecause.detail} `}Trying again ${retrySeconds(room, now)}.`,
      action: {
        label: 'Try now',
        run: () => {
          room.retryNow();
        },
      },
    };
  }
  if (state === null || state.game_status !== 'active' || !state.paused) return null;
  const away = freeSeats(state, module).filter((role) => role !== room.you.role);
  const back =
    away.length === 0
      ? 'everybody is here'
      : `${listed(state, info, away)} ${away.length === 1 ? 'is' : 'are'} back`;
  return room.you.role === null
    ? { title: 'The game is paused', detail: `It goes on when ${back}.` }
    : { title: 'Waiting for opponent...', detail: `The game is paused until ${back}.` };
}
