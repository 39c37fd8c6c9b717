/**
 * "Start this board again", taken back. The room has forgotten what was played, so this browser keeps it, over a
 * reload too, and the same moves are played once more. A game with an undo in it is still scored as one.
 */
import type { GameAction } from '../../protocol';
import { readJson, storage, writeJson } from '../../storage.svelte';
import { boardOf, nameOf } from './start';
import type { ColorName, FloodState } from './types';
import { colorOrder, selectColor } from './types';

type Act = (action: GameAction) => Promise<void>;
/** The board, the colours that were chosen, and whether something had been undone. */
type Left = [board: string, moves: ColorName[], undone: boolean];

const key = 'boardwalk:flood_it:again';
const most = 20;

/* The newest last. */
function read(): Left[] {
  const value = readJson(key);
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (one): one is Left =>
      Array.isArray(one) &&
      typeof one[0] === 'string' &&
      Array.isArray(one[1]) &&
      one[1].every((color) => colorOrder.includes(color as ColorName)) &&
      typeof one[2] === 'boolean',
  );
}

export class Again {
  /** Before the board is started again. */
  remember(view: FloodState): void {
    if (view.move_count === 0) return;
    const moves = view.moves.slice(0, view.move_count).map((index) => view.colors[index]);
    this.keep(view, [
      [nameOf(boardOf(view)), moves.filter((color) => color !== undefined), view.undone],
    ]);
  }

  /** Can Undo bring back what was played before? */
  possible(view: FloodState): boolean {
    storage.watch(key);
    return view.move_count === 0 && this.left(view) !== undefined;
  }

  async back(view: FloodState, act: Act): Promise<void> {
    const [, moves = [], undone = false] = this.left(view) ?? [];
    this.keep(view, []);
    for (const color of moves) await act(selectColor(color));
    if (!undone) return;
    await act({ type: 'undo' });
    await act({ type: 'redo' });
  }

  private left(view: FloodState): Left | undefined {
    const name = nameOf(boardOf(view));
    return read().find(([board]) => board === name);
  }

  private keep(view: FloodState, now: Left[]): void {
    const name = nameOf(boardOf(view));
    writeJson(key, [...read().filter(([board]) => board !== name), ...now].slice(-most));
  }
}
