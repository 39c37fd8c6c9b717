/**
 * Flood-It's game in the shape of its specification: a grid of cells, the move
 * count, two actions, and what follows from them. It holds no rules: the grid is
 * the server's (or the engine's, where one plays without a server).
 */
import type { GameAction } from '../protocol';
import type { ColorName, FloodState } from '../games/flood_it/types';
import { isLost, isWon, selectColor, waveSteps } from '../games/flood_it/types';

export interface Cell {
  color: ColorName;
  controlled: boolean;
  /** Sides that face what is not held, and how late the wave comes: for the eye only. */
  shore: string;
  step: number;
}

export class FloodGame {
  private readonly view: () => FloodState;
  private readonly act: (action: GameAction) => Promise<void>;
  private before: FloodState | null = null;

  constructor(view: () => FloodState, act: (action: GameAction) => Promise<void>) {
    this.view = view;
    this.act = act;
  }

  readonly grid = $derived.by((): Cell[][] => {
    const state = this.view();
    const steps = waveSteps(this.before, state);
    this.before = state;
    const free = (r: number, c: number): boolean => state.controlled[r]?.[c] !== 1;
    return state.grid.map((row, r) =>
      row.map((index, c) => {
        const controlled = state.controlled[r]?.[c] === 1;
        const shore = controlled
          ? (free(r - 1, c) ? 't' : '') +
            (free(r, c + 1) ? 'r' : '') +
            (free(r + 1, c) ? 'b' : '') +
            (free(r, c - 1) ? 'l' : '')
          : '';
        return {
          color: state.colors[index] ?? 'white',
          controlled,
          shore,
          step: steps[r]?.[c] ?? 0,
        };
      }),
    );
  });

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
