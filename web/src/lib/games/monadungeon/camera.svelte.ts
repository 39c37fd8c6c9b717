/** What part of the map is seen: a middle in tiles of 100 units, and how many pixels a unit is. */
import type { Point } from '../../protocol';
import { settings } from '../../settings.svelte';

export const unit = 100;
const least = 0.22;
const most = 2.4;

export class Camera {
  x = $state(unit / 2);
  y = $state(unit / 2);
  scale = $state(0.9);
  width = $state(0);
  height = $state(0);
  private flight = 0;

  readonly transform = $derived(
    `translate(${this.width / 2} ${this.height / 2}) scale(${this.scale}) translate(${-this.x} ${-this.y})`,
  );

  pan(dx: number, dy: number): void {
    this.stop();
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Zooms about a pixel of the map, so that what lies under it stays there. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    this.stop();
    const next = Math.max(least, Math.min(most, this.scale * factor));
    const ox = px - this.width / 2;
    const oy = py - this.height / 2;
    this.x += ox / this.scale - ox / next;
    this.y += oy / this.scale - oy / next;
    this.scale = next;
  }

  /** Brings a cell to the middle, smoothly unless motion is unwanted. */
  centre({ x, y }: Point): void {
    this.stop();
    const from = { x: this.x, y: this.y };
    const to = { x: (x + 0.5) * unit, y: (y + 0.5) * unit };
    if (settings.still || typeof requestAnimationFrame === 'undefined') {
      this.x = to.x;
      this.y = to.y;
      return;
    }
    const start = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, (now - start) / 260);
      const eased = 1 - (1 - part) ** 3;
      this.x = from.x + (to.x - from.x) * eased;
      this.y = from.y + (to.y - from.y) * eased;
      if (part < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  /** Is the cell well inside of what is seen? */
  sees({ x, y }: Point): boolean {
    const dx = Math.abs((x + 0.5) * unit - this.x) * this.scale;
    const dy = Math.abs((y + 0.5) * unit - this.y) * this.scale;
    return dx < this.width * 0.36 && dy < this.height * 0.36;
  }

  private stop(): void {
    if (this.flight !== 0) cancelAnimationFrame(this.flight);
    this.flight = 0;
  }
}
