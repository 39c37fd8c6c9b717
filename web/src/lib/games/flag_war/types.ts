/** Flag War's part of the state, and how the board reads a queue of orders. */
import type {
  GameWire,
  StateClock,
  StateReady,
  WarCommand,
  WarEvent,
  WarQueued,
  WarYou,
} from '../../generated/wire';
import type {
  OrdersResult as Answer,
  GameAction,
  GameEvent,
  GameState,
  Happened,
  Point,
  RoleId,
  You,
} from '../../protocol';

export type Team = GameWire['flag_war']['role'];
/** With the clock and what it waits for, except in a replay. */
export type WarState = GameState<'flag_war'> & Partial<StateClock> & Partial<StateReady>;
export type Piece = WarState['pieces'][string];

export const teams: readonly Team[] = ['blue', 'red'];
export const other = (team: Team): Team => (team === 'blue' ? 'red' : 'blue');
export const isTeam = (role: string | null): role is Team => role === 'blue' || role === 'red';

export const same = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

export const teamOf = (id: string): Team => (id.startsWith('blue') ? 'blue' : 'red');
export const numberOf = (id: string): number => Number(id.slice(id.indexOf('-') + 1));

export const queueOf = (you: You): WarQueued[] => (you as Partial<WarYou>).queue ?? [];

/** Where a piece can be picked up: itself, or the end of one of its waiting orders. */
export interface Handle {
  piece: number;
  /** The round of an order given from here. */
  round: number;
  at: Point;
  /** Where the order starts: a rescuer first goes home. */
  from: Point;
}

/** One leg of a piece's plan. */
export interface Leg {
  piece: number;
  round: number;
  from: Point;
  to: Point;
}

/** A leg of either team, for who only looks on. */
export type TeamLeg = Leg & { team: Team };

/** Where rescuers, by id, will be when the next round's moves begin, according to the engine. */
export type Homes = ReadonlyMap<string, Point>;

const standing = (piece: Piece): Point | undefined =>
  piece.x === null || piece.y === null ? undefined : { x: piece.x, y: piece.y };

/** Where a piece's next move begins; undefined: in jail, or unknown. */
const departs = (id: string, piece: Piece, homes: Homes): Point | undefined =>
  piece.rescuing ? homes.get(id) : standing(piece);

/** Where the own pieces' next moves begin, by number. */
function departures(view: WarState, team: Team, homes: Homes): Map<number, Point> {
  const at = new Map<number, Point>();
  for (const [id, piece] of Object.entries(view.pieces)) {
    const from = departs(id, piece, homes);
    if (teamOf(id) === team && from !== undefined) at.set(numberOf(id), from);
  }
  return at;
}

/** The waiting orders, as they will be carried out. */
export const inOrder = (queue: readonly WarQueued[]): WarQueued[] =>
  [...queue].sort((a, b) => a.round - b.round || a.piece - b.piece);

export const sameOrder = (a: WarQueued, b: WarQueued): boolean =>
  a.piece === b.piece && a.round === b.round && same(a.to, b.to);

/** The own pieces' plans, leg by leg; each starts where the previous one ends. */
export function legsOf(
  view: WarState,
  queue: readonly WarQueued[],
  team: Team,
  homes: Homes = new Map(),
): Leg[] {
  const at = departures(view, team, homes);
  return inOrder(queue)
    .filter((order) => order.round > view.round)
    .flatMap(({ piece, round, to }) => {
      const from = at.get(piece);
      at.set(piece, to);
      return from === undefined ? [] : [{ piece, round, from, to }];
    });
}

/** The squares that an order from there can reach, according to the engine; null: unknown. */
export type Reach = (from: Omit<Handle, 'from'>) => Promise<readonly Point[] | null>;

/**
 * The orders that will be skipped at present: they cannot be followed from where the previous ones leave
 * their piece. Unknown ones count as followed.
 */
export async function skippedOf(
  view: WarState,
  queue: readonly WarQueued[],
  team: Team,
  reach: Reach,
  homes: Homes = new Map(),
): Promise<WarQueued[]> {
  const at = departures(view, team, homes);
  const next = view.round + 1;
  const skipped: WarQueued[] = [];
  for (const order of inOrder(queue).filter(({ round }) => round >= next)) {
    const { piece, round, to } = order;
    const from = at.get(piece);
    // For a piece in jail the engine can only judge the next round.
    const known = from !== undefined || round === next;
    const squares = known ? await reach({ piece, round, at: from ?? to }) : null;
    if (squares?.some((square) => same(square, to)) === false) skipped.push(order);
    else at.set(piece, to);
  }
  return skipped;
}

/** The handles on the board, latest rounds first. */
export function handlesOf(
  view: WarState,
  queue: readonly WarQueued[],
  team: Team,
  homes: Homes = new Map(),
): Handle[] {
  const own = Object.entries(view.pieces).flatMap(([id, piece]): Handle[] => {
    const at = standing(piece);
    if (teamOf(id) !== team || at === undefined) return [];
    const from = departs(id, piece, homes) ?? at;
    return [{ piece: numberOf(id), round: view.round + 1, at, from }];
  });
  const ghosts = legsOf(view, queue, team, homes).map(({ piece, round, to }) => ({
    piece,
    round: round + 1,
    at: to,
    from: to,
  }));
  return [...ghosts, ...own].sort((a, b) => b.round - a.round);
}

