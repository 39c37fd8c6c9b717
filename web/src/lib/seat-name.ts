/**
 * What a seat is called, in every game and on every page.
 *
 *   seatName(state, role, 'Player 2')    the name that was given; else the title, and of a bot 'Bot 2'
 *   seatLabel(state, role, 'Player 2')   the same with a bot's level, where there is room: 'Bot 2, easy'
 *
 * A title that says who plays ('Weather', 'Blue') is a bot's too. One that is only a number would make a person of it.
 */
import type { RoleId, RoomState } from './protocol';

type Seats = Pick<RoomState, 'names' | 'bots'>;

const numbered = /^Player (?=\d+$)/;

/** The title of a seat with a bot. */
export const botTitle = (title: string): string => title.replace(numbered, 'Bot ');

export const seatName = (state: Seats, role: RoleId, title: string): string =>
  state.names[role] || (state.bots[role] == null ? title : botTitle(title));

export function seatLabel(state: Seats, role: RoleId, title: string): string {
  const level = state.bots[role];
  const name = seatName(state, role, title);
  return level == null
    ? name
    : `${name}, ${level}${name === title || state.names[role] ? ' bot' : ''}`;
}
