/** Every place to go is visible, on every screen, and the view moves only if it must. */
import { describe, expect, it } from 'vitest';
import type { Point } from '../../protocol';
import { around, fitted, holds, usual } from './fit';
import type { Frame, View } from './fit';

/* Maps of a small phone, a phone, one in landscape, and a laptop. */
const frames: Frame[] = [
  { width: 310, height: 250 },
  { width: 358, height: 434 },
  { width: 420, height: 240 },
  { width: 760, height: 700 },
];

/** Its own generator, so that every run tries the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const start: View = { x: 50, y: 50, scale: 0.9 };

describe('the view', () => {
  it.each(frames)('holds every target of 400 turns on $width x $height', (frame) => {
    const roll = dice(frame.width);
    let view = start;
    for (let turn = 0; turn < 400; turn += 1) {
      const home = { x: roll(30) - 15, y: roll(30) - 15 };
      const cells: Point[] = [home];
      for (let step = roll(12); step >= 0; step -= 1)
        cells.push({ x: home.x + roll(9) - 4, y: home.y + roll(9) - 4 });
      if (roll(5) === 0) cells.push({ x: roll(20) - 10, y: roll(20) - 10 }); // the other gate
      view = fitted(view, frame, cells, usual(frame));
      expect(holds(view, frame, cells)).toBe(true);
      expect(view.scale).toBeLessThanOrEqual(usual(frame));
    }
  });

  it.each(frames)('stays where it is when everything is visible, on $width x $height', (frame) => {
    const view = fitted(start, frame, around({ x: 3, y: 4 }), usual(frame));
    expect(fitted(view, frame, around({ x: 3, y: 4 }), usual(frame))).toBe(view);
    expect(fitted(view, frame, [{ x: 3, y: 4 }], view.scale)).toBe(view);
    expect(fitted(view, frame, [], usual(frame))).toBe(view);
  });

  it.each(frames)('zooms in again after it was far away, on $width x $height', (frame) => {
    const far: View = { x: 50, y: 50, scale: 0.2 };
    expect(fitted(far, frame, around({ x: 0, y: 0 }), usual(frame)).scale).toBeGreaterThan(0.5);
    expect(fitted(far, frame, around({ x: 0, y: 0 }), 0.2)).toBe(far);
  });

  it('does not count a partly hidden tile as visible', () => {
    const frame = { width: 300, height: 300 };
    expect(holds({ x: 50, y: 50, scale: 1 }, frame, [{ x: 0, y: 0 }])).toBe(true);
    expect(holds({ x: 50, y: 50, scale: 1 }, frame, [{ x: 1, y: 0 }])).toBe(false);
    expect(holds({ x: 50, y: 50, scale: 1 }, frame, [{ x: 0, y: -2 }])).toBe(false);
  });
});
