/** Flooded Island in sentences: turns, fields, the position, the result. */
import type { IslandAction } from '../../generated/wire';
import type { GameAction, GameOver, Point, RoleId, RoomState } from '../../protocol';
import type { Tip } from '../../tips/tips.svelte';
import type { Hold, Step } from '../../room/pace.svelte';
import { seatName } from '../../seat-name';
import type { Turn, Worths } from '../types';
import { capital, plural } from '../../words';
import type { IslandState, LastTurns } from './types';
import { isDry, isIn, same } from './types';

const seasons = ['spring', 'summer', 'autumn', 'winter'] as const;

/**
 * The first day of a game is in spring, the last in winter; `mix` is the progress to the next season, 0 to
 * 1.
 */
export function season(day: number, days: number): { now: string; next: string; mix: number } {
  const quarter = (Math.max(0, Math.min(days, day) - 1) / days) * 4;
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

/** A player's name, else the role: "Ann", "the weather". */
export function who(state: RoomState, role: RoleId): string {
  return seatName(state, role, role === 'weather' ? 'the weather' : 'the adventurer');
}

/** A side's goal, as a sentence. */
export function goal(state: IslandState, role: RoleId): string {
  return role === 'weather'
    ? 'Leave the adventurer no dry neighbouring field.'
    : `Survive ${plural(state.days, 'day')}.`;
}

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as IslandState;
  const night = state.current_role === 'weather';
  const day = `${night ? 'night' : 'day'} ${state.current_turn} of ${state.days}`;
  if (role === null || state.current_role !== role) {
    const name = capital(who(state, night ? 'weather' : 'journeyman'));
    return {
      title: capital(day),
      detail: night ? `${name} is choosing fields to flood.` : `${name} is choosing a move.`,
    };
  }
  const most = state.max_flood_count;
  return {
    title: `Your turn, ${day}`,
    detail: !night
      ? 'Choose an outlined field to walk to.'
      : most === 1
        ? 'Choose a field to flood.'
        : `Choose up to ${most} fields to flood.`,
  };
}

export const place = ({ x, y }: Point): string => `column ${x + 1}, row ${y + 1}`;

/** What is chosen, and what else can be done before the turn ends. */
export function chosenWords(state: IslandState, role: RoleId, chosen: readonly Point[]): string {
  if (role !== 'weather') return 'End your turn to walk there.';
  const more = state.max_flood_count - chosen.length;
  return more > 0
    ? `${plural(chosen.length, 'field')} chosen. You can choose ${more} more.`
    : `${plural(chosen.length, 'field')} chosen. End your turn.`;
}

/** Why a tapped field cannot be chosen; null: it can. */
export function objection(
  state: IslandState,
  role: RoleId,
  at: Point,
  chosen: readonly Point[],
  near: readonly Point[],
): string | null {
  const here = state.journeyman_position;
  const occupied = here !== null && same(here, at);
  if (role === 'weather') {
    if (occupied) {
      const name = state.names['journeyman'];
      const it = name != null && name !== '' ? `${name}, the adventurer` : 'the adventurer';
      return `That is ${it}. The field underneath cannot be flooded: flood those around it.`;
    }
    if (!isDry(state, at)) return 'That field is flooded already.';
    if (chosen.length < state.max_flood_count) return null;
    const most = plural(state.max_flood_count, 'field');
    return `At most ${most} per night. Tap a chosen field to undo it.`;
  }
  if (occupied) return 'You stand here, and must move every day. Choose an outlined field.';
  if (!isDry(state, at)) return 'That field is flooded. Choose an outlined field.';
  return isIn(near, at) ? null : 'That field is too far away. Choose an outlined field.';
}

export interface FieldMarks {
  reachable: boolean;
  chosen: boolean;
  /** A review says so. */
  better?: boolean;
  /** The chosen or previewed move dries it. */
  dries: boolean;
  /** What the other side did here last. */
  last?: 'flooded' | 'dried' | 'left' | undefined;
}

const lastWords = {
  flooded: 'flooded last night',
  dried: 'dried today',
  left: 'the adventurer came from here',
};

export function fieldLabel(state: IslandState, at: Point, marks: FieldMarks): string {
  const here = state.journeyman_position;
  const dry = isDry(state, at);
  return [
    place(at),
    dry ? 'dry' : 'flooded',
    ...(here !== null && same(here, at) ? ['the adventurer stands here'] : []),
    ...(marks.reachable ? ['reachable'] : []),
    ...(marks.chosen ? ['chosen'] : []),
    ...(marks.better === true ? ['would have been better'] : []),
    ...(marks.dries ? [dry ? 'stays dry' : 'would dry'] : []),
    ...(marks.last === undefined ? [] : [lastWords[marks.last]]),
  ].join(', ');
}

