/**
 * For the box around buttons that come and go: a button that has just appeared where
 * the last tap was does nothing for half a second, for nobody meant it. Keys, and taps
 * elsewhere, work at once.
 *
 *     <div {@attach deadTime}> ... </div>
 */
const DEAD_MS = 500;
const SELECTOR = 'button, a';

interface Tap {
  x: number;
  y: number;
  on: Element | null;
}

export function deadTime(box: HTMLElement): () => void {
  let changed = -Infinity;
  let tap: Tap | null = null;
  const observer = new MutationObserver(() => (changed = performance.now()));
  observer.observe(box, { childList: true, subtree: true });

  const under = ({ x, y }: Tap, button: Element): boolean => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  const onclick = (event: MouseEvent): void => {
    const button = (event.target as Element).closest(SELECTOR);
    // A click by key has no position.
    if (event.detail === 0) return;
    const before = tap;
    const dead =
      before !== null &&
      button !== null &&
      box.contains(button) &&
      before.on !== button &&
      // The time of the tap itself: a slow phone handles it later.
      event.timeStamp - changed < DEAD_MS &&
      under(before, button);
    tap = { x: event.clientX, y: event.clientY, on: button };
    if (!dead) return;
    event.stopPropagation();
    event.preventDefault();
  };
  // On the whole page: the tapped element may be gone, and something of the box in its place.
  document.addEventListener('click', onclick, { capture: true });
  return () => {
    observer.disconnect();
    document.removeEventListener('click', onclick, { capture: true });
  };
}
