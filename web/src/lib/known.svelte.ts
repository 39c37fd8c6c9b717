/**
 * What a solver finds about the board that one plays alone, shown as soon as it is found. (A room tells it with the next
 * move.) The solver has a worker of its own, so that no move waits for it.
 */
import { Engine } from './engine/engine.svelte';
import type { Known, SoloBoards } from './games/types';
import type { RoleId, RoomState } from './protocol';

export class KnownBoard {
  private found: { board: string; known: Known | null } | null = $state.raw(null);
  private solver: Engine | null = null;

  /** Has a solver look at a board that it has not seen. */
  look(state: RoomState, role: RoleId, boards: SoloBoards): void {
    const board = boards.board(state);
    if (this.found?.board === board) return;
    this.found = { board, known: null };
    this.dispose();
    const solver = (this.solver = new Engine());
    solver.start();
    void solver.loaded
      .then(() => solver.for(state.game).hint(state, role, [boards.again]))
      .then((hint) => {
        solver.stop();
        if (hint !== null && this.found?.board === board)
          this.found = { board, known: { best: hint.moves_left, proven: hint.proven } };
      });
  }

  /** The state with what is known of its board, unless the player did better. */
  informed(state: RoomState, boards: SoloBoards): RoomState {
    const { found } = this;
    return found?.known == null || found.board !== boards.board(state)
      ? state
      : boards.informed(state, found.known);
  }

  dispose(): void {
    this.solver?.stop();
    this.solver = null;
  }
}
