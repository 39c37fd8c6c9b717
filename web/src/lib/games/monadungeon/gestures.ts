import type { Camera } from './camera.svelte';
import type { Point } from '../../protocol';

/** From this many pixels on a press is a drag. */
const dragFrom = 7;

/**
 * Moves the camera by touch, mouse and wheel: a drag pans, two fingers or the wheel zoom around their
 * position. A drag that ends on a tile is not a click on it.
 */
export function panAndZoom(camera: Camera): (map: HTMLElement) => () => void {
  return (map) => {
    const down = new Map<number, Point>();
    let start: Point = { x: 0, y: 0 };
    let dragged = false;

    /** The middle between the fingers, and their distance. */
    function spread(): Point & { length: number } {
      const [one = { x: 0, y: 0 }, two = one] = down.values();
      return {
        x: (one.x + two.x) / 2,
        y: (one.y + two.y) / 2,
        length: Math.hypot(one.x - two.x, one.y - two.y),
      };
    }

    function press(event: PointerEvent): void {
      if (event.button !== 0) return;
      if (down.size === 0) {
        dragged = false;
        start = { x: event.clientX, y: event.clientY };
      }
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }

    function move(event: PointerEvent): void {
      if (!down.has(event.pointerId)) return;
      const was = spread();
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const moved = Math.hypot(event.clientX - start.x, event.clientY - start.y);
      if (!dragged && down.size < 2 && moved < dragFrom) return;
      if (!dragged) map.setPointerCapture(event.pointerId);
      dragged = true;
      const now = spread();
      camera.pan(now.x - was.x, now.y - was.y);
      if (down.size === 2 && was.length > 0) {
        const box = map.getBoundingClientRect();
        camera.zoom(now.length / was.length, now.x - box.left, now.y - box.top);
      }
    }

    function release(event: PointerEvent): void {
      down.delete(event.pointerId);
    }

    function click(event: MouseEvent): void {
      if (!dragged) return;
      dragged = false;
      event.stopPropagation();
      event.preventDefault();
    }

    function wheel(event: WheelEvent): void {
      event.preventDefault();
      const box = map.getBoundingClientRect();
      camera.zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    }

    const listening = new AbortController();
    const { signal } = listening;
    map.addEventListener('pointerdown', press, { signal });
    map.addEventListener('pointermove', move, { signal });
    map.addEventListener('pointerup', release, { signal });
    map.addEventListener('pointercancel', release, { signal });
    map.addEventListener('click', click, { signal, capture: true });
    map.addEventListener('wheel', wheel, { signal, passive: false });
    return () => {
      listening.abort();
    };
  };
}
