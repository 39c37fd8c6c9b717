/**
 * Keeps the keyboard's place. When the focused element goes away (a button that did its work, a page that was
 * left), the focus would fall to the body and every Tab would start at the top. It moves on instead: to what is
 * to be done next, which the page marks by `data-next` (a button, a square of the board), or, while there is
 * nothing to be done, to the page's heading; from there to `data-next` as soon as it appears.
 *
 * main.ts starts it once. It never moves a focus that somebody has, and never scrolls.
 */
export function keepFocus(page: HTMLElement): () => void {
  /** What had the focus last. */
  let held: Element | null = null;
  /** The heading on which the focus waits. */
  let parked: Element | null = null;

  const visible = (node: Element): boolean => node.getClientRects().length > 0;

  function next(): HTMLElement | undefined {
    return [...page.querySelectorAll<HTMLElement>('[data-next]')].find(visible);
  }

  function heading(): HTMLElement | undefined {
    for (const one of ['main h1', 'main h2', 'h1']) {
      const found = [...page.querySelectorAll<HTMLElement>(one)].find(visible);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function focus(node: HTMLElement): void {
    if (node.tabIndex < 0 && !node.hasAttribute('tabindex')) node.tabIndex = -1;
    node.focus({ preventScroll: true });
  }

  function look(): void {
    const active = document.activeElement;
    const fallen = (active === null || active === document.body) && held?.isConnected === false;
    const waiting = parked !== null && active === parked;
    if (!fallen && !waiting) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const to = next() ?? (fallen ? heading() : undefined);
    if (to === undefined) return;
    focus(to);
    parked = to.hasAttribute('data-next') ? null : to;
  }

  const onFocus = (event: FocusEvent): void => {
    held = event.target as Element;
  };
  const observer = new MutationObserver(look);
  observer.observe(page, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-next'],
  });
  document.addEventListener('focusin', onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
  };
}
