/**
 * Planning on the map: waiting orders, the chosen piece and its targets, and the interpreter's proposals.
 * It knows nothing of pointers, keys or pixels. The engine says what is legal; until it has loaded, only
 * the server decides.
 *
 * Create it during component initialisation: it has effects.
 */
import type { BoardEngine } from '../../engine/engine.svelte';
import type { WarEvent, WarQueued } from '../../generated/wire';
import type { GameAction, Point, You } from '../../protocol';
import { play } from '../../sound';
import { announce } from '../../ui/announcer.svelte';
import type { Command, Handle, Homes, Proposal, Reach, Team, WarState } from './types';
import {
  handlesOf,
  inOrder,
  legsOf,
  proposedFor,
  proposedLegs,
  queueOf,
  same,
  sameOrder,
  skippedOf,
  teamOf,
  viewFrom,
  zoneOf,
} from './types';
import { place, player, titled, whyNot } from './words';

export interface Situation {
  view: WarState;
  you: You;
  team: Team | null;
  /** Orders would reach the game now. */
  mine: boolean;
  engine: BoardEngine;
  /** A lesson answers every try, even one that would be refused here. */
  lesson: boolean;
  send: (action: GameAction) => Promise<void>;
}

const REFUSED_MS = 300;
const SAID_MS = 4000;

async function reachFrom(
  engine: BoardEngine,
  view: WarState,
  team: Team,
  from: Omit<Handle, 'from'>,
): ReturnType<Reach> {
  const actions = await engine.legal(viewFrom(view, team, from), team);
  return (
    actions?.flatMap((action) =>
      action.type === 'command' && action.piece === from.piece && action.to !== undefined
        ? [action.to]
        : [],
    ) ?? null
  );
}

export class Planner {
  /** Where orders start; null: no piece is chosen. */
  chosen = $state.raw<Handle | null>(null);
  /** The square that was just refused, to be flashed. */
  refused = $state.raw<{ at: Point; key: number } | null>(null);

  /** Why the last tap did nothing, shown for as long as it takes to read. */
  said = $state<string | null>(null);
  /** The own zone is closed. */
  closedSaid = $state(false);

  private readonly now: () => Situation;
  /** Orders on their way to the server: shown at once. */
  private sent = $state.raw<WarQueued[]>([]);
  /** The squares that an order from the chosen handle can reach; null: unknown. */
  private reach = $state.raw<ReadonlySet<string> | null>(null);
  private homes = $state.raw<Homes>(new Map());
  private unreachable = $state.raw<readonly WarQueued[]>([]);
  private offered = $state.raw<readonly Command[]>([]);
  private refusals = 0;

  constructor(now: () => Situation) {
    this.now = now;
    $effect(() => {
      // The round has come, or the piece is elsewhere now.
      const handle = this.chosen;
      if (handle === null) return;
      const there = this.handles.some((h) => h.piece === handle.piece && same(h.at, handle.at));
      if (!there || !now().mine) this.chosen = null;
    });
    $effect(() => {
      // After the end nothing can be planned.
      if (now().view.game_status !== 'active') this.offered = [];
    });
    $effect(() => this.findReach());
    $effect(() => this.findHomes());
    $effect(() => this.findUnreachable());
  }

  readonly next = $derived.by(() => this.now().view.round + 1);
  /** The orders that the game has accepted. */
  readonly kept = $derived.by(() => {
    const { you, view } = this.now();
    return view.game_status === 'active'
      ? inOrder(queueOf(you).filter((order) => order.round >= this.next))
      : [];
  });
  /** The same, plus those on their way. */
  readonly queue = $derived.by(() => {
    const { kept, sent } = this;
    if (this.now().view.game_status !== 'active') return [];
    const later = sent.filter((order) => order.round >= this.next);
    const replaced = (order: WarQueued): boolean =>
      later.some((s) => s.piece === order.piece && s.round === order.round);
    return inOrder([...kept.filter((order) => !replaced(order)), ...later]);
  });
  /** Of these, the ones that will be skipped at present, and the remaining plan. */
  readonly skipped = $derived.by(() =>
    this.queue.filter((order) => this.unreachable.some((one) => sameOrder(one, order))),
  );
  private readonly plan = $derived.by(() =>
    this.queue.filter((order) => !this.skipped.includes(order)),
  );
  readonly legs = $derived.by(() => {
    const { view, team } = this.now();
    return team === null ? [] : legsOf(view, this.plan, team, this.homes);
  });
  readonly handles = $derived.by(() => {
    const { view, team } = this.now();
    return team === null ? [] : handlesOf(view, this.plan, team, this.homes);
  });
  /** The moves that rescuers of both teams will have made before the next round. */
  readonly homeward = $derived.by(() => {
    const { view } = this.now();
    return Object.entries(view.pieces).flatMap(([id, { x, y, rescuing }]) => {
      const to = this.homes.get(id);
      return !rescuing || to === undefined || x === null || y === null
        ? []
        : [{ piece: id, from: { x, y }, to }];
    });
  });
  private readonly closed = $derived.by(() => {
    const { view, team } = this.now();
    return team === null ? [] : zoneOf(view, team);
  });

