/**
 * Flood-It's game in the shape of its specification: a grid of cells, the move
 * count, two actions, and what follows from them. It holds no rules: the grid is
 * the server's (or the engine's, where one plays without a server).
 */
import type { GameAction } from '../../../protocol';
import type { ColorName, FloodState } from '../types';
import { isLost, isWon, selectColor, waveSteps } from '../types';

export interface Cell {
  color: ColorName;
  controlled: boolean;
  /** Sides that face what is not held, and how late the wave comes: for the eye only. */
  shore: string;
  step: number;
}

function cellAt(state: FloodState, r: number, c: number, step: number): Cell {
  const controlled = state.controlled[r]?.[c] === 1;
  const free = (row: number, col: number): boolean => state.controlled[row]?.[col] !== 1;
  const shore = controlled
    ? (free(r - 1, c) ? 't' : '') +
      (free(r, c + 1) ? 'r' : '') +
      (free(r + 1, c) ? 'b' : '') +
      (free(r, c - 1) ? 'l' : '')
    : '';
  return { color: state.colors[state.grid[r]?.[c] ?? -1] ?? 'white', controlled, shore, step };
}

function kept(old: Cell | undefined, cell: Cell): Cell {
  return old?.color === cell.color &&
    old.controlled === cell.controlled &&
    old.shore === cell.shore &&
    old.step === cell.step
    ? old
    : cell;
}

export class FloodGame {
  private readonly view: () => FloodState;
  private readonly act: (action: GameAction) => Promise<void>;
  private before: FloodState | null = null;
  private last: Cell[][] = [];

  constructor(view: () => FloodState, act: (action: GameAction) => Promise<void>) {
    this.view = view;
    this.act = act;
  }

  private readonly laid = $derived.by(() => {
    const state = this.view();
    const steps = waveSteps(this.before, state);
    this.before = state;
    /* A cell or row that stays as it was is the same object, so that nothing is done for it. */
    this.last = state.grid.map((row, r) => {
      const old = this.last[r];
      const cells = row.map((_, c) => kept(old?.[c], cellAt(state, r, c, steps[r]?.[c] ?? 0)));
      return old?.length === cells.length && cells.every((cell, c) => cell === old[c])
        ? old
        : cells;
    });
    return { grid: this.last, steps: Math.max(1, ...steps.map((row) => Math.max(...row))) };
  });

  readonly grid = $derived.by((): Cell[][] => this.laid.grid);
  /** Of the wave that the last move started. */
  readonly steps = $derived.by((): number => this.laid.steps);
  readonly moveCount = $derived.by(() => this.view().move_count);
  readonly isWon = $derived.by(() => isWon(this.view()));
  readonly isLost = $derived.by(() => isLost(this.view()));
  readonly controlledCount = $derived.by(() => this.view().controlled_count);
  readonly currentColor = $derived.by(
    (): ColorName => this.view().colors[this.view().current_color] ?? 'white',
  );

  selectColor(color: ColorName): Promise<void> {
    return this.act(selectColor(color));
  }

  reset(): Promise<void> {
    return this.act({ type: 'reset' });
  }
}
