/** The dungeon in sentences: turns, tiles, battles, what happened, the result. */
import type { DungeonAction, DungeonEvent, DungeonStats } from '../../generated/wire';
import type { GameAction, GameEvent, GameOver, Point, RoleId, RoomState } from '../../protocol';
import { seatName } from '../../seat-name';
import type { Turn } from '../types';
import { capital, list, plural } from '../../words';
import type { LastBattle } from './last-battle';
import type { DungeonState, ItemName, Kind, MonsterName, Player, Tile, Way } from './model';
import { bonus, fireballs, key, numberOf, odds, percent, turned } from './model';

export const hitPoints: Record<MonsterName, number> = {
  giant_rat: 5,
  giant_spider: 6,
  mummy: 7,
  skeleton_turnkey: 8,
  skeleton_warrior: 9,
  skeleton_king: 10,
  fallen: 12,
  dragon: 15,
};

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
  fireball: '+1 damage after the roll, once',
  teleport: 'takes you to any fountain, once',
  portal_of_healing: 'restores all hearts, once',
  key: 'opens one chest',
  chest: '2 points, needs a key',
  treasure: '2 points',
  fallens_treasure: '2 points',
  ruby_chest: '3 points',
};

/** Each of them once, when it first matters; no longer than a tip may be. */
export const tipWords = {
  start: 'Tap a ? to explore. When somebody beats the dragon, most points wins.',
  fight: 'You roll two dice and add your weapons. Roll more than its HP to win.',
  lost: 'A lost fight costs one heart, and you step back. With no hearts you miss a turn.',
  drawn: 'A draw costs nothing: you step back, and your turn ends.',
  stun: 'You have no hearts left: you miss one turn, then go on with one heart.',
  fireballs: 'Each fireball adds 1 damage and is used up. Use as many as you need, or none.',
  full: 'You carry at most one key, two weapons and three spells. Swap to take more.',
  chest: 'Each chest is worth 2 points. You need a key: skeleton turnkeys guard them.',
  key: 'Your key opens one chest. Walk onto a chest’s tile to open it for 2 points.',
  gate: 'For one move a gate takes you to the other gate, once both are found.',
  fountain: 'End your turn on a fountain to get all your hearts back.',
  dragon: 'The dragon is found: 15 HP. Beating it gives 3 points and ends the game.',
  torches: 'The map is complete. When the torches burn out, most points wins.',
  fireball: 'A fireball adds 1 damage. You can use it after the roll, if that was not enough.',
  teleport: 'A teleport spell takes you to any fountain and ends your turn.',
  portal: 'A portal of healing restores all your hearts. Your turn goes on.',
  bag: 'Tap an item in your bag to read what it does.',
} as const;

const kindNames: Record<Kind, string> = {
  start: 'the start, a fountain',
  corridor: 'corridor',
  room: 'room',
  gate: 'teleportation gate',
  fountain: 'healing fountain',
};

