/**
 * What a player can do if the others are away: after AWAY_SECONDS a bot can play for one of them, after 180
 * seconds the game can be ended, won by absence. The server decides; the page counts from when it saw the
 * seat empty.
 */
import type { GameModule } from '../games/types';
import type { RoleId } from '../protocol';
import type { Room } from './room.svelte';

/** AWAY_SECONDS where the server does not say. */
const AWAY_SECONDS = 60;
const CLAIM = 180_000;

export interface Offer {
  /** Players for whom a bot may play. */
  roles: RoleId[];
  /** Seconds until the game may be ended; 0: now. */
  claimIn: number;
}

/** null: nothing is offered. */
export function offerAlone(
  room: Pick<Room, 'state' | 'you' | 'awaySince'>,
  module: GameModule | null,
  now: number,
): Offer | null {
  const { state, you } = room;
  if (state?.game_status !== 'active' || you.role === null) return null;
  const plays = (role: RoleId): boolean => (module?.part?.(state, role) ?? 'playing') === 'playing';
  const others = Object.keys(state.players).filter((role) => role !== you.role);
  if (!plays(you.role) || others.some((role) => state.players[role] === true)) return null;
  const away = others.filter((role) => room.awaySince[role] !== undefined && plays(role));
  const since = (role: RoleId): number => now - (room.awaySince[role] ?? now);
  const wanted = (you.away_seconds ?? AWAY_SECONDS) * 1000;
  const roles = away.filter((role) => since(role) >= wanted);
  if (roles.length === 0) return null;
  const shortest = Math.min(...away.map(since));
  return { roles, claimIn: Math.max(0, Math.ceil((CLAIM - shortest) / 1000)) };
}
