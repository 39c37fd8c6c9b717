/**
 * Keeps the keyboard's place. When the focused element goes away (a button that did its work, a page that was
 * left), the focus would fall to the body and every Tab would start at the top. It moves on instead: to what is
 * to be done next, which the page marks by `data-next` (a button, a square of the board), or, while there is
 * nothing to be done, to the board of whoever plays (`data-board`), or else to the page's heading; from there to
 * `data-next` as soon as it appears.
 *
 * On a page that nobody has touched yet, as after a reload, such a board takes the focus.
 *
 * main.ts starts it once. It never moves a focus that somebody has, unless that is passed on (`passFocus`), and
 * never scrolls.
 */
const passed = 'boardwalk:focus-passed';

/** What is done in there is over: a focus inside moves on to what is to be done next. */
export function passFocus(from: Element): void {
  from.dispatchEvent(new Event(passed, { bubbles: true }));
}

export function keepFocus(page: HTMLElement): () => void {
  /** What had the focus last. */
  let held: Element | null = null;
  /** Where the focus waits for something to do. */
  let parked: Element | null = null;

  const visible = (node: Element): boolean => node.getClientRects().length > 0;

  function find(...selectors: string[]): HTMLElement | undefined {
    for (const selector of selectors) {
      const found = [...page.querySelectorAll<HTMLElement>(selector)].find(visible);
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
    const nobody = active === null || active === document.body;
    const untouched = nobody && held === null;
    const fallen = nobody && held?.isConnected === false;
    const waiting = parked !== null && active === parked;
    if (!untouched && !fallen && !waiting) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const to = untouched
      ? find('[data-board] [data-next]', '[data-board] [data-place]')
      : (find('[data-next]') ??
        (fallen ? find('[data-board] [data-place]', 'main h1', 'main h2', 'h1') : undefined));
    if (to === undefined) return;
    focus(to);
    parked = to.hasAttribute('data-next') ? null : to;
  }

  const onFocus = (event: FocusEvent): void => {
    held = event.target as Element;
  };
  const onPassed = (event: Event): void => {
    const active = document.activeElement;
    if (active === null || !(event.target as Element).contains(active)) return;
    parked = active;
    look();
  };
  const observer = new MutationObserver(look);
  observer.observe(page, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-next', 'data-board'],
  });
  document.addEventListener('focusin', onFocus);
  page.addEventListener(passed, onPassed);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    page.removeEventListener(passed, onPassed);
  };
}
