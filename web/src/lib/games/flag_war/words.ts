/** Flag War in sentences: turns, squares, what happened, the result. */
import type { WarEvent, WarStats } from '../../generated/wire';
import type { GameAction, GameEvent, GameOver, Point, RoleId, RoomState } from '../../protocol';
import { seatName } from '../../seat-name';
import type { Turn } from '../types';
import { list, plural } from '../../words';
import type { Team, WarState } from './types';
import { groundOf, isTeam, numberOf, other, same, teamOf, teams, zoneOf } from './types';

export const titled = (team: Team): string => (team === 'blue' ? 'Blue' : 'Red');
/**
 * Columns and rows count from 1 for people, from 0 on the wire; orders as text say which (`counts_from`).
 */
export const place = ({ x, y }: Point): string => `${x + 1},${y + 1}`;

/** The name of a team: its player's name, else the colour. */
export const player = (view: RoomState, team: Team): string => seatName(view, team, titled(team));

/** Each of them once, when it first matters; no longer than a tip may be. */
export const tipWords = {
  start: 'Tap a piece of yours, then an outlined square. All move at once.',
  home: 'Any of your own rows is home: bring the flag onto your own colour to win.',
  dropped: 'A caught carrier loses the flag: it is back where it started.',
  jail: 'A jailed piece is out until a teammate reaches your key.',
  key: 'Your key is on the map while pieces are jailed. Reach it to free them all.',
  catching: 'If both teams end on one square, the piece on foreign ground is jailed.',
  zone: 'You may not stop on the hatched squares around your own flag while it is there.',
  met: 'Two of your own pieces on one square both go back to their starts.',
  rescued: 'All jailed pieces are free. The rescuer goes back to its start next round.',
  crossing: 'Pieces pass through each other: only where they end a round counts.',
  ahead: 'Tap a numbered ghost to give that piece an order for the round after it.',
} as const;

/** The rules at a glance, before the first round. */
export function rulesOf(view: WarState, team: Team | null): string[] {
  const { round_ms, max_distance, diagonals } = view.config;
  const seconds = round_ms / 1000;
  const far = max_distance === 0 ? 'any distance' : `up to ${plural(max_distance, 'square')}`;
  const lines = diagonals ? 'straight or diagonal lines' : 'straight lines';
  const goal =
    team === null
      ? 'Each team fetches the other’s flag. Every row of its colour is home.'
      : `Bring ${player(view, other(team))}’s flag to any row of your colour.`;
  return [
    goal,
    `Every ${plural(seconds, 'second')} all pieces move at once: in ${lines}, ${far}.`,
    'When teams meet, the piece away from home goes to jail. A key frees your jailed pieces.',
  ];
}

/** The players that the clock waits for. */
export function readyWords(view: WarState, team: Team | null, seconds: number | null): string {
  const awaited = teams.filter((one) => view.ready?.[one] === false);
  const others = awaited.filter((one) => one !== team).map((one) => player(view, one));
  const latest =
    view.ready_until == null
      ? ' No round is played before every seat is taken.'
      : seconds === null
        ? ''
        : ` The clock starts in ${plural(seconds, 'second')}.`;
  if (team !== null && awaited.includes(team)) {
    const them = player(view, other(team));
    return `${others.length === 0 ? `${them} is ready.` : ''}${latest}`.trim();
  }
  return others.length === 0 ? 'Here we go.' : `Waiting for ${others.join(' and ')}.${latest}`;
}

/** The time before the clock starts. */
export const gettingReady = (view: WarState): boolean =>
  view.game_status === 'active' && view.clock_started_at === null;

/** Why no order can lead there; null: no reason known. */
export function whyNot(view: WarState, from: Point, to: Point, closed: boolean): string {
  const { diagonals, max_distance } = view.config;
  const dx = Math.abs(to.x - from.x);
  const dy = Math.abs(to.y - from.y);
  if (closed) return 'The hatched squares around your own flag are closed to you.';
  if (dx !== 0 && dy !== 0 && !(diagonals && dx === dy))
    return diagonals
      ? 'Pieces move in straight or diagonal lines only.'
      : 'Pieces move in straight lines only.';
  if (max_distance > 0 && Math.max(dx, dy) > max_distance)
    return `Too far: at most ${plural(max_distance, 'square')} per round.`;
  return `${place(to)} cannot be reached.`;
}

interface Said {
  piece: number;
  round?: number | undefined;
  to?: Point | undefined;
}

/** More orders than this are only counted: the map shows them, and the list names them. */
const MANY = 3;

function inShort(ordered: readonly Said[], rounds: readonly number[]): string {
  const pieces = [...new Set(ordered.map(({ piece }) => piece))].sort();
  const from = Math.min(...rounds);
  const to = Math.max(...rounds);
  const when = from === to ? `round ${from}` : `rounds ${from} to ${to}`;
  return `${plural(ordered.length, 'order')} for ${pieces.length === 1 ? 'piece' : 'pieces'} ${list(pieces.map(String))}, ${when}.`;
}

