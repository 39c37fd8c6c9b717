/** The dungeon as the board needs it: ways and their cost, places to explore, the odds of two dice. */
import type { DungeonEvent, DungeonFoe, DungeonInfo, DungeonTileView } from '../../generated/wire';
import type { GameState, Happened, Point, RoleId, RoomState } from '../../protocol';
import type { Part } from '../types';

export type DungeonState = GameState<'monadungeon'>;
export type Tile = Omit<DungeonTileView, 'key'>;
export type Player = Omit<DungeonInfo, 'key'>;
export type Kind = Tile['kind'];
export type MonsterName = DungeonFoe['name'];
export type ItemName = NonNullable<Tile['loot']>;

/** Top, right, bottom, left. */
export const sides: readonly Point[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];

export const roles: readonly RoleId[] = ['player1', 'player2', 'player3', 'player4'];
export const numberOf = (role: RoleId): number => roles.indexOf(role) + 1;

/** Seats may stay empty, and nobody waits for a player who has resigned. */
export function part(room: RoomState, role: RoleId): Part {
  const player = (room as DungeonState).players_info[role];
  return player === undefined ? 'none' : player.resigned ? 'done' : 'playing';
}

export const key = ({ x, y }: Point): string => `${x},${y}`;
export const same = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

export function cell(key: string): Point {
  const [x = 0, y = 0] = key.split(',').map(Number);
  return { x, y };
}

export function beside({ x, y }: Point, side: number): Point {
  const step = sides[side] ?? { x: 0, y: 0 };
  return { x: x + step.x, y: y + step.y };
}

export const isFountain = (kind: Kind): boolean => kind === 'fountain' || kind === 'start';

/** Openings after that many quarter turns clockwise. */
export function turned(openings: readonly boolean[], turns: number): boolean[] {
  return [0, 1, 2, 3].map((side) => openings[(side + 4 - (turns % 4)) % 4] === true);
}

/** The neighbours that a passage leads to. */
function passages(state: DungeonState, at: Point): Point[] {
  const tile = state.tiles[key(at)];
  if (tile === undefined) return [];
  const ways = [0, 1, 2, 3]
    .filter((side) => {
      const other = state.tiles[key(beside(at, side))];
      return tile.openings[side] === true && other?.openings[(side + 2) % 4] === true;
    })
    .map((side) => beside(at, side));
  if (tile.kind !== 'gate') return ways;
  const gates = Object.entries(state.tiles).filter(([, other]) => other.kind === 'gate');
  return [...ways, ...gates.map(([name]) => cell(name)).filter((gate) => !same(gate, at))];
}

/** A way: its moves, and the cells to step on, including the last. */
export interface Way {
  cost: number;
  path: Point[];
  /** Its last step draws a tile. */
  explores: boolean;
}

/** Every tile and unexplored cell within `moves`, by the fewest moves; monsters block. */
export function ways(state: DungeonState, from: Point, moves: number): Map<string, Way> {
  const found = new Map<string, Way>([[key(from), { cost: 0, path: [], explores: false }]]);
  const queue = [from];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const way = found.get(key(at));
    const tile = state.tiles[key(at)];
    if (way === undefined || tile === undefined || tile.monster !== null || way.cost >= moves)
      continue;
    const next = (to: Point, explores: boolean): void => {
      if (found.has(key(to))) return;
      found.set(key(to), { cost: way.cost + 1, path: [...way.path, to], explores });
      if (!explores) queue.push(to);
    };
    for (const to of passages(state, at)) next(to, false);
    if (state.deck_left === 0) continue;
    for (let side = 0; side < 4; side++) {
      const to = beside(at, side);
      if (tile.openings[side] === true && state.tiles[key(to)] === undefined) next(to, true);
    }
  }
  found.delete(key(from));
  return found;
}

/** The way that another player went in their last turn: what changed while one waited. */
export function lastWay(
  history: readonly Happened[],
  you: RoleId | null,
): { role: RoleId; cells: Point[] } | null {
  const events = history.flatMap((happened) => happened.events as DungeonEvent[]);
  const end = events.findLastIndex((event) => event.type === 'moved' && event.role !== you);
  const last = events[end];
  if (last === undefined) return null;
  const { role } = last;
  const begin = events.findLastIndex(
    (event, index) => index < end && event.type === 'turn_ended' && event.role === role,
  );
  const moves = events
    .slice(begin + 1, end + 1)
    .filter((event) => event.type === 'moved' && event.role === role)
    .flatMap((event) => (event.type === 'moved' ? [event.from, event.to] : []));
  return {
    role,
    cells: moves.filter((at, index) => !same(at, moves[index - 1] ?? { x: NaN, y: NaN })),
  };
}

/** Empty cells next to an open side: where the fog is thin. */
export function edges(state: DungeonState): Point[] {
  const found = new Map<string, Point>();
  for (const [name, tile] of Object.entries(state.tiles)) {
    for (let side = 0; side < 4; side++) {
      const to = beside(cell(name), side);
      if (tile.openings[side] === true && state.tiles[key(to)] === undefined)
        found.set(key(to), to);
    }
  }
  return [...found.values()];
}

export const damageOf: Partial<Record<ItemName, number>> = {
  dagger: 1,
  sword: 2,
  axe: 3,
  fireball: 1,
};

export const bonus = (player: Player): number =>
  player.weapons.reduce((sum, item) => sum + (damageOf[item] ?? 0), 0);

export const fireballs = (player: Player): number =>
  player.spells.filter((spell) => spell === 'fireball').length;

/** Of 36 rolls: those that win, draw and lose against that many hit points. */
export function odds(hp: number, more: number): { win: number; draw: number; lose: number } {
  const result = { win: 0, draw: 0, lose: 0 };
  for (let one = 1; one <= 6; one++) {
    for (let two = 1; two <= 6; two++) {
      const damage = one + two + more;
      if (damage > hp) result.win++;
      else if (damage === hp) result.draw++;
      else result.lose++;
    }
  }
  return result;
}

/** With two weapons or three spells in hand: the effect of a swap. */
export type Swap = 'better' | 'other' | 'worse' | 'same';

/** What it means to take `loot` and leave `drop`. */
export function swap(loot: ItemName, drop: ItemName): Swap {
  if (loot === drop) return 'same';
  const gain = (damageOf[loot] ?? 0) - (damageOf[drop] ?? 0);
  const weapons = ['dagger', 'sword', 'axe'];
  if (!weapons.includes(loot) || gain === 0) return 'other';
  return gain > 0 ? 'better' : 'worse';
}

export const percent = (rolls: number): string => `${Math.round((rolls / 36) * 100)}%`;
