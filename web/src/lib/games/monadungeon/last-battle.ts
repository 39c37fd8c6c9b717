/** The last settled battle: its dice, the fighter, the sum, and the result. */
import type { DungeonEvent } from '../../generated/wire';
import type { GameEvent, RoleId, RoomState } from '../../protocol';
import type { MonsterName } from './model';
import { battleWords, hitPoints } from './words';

export interface LastBattle {
  role: RoleId;
  monster: MonsterName;
  hp: number;
  dice: readonly number[];
  damage: number;
  fireballs: number;
  /** The turn it was fought in, because every turn has its own roll. */
  turn: number;
  words: string;
}

export function lastBattle(
  state: RoomState,
  events: readonly GameEvent[],
  you: RoleId | null,
): LastBattle | null {
  const stunned = events.some(({ type }) => type === 'stunned');
  for (const raw of events) {
    const event = raw as DungeonEvent;
    if (
      event.type !== 'battle_won' &&
      event.type !== 'battle_drawn' &&
      event.type !== 'battle_lost'
    )
      continue;
    const { role, monster, dice, damage, fireballs } = event;
    const hp = hitPoints[monster];
    return {
      role,
      monster,
      hp,
      dice,
      damage,
      fireballs,
      turn: state.current_turn,
      words: battleWords(state, { role, monster, hp, dice, damage, fireballs, stunned }, you),
    };
  }
  return null;
}