  // ---- choosing -----------------------------------------------------------

  /** The round of an order given from a handle. */
  roundOf(handle: Handle): number {
    return Math.max(handle.round, this.next);
  }

  allowed(handle: Handle, at: Point): boolean {
    const { closed, reach } = this;
    if (this.roundOf(handle) === this.next && closed.some((square) => same(square, at)))
      return false;
    return reach === null || reach.has(place(at));
  }

  /** Only if certain: unknown squares are not marked. */
  reachable(handle: Handle, at: Point): boolean {
    return this.reach !== null && this.allowed(handle, at);
  }

  handleAt(at: Point): Handle | undefined {
    return this.handles.find((handle) => same(handle.at, at));
  }

  /** An own piece that leaves makes room, so the chosen piece may be ordered to its square. */
  makesRoom(handle: Handle): boolean {
    return (
      this.chosen !== null &&
      handle.piece !== this.chosen.piece &&
      this.legs.some((leg) => leg.piece === handle.piece && same(leg.from, handle.at))
    );
  }

  pick(handle: Handle): void {
    this.chosen = handle;
    this.said = null;
    announce(`Piece ${handle.piece}, round ${this.roundOf(handle)}: choose a square.`);
  }

  /** A square was tapped, or entered by key. */
  choose(at: Point): void {
    if (!this.now().mine) return;
    const handle = this.handleAt(at);
    const from = this.chosen;
    if (from === null) {
      const proposal = this.proposalAt(at);
      if (proposal !== undefined) this.accept([proposal]);
      else if (handle !== undefined) this.pick(handle);
      else this.tell(this.notMine(at));
      return;
    }
    if (same(at, from.at)) this.chosen = null;
    else if (handle !== undefined && !this.makesRoom(handle)) this.pick(handle);
    else this.drop(from, at, true);
  }

  // ---- ordering -----------------------------------------------------------

  /** Orders, or refuses with a flash. A piece that was tapped stays chosen for another try. */
  drop(handle: Handle, at: Point, tapped = false): void {
    const allowed = this.allowed(handle, at);
    this.chosen = null;
    const again = (): void => {
      if (tapped && this.chosen === null) this.chosen = handle;
    };
    if (allowed || this.now().lesson) this.order(handle, at, again);
    else {
      again();
      const { view } = this.now();
      const soon = this.roundOf(handle) === this.next;
      const closed = soon && this.closed.some((square) => same(square, at));
      this.refuse(at);
      this.tell(whyNot(view, handle.from, at, closed), closed);
    }
  }

  /** The explanation for a tap on anything but an own piece. */
  private notMine(at: Point): string {
    const { view, team } = this.now();
    const there = Object.entries(view.pieces).find(([, { x, y }]) => x === at.x && y === at.y);
    const whose = there === undefined ? null : teamOf(there[0]);
    return whose === null || whose === team
      ? 'Tap one of your own pieces first.'
      : `That is ${player(view, whose)}’s piece. ${team === null ? '' : `Yours are ${titled(team).toLowerCase()}.`}`.trim();
  }

  /** The same words told again stay as long again. */
  private saying: ReturnType<typeof setTimeout> | undefined;