/** The result of orders as text: "Round 2: piece 1 to 5,6. Piece 3 has no orders now." */
export function summary(
  commands: readonly Said[],
  next: number,
  queue: readonly { piece: number; round: number }[],
): string {
  const rounds = new Map<number, string[]>();
  const cancelled = new Set<number>();
  for (const { piece, round = next, to } of commands) {
    if (to === undefined) cancelled.add(piece);
    else rounds.set(round, [...(rounds.get(round) ?? []), `piece ${piece} to ${place(to)}`]);
  }
  const ordered = commands.filter(({ to }) => to !== undefined);
  const orders =
    ordered.length > MANY
      ? [inShort(ordered, [...rounds.keys()])]
      : [...rounds].map(([round, moves]) => `Round ${round}: ${moves.join(', ')}.`);
  const gone = [...cancelled].map((piece) => {
    const left = queue.filter((order) => order.piece === piece).length;
    return left === 0
      ? `Piece ${piece} has no orders now.`
      : `Piece ${piece} has ${plural(left, 'order')} left.`;
  });
  return [...orders, ...gone].join(' ');
}

const named = (id: string): string => `${titled(teamOf(id))} ${numberOf(id)}`;

/** The rounds go on even if nobody is there. */
function away(view: WarState, of: readonly Team[]): string {
  const gone = of.filter((team) => view.players[team] !== true && view.bots[team] == null);
  return gone[0] === undefined
    ? ''
    : gone[1]
      ? ' Both are away.'
      : ` ${player(view, gone[0])} is away.`;
}

/** The title only changes when something has changed, not every round, because it is read aloud. */
export function turn(room: RoomState, role: RoleId | null): Turn {
  const view = room as WarState;
  if (!isTeam(role)) {
    const played = view.round === 0 ? 'The start.' : `Round ${view.round} has been played.`;
    return {
      title: `${player(view, 'blue')} against ${player(view, 'red')}`,
      detail: `${gettingReady(view) ? 'Both are getting ready.' : played}${away(view, teams)}`,
    };
  }
  const enemy = other(role);
  if (gettingReady(view))
    return {
      title: view.ready?.[role] === true ? 'You are ready' : 'Get ready',
      detail: `You are ${titled(role)}, at the ${role === 'blue' ? 'bottom' : 'top'}.${away(view, [enemy])}`,
    };
  /* One line on a phone. */
  const left = away(view, [enemy]);
  const next = (hint: string): string => `Round ${view.round + 1} is next.${left || hint}`;
  const jailed = Object.entries(view.pieces).filter(
    ([id, piece]) => teamOf(id) === role && piece.jailed,
  ).length;
  if (view.flags[enemy].carried_by !== null)
    return { title: `You have ${player(view, enemy)}’s flag`, detail: next(' Bring it home.') };
  if (view.flags[role].carried_by !== null)
    return { title: `${player(view, enemy)} has your flag`, detail: next(' Catch the carrier.') };
  if (jailed > 0)
    return {
      title: `${plural(jailed, 'piece')} of yours in jail`,
      detail: next(view.keys[role] === null ? '' : ` Your key is at ${place(view.keys[role])}.`),
    };
  return {
    title: `You are ${titled(role)}: fetch the flag`,
    detail: next(' Tap a piece, or drag it.'),
  };
}

/** One event as a line of the log. */
export function told(event: GameEvent): string {
  const e = event as WarEvent;
  switch (e.type) {
    case 'moved':
      return `${named(e.piece)} to ${place(e.to)}`;
    case 'voided':
      return `${named(e.piece)} stays: its own hatched squares are closed`;
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
      return `${titled(e.team)}’s key is at ${place(e.at)}`;
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

/** What a player should hear about a round: not every step. */
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
    `${view.width} columns by ${view.height} rows, counted from 1 at the top left.`,
    ...pieces,
  ].join(' ');
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const view = room as WarState;
  const winner = (over?.winner ?? view.winner) as Team | null;
  const stats = over?.stats as WarStats | undefined;
  const by = (team: Team): string => (team === role ? 'You' : player(view, team));
  const title =
    winner === null
      ? 'Nobody wins'
      : role === null
        ? `${player(view, winner)} won`
        : winner === role
          ? 'You won'
          : 'You lost';
  const reasons: Record<WarStats['reason'], string> = {
    flag:
      winner === null
        ? 'Both flags came home in the same round.'
        : `${by(winner)} brought the flag home.`,
    elimination:
      winner === null
        ? 'Every piece of both teams is in jail.'
        : `${by(winner)} jailed the whole other team.`,
    max_rounds: 'The last round is over.',
    resigned: winner === null ? '' : `${by(other(winner))} gave up.`,
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
  if (action.type === 'command' && action.to != null)
    return `${isTeam(role) ? titled(role) : ''} ${action.piece} to ${place(action.to)}`.trim();
  if (action.type !== 'round') return `${isTeam(role) ? titled(role) : ''} ${action.type}`.trim();
  const { orders } = action;
  if (orders.length === 0) return 'Everybody stays.';
  return orders
    .map((order) => `${titled(order.role)} ${order.piece} to ${place(order.to)}`)
    .join(', ');
}
