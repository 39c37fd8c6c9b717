/** Which rules matter now, the most urgent first. */
import type { WarEvent } from '../../generated/wire';
import type { GameEvent } from '../../protocol';
import type { Tip } from '../../tips/tips.svelte';
import type { Team, WarState } from './types';
import { other, teamOf } from './types';
import { tipWords } from './words';

type Name = keyof typeof tipWords;

/** `last`: events of the last round; `closed`: an own order into the own zone was refused. */
export function tips(
  view: WarState,
  team: Team | null,
  last: readonly GameEvent[],
  closed: boolean,
): Tip[] {
  if (team === null || view.game_status !== 'active') return [];
  const events = last as readonly WarEvent[];
  const own = events.filter((event) => 'piece' in event && teamOf(event.piece) === team);
  const carrier = view.flags[other(team)].carried_by;
  const due: Record<Name, boolean> = {
    zone: closed || own.some(({ type }) => type === 'voided'),
    home: carrier !== null,
    dropped: events.some(({ type }) => type === 'flag_returned'),
    key: view.keys[team] !== null,
    jail: own.some(({ type }) => type === 'jailed'),
    catching: events.some(({ type }) => type === 'jailed'),
    met: own.some((event) => event.type === 'returned' && event.reason === 'collision'),
    rescued: own.some(({ type }) => type === 'rescued'),
    crossing: view.round >= 4,
    ahead: view.round >= 2,
    start: true,
  };
  return (Object.keys(due) as Name[])
    .filter((name) => due[name])
    .map((name) => ({ id: `flag_war.${name}`, text: tipWords[name] }));
}
