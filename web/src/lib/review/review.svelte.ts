/**
 * The review of a finished game (bots/review.h), found out in a worker of its own, move by move. It can be stopped; what
 * was found until then stays.
 */
import { Engine } from '../engine/engine.svelte';
import type { GameAction, RoleId } from '../protocol';

/** A chance from 0 to 1, or moves left; null: the solver sees no end. */
export type Worth = number | null;

export interface Move {
  step: number;
  /** Whose it was; null: a round's. */
  role: RoleId | null;
  /** Whom it cost. */
  of: RoleId | null;
  before: Record<RoleId, Worth>;
  after: Record<RoleId, Worth>;
  /** Proven, or over: before it and after it. */
  exact: [boolean, boolean];
  /** Moves lost, or the share of the chance. */
  cost: number;
  /** It was looked at twice, beside what would have been better. */
  again: boolean;
  better: GameAction[] | null;
  withBetter: Worth;
}

/** So many games are played on from each position: fewer where a game is long. */
const gamesFor = (steps: number): number => Math.round(Math.min(20, Math.max(6, 2500 / steps)));

/** A chance that fell by less is not worth a word. */
const leastChance = 0.05;

type Both = Record<RoleId, [Worth, Worth]>;
const part = (both: Both, index: 0 | 1): Record<RoleId, Worth> =>
  Object.fromEntries(Object.entries(both).map(([role, worth]) => [role, worth[index]]));

export class Review {
  phase = $state<'running' | 'done' | 'stopped' | 'failed'>('running');
  /** What the game is measured by. */
  by = $state<'moves' | 'chances'>('chances');
  games = $state(0);
  /** Slices of the work. */
  done = $state(0);
  all = $state(1);
  /** What each step left, the start among them; what is not known yet is not there. */
  worths = $state.raw<readonly (Record<RoleId, Worth> | undefined)[]>([]);
  /** By step. */
  moves = $state.raw<ReadonlyMap<number, Move>>(new Map());
  /** Moves that cost something, in order. */
  readonly costly = $derived(
    [...this.moves.values()]
      .filter(({ cost, again }) => (this.by === 'moves' ? cost > 0 : again && cost >= leastChance))
      .sort((a, b) => a.step - b.step),
  );
  /** Where it turned: the dearest of them. */
  readonly turning = $derived(
    this.costly.reduce<Move | null>(
      (found, move) => (found === null || move.cost > found.cost ? move : found),
      null,
    ),
  );
  private readonly engine = new Engine();
  private stopped = false;

  constructor(text: string, steps: number) {
    void this.run(text, steps);
  }

  stop(): void {
    if (this.phase !== 'running') return;
    this.stopped = true;
    this.phase = 'stopped';
    this.engine.stop();
  }

  private async run(text: string, steps: number): Promise<void> {
    const { engine } = this;
    engine.start();
    await engine.open(new TextEncoder().encode(text));
    const begun = await engine.ask({ ask: 'review', games: gamesFor(steps) });
    if (begun !== null && begun.error === undefined) {
      this.by = begun['by'] as 'moves' | 'chances';
      this.games = Number(begun['games']);
      this.all = Number(begun['slices']);
      while (await this.next());
    }
    engine.stop();
    if (this.phase === 'running') this.phase = this.finished ? 'done' : 'failed';
  }

  private finished = false;

  private async next(): Promise<boolean> {
    const found = await this.engine.ask({ ask: 'review_next' });
    if (this.stopped || found === null || found.error !== undefined) return false;
    this.finished = found['finished'] === true;
    if (this.finished) return false;
    const both = (found['chances'] ?? found['moves_left']) as Both;
    const step = Number(found['step']);
    this.done = Number(found['done']);
    this.all = Number(found['slices']);
    const move: Move = {
      step,
      role: found['role'] as RoleId | null,
      of: found['of'] as RoleId | null,
      before: part(both, 0),
      after: part(both, 1),
      exact: found['exact'] as [boolean, boolean],
      cost: Number(found['cost']),
      again: found['again'] === true,
      better: found['better'] as GameAction[] | null,
      withBetter: (found['with_better'] as Worth | undefined) ?? null,
    };
    const worths = [...this.worths];
    worths[step] = found['now'] as Record<RoleId, Worth>;
    this.worths = worths;
    if (found['counts'] === true) this.moves = new Map(this.moves).set(step, move);
    return true;
  }
}
