/**
 * Several seats of one room in one browser, for people who pass a device around. Each seat is a Room of its
 * own (connection, token, ids); one of them is shown. When it is another one's turn, `next` is that seat,
 * and `pass` shows it. A seat that was given up is disconnected, because it would count as a spectator.
 */
import type { GameId, RoleId } from '../protocol';
import { Room } from './room.svelte';
import { forgetSeat, loadSeat } from './seat';
import { storage, whole } from '../storage.svelte';

/** No game has more seats. */
const most = 8;

const key = (id: string): string => `boardwalk:seats:${id}`;

export class HotSeat {
  rooms = $state.raw<Room[]>([]);
  active = $state(0);

  /** The seat whose turn it is, if another one is shown; null: it is not on this device. */
  readonly next: number | null = $derived.by(() => {
    const state = this.room.state;
    if (this.rooms.length < 2 || state === null || state.game_status !== 'active') return null;
    if (state.current_role === null || state.current_role === this.room.you.role) return null;
    // Each seat learns of a turn by itself. The next one must know too, or the two would be shown
    // alternately.
    const index = this.rooms.findIndex(
      (room) => room.you.role === state.current_role && room.state?.current_role === room.you.role,
    );
    return index < 0 ? null : index;
  });

  constructor(
    readonly id: string,
    game: GameId | undefined,
  ) {
    this.rooms = [new Room(id, { game })];
    const seats = whole(1, most)(Number(storage.read(key(id)) ?? 1)) ?? 1;
    for (let slot = 1; slot < seats; slot += 1)
      if (loadSeat(`${id}/${slot}`).token !== undefined) this.open(slot);
  }

  /** The visible seat. */
  get room(): Room {
    const room = this.rooms[this.active];
    if (room === undefined) throw new Error('There is no such seat here.');
    return room;
  }

  /** Takes another seat for somebody at this device. */
  add(role: RoleId): void {
    let slot = 1;
    while (this.rooms.some((room) => room.slot === slot)) slot += 1;
    this.open(slot).select(role, '');
    this.remember(this.id);
  }

  /** Gives up such a seat. A refusal is in the seat's own `notice`. */
  async remove(role: RoleId): Promise<void> {
    const room = this.rooms.find((one) => one.slot > 0 && one.you.role === role);
    if (room === undefined) return;
    // The new room state may arrive before the answer to the message: then that is the answer.
    await room.leave().catch((error: unknown) => {
      if (room.you.role === role) throw error;
    });
    const shown = this.room;
    room.dispose();
    forgetSeat(`${this.id}/${room.slot}`);
    this.rooms = this.rooms.filter((one) => one !== room);
    this.active = Math.max(0, this.rooms.indexOf(shown));
    this.remember(this.id);
  }

  pass(): void {
    if (this.next !== null) this.active = this.next;
  }

  /** Everybody at this device agrees with the proposal of one of them. */
  agree(): void {
    for (const room of this.rooms) {
      const offer = room.offer;
      const { role } = room.you;
      if (offer === null || role === null || offer.roles.includes(role)) continue;
      if (offer.by !== null && this.rooms.some((other) => other.you.role === offer.by))
        room.act({ type: 'rematch', swap: offer.swap }).catch(() => undefined);
    }
  }

  /** Takes the seats back from another tab. */
  playHere(): void {
    for (const room of this.rooms) if (room.takenOver) room.playHere();
  }

  /** The next room, once every seat of ours has its place there. */
  movedTo(): string | null {
    const seated = this.rooms.filter((room) => room.you.role !== null);
    const all = (seated.length > 0 ? seated : this.rooms).map((room) => room.movedTo);
    const to = all[0] ?? null;
    if (to === null || all.some((one) => one !== to)) return null;
    if (this.rooms.length > 1) this.remember(to);
    return to;
  }

  dispose(): void {
    for (const room of this.rooms) room.dispose();
  }

  private open(slot: number): Room {
    const room = new Room(this.id, { slot });
    this.rooms = [...this.rooms, room];
    return room;
  }

  private remember(id: string): void {
    storage.write(key(id), String(1 + Math.max(...this.rooms.map(({ slot }) => slot))));
  }
}
