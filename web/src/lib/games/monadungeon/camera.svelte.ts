/** The visible part of the map, and animated changes of it. */
import type { Point } from '../../protocol';
import { settings } from '../../settings.svelte';
import { fitted, holds, unit, usual } from './fit';
import type { View } from './fit';

export { unit } from './fit';
const least = 0.05;
const most = 2.4;
const FLIGHT_MS = 300;

export class Camera {
  x = $state(unit / 2);
  y = $state(unit / 2);
  scale = $state(0.9);
  width = $state(0);
  height = $state(0);
  private flight = 0;
  /** Where the current animation ends. */
  private goal: View | null = null;
  /** The zoom that the player wants, once they have zoomed out. */
  private chosen = Infinity;
  private placed = false;

  readonly transform = $derived(
    `translate(${this.width / 2} ${this.height / 2}) scale(${this.scale}) translate(${-this.x} ${-this.y})`,
  );

  pan(dx: number, dy: number): void {
    this.stop();
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Zooms around a pixel of the map, so that the point under it stays there. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    this.stop();
    const next = Math.max(least, Math.min(most, this.scale * factor));
    const ox = px - this.width / 2;
    const oy = py - this.height / 2;
    this.x += ox / this.scale - ox / next;
    this.y += oy / this.scale - oy / next;
    this.scale = next;
    this.chosen = next;
  }

  /** Brings all the cells into view: `near`, at the usual zoom; else not closer than now. */
  show(cells: readonly Point[], near: boolean): void {
    if (this.width === 0 || cells.length === 0) return;
    const usually = Math.min(usual(this), this.chosen);
    const next = fitted(this.aim, this, cells, near ? usually : Math.min(usually, this.aim.scale));
    if (this.placed) this.fly(next);
    else this.set(next);
    this.placed = true;
  }

  /** The same, whatever the player has done to the view. */
  centre(cells: readonly Point[]): void {
    this.chosen = Infinity;
    this.fly(fitted({ x: Infinity, y: Infinity, scale: 1 }, this, cells, usual(this)));
  }

  /** Will the cell be visible after the current animation? */
  sees(cell: Point): boolean {
    return holds(this.aim, this, [cell]);
  }

  private get aim(): View {
    return this.goal ?? { x: this.x, y: this.y, scale: this.scale };
  }

  private set({ x, y, scale }: View): void {
    this.x = x;
    this.y = y;
    this.scale = scale;
  }

  private fly(to: View): void {
    const from = { x: this.x, y: this.y, scale: this.scale };
    if (to === this.goal || (to.x === from.x && to.y === from.y && to.scale === from.scale)) return;
    this.stop();
    if (settings.still || typeof requestAnimationFrame === 'undefined') {
      this.set(to);
      return;
    }
    this.goal = to;
    const start = performance.now();
    const step = (now: number): void => {
      const part = Math.max(0, Math.min(1, (now - start) / FLIGHT_MS));
      const eased = 1 - (1 - part) ** 3;
      this.set({
        x: from.x + (to.x - from.x) * eased,
        y: from.y + (to.y - from.y) * eased,
        scale: from.scale + (to.scale - from.scale) * eased,
      });
      if (part < 1) this.flight = requestAnimationFrame(step);
      else {
        this.set(to);
        this.stop();
      }
    };
    this.flight = requestAnimationFrame(step);
  }

  private stop(): void {
    if (this.flight !== 0) cancelAnimationFrame(this.flight);
    this.flight = 0;
    this.goal = null;
  }
}
