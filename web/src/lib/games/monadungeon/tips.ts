/** Which rules matter now, the most urgent first. */
import type { RoleId } from '../../protocol';
import type { Tip } from '../../tips/tips.svelte';
import type { LastBattle } from './last-battle';
import type { DungeonState } from './model';
import { isFountain, key } from './model';
import { tipWords } from './words';

type Name = keyof typeof tipWords;

export function tips(
  view: DungeonState,
  role: RoleId | null,
  fights: boolean,
  last: LastBattle | null,
): Tip[] {
  const me = role === null ? undefined : view.players_info[role];
  if (me === undefined || me.resigned || view.game_status !== 'active') return [];
  const tile = view.tiles[key(me)];
  const mine = view.current_role === role;
  const own = last?.role === role ? last : null;
  const full = me.keys > 0 || me.weapons.length > 1 || me.spells.length > 2;
  const due: Record<Name, boolean> = {
    stun: me.stunned,
    lost: own !== null && own.damage < own.hp,
    drawn: own !== null && own.damage === own.hp,
    fireballs: mine && view.awaiting === 'battle',
    full: mine && view.awaiting === 'loot' && full,
    fight: fights,
    chest: mine && tile?.loot === 'chest' && me.keys === 0,
    gate: mine && tile?.kind === 'gate',
    fountain: mine && tile !== undefined && isFountain(tile.kind) && me.hp < view.config.max_hp,
    dragon: view.dragon !== null,
    torches: view.torches !== null,
    key: mine && me.keys > 0,
    fireball: mine && me.spells.includes('fireball'),
    teleport: mine && me.spells.includes('teleport'),
    portal: mine && me.spells.includes('portal_of_healing'),
    bag: mine && me.weapons.length > 0,
    start: mine,
  };
  return (Object.keys(due) as Name[])
    .filter((name) => due[name])
    .map((name) => ({ id: `monadungeon.${name}`, text: tipWords[name] }));
}
