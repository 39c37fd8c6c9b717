/** The Flooded Island in sentences: turns, squares, the position, the result. */
import type { IslandAction } from '../../generated/wire';
import type { GameAction, GameOver, Point, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import { plural } from '../../words';
import type { IslandState } from './types';
import { lastDay, same } from './types';

const seasons = ['spring', 'summer', 'autumn', 'winter'] as const;

/** The year begins in spring; `mix` is how far the next season has come, 0 to 1. */
export function season(day: number): { now: string; next: string; mix: number } {
  const quarter = (Math.max(0, Math.min(lastDay, day) - 1) / lastDay) * 4;
  const index = Math.min(3, Math.floor(quarter));
  return {
    now: seasons[index] ?? 'spring',
    next: seasons[(index + 1) % 4] ?? 'spring',
    mix: quarter - index,
  };
}

export function isNight(state: RoomState): boolean {
  return state.game_status === 'ended'
    ? state.winner === 'weather'
    : state.current_role === 'weather';
}

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as IslandState;
  const day = state.current_turn;
  if (state.current_role === 'weather') {
    if (role === 'weather') {
      const most = state.max_flood_count;
      return {
        title: `Your turn, night ${day}`,
        detail:
          most === 1
            ? 'Choose a field to flood, or none.'
            : `Choose up to ${most} fields to flood.`,
      };
    }
    return { title: `Night ${day} of ${lastDay}`, detail: 'The weather gathers.' };
  }
  if (role === 'journeyman') {
    return { title: `Your turn, day ${day}`, detail: 'Choose a field to walk to.' };
  }
  return { title: `Day ${day} of ${lastDay}`, detail: 'The adventurer looks for a dry way.' };
}

export const place = ({ x, y }: Point): string => `column ${x + 1}, row ${y + 1}`;

export function fieldLabel(
  state: IslandState,
  at: Point,
  marks: { reachable: boolean; chosen: boolean; dries: boolean },
): string {
  const here = state.journeyman_position;
  return [
    place(at),
    state.grid[at.y]?.[at.x] ?? 'dry',
    ...(here !== null && same(here, at) ? ['the adventurer stands here'] : []),
    ...(marks.reachable ? ['reachable'] : []),
    ...(marks.chosen ? ['chosen'] : []),
    ...(marks.dries ? ['would dry'] : []),
  ].join(', ');
}

/** The whole position, to be read or heard. */
export function position(state: IslandState): string {
  const flooded = state.grid.flatMap((row, y) =>
    row.flatMap((field, x) => (field === 'flooded' ? [place({ x, y })] : [])),
  );
  const at = state.journeyman_position;
  return [
    `${plural(state.width, 'column')} by ${plural(state.height, 'row')}.`,
    at === null ? '' : `The adventurer stands at ${place(at)}.`,
    flooded.length === 0
      ? 'Everything is dry.'
      : `${plural(flooded.length, 'field')} flooded: ${flooded.join('; ')}.`,
  ].join(' ');
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const state = room as IslandState;
  const winner = over?.winner ?? state.winner;
  const walked = winner === 'journeyman';
  const days = plural(state.days_survived, 'day');
  return {
    title:
      role === null
        ? state.resigned != null
          ? `The ${walked ? 'adventurer' : 'weather'} wins`
          : walked
            ? 'The adventurer made it'
            : 'The island is lost'
        : winner === role
          ? 'You won'
          : 'You lost',
    detail:
      state.resigned != null
        ? `The ${state.resigned === 'weather' ? 'weather' : 'adventurer'} gave up after ${days}.`
        : walked
          ? `The adventurer walked through all ${lastDay} days.`
          : `The adventurer found no dry way on after ${days}.`,
    figures: [
      { label: 'Days survived', value: String(state.days_survived) },
      { label: 'Fields flooded', value: String(state.fields_flooded) },
      { label: 'Fields dried', value: String(state.fields_dried) },
    ],
  };
}

export function describeAction(action: GameAction, role: RoleId | null): string {
  const it = action as IslandAction;
  if (it.type === 'flood' && it.positions.length > 0)
    return `The weather floods ${it.positions.map(place).join('; ')}`;
  if (it.type === 'flood' || role === 'weather') return 'The weather lets the night pass';
  return it.type === 'move' && it.position !== null
    ? `The adventurer walks to ${place(it.position)}`
    : 'The turn ends';
}
