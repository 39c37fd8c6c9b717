/** The dungeon in sentences: turns, tiles, battles, what happened, the result. */
import type { DungeonAction, DungeonEvent, DungeonStats } from '../../generated/wire';
import type { GameAction, GameEvent, GameOver, Point, RoleId, RoomState } from '../../protocol';
import type { Turn } from '../types';
import { capital, list, plural } from '../../words';
import type { DungeonState, ItemName, Kind, MonsterName, Player, Tile, Way } from './model';
import { bonus, fireballs, key, numberOf, odds, percent } from './model';

export const monsterNames: Record<MonsterName, string> = {
  giant_rat: 'giant rat',
  giant_spider: 'giant spider',
  mummy: 'mummy',
  skeleton_turnkey: 'skeleton turnkey',
  skeleton_warrior: 'skeleton warrior',
  skeleton_king: 'skeleton king',
  fallen: 'fallen',
  dragon: 'dragon',
};

export const itemNames: Record<ItemName, string> = {
  dagger: 'dagger',
  sword: 'sword',
  axe: 'axe',
  fireball: 'fireball',
  teleport: 'teleport spell',
  portal_of_healing: 'portal of healing',
  key: 'key',
  chest: 'locked chest',
  treasure: 'treasure',
  fallens_treasure: 'fallen’s treasure',
  ruby_chest: 'ruby chest',
};

/** What it does, in a few words. */
export const itemUses: Record<ItemName, string> = {
  dagger: '+1 damage',
  sword: '+2 damage',
  axe: '+3 damage',
  fireball: '+1 damage, once, after the roll',
  teleport: 'to any fountain, once',
  portal_of_healing: 'all hit points back, once',
  key: 'opens a chest',
  chest: '2 points, with a key',
  treasure: '2 points',
  fallens_treasure: '2 points',
  ruby_chest: '3 points',
};

const kindNames: Record<Kind, string> = {
  start: 'the start, a fountain',
  corridor: 'corridor',
  room: 'room',
  gate: 'teleportation gate',
  fountain: 'healing fountain',
};

const compass = ['north', 'east', 'south', 'west'];

export function openSides(openings: readonly boolean[]): string {
  const open = compass.filter((_, side) => openings[side] === true);
  return open.length === 4 ? 'open on all sides' : `open ${list(open)}`;
}

/** "Corridor, open north and east". */
export function tileWords(tile: Tile): string {
  const parts = [capital(kindNames[tile.kind]), openSides(tile.openings)];
  if (tile.monster !== null)
    parts.push(`a ${monsterNames[tile.monster.name]} with ${tile.monster.hp} HP`);
  if (tile.loot !== null) parts.push(`${itemNames[tile.loot]} lies here`);
  if (tile.guards !== null) parts.push(`it guards: ${itemNames[tile.guards]}`);
  return parts.join(', ');
}

/** "2 north, 1 west of you". */
export function away(from: Point, to: Point): string {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const parts = [
    ...(dy === 0 ? [] : [`${Math.abs(dy)} ${dy < 0 ? 'north' : 'south'}`]),
    ...(dx === 0 ? [] : [`${Math.abs(dx)} ${dx < 0 ? 'west' : 'east'}`]),
  ];
  return parts.length === 0 ? 'where you stand' : `${parts.join(', ')} of you`;
}

export function targetWords(state: DungeonState, from: Point, to: Point, way: Way): string {
  const tile = state.tiles[key(to)];
  const what =
    tile === undefined
      ? 'Explore the dark'
      : tile.monster !== null
        ? `Fight: ${tileWords(tile)}`
        : tileWords(tile);
  return `${what}, ${away(from, to)}, ${plural(way.cost, 'move')}`;
}

export function who(state: RoomState, role: RoleId, you: RoleId | null): string {
  if (role === you) return 'You';
  const name = state.names[role];
  return name ?? `Player ${numberOf(role)}`;
}

/** Odds in words, before walking in. */
export function oddsWords(player: Player, hp: number): string {
  const more = bonus(player);
  const chance = odds(hp, more);
  const balls = fireballs(player);
  const best = odds(hp, more + balls);
  return [
    `You win ${percent(chance.win)}, draw ${percent(chance.draw)}, lose ${percent(chance.lose)}.`,
    ...(balls > 0 && best.win > chance.win
      ? [`With ${plural(balls, 'fireball')}: ${percent(best.win)}.`]
      : []),
  ].join(' ');
}

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as DungeonState;
  const mover = state.current_role;
  if (mover === null) return { title: 'The dungeon is quiet' };
  const player = state.players_info[mover];
  const lies = player === undefined ? undefined : state.tiles[key(player)]?.loot;
  const torches =
    state.torches === null ? '' : ` Torches: ${plural(state.torches, 'more turn')} each.`;
  if (mover !== role) {
    const doing =
      state.awaiting === 'place'
        ? 'turns a tile'
        : state.awaiting === 'battle'
          ? 'is in a battle'
          : state.awaiting === 'loot'
            ? 'looks at the loot'
            : 'explores';
    const name = who(state, mover, role);
    const out =
      role !== null && state.players_info[role]?.resigned === true
        ? ' You gave up, and look on.'
        : '';
    return { title: `${name} ${doing}`, detail: `Turn ${state.turn_number}.${torches}${out}` };
  }
  const title = `Your turn: ${
    state.awaiting === 'place'
      ? 'place the tile'
      : state.awaiting === 'battle'
        ? 'fireballs?'
        : state.awaiting === 'loot'
          ? 'take the loot?'
          : state.actions_left === 0
            ? 'take it, or end'
            : `${plural(state.actions_left, 'move')} left`
  }`;
  const detail =
    state.awaiting === 'place'
      ? 'A tap turns it, a double tap places it.'
      : state.awaiting === 'battle'
        ? 'Your dice were not enough.'
        : state.awaiting === 'loot'
          ? 'Either ends your turn.'
          : lies === 'chest' && player?.keys === 0
            ? 'A locked chest: you have no key.'
            : 'Tap a lit tile to go there, fog to explore.';
  return { title, detail: `${detail}${torches}` };
}

