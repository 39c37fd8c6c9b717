/** The battle that was settled last, for the panel that shows its dice. */
import type { DungeonEvent } from '../../generated/wire';
import type { GameEvent, RoleId, RoomState } from '../../protocol';
import type { MonsterName } from './model';
import { eventWords } from './words';

export interface LastBattle {
  monster: MonsterName;
  hp: number;
  dice: readonly number[];
  damage: number;
  fireballs: number;
  /** The turn it was fought in: every one has its own roll. */
  turn: number;
  words: string;
}

const hitPoints: Record<MonsterName, number> = {
  giant_rat: 5,
  giant_spider: 6,
  mummy: 7,
  skeleton_turnkey: 8,
  skeleton_warrior: 9,
  skeleton_king: 10,
  fallen: 12,
  dragon: 15,
};

export function lastBattle(
  state: RoomState,
  events: readonly GameEvent[],
  you: RoleId | null,
): LastBattle | null {
  for (const raw of events) {
    const event = raw as DungeonEvent;
    if (
      event.type !== 'battle_won' &&
      event.type !== 'battle_drawn' &&
      event.type !== 'battle_lost'
    )
      continue;
    return {
      monster: event.monster,
      hp: hitPoints[event.monster],
      dice: event.dice,
      damage: event.damage,
      fireballs: event.fireballs,
      turn: state.current_turn,
      words: eventWords(state, raw, you) ?? '',
    };
  }
  return null;
}
