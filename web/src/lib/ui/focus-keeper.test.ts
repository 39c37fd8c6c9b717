/** When the focused element disappears, the keyboard focus stays on the page: the user never starts again at its
 * top. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepFocus, passFocus } from './focus-keeper';

let stop: () => void;
const page = document.createElement('div');

beforeEach(() => {
  document.body.append(page);
  // jsdom has no layout: everything counts as visible.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
  page.innerHTML = '<main><h1>Lobby</h1><button id="sit">Sit</button></main>';
  stop = keepFocus(page);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  page.remove();
});

const byId = (id: string): HTMLElement | null => document.getElementById(id);
const changed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('the next action takes the focus of a button that is gone', async () => {
  byId('sit')?.focus();
  page.innerHTML =
    '<main><h1>Lobby</h1><button>Leave</button><button id="go" data-next>Start</button></main>';
  await changed();
  expect(document.activeElement).toBe(byId('go'));
});

test('the heading has it while there is nothing to do, and then passes it on', async () => {
  byId('sit')?.focus();
  page.innerHTML = '<main><h1 id="head">Waiting</h1></main>';
  await changed();
  expect(document.activeElement).toBe(byId('head'));
  byId('head')?.insertAdjacentHTML('afterend', '<button id="field" data-next>Field</button>');
  await changed();
  expect(document.activeElement).toBe(byId('field'));
});

test('a mark that appears later is followed, too', async () => {
  byId('sit')?.focus();
  page.innerHTML = '<main><h1>Night</h1><button id="field">Field</button></main>';
  await changed();
  byId('field')?.setAttribute('data-next', '');
  await changed();
  expect(document.activeElement).toBe(byId('field'));
});

test('an existing focus is not moved', async () => {
  byId('sit')?.focus();
  page.querySelector('main')?.insertAdjacentHTML('beforeend', '<button data-next>Start</button>');
  await changed();
  expect(document.activeElement).toBe(byId('sit'));
});

test('a page without focus is left alone', async () => {
  (document.activeElement as HTMLElement | null)?.blur();
  page.innerHTML = '<main><h1>Other</h1><button data-next>Start</button></main>';
  await changed();
  expect(document.activeElement).toBe(document.body);
});

describe('with a board', () => {
  const board = '<main><h1>Game</h1><div id="board" data-board></div></main>';
  const place = '<button id="field" data-place>Field</button>';

  /* As after a reload, and for a player whose turn is not yet. */
  test('a page that nobody has touched gives it to the board, and to what is to be done', async () => {
    (document.activeElement as HTMLElement | null)?.blur();
    page.innerHTML = board;
    await changed();
    expect(document.activeElement).toBe(document.body);
    byId('board')?.insertAdjacentHTML('beforeend', place);
    await changed();
    expect(document.activeElement).toBe(byId('field'));
    byId('board')?.insertAdjacentHTML('beforeend', '<button id="go" data-next>Go</button>');
    await changed();
    expect(document.activeElement).toBe(byId('go'));
  });

  test('the board comes before the heading', async () => {
    byId('sit')?.focus();
    page.innerHTML = board;
    byId('board')?.insertAdjacentHTML('beforeend', place);
    await changed();
    expect(document.activeElement).toBe(byId('field'));
  });

  test('a focus is passed on, once, from where nothing is left to do', async () => {
    page.innerHTML = board;
    byId('board')?.insertAdjacentHTML('beforeend', place);
    byId('field')?.focus();
    const main = page.querySelector('main');
    main?.insertAdjacentHTML('beforeend', '<button id="again" data-next>Play again</button>');
    await changed();
    expect(document.activeElement).toBe(byId('field'));
    passFocus(byId('board') as Element);
    expect(document.activeElement).toBe(byId('again'));
    byId('field')?.focus();
    main?.insertAdjacentHTML('beforeend', '<p>More</p>');
    await changed();
    expect(document.activeElement).toBe(byId('field'));
    passFocus(byId('again') as Element);
    expect(document.activeElement).toBe(byId('field'));
  });
});