const kindUses: Record<Kind, string> = {
  start: 'The start, a fountain: end a turn here to get all hearts back.',
  corridor: 'A corridor: nothing happens here.',
  room: 'A room, empty now.',
  gate: 'A teleportation gate: one move to the other gate, once both have been found.',
  fountain: 'A fountain: end a turn here to get all hearts back.',
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

/** What is on a tile, and what it is for. */
export function lookWords({ kind, monster, loot, guards }: Tile): string {
  const use = (item: ItemName): string => `${itemNames[item]} (${itemUses[item]})`;
  const parts = [
    ...(monster === null ? [] : [`${capital(monsterNames[monster.name])}, ${monster.hp} HP.`]),
    ...(guards === null ? [] : [`It guards: ${use(guards)}.`]),
    ...(loot === null ? [] : [`${capital(use(loot))}.`]),
  ];
  return parts.length === 0 ? kindUses[kind] : parts.join(' ');
}

/** "2 north, 1 west of you". */
export function away(from: Point, to: Point, of = 'you'): string {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const parts = [
    ...(dy === 0 ? [] : [`${Math.abs(dy)} ${dy < 0 ? 'north' : 'south'}`]),
    ...(dx === 0 ? [] : [`${Math.abs(dx)} ${dx < 0 ? 'west' : 'east'}`]),
  ];
  return parts.length === 0
    ? `where ${of === 'you' ? 'you stand' : `${of} is`}`
    : `${parts.join(', ')} of ${of}`;
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
  return seatName(state, role, `Player ${numberOf(role)}`);
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

/** "You: 4 + 2 = 6, skeleton turnkey 8: you lose a heart." */
export function battleWords(
  state: RoomState,
  fight: Omit<LastBattle, 'turn' | 'words'> & { stunned: boolean },
  you: RoleId | null,
): string {
  const { role, monster, hp, dice, damage, fireballs: balls, stunned } = fight;
  const name = who(state, role, you);
  const they = name === 'You';
  const rolled = dice.reduce((sum, value) => sum + value, 0);
  const weapons = damage - rolled - balls;
  const sum = [
    dice.join(' + '),
    ...(weapons > 0 ? [` + ${weapons} (weapons)`] : []),
    ...(balls > 0 ? [` + ${balls} (${balls === 1 ? 'fireball' : 'fireballs'})`] : []),
  ].join('');
  const subject = they ? 'you' : name;
  const outcome =
    damage > hp
      ? `${subject} ${they ? 'win' : 'wins'}`
      : damage === hp
        ? `a draw, ${subject} ${they ? 'step' : 'steps'} back`
        : `${subject} ${they ? 'lose' : 'loses'} a heart${stunned ? ' and will miss a turn' : ''}`;
  return `${name}: ${sum} = ${damage}, ${monsterNames[monster]} ${hp}: ${outcome}.`;
}

/** An open battle: "You rolled 3 + 4, 7 in all. The mummy has 7 HP." */
export function openWords({ battle, ...state }: DungeonState, you: RoleId | null): string {
  if (battle === null) return '';
  const rolled = `${who(state, state.current_role ?? '', you)} rolled ${battle.dice.join(' + ')}`;
  return `${rolled}, ${battle.damage} in all. The ${monsterNames[battle.monster]} has ${battle.hp} HP.`;
}

/** What somebody else is doing, for those who wait. */
const doing: Record<'place' | 'battle' | 'loot' | 'none', string> = {
  place: 'is placing a tile',
  battle: 'is choosing fireballs',
  loot: 'is choosing what to take',
  none: 'is exploring',
};

export function turn(room: RoomState, role: RoleId | null): Turn {
  const state = room as DungeonState;
  const mover = state.current_role;
  if (mover === null) return { title: 'Nobody is left' };
  const player = state.players_info[mover];
  const lies = player === undefined ? undefined : state.tiles[key(player)]?.loot;
  const torches =
    state.torches === null ? '' : ` Torches: ${plural(state.torches, 'more turn')} each.`;
  if (mover !== role) {
    const name = who(state, mover, role);
    const out =
      role !== null && state.players_info[role]?.resigned === true
        ? ' You gave up and are watching.'
        : '';
    const now = doing[state.awaiting ?? 'none'];
    return { title: `${name}’s turn`, detail: `${name} ${now}.${torches}${out}` };
  }
  const title = `Your turn: ${
    state.awaiting === 'place'
      ? 'place the tile'
      : state.awaiting === 'battle'
        ? 'use fireballs?'
        : state.awaiting === 'loot'
          ? 'take the loot?'
          : state.actions_left === 0
            ? 'take it, or end'
            : `${plural(state.actions_left, 'move')} left`
  }`;
  const detail =
    state.awaiting === 'place'
      ? turns(state) > 1
        ? 'Tap the tile to turn it, double-tap to place it and walk in.'
        : 'Tap the tile to place it and walk in.'
      : state.awaiting === 'battle'
        ? 'Your dice were not enough.'
        : state.awaiting === 'loot'
          ? 'Either ends your turn.'
          : lies === 'chest' && player?.keys === 0
            ? 'A locked chest: you have no key.'
            : 'Tap an outlined tile to move, or a ? to explore.';
  return { title, detail: `${detail}${torches}` };
}

/** The number of rotations of the waiting tile that look different. */
export function turns({ waiting_tile: waiting }: DungeonState): number {
  if (waiting === null) return 0;
  return new Set(waiting.rotations.map((by) => turned(waiting.openings, by).join())).size;
}

/** One line of the log; null if the event needs none. */
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
          : `${name} ${verb('finds', 'find')} a ${kindNames[event.kind]}.`;
    case 'moved':
      return event.by === 'gate'
        ? `${name} ${verb('steps', 'step')} through the gate.`
        : event.by === 'teleport'
          ? `${name} ${verb('teleports', 'teleport')} to a fountain.`
          : null;
    case 'battle_won':
    case 'battle_drawn':
    case 'battle_lost': {
      const hp = hitPoints[event.monster];
      return battleWords(state, { ...event, hp, stunned: false }, you);
    }
    case 'picked_up':
      return `${name} ${verb('takes', 'take')} the ${itemNames[event.item]}.`;
    case 'dropped':
      return `${name} ${verb('leaves', 'leave')} the ${itemNames[event.item]} there.`;
    case 'chest_opened':
      return `${name} ${verb('opens', 'open')} the chest: ${plural(event.points, 'point')}.`;
    case 'spell_cast':
      return `${name} ${verb('casts', 'cast')} the ${itemNames[event.spell]}.`;
    case 'healed':
      return `${name} ${verb('has', 'have')} all ${plural(event.hp, 'heart')} again.`;
    case 'stunned':
      return `${name} ${verb('is', 'are')} stunned and will miss a turn.`;
    case 'recovered':
      return `${name} missed a turn and ${verb('goes', 'go')} on with one heart.`;
    default:
      return null;
  }
}

export function result(room: RoomState, over: GameOver | null, role: RoleId | null) {
  const state = room as DungeonState;
  const stats = over?.stats as DungeonStats | undefined;
  const winner = over?.winner ?? state.winner;
  const winners = winner === null ? [] : Array.isArray(winner) ? winner : [winner];
  /* A player who gave up has lost, whatever the points. */
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
        : `${slayer === null ? 'Nobody beat the dragon.' : `${who(state, slayer, role)} beat the dragon.`}${alone ? '' : ' Most points wins.'}`,
    figures: [
      ...ranking.map(([name, player]) => ({
        label: label(name, player),
        value: plural(player.points, 'point'),
      })),
      { label: 'Turns', value: String(stats?.turns ?? state.turn_number) },
      /* Unknown until the result has come; a 0 would be wrong. */
      ...(alone && stats !== undefined
        ? [{ label: 'HP lost', value: String(Object.values(stats.hp_lost)[0] ?? 0) }]
        : []),
    ],
  };
}

const place = (at: Point): string => away({ x: 0, y: 0 }, at, 'the start');

export function describeAction(raw: GameAction, role: RoleId | null, room: RoomState): string {
  const action = raw as DungeonAction;
  const name = role === null ? 'Somebody' : who(room, role, null);
  const waiting = (room as Partial<DungeonState>).waiting_tile;
  switch (action.type) {
    case 'explore':
      return `${name} explores ${place(action.to)}`;
    case 'place':
      return waiting === null || waiting === undefined
        ? `${name} places the tile`
        : `${name} places the tile, ${openSides(turned(waiting.openings, action.rotation))}`;
    case 'move':
      return `${name} goes ${place(action.to)}`;
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
