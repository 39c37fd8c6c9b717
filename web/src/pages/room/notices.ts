/** What the room's page has to say about the connection and the other seats. */
import type { GameModule } from '../../lib/games/types';
import type { GameInfo, RoleId, RoomState } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import type { TableNotice } from '../../lib/ui/table-context';

export function roleTitle(info: GameInfo | undefined, role: RoleId): string {
  return info?.roles.find((one) => one.id === role)?.title ?? role;
}

/** The roles of these games are callings, not names: "the Weather", but "Blue". */
const callings: readonly string[] = ['flooded_island'];

/** "Ada", or "the Weather" where the seat's holder gave no name. */
export function whoIs(state: RoomState, info: GameInfo | undefined, role: RoleId): string {
  const name = state.names[role];
  if (name != null && name !== '') return name;
  return `${callings.includes(state.game) ? 'the ' : ''}${roleTitle(info, role)}`;
}

export function seated(state: RoomState, role: RoleId): boolean {
  return state.players[role] === true || state.bots[role] != null;
}

/** The seats that a newcomer could take: of a game that runs, those that play in it. */
export function freeSeats(state: RoomState, module: GameModule | null): RoleId[] {
  const wanted = (role: RoleId) =>
    state.game_status !== 'active' || (module?.plays?.(state, role) ?? true);
  return Object.keys(state.players).filter((role) => !seated(state, role) && wanted(role));
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
      title: 'Connection lost',
      detail: `Trying again ${retrySeconds(room, now)}.`,
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
  const names = away.map((role) => whoIs(state, info, role)).join(' and ');
  return {
    title: 'Waiting for opponent...',
    detail:
      names === ''
        ? 'The game is paused and goes on when everybody is here.'
        : `The game is paused until ${names} ${away.length === 1 ? 'is' : 'are'} back.`,
  };
}
