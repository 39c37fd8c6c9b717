/**
 * A player who looks elsewhere is notified, only of what is still true, and never if they turned it off or look at the
 * page.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askToNotify, canNotify, mayNotify } from './notifications';
import { state } from './room/room.fake';
import { Signals } from './room/signals.svelte';
import type { Seen } from './room/signals.svelte';
import { settings } from './settings.svelte';

class Shown {
  static permission = 'granted';
  static requestPermission = vi.fn(() => Promise.resolve(Shown.permission));
  static all: Shown[] = [];
  closed = false;
  onclick: (() => void) | null = null;

  constructor(
    readonly title: string,
    readonly about: { body: string; tag: string },
  ) {
    Shown.all.push(this);
  }

  close(): void {
    this.closed = true;
  }
}

const badge = { set: vi.fn(() => Promise.resolve()), clear: vi.fn(() => Promise.resolve()) };
const buzz = vi.fn(() => true);
const theirs: Seen = {
  state: state({ current_role: 'weather' }),
  you: 'journeyman',
  playing: true,
  offered: null,
  name: (role) => role,
};
const mine: Seen = { ...theirs, state: state({ current_role: 'journeyman' }) };
let signals: Signals;

function look(visibility: 'hidden' | 'visible'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
}
const settled = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(10);
};

beforeEach(() => {
  Shown.all = [];
  Shown.permission = 'granted';
  vi.stubGlobal('Notification', Shown);
  vi.stubGlobal('isSecureContext', true);
  Object.assign(navigator, {
    setAppBadge: badge.set,
    clearAppBadge: badge.clear,
    vibrate: buzz,
    userActivation: { hasBeenActive: true },
  });
  vi.clearAllMocks();
  settings.set('notify', true);
  settings.set('vibration', true);
  signals = new Signals(() => ({ room: 'ABCD', title: 'Flooded Island' }));
  signals.see(theirs);
});

afterEach(() => {
  signals.dispose();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a hidden page marks the icon and says whose turn it is, until it is seen', async () => {
  look('hidden');
  signals.see(mine);
  await settled();
  expect(badge.set).toHaveBeenCalledTimes(1);
  expect(Shown.all.map(({ title, about }) => [title, about.body, about.tag])).toEqual([
    ['Your turn', 'Flooded Island', 'ABCD'],
  ]);
  look('visible');
  await settled();
  expect(badge.clear).toHaveBeenCalledTimes(1);
  expect(Shown.all[0]?.closed).toBe(true);
});

it.each([
  ['paused', { ...mine, state: state({ current_role: 'journeyman', paused: true }) }],
  ['over by a bot that stood in', theirs],
])('a notification that no longer holds is withdrawn: %s', async (_, later) => {
  look('hidden');
  signals.see(mine);
  await settled();
  signals.see(later);
  await settled();
  expect(Shown.all[0]?.closed).toBe(true);
  expect(badge.clear).toHaveBeenCalled();
});

it('a visible page vibrates, and shows no notification', async () => {
  look('visible');
  signals.see(mine);
  await settled();
  expect(buzz).toHaveBeenCalledTimes(1);
  expect([badge.set.mock.calls.length, Shown.all.length]).toEqual([0, 0]);
});

it('what the player has not turned on stays silent; the dot on the icon is always shown', async () => {
  settings.set('notify', false);
  settings.set('vibration', false);
  look('hidden');
  signals.see(mine);
  await settled();
  expect([buzz.mock.calls.length, Shown.all.length]).toEqual([0, 0]);
  expect(badge.set).toHaveBeenCalledTimes(1);
});

it('a browser that forbids notifications, or has none, is not asked', async () => {
  Shown.permission = 'denied';
  expect(await askToNotify()).toBe(false);
  look('hidden');
  signals.see(mine);
  await settled();
  expect(Shown.all).toEqual([]);
  vi.stubGlobal('Notification', undefined);
  expect([canNotify(), await askToNotify()]).toEqual([false, false]);
});

it('a notification that is withdrawn while it appears does not stay', async () => {
  const onScreen = new Set<string>();
  const registration = {
    active: {},
    showNotification: async (words: string) => {
      await new Promise((resolve) => setTimeout(resolve, 50)); // the system takes a moment
      onScreen.add(words);
    },
    getNotifications: () =>
      Promise.resolve([...onScreen].map((words) => ({ close: () => onScreen.delete(words) }))),
  };
  Object.assign(navigator, {
    serviceWorker: { getRegistration: () => Promise.resolve(registration) },
  });
  look('hidden');
  signals.see(mine);
  look('visible');
  await vi.advanceTimersByTimeAsync(200);
  expect([...onScreen]).toEqual([]);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('what the browser no longer allows is not shown as turned on', () => {
  expect(mayNotify()).toBe(true);
  Shown.permission = 'denied';
  expect(mayNotify()).toBe(false);
});
