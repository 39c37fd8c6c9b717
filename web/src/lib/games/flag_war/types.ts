/** Flag War's part of the state, and what the board makes of a queue of orders. */
import type { GameWire, WarQueued } from '../../generated/wire';
import type { GameEvent, Point, RoomState, You } from '../../protocol';

export type Team = GameWire['flag_war']['role'];
export type WarState = RoomState & GameWire['flag_war']['state'];
export type Piece = WarState['pieces'][string];

export const teams: readonly Team[] = ['blue', 'red'];
export const other = (team: Team): Team => (team === 'blue' ? 'red' : 'blue');
export const isTeam = (role: string | null): role is Team => role === 'blue' || role === 'red';

export const same = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

export const teamOf = (id: string): Team => (id.startsWith('blue') ? 'blue' : 'red');
export const numberOf = (id: string): number => Number(id.slice(id.indexOf('-') + 1));

export const queueOf = (you: You): WarQueued[] => (you.queue as WarQueued[] | undefined) ?? [];

/** Where a piece can be taken hold of: itself, or the end of an order that waits for it. */
export interface Handle {
  piece: number;
  /** The round that an order given from here is for. */
  round: number;
  at: Point;
}

/** One leg of a piece's plan. */
export interface Leg {
  piece: number;
  round: number;
  from: Point;
  to: Point;
}

/** The own pieces' plans, leg by leg, each from where the one before ends. */
export function legsOf(view: WarState, queue: readonly WarQueued[], team: Team): Leg[] {
  const at = new Map<number, Point>();
  for (const [id, piece] of Object.entries(view.pieces)) {
    if (teamOf(id) === team && piece.x !== null && piece.y !== null)
      at.set(numberOf(id), { x: piece.x, y: piece.y });
  }
  return [...queue]
    .filter((order) => order.round > view.round)
    .sort((a, b) => a.round - b.round || a.piece - b.piece)
    .flatMap(({ piece, round, to }) => {
      const from = at.get(piece);
      at.set(piece, to);
      return from === undefined ? [] : [{ piece, round, from, to }];
    });
}

/** The handles on the board, those of the latest rounds first. */
export function handlesOf(view: WarState, queue: readonly WarQueued[], team: Team): Handle[] {
  const own = Object.entries(view.pieces).flatMap(([id, piece]): Handle[] =>
    teamOf(id) === team && piece.x !== null && piece.y !== null
      ? [{ piece: numberOf(id), round: view.round + 1, at: { x: piece.x, y: piece.y } }]
      : [],
  );
  const ghosts = legsOf(view, queue, team).map(({ piece, round, to }) => ({
    piece,
    round: round + 1,
    at: to,
  }));
  return [...ghosts, ...own].sort((a, b) => b.round - a.round);
}

/** The same position with one piece where its plan will have brought it, for the engine to judge. */
export function viewFrom(view: WarState, team: Team, handle: Handle): WarState {
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

/** The squares of a team's no-guard zone, to be hatched while it is active. */
export function zoneOf(view: WarState, team: Team): Point[] {
  const reach = Number(view.config['guard_distance'] ?? 0);
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

export interface OrdersResult {
  type: 'orders_result';
  round: number;
  commands: { type: string; piece: number; to?: Point; round?: number }[];
  summary: string;
  understood: boolean;
  error: string | null;
}

export interface LogEntry {
  round: number;
  events: readonly GameEvent[];
}
