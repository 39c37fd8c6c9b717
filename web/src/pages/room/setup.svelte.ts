/**
 * A room that this browser makes: what is wanted of it (a computer to play against, a friend, two people at one
 * device), done step by step as soon as the room is open, so that one tap on the home page is all it takes.
 *
 *   await makeRoom('flag_war', { kind: 'computer', level: 'easy' });   makes the room and goes there
 *
 * What needs nobody elsewhere is made in this browser (lib/local), so it needs no network either.
 *   const plan = takePlan(id);                                         once, by the room's page
 *   await carryOut(plan, hot);
 *
 * A step that is refused ends the plan: the room's own page takes over, and says why.
 */
import { bringGame, createLocalRoom, createRoom, fetchGames, fetchLocalGames } from '../../lib/api';
import { isLocal, roomPath } from '../../lib/place';
import type { GameId, RoleId } from '../../lib/protocol';
import type { HotSeat } from '../../lib/room/hot-seat.svelte';
import { loadSeat } from '../../lib/room/seat';
import type { Seat } from '../../lib/room/seat';
import { router } from '../../lib/router.svelte';
import { settings } from '../../lib/settings.svelte';
import { storage } from '../../lib/storage.svelte';

export type Plan =
  | { kind: 'computer'; level: string }
  | { kind: 'friend' }
  | { kind: 'device' }
  /** A game that is already running: the seat of this role. */
  | { kind: 'join'; role: RoleId | null }
  /** A rematch: the seats are already taken. */
  | { kind: 'again' };

const plans = new Map<string, Plan>();

/** Rooms whose link should be sent now; their page removes them. */
export const toSend = new Set<string>();

/** A running game of this browser becomes a room on the server, with a link for a friend. */
export async function openToFriend(id: string, role: RoleId | null): Promise<void> {
  const { room_id } = await bringGame(id);
  plans.set(room_id, { kind: 'join', role });
  toSend.add(room_id);
  router.go(roomPath(room_id));
}

export async function makeRoom(
  game: GameId,
  plan: Plan,
  {
    config,
    from,
    replace = false,
  }: {
    /** Without it, the game's first variant. */
    config?: object;
    from?: { replay_id: string; seq: number };
    replace?: boolean;
  } = {},
): Promise<void> {
  const here =
    plan.kind === 'computer' ||
    plan.kind === 'device' ||
    (from !== undefined && isLocal(from.replay_id));
  const first = async (): Promise<object | undefined> =>
    (await (here ? fetchLocalGames() : fetchGames())).find((one) => one.id === game)?.variants[0]
      ?.config;
  const room = await (here ? createLocalRoom : createRoom)(
    game,
    from === undefined ? (config ?? (await first())) : undefined,
    from,
  );
  plans.set(room.room_id, plan);
  if (plan.kind === 'friend') setAutoStart(room.room_id, true);
  router.go(roomPath(room.room_id), { replace });
}

export function setPlan(id: string, plan: Plan): void {
  plans.set(id, plan);
}

export const isPlanned = (id: string): boolean => plans.has(id);

export function takePlan(id: string): Plan | null {
  const plan = plans.get(id) ?? planOfSeat(loadSeat(id));
  plans.delete(id);
  return plan;
}

/** A board for one that was made in this browser, or moved here, has its seat taken when it is opened first. */
const planOfSeat = ({ alone, token, role }: Seat): Plan | null =>
  alone === undefined || token !== undefined || role === undefined ? null : { kind: 'join', role };

export async function carryOut(plan: Plan, hot: HotSeat): Promise<void> {
  if (plan.kind === 'again') return;
  const { room } = hot;
  const gone = (): boolean => room.closedBecause !== null || room.notice !== null;
  await until(() => room.live || gone());
  const roles = Object.keys(room.state?.players ?? {});
  const mine = plan.kind === 'join' ? (plan.role ?? roles[0]) : roles[0];
  if (mine === undefined || gone()) return;
  room.select(mine, settings.name);
  await until(() => room.you.role !== null || gone());
  if (room.you.role === null || plan.kind === 'friend' || plan.kind === 'join') return;

  const infos = await (isLocal(hot.id) ? fetchLocalGames() : fetchGames());
  const info = infos.find((one) => one.id === room.state?.game);
  const needed = Math.max(2, info?.seats_min ?? 2);
  const others = roles.filter((role) => role !== mine).slice(0, needed - 1);
  try {
    if (plan.kind === 'computer')
      for (const role of others) await room.act({ type: 'add_bot', role, level: plan.level });
    else for (const role of others) hot.add(role);
    // The other seats of this device are announced to this one.
    await until(() => others.every((role) => isFilled(hot, role)) || gone());
    if (!gone()) await room.act({ type: 'start' });
    await until(() => room.state?.game_status === 'active' || gone());
  } catch {
    // Refused: the room's page says why.
  }
}

function isFilled({ room }: HotSeat, role: RoleId): boolean {
  return room.state?.players[role] === true || room.state?.bots[role] != null;
}

function until(ready: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = $effect.root(() => {
      $effect(() => {
        if (!ready()) return;
        resolve();
        queueMicrotask(() => {
          stop();
        });
      });
    });
  });
}

/* ---- the start by itself ---- */

const key = (id: string): string => `boardwalk:starts:${id}`;

/** The game in a room that this browser made starts by itself once all seats are filled. */
export const startsItself = (id: string): boolean => storage.read(key(id), 'session') === '1';

export function setAutoStart(id: string, on: boolean): void {
  storage.write(key(id), on ? '1' : null, 'session');
}
