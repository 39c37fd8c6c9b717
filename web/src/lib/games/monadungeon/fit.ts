/** Which part of the map to show: plain geometry, in tiles of 100 units. */
import type { Point } from '../../protocol';

export const unit = 100;

/** The centre, in units, and pixels per unit. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

/** The size of the map's viewport, in pixels. */
export interface Frame {
  width: number;
  height: number;
}

/** Pixels between the outermost tile and the edge. */
const margin = 4;
/** Below this, tiles could not be told apart. */
const least = 0.05;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boxOf(cells: readonly Point[]): Box {
  const xs = cells.map(({ x }) => x);
  const ys = cells.map(({ y }) => y);
  return {
    left: Math.min(...xs) * unit,
    top: Math.min(...ys) * unit,
    right: (Math.max(...xs) + 1) * unit,
    bottom: (Math.max(...ys) + 1) * unit,
  };
}

/** Are all the cells completely visible? */
export function holds({ x, y, scale }: View, frame: Frame, cells: readonly Point[]): boolean {
  const { left, top, right, bottom } = boxOf(cells);
  const dx = (frame.width / 2 - margin + 0.5) / scale;
  const dy = (frame.height / 2 - margin + 0.5) / scale;
  return left >= x - dx && right <= x + dx && top >= y - dy && bottom <= y + dy;
}

/** The best zoom for tiles: between four and five of them across. */
export function usual(frame: Frame): number {
  return Math.max(0.62, Math.min(1.35, Math.min(frame.width, frame.height) / (4.3 * unit)));
}

/**
 * A view of all the cells, at the zoom `wanted` if they fit. If the present view contains them at about
 * that zoom, it stays, so that nothing moves without need.
 */
export function fitted(view: View, frame: Frame, cells: readonly Point[], wanted: number): View {
  if (cells.length === 0) return view;
  const { left, top, right, bottom } = boxOf(cells);
  const most = Math.min(
    (frame.width - 2 * margin) / (right - left),
    (frame.height - 2 * margin) / (bottom - top),
  );
  const scale = Math.max(least, Math.min(wanted, most));
  if (holds(view, frame, cells) && view.scale >= scale * 0.8) return view;
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

/** A cell and its neighbours: where somebody may go next. */
export function around({ x, y }: Point): Point[] {
  return [
    { x: x - 1, y: y - 1 },
    { x: x + 1, y: y + 1 },
  ];
}
