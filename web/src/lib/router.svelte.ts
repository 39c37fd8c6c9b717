import { isRecord } from './storage.svelte';

/**
 * The address bar as state: which page, and how to go to another. Where a person goes is a new entry of the
 * history; where the page goes by itself takes the place of the present one (`replace`), so that Back leads
 * back. An entry may carry words of its own (`mark`), which come again with Back and with a reload.
 */
class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  /** What the page noted at this entry. */
  mark = $state.raw(markOf(history.state));

  constructor() {
    addEventListener('popstate', () => {
      this.read();
    });
    document.addEventListener('click', (event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      if (link.target !== '' || link.hasAttribute('download') || event.defaultPrevented) return;
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
        return;
      if (link.hash !== '' && link.pathname === location.pathname) return;
      event.preventDefault();
      this.go(link.pathname + link.search);
    });
  }

  go(to: string, { replace = false, mark = '' } = {}): void {
    const state = mark === '' ? null : { mark };
    if (replace) history.replaceState(state, '', to);
    else history.pushState(state, '', to);
    this.read();
    scrollTo(0, 0);
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
    this.mark = markOf(history.state);
  }
}

function markOf(state: unknown): string {
  const mark = isRecord(state) ? state['mark'] : undefined;
  return typeof mark === 'string' ? mark : '';
}

export const router = new Router();
