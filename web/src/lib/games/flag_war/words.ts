/** Flag War in sentences: turns, squares, what happened, the result. */
import type { WarEvent, WarStats } from '../../generated/wire';
import type { GameAction, GameEvent, GameOver, Point, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import { plural } from '../../words';
import type { Team, WarState } from './types';
import { groundOf, isTeam, numberOf, other, same, teamOf, teams, zoneOf } from './types';

export const titled = (team: Team): string => (team === 'blue' ? 'Blue' : 'Red');
export const place = ({ x, y }: Point): string => `${x},${y}`;

const named = (id: string): string => `${titled(teamOf(id))} ${numberOf(id)}`;

/** The rounds go on, whoever is there. */
function away(view: WarState, of: readonly Team[]): string {
  const gone = of.filter((team) => view.players[team] !== true && view.bots[team] == null);
  return gone[0] === undefined ? '' : gone[1] ? ' Both are away.' : ` ${titled(gone[0])} is away.`;
}

/** The title changes when something has changed, not with every round: it is read aloud. */
export function turn(room: RoomState, role: RoleId | null): Turn {
  const view = room as WarState;
  if (!isTeam(role)) {
    const played = view.round === 0 ? 'The start.' : `Round ${view.round} has been played.`;
    return { title: 'Blue against Red', detail: `${played}${away(view, teams)}` };
  }
  const enemy = other(role);
  /* One line on a phone. */
  const left = away(view, [enemy]);
  const next = (hint: string): string => `Round ${view.round + 1} is next.${left || hint}`;
  const jailed = Object.entries(view.pieces).filter(
    ([id, piece]) => teamOf(id) === role && piece.jailed,
  ).length;
  if (view.flags[enemy].carried_by !== null)
    return { title: `You have ${titled(enemy)}’s flag`, detail: next(' Bring it home.') };
  if (view.flags[role].carried_by !== null)
    return { title: `${titled(enemy)} has your flag`, detail: next(' Catch the carrier.') };
  if (jailed > 0)
    return {
      title: `${plural(jailed, 'piece')} of yours in jail`,
      detail: next(view.keys[role] === null ? '' : ` Your key is at ${place(view.keys[role])}.`),
    };
  return {
    title: `You are ${titled(role)}: fetch the flag`,
    detail: next(' Drag or choose a piece.'),
  };
}

/** One event as a line of the log. */
export function told(event: GameEvent): string {
  const e = event as WarEvent;
  switch (e.type) {
    case 'moved':
      return `${named(e.piece)} to ${place(e.to)}`;
    case 'voided':
      return `${named(e.piece)} holds: its own zone is closed`;
    case 'skipped':
      return `${named(e.piece)} cannot go to ${place(e.to)}${e.reason === 'jailed' ? ': it is in jail' : ''}`;
    case 'jailed':
      return `${named(e.piece)} is jailed at ${place(e.at)}`;
    case 'returned':
      return `${named(e.piece)} goes back to its start${
        {
          rescue: ' after the rescue',
          collision: ': two of a team met',
          zone: ': its zone has closed',
        }[e.reason]
      }`;
    case 'flag_taken':
      return `${named(e.piece)} takes ${titled(e.team)}’s flag`;
    case 'flag_returned':
      return `${titled(e.team)}’s flag is home again`;
    case 'scored':
      return `${named(e.piece)} brings the flag home`;
    case 'key_appeared':
      return `${titled(e.team)}’s key lies at ${place(e.at)}`;
    case 'key_vanished':
      return `${titled(e.team)}’s key is gone`;
    case 'rescued':
      return `${named(e.piece)} frees ${e.freed.map(named).join(', ')}`;
    case 'zone_active':
      return `${titled(e.team)}’s zone is closed to ${titled(e.team)}`;
    case 'zone_inactive':
      return `${titled(e.team)}’s zone is open`;
  }
}

/** What a player should hear of a round: not every step. */
export const isNews = (event: GameEvent): boolean =>
  !['moved', 'key_vanished', 'zone_active', 'zone_inactive'].includes(event.type);

export function cellLabel(
  view: WarState,
  at: Point,
  marks: {
    can: boolean;
    chosen: boolean;
    ghost: number | null;
    skipped?: number | null;
    proposed?: number | null;
  },
): string {
  const ground = groundOf(view, at.y);
  const parts = [place(at), ground === 'neutral' ? 'neutral' : `${titled(ground)}’s ground`];
  for (const [id, piece] of Object.entries(view.pieces)) {
    if (piece.x === at.x && piece.y === at.y)
      parts.push(
        `${named(id)}${piece.carrying ? ' with the flag' : ''}${piece.rescuing ? ', going home' : ''}`,
      );
  }
  for (const team of teams) {
    const flag = view.flags[team];
    const key = view.keys[team];
    if (flag.carried_by === null && same(flag, at)) parts.push(`${titled(team)}’s flag`);
    if (key !== null && same(key, at)) parts.push(`${titled(team)}’s key`);
    if (zoneOf(view, team).some((square) => same(square, at)))
      parts.push(`closed to ${titled(team)}`);
  }
  if (marks.ghost !== null) parts.push(`planned for round ${marks.ghost}`);
  if (marks.skipped != null) parts.push(`skipped in round ${marks.skipped}`);
  if (marks.proposed != null) parts.push(`proposed for round ${marks.proposed}`);
  if (marks.can) parts.push('can be reached');
  if (marks.chosen) parts.push('chosen');
  return parts.join(', ');
}

export function position(view: WarState): string {
  const pieces = Object.entries(view.pieces).map(([id, piece]) =>
    piece.x === null || piece.y === null
      ? `${named(id)} is in jail.`
      : `${named(id)} at ${place({ x: piece.x, y: piece.y })}${piece.carrying ? ' carries the flag' : ''}.`,
  );
  return [
    `${view.width} columns by ${view.height} rows, counted from 0 at the top left.`,
    ...pieces,
  ].join(' ');
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const view = room as WarState;
  const winner = (over?.winner ?? view.winner) as Team | null;
  const stats = over?.stats as WarStats | undefined;
  const title =
    winner === null
      ? 'Nobody wins'
      : role === null
        ? `${titled(winner)} wins`
        : winner === role
          ? 'You won'
          : 'You lost';
  const reasons: Record<WarStats['reason'], string> = {
    flag:
      winner === null
        ? 'Both flags came home in the same round.'
        : `${titled(winner)} brought the flag home.`,
    elimination:
      winner === null
        ? 'Every piece of both teams is in jail.'
        : `${titled(winner)} has jailed the whole other team.`,
    max_rounds: 'The last round is over.',
    resigned: winner === null ? '' : `${titled(other(winner))} gave up.`,
  };
  return {
    title,
    detail: stats === undefined ? '' : reasons[stats.reason],
    figures: [
      { label: 'Rounds', value: String(stats?.rounds ?? view.round) },
      ...(stats === undefined
        ? []
        : [
            { label: 'Blue jailed', value: String(stats.jailed.blue) },
            { label: 'Red jailed', value: String(stats.jailed.red) },
            { label: 'Rescues', value: String(stats.rescues) },
          ]),
    ],
  };
}

/** A line of a replay's move list. */
export function describeAction(action: GameAction, role: RoleId | null): string {
  if (action.type !== 'round') return `${isTeam(role) ? titled(role) : ''} ${action.type}`.trim();
  const { orders } = action;
  if (orders.length === 0) return 'Everybody stays.';
  return orders
    .map((order) => `${titled(order.role)} ${order.piece} to ${place(order.to)}`)
    .join(', ');
}