/** One line of the log; null for what needs none. */
export function eventWords(state: RoomState, raw: GameEvent, you: RoleId | null): string | null {
  const event = raw as DungeonEvent;
  const name = who(state, event.role, you);
  const they = name === 'You';
  const verb = (one: string, many: string): string => (they ? many : one);
  switch (event.type) {
    case 'tile_placed':
      return event.monster !== null
        ? `${name} ${verb('finds', 'find')} a ${monsterNames[event.monster]}.`
        : event.loot !== null
          ? `${name} ${verb('finds', 'find')} a ${itemNames[event.loot]}.`
          : `${name} ${verb('opens', 'open')} a ${kindNames[event.kind]}.`;
    case 'moved':
      return event.by === 'gate'
        ? `${name} ${verb('steps', 'step')} through the gate.`
        : event.by === 'teleport'
          ? `${name} ${verb('teleports', 'teleport')} to a fountain.`
          : null;
    case 'battle_won':
      return `${name} ${verb('beats', 'beat')} the ${monsterNames[event.monster]}: ${event.damage} damage.`;
    case 'battle_drawn':
      return `${name} and the ${monsterNames[event.monster]}: a draw at ${event.damage}.`;
    case 'battle_lost':
      return `The ${monsterNames[event.monster]} throws ${they ? 'you' : name} back: ${event.damage} was too little.`;
    case 'picked_up':
      return `${name} ${verb('takes', 'take')} the ${itemNames[event.item]}.`;
    case 'dropped':
      return `${name} ${verb('leaves', 'leave')} the ${itemNames[event.item]} there.`;
    case 'chest_opened':
      return `${name} ${verb('opens', 'open')} the chest: ${plural(event.points, 'point')}.`;
    case 'spell_cast':
      return `${name} ${verb('casts', 'cast')} the ${itemNames[event.spell]}.`;
    case 'healed':
      return `${name} ${verb('is', 'are')} healed: ${event.hp} HP.`;
    case 'stunned':
      return `${name} ${verb('is', 'are')} stunned: the next turn is skipped.`;
    case 'recovered':
      return `${name} ${verb('recovers', 'recover')} with 1 HP; the turn was skipped.`;
    default:
      return null;
  }
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const state = room as DungeonState;
  const stats = over?.stats as DungeonStats | undefined;
  const winner = over?.winner ?? state.winner;
  const winners = winner === null ? [] : Array.isArray(winner) ? winner : [winner];
  /* Who gave up has lost, whatever the points. */
  const ranking = Object.entries(state.players_info).sort(
    ([, a], [, b]) => Number(a.resigned) - Number(b.resigned) || b.points - a.points,
  );
  const alone = ranking.length === 1;
  const label = (name: RoleId, player: Player): string => {
    const before = ranking.filter(([, other]) => !other.resigned && other.points > player.points);
    if (player.resigned) return `${who(state, name, role)}, gave up`;
    return `${alone ? '' : `${before.length + 1}. `}${who(state, name, role)}`;
  };
  const slayer = stats?.slayer ?? null;
  const names = list(winners.map((winning) => who(state, winning, role)));
  const title = alone
    ? slayer === null
      ? 'The torches went out'
      : 'The dragon is beaten'
    : winners.length === 0
      ? 'Nobody is left'
      : role !== null && winners.includes(role)
        ? winners.length > 1
          ? 'You share the win'
          : 'You won'
        : `${names} won`;
  return {
    title,
    detail:
      winners.length === 0
        ? 'Everybody gave up.'
        : `${slayer === null ? 'The dragon sleeps on' : `${who(state, slayer, role)} beat the dragon`}${alone ? '.' : '; the points decide.'}`,
    figures: [
      ...ranking.map(([name, player]) => ({
        label: label(name, player),
        value: plural(player.points, 'point'),
      })),
      { label: 'Turns', value: String(stats?.turns ?? state.turn_number) },
      ...(alone
        ? [{ label: 'HP lost', value: String(Object.values(stats?.hp_lost ?? {})[0] ?? 0) }]
        : []),
    ],
  };
}

const place = ({ x, y }: Point): string => `column ${x}, row ${y}`;

export function describeAction(raw: GameAction, role: RoleId | null, room: RoomState): string {
  const action = raw as DungeonAction;
  const name = role === null ? 'Somebody' : who(room, role, null);
  switch (action.type) {
    case 'explore':
      return `${name} explores ${place(action.to)}`;
    case 'place':
      return `${name} places the tile`;
    case 'move':
      return `${name} goes to ${place(action.to)}`;
    case 'battle':
      return `${name} uses ${plural(action.fireballs, 'fireball')}`;
    case 'pick_up':
      return `${name} picks up what lies there`;
    case 'leave_loot':
      return `${name} leaves the loot`;
    case 'open_chest':
      return `${name} opens the chest`;
    case 'cast':
      return `${name} casts ${itemNames[action.spell]}`;
    case 'rest':
      return `${name} rests at the fountain`;
    default:
      return `${name} ends the turn`;
  }
}
