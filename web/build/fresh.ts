/** Test files share a page, which is four times as fast as a page for each: each leaves it as it found it. */
import { cleanup, configure } from '@testing-library/svelte';
import { afterAll, afterEach, vi } from 'vitest';

// Wide, for a crowded machine.
configure({ asyncUtilTimeout: 100_000 });

// Nothing has a size here, so nothing changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

afterEach(cleanup);

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
  if (typeof document === 'undefined') return;
  document.body.replaceChildren();
  document.head.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
