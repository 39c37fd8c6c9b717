/**
 * A button that appears under a finger is dead for half a second: the tap was meant for what stood there before.
 * Button does this by itself. Where one button's meaning changes without a new element, give it a `meaning`;
 * other elements use the attachment:
 *
 *   let dead = $state(false);
 *   <button aria-disabled={dead || undefined} {@attach fresh((on) => (dead = on), meaning)}>
 */
const DEAD_MS = 500;

/** Where a finger or the mouse was last pressed, and when. */
let pressed: { x: number; y: number; at: number } | null = null;
if (typeof addEventListener === 'function')
  addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      pressed = { x: clientX, y: clientY, at: performance.now() };
    },
    { capture: true, passive: true },
  );

function isUnderFinger(node: Element): boolean {
  if (pressed === null) return false;
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const { x, y } = pressed;
  return x >= left && x <= right && y >= top && y <= bottom;
}

/**
 * Calls back with true when the element has appeared under the finger, or changed its meaning there, and
 * with false when it may be used.
 */
export function fresh(
  say: (dead: boolean) => void,
  meaning?: unknown,
): (node: Element) => () => void {
  void meaning;
  return (node) => {
    // Its position is known once the page has been laid out; a second tap may come before.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tapped = pressed !== null && performance.now() - pressed.at < DEAD_MS;
    if (tapped) say(true);
    const frame = requestAnimationFrame(() => {
      if (!isUnderFinger(node)) {
        if (tapped) say(false);
        return;
      }
      if (!tapped) say(true);
      timer = setTimeout(() => {
        say(false);
      }, DEAD_MS);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      say(false);
    };
  };
}
