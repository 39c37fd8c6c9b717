/**
 * Walking a grid by keys: one cell of it can be tabbed to, the arrow keys move
 * on from there (Home and End to the ends of the row, with Control to the
 * corners). Cells carry `data-cell="x,y"`.
 *
 *   const focus = new GridFocus(() => ({ width, height }));
 *   <div role="grid" {@attach focus.attach}>
 *     <button data-cell="{x},{y}" tabindex={focus.tabindex(x, y)} ...>
 */
import { on } from 'svelte/events';

export class GridFocus {
  x = $state(0);
  y = $state(0);
  /** The grid has the keyboard focus. */
  inside = $state(false);

  constructor(private readonly size: () => { width: number; height: number }) {}

  tabindex(x: number, y: number): 0 | -1 {
    return x === this.x && y === this.y ? 0 : -1;
  }

  readonly attach = (grid: HTMLElement): (() => void) => {
    const onKey = (event: KeyboardEvent): void => {
      const { width, height } = this.size();
      if (event.altKey || event.metaKey) return;
      let { x, y } = this;
      if (event.key === 'ArrowLeft') x -= 1;
      else if (event.key === 'ArrowRight') x += 1;
      else if (event.key === 'ArrowUp') y -= 1;
      else if (event.key === 'ArrowDown') y += 1;
      else if (event.key === 'Home') [x, y] = [0, event.ctrlKey ? 0 : y];
      else if (event.key === 'End') [x, y] = [width - 1, event.ctrlKey ? height - 1 : y];
      else return;
      event.preventDefault();
      this.x = Math.max(0, Math.min(width - 1, x));
      this.y = Math.max(0, Math.min(height - 1, y));
      grid.querySelector<HTMLElement>(`[data-cell="${this.x},${this.y}"]`)?.focus();
    };
    const onFocus = (event: FocusEvent): void => {
      const cell = (event.target as Element | null)?.closest<HTMLElement>('[data-cell]');
      const [x, y] = (cell?.dataset['cell'] ?? '').split(',').map(Number);
      if (x === undefined || y === undefined || Number.isNaN(x)) return;
      this.x = x;
      this.y = y;
      this.inside = true;
    };
    const onBlur = (event: FocusEvent): void => {
      if (!grid.contains(event.relatedTarget as Node | null)) this.inside = false;
    };
    // A grid that is removed loses its focus while Svelte changes the page: `on` allows state changes then.
    const stops = [
      on(grid, 'keydown', onKey),
      on(grid, 'focusin', onFocus),
      on(grid, 'focusout', onBlur),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
}
