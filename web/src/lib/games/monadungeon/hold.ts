/** How long events in the dungeon stay on the screen before the next update. */
import type { DungeonEvent } from '../../generated/wire';
import type { HoldOf } from '../../room/pace.svelte';
import type { DungeonState } from './model';

const settled: readonly DungeonEvent['type'][] = ['battle_won', 'battle_drawn', 'battle_lost'];

/** For another player's actions, at normal speed; the longest of an update counts. */
const times: Partial<Record<DungeonEvent['type'], number>> = {
  tile_drawn: 500,
  tile_placed: 700,
  moved: 450,
  battle_started: 800,
  battle_won: 1700,
  battle_drawn: 1700,
  battle_lost: 1700,
  picked_up: 900,
  chest_opened: 1200,
  spell_cast: 900,
  healed: 700,
  recovered: 900,
  turn_ended: 400,
};

const OWN_RESULT_MS = 2000;
const OWN_TURN_MS = 500;

/** You gave up, and only bots play on: nobody needs to see each of their steps. */
function nobodyPlays(state: DungeonState, role: string | null): boolean {
  const left = Object.entries(state.players_info).filter(([, { resigned }]) => !resigned);
  return (
    role !== null &&
    state.players_info[role]?.resigned === true &&
    left.every(([other]) => state.bots[other] !== undefined)
  );
}

export const hold: HoldOf = ({ state, events, you }) => {
  if (nobodyPlays(state as DungeonState, you.role)) return { ms: 0 };
  const all = events as readonly DungeonEvent[];
  const types = all.map(({ type }) => type);
  if (!all.some(({ role }) => role === you.role))
    return { ms: Math.max(...types.map((type) => times[type] ?? 0)) };
  const own = all.filter(({ role }) => role === you.role).map(({ type }) => type);
  const result =
    own.some((type) => settled.includes(type)) ||
    own.includes('chest_opened') ||
    own.includes('recovered');
  /* On one's own turn there is nothing to wait for. */
  if (state.current_role === you.role && !own.includes('turn_ended')) return { ms: 0 };
  return result ? { ms: OWN_RESULT_MS, own: true } : { ms: OWN_TURN_MS };
};