  private tell(words: string, closed = false): void {
    this.said = words;
    this.closedSaid = closed;
    announce(words);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      if (this.said === words) this.said = null;
    }, SAID_MS);
  }

  cancel(piece: number, round: number): void {
    this.now()
      .send({ type: 'cancel', piece, round })
      .catch(() => undefined);
  }

  /** Cancels the latest order of the chosen piece. */
  cancelLast(): void {
    const { chosen } = this;
    const last = this.queue.findLast((order) => order.piece === chosen?.piece);
    this.chosen = null;
    if (last === undefined) return;
    announce(`Piece ${last.piece}, round ${last.round}: taken back.`);
    this.cancel(last.piece, last.round);
  }

  private order(handle: Handle, to: Point, refused: () => void): void {
    const { mine } = this.now();
    if (!mine || (same(to, handle.from) && handle.round > this.next)) return;
    this.give({ piece: handle.piece, round: this.roundOf(handle), to }, refused);
    play('tap');
    announce(`Piece ${handle.piece} to ${place(to)}, round ${this.roundOf(handle)}.`);
  }

  private give(one: WarQueued, refused?: () => void): void {
    this.sent = [...this.sent.filter((s) => s.piece !== one.piece || s.round !== one.round), one];
    this.now()
      .send({ type: 'command', ...one })
      .catch(() => {
        // The page says why.
        this.refuse(one.to);
        refused?.();
      })
      .finally(() => {
        this.sent = this.sent.filter((s) => s !== one);
      });
  }

  private refuse(at: Point): void {
    const mark = { at, key: (this.refusals += 1) };
    this.refused = mark;
    setTimeout(() => {
      if (this.refused === mark) this.refused = null;
    }, REFUSED_MS);
  }

  // ---- proposals ----------------------------------------------------------

  readonly proposals = $derived.by(() => proposedFor(this.offered, this.next));
  readonly proposedLegs = $derived.by(() => {
    const { view, team } = this.now();
    return team === null ? [] : proposedLegs(view, this.plan, this.proposals, team, this.homes);
  });

  /** Each is only for the round for which it was proposed. */
  propose(commands: readonly Command[]): void {
    this.offered = commands.map((command) => ({ ...command, round: command.round ?? this.next }));
  }

  accept(proposals: readonly Proposal[]): void {
    const { mine, send } = this.now();
    if (!mine || proposals.length === 0) return;
    for (const { piece, round, to } of [...proposals].sort((a, b) => a.round - b.round)) {
      if (to === null) send({ type: 'cancel', piece, round }).catch(() => undefined);
      else this.give({ piece, round, to });
    }
    this.offered = this.offered.filter((command) =>
      proposals.every((proposal) => proposal.command !== command),
    );
    play('tap');
    announce(proposals.length === 1 ? 'Accepted.' : `${proposals.length} orders accepted.`);
  }

  /** The earliest proposal with a ghost on that square. A hold has no ghost; the piece itself shows it. */
  private proposalAt(at: Point): Proposal | undefined {
    const leg = this.proposedLegs.find(({ from, to }) => same(to, at) && !same(from, to));
    return this.proposals.find(({ piece, round }) => piece === leg?.piece && round === leg.round);
  }

  // ---- the engine's word --------------------------------------------------

  private findReach(): (() => void) | undefined {
    this.reach = null;
    const { view, team, engine } = this.now();
    const handle = this.chosen;
    if (handle === null || team === null || !engine.ready) return undefined;
    let stale = false;
    void reachFrom(engine, view, team, handle).then((squares) => {
      if (!stale && squares !== null) this.reach = new Set(squares.map(place));
    });
    return () => {
      stale = true;
    };
  }

  private findUnreachable(): (() => void) | undefined {
    const { view, team, engine } = this.now();
    const { queue, homes } = this;
    if (team === null || !engine.ready) return undefined;
    let stale = false;
    const reach: Reach = async (from) => (stale ? null : reachFrom(engine, view, team, from));
    void skippedOf(view, queue, team, reach, homes).then((skipped) => {
      if (stale) return;
      const before = this.unreachable;
      for (const order of skipped)
        if (!before.some((one) => sameOrder(one, order)))
          announce(
            `Piece ${order.piece}, round ${order.round}: ${place(order.to)} will be skipped.`,
          );
      this.unreachable = skipped;
    });
    return () => {
      stale = true;
    };
  }

  private findHomes(): (() => void) | undefined {
    const { view, team, engine } = this.now();
    const rescuing = Object.values(view.pieces).some((piece) => piece.rescuing);
    if (!rescuing || view.game_status !== 'active' || !engine.ready) {
      this.homes = new Map();
      return undefined;
    }
    let stale = false;
    void engine.preview(view, team ?? 'blue', []).then((preview) => {
      if (stale || preview === null) return;
      this.homes = new Map(
        preview.events.flatMap((event): [string, Point][] => {
          const e = event as WarEvent;
          return e.type === 'returned' && e.reason === 'rescue' ? [[e.piece, e.to]] : [];
        }),
      );
    });
    return () => {
      stale = true;
    };
  }
}
