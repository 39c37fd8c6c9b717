/**
 * "Start this board again", taken back. Alone in the browser the game's save still has what was played; a room
 * has forgotten it, so the same moves are played once more. A game with an undo in it is still scored as one.
 */
import type { GameAction } from '../../protocol';
import { boardOf, nameOf } from './start';
import type { ColorName, FloodState } from './types';
import { selectColor } from './types';

type Act = (action: GameAction) => Promise<void>;

export class Again {
  private left: { board: string; moves: ColorName[]; undone: boolean } | null = $state.raw(null);

  /** Before the board is started again. */
  remember(view: FloodState): void {
    if (view.move_count === 0) return;
    const moves = view.moves.slice(0, view.move_count).map((index) => view.colors[index]);
    this.left = {
      board: nameOf(boardOf(view)),
      moves: moves.filter((color) => color !== undefined),
      undone: view.undone,
    };
  }

  /** Can Undo bring back what was played before? */
  possible(view: FloodState): boolean {
    if (view.move_count > 0) return false;
    return view.can_return === true || this.left?.board === nameOf(boardOf(view));
  }

  async back(view: FloodState, act: Act): Promise<void> {
    const { left } = this;
    this.left = null;
    if (view.can_return === true) return act({ type: 'undo' });
    for (const color of left?.moves ?? []) await act(selectColor(color));
    if (left?.undone !== true) return;
    await act({ type: 'undo' });
    await act({ type: 'redo' });
  }
}