/** The last events, as a sentence; null: none, or unknown. The board marks the places. */
export function lastWord(state: IslandState, last: LastTurns): string | null {
  if (last.flooded !== null) {
    const weather = who(state, 'weather');
    return last.flooded.length === 0
      ? `Last night ${weather} flooded nothing.`
      : `Last night ${weather} flooded ${plural(last.flooded.length, 'field')}.`;
  }
  if (last.walk === null) return null;
  const walker = who(state, 'journeyman');
  return last.dried.length === 0
    ? `Today ${walker} walked on.`
    : `Today ${walker} dried ${plural(last.dried.length, 'field')}.`;
}

/** Where it happened, for screen readers; '' if nowhere. */
export const lastPlaces = ({ flooded, walk }: LastTurns): string =>
  flooded !== null ? flooded.map(place).join('; ') : walk === null ? '' : `to ${place(walk.to)}`;

const tip = (id: string, text: string): Tip => ({ id: `flooded_island.${id}`, text });

const tipOf = {
  walk: tip('walk', 'You must move every day, in any of eight directions, to a dry field.'),
  dries: tip('dries', 'A walk dries the four fields beside the new one: the sun marks them.'),
  trapped: tip(
    'trapped',
    'You lose when every field around you is flooded. Corners are dangerous.',
  ),
  flood: tip('flood', 'Trap the adventurer: you win when every field around it is flooded.'),
  dried: tip(
    'dried',
    'Walking dries the four fields beside the adventurer, not the diagonal ones.',
  ),
  back: tip(
    'back',
    'A second tap undoes a choice. The settings can make it end your turn instead.',
  ),
};

/** What a player should know now. `back`: a second tap has just undone a choice. */
export function tips(
  state: IslandState,
  role: RoleId | null,
  now: { chosen: number; dried: number; near: number; back: boolean },
): Tip[] {
  if (state.game_status !== 'active' || state.current_role !== role) return [];
  if (role === 'weather')
    return [
      ...(state.current_turn === 1 ? [tipOf.flood] : []),
      ...(now.dried > 0 ? [tipOf.dried] : []),
    ];
  return [
    ...(now.back ? [tipOf.back] : []),
    ...(now.chosen > 0 ? [tipOf.dries] : []),
    ...(state.current_turn === 1 ? [tipOf.walk] : []),
    ...(state.current_turn > 1 && (now.near < 5 || state.current_turn > 2) ? [tipOf.trapped] : []),
  ];
}

/** How long an update is shown: before a bot's move, time to see that it thinks, and then what it did. */
export function hold({ state, events }: Step): Hold {
  const next = state.current_role;
  const bot = next !== null && state.bots[next] != null;
  return { ms: bot && events.some(({ type }) => type === 'moved' || type === 'day') ? 1100 : 0 };
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
  const days = plural(state.days_survived, 'day');
  return {
    title:
      role === null
        ? `${capital(who(state, winner === 'journeyman' ? 'journeyman' : 'weather'))} won`
        : winner === role
          ? 'You won'
          : 'You lost',
    detail: reason(state, winner === 'journeyman', role, days),
    figures: [
      { label: 'Days survived', value: String(state.days_survived) },
      { label: 'Fields flooded', value: String(state.fields_flooded) },
      { label: 'Fields dried', value: String(state.fields_dried) },
    ],
  };
}

function reason(state: IslandState, walked: boolean, role: RoleId | null, days: string): string {
  if (state.resigned != null) {
    const quitter = state.resigned === role ? 'You' : capital(who(state, state.resigned));
    return `${quitter} resigned after ${days}.`;
  }
  const own = role === 'journeyman';
  const name = capital(who(state, 'journeyman'));
  if (walked) return `${own ? 'You' : name} survived all ${days}.`;
  const trapped = own ? 'Trapped' : `${name} was trapped`;
  return `${trapped} after ${days}: every neighbouring field is flooded.`;
}

export function describeAction(action: GameAction, role: RoleId | null, room: RoomState): string {
  const it = action as IslandAction;
  const weather = capital(who(room, 'weather'));
  if (it.type === 'flood' && it.positions.length > 0)
    return `${weather} floods ${it.positions.map(place).join('; ')}`;
  if (it.type === 'flood' || role === 'weather') return `${weather} lets the night pass`;
  return it.type === 'move' && it.position !== null
    ? `${capital(who(room, 'journeyman'))} walks to ${place(it.position)}`
    : 'The turn ends';
}

export const worths: Worths = {
  one: 'day',
  left: 'Until the trap',
  open: 'no trap in sight',
  method:
    'Each position is measured by the days until the weather traps the adventurer, if both play their best from there. ' +
    'The last days are proven. Further ahead, up to 26 days, the computer keeps only the most dangerous patterns of ' +
    'flooded fields, so the trap may be nearer than it sees.',
  of: 'journeyman',
};