/** The same position with one piece moved to the end of its plan, for the engine to judge. */
export function viewFrom(view: WarState, team: Team, handle: Omit<Handle, 'from'>): WarState {
  const id = `${team}-${handle.piece}`;
  const piece = view.pieces[id];
  if (piece === undefined || handle.round === view.round + 1) return view;
  const flag = view.flags[other(team)];
  const flags = piece.carrying
    ? { ...view.flags, [other(team)]: { ...flag, x: handle.at.x, y: handle.at.y } }
    : view.flags;
  const moved = { ...piece, x: handle.at.x, y: handle.at.y, jailed: false, rescuing: false };
  return { ...view, flags, pieces: { ...view.pieces, [id]: moved } };
}

/** The squares of a team's no-guard zone, hatched while it is active. */
export function zoneOf(view: WarState, team: Team): Point[] {
  const reach = view.config.guard_distance;
  const flag = view.flags[team];
  const squares: Point[] = [];
  if (!view.zones[team]) return squares;
  for (let y = Math.max(0, flag.y - reach); y <= Math.min(view.height - 1, flag.y + reach); y += 1)
    for (let x = Math.max(0, flag.x - reach); x <= Math.min(view.width - 1, flag.x + reach); x += 1)
      squares.push({ x, y });
  return squares;
}

export function groundOf(view: WarState, y: number): Team | 'neutral' {
  const { blue, red } = view.territory;
  if (y >= blue.from && y <= blue.to) return 'blue';
  return y >= red.from && y <= red.to ? 'red' : 'neutral';
}

/** An order, or without `to` its cancellation. */
export type Command = WarCommand & { type: string };

export type OrdersResult = Omit<Answer, 'commands'> & { commands: Command[] };

/** A command proposed by the interpreter, for the round in which it would now be given. */
export interface Proposal {
  piece: number;
  round: number;
  /** null: a waiting order is cancelled. */
  to: Point | null;
  command: Command;
}

/** The proposals before round `next`. Each keeps its round, and disappears when that is over. */
export function proposedFor(commands: readonly Command[], next: number): Proposal[] {
  return commands.flatMap((command): Proposal[] => {
    const { piece, round = next, to } = command;
    return round < next ? [] : [{ piece, round, to: to ?? null, command }];
  });
}

/** The legs that the proposals would add to the waiting orders. */
export function proposedLegs(
  view: WarState,
  queue: readonly WarQueued[],
  proposals: readonly Proposal[],
  team: Team,
  homes: Homes = new Map(),
): Leg[] {
  const about = (order: { piece: number; round: number }): boolean =>
    proposals.some((one) => one.piece === order.piece && one.round === order.round);
  const orders = proposals.flatMap(({ piece, round, to }) =>
    to === null ? [] : [{ piece, round, to }],
  );
  const plan = [...queue.filter((order) => !about(order)), ...orders];
  return legsOf(view, plan, team, homes).filter(about);
}

/** A move that was made in the last round. */
export interface Trail {
  team: Team;
  from: Point;
  to: Point;
}

/** A rescuer's way home, and its move from there, are two trails. */
export function trailsOf(events: readonly GameEvent[]): Trail[] {
  return events.flatMap((event) => {
    const e = event as WarEvent;
    return e.type === 'moved' || e.type === 'returned'
      ? [{ team: teamOf(e.piece), from: e.from, to: e.to }]
      : [];
  });
}

/** Where pieces were caught. */
export function caughtOf(events: readonly GameEvent[]): { piece: string; at: Point }[] {
  return events.flatMap((event) => {
    const e = event as WarEvent;
    return e.type === 'jailed' ? [{ piece: e.piece, at: e.at }] : [];
  });
}

/** The round of an update; undefined: not a round. */
export const roundOf = (changes: object): number | undefined =>
  (changes as Partial<WarState>).round;

export interface LogEntry {
  round: number;
  events: readonly GameEvent[];
}

/** The jail itself shows it once; not every waiting order again in each round. */
const isRepeated = (event: WarEvent): boolean =>
  event.type === 'skipped' && event.reason === 'jailed';

/** The rounds in which something happened, newest first. */
export function logOf(history: readonly Happened[]): LogEntry[] {
  return history
    .map(({ events, changes }) => ({
      round: roundOf(changes) ?? 0,
      events: events.filter((event) => !isRepeated(event as WarEvent)),
    }))
    .filter(({ events }) => events.length > 0)
    .reverse();
}

/** Ways of pieces by orders to squares; those that stay where they are have none. */
export function waysOf(state: WarState, role: RoleId, actions: readonly GameAction[]): TeamLeg[] {
  if (!isTeam(role)) return [];
  return actions.flatMap((action) => {
    if (action.type !== 'command' || action.to == null) return [];
    const piece = state.pieces[`${role}-${action.piece}`];
    if (piece?.x == null || piece.y == null) return [];
    const from = { x: piece.x, y: piece.y };
    if (same(from, action.to)) return [];
    return [{ team: role, piece: action.piece, round: state.round + 1, from, to: action.to }];
  });
}
