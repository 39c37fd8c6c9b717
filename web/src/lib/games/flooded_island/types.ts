/** Flooded Island's part of the state, its actions, and the geometry of its fields. */
import type { IslandEvent, IslandYou } from '../../generated/wire';
import type { GameAction, GameEvent, GameState, Point, You } from '../../protocol';

export type IslandState = GameState<'flooded_island'>;

export function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

export function isIn(list: readonly Point[], at: Point): boolean {
  return list.some((field) => same(field, at));
}

export function isDry(state: IslandState, { x, y }: Point): boolean {
  return state.grid[y]?.[x] === 'dry';
}

const within = (state: IslandState, { x, y }: Point): boolean => state.grid[y]?.[x] !== undefined;

/** The neighbouring fields that the adventurer could walk to from where it stands. */
export function reachable(state: IslandState): Point[] {
  const here = state.journeyman_position;
  if (here === null) return [];
  return [-1, 0, 1]
    .flatMap((dy) => [-1, 0, 1].map((dx) => ({ x: here.x + dx, y: here.y + dy })))
    .filter((at) => !same(at, here) && isDry(state, at));
}

/** The fields that a walk to `at` dries, including dry ones: the four beside it, not the diagonal ones. */
export function driedFrom(state: IslandState, { x, y }: Point): Point[] {
  return [
    { x, y: y - 1 },
    { x: x - 1, y },
    { x: x + 1, y },
    { x, y: y + 1 },
  ].filter((at) => within(state, at));
}

/** The fields that the player has staged, according to the server. */
export function stagedFields(you: You): Point[] {
  const { staged } = you as Partial<IslandYou>;
  return staged?.positions ?? (staged?.position === undefined ? [] : [staged.position]);
}

/** The fields that an action of either side names. */
export const actionFields = (action: GameAction): Point[] =>
  action.type === 'flood'
    ? action.positions
    : action.type === 'move' && 'position' in action && action.position !== null
      ? [action.position]
      : [];

export function stageAction(role: string, fields: Point[]): GameAction {
  return role === 'weather'
    ? { type: 'flood', positions: fields.map(({ x, y }) => ({ x, y })) }
    : { type: 'move', position: fields[0] ?? null };
}

/** What the two sides did last. */
export interface LastTurns {
  walk: { from: Point; to: Point } | null;
  /** Flooded fields that the walk dried. */
  dried: Point[];
  /** Fields flooded in the last night; null: there was no night after the walk. */
  flooded: Point[] | null;
}

/** From the updates, oldest first, as far back as known. */
export function lastTurns(history: readonly { events: readonly GameEvent[] }[]): LastTurns {
  const last: LastTurns = { walk: null, dried: [], flooded: null };
  for (const event of history.flatMap(({ events }) => events as readonly IslandEvent[])) {
    if (event.type === 'moved') {
      last.walk = { from: event.from, to: event.to };
      last.dried = [];
      last.flooded = null;
    } else if (event.type === 'dried') last.dried = event.positions;
    else if (event.type === 'flooded') last.flooded = event.positions;
    else if (event.type === 'day') last.flooded ??= [];
  }
  return last;
}
