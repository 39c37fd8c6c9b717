/**
 * What reaches a player who looks elsewhere: a dot on the installed icon, a short vibration, and a notification.
 * The last two only where the player switched them on, and each only where the browser has it. None of them is
 * the only sign of anything: the title says it too.
 */
import { settings } from './settings.svelte';

/** The browser has them at all; a page that is not safe (http on another machine) has no notifications. */
export const canVibrate = (): boolean => typeof navigator.vibrate === 'function';
export const canNotify = (): boolean => typeof Notification === 'function' && isSecureContext;

/** Asks the player, by the browser. What it answered before stands: then nothing is asked. */
export async function allowNotifications(): Promise<boolean> {
  if (!canNotify()) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** A room that beckons; `room` tells its notification from those of others. */
export interface Caller {
  room: string;
  /** The game's title. */
  title: string;
}

export function vibrate(): void {
  // A browser refuses it, with a warning, before the page was ever touched.
  if (settings.vibration && canVibrate() && navigator.userActivation.hasBeenActive)
    navigator.vibrate(60);
}

const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;

/** What stands on the screen of a browser without a service worker, by room. */
const plain = new Map<string, Notification>();

async function notify(words: string, { room, title }: Caller): Promise<void> {
  if (!settings.notify || !canNotify() || Notification.permission !== 'granted') return;
  const about = { body: title, tag: room, icon: '/icons/icon-192.png', data: location.pathname };
  const registration = await worker();
  // Phones show notifications of a service worker alone.
  if (registration?.active != null) await registration.showNotification(words, about);
  else {
    const shown = new Notification(words, about);
    shown.onclick = () => {
      focus();
      shown.close();
    };
    plain.set(room, shown);
  }
}

/** Tells a player who looks elsewhere. */
export function beckon(words: string, caller: Caller): void {
  if ('setAppBadge' in navigator) navigator.setAppBadge().catch(() => undefined);
  notify(words, caller).catch(() => undefined); // the system refused: the title says it
}

/** The player looks, or it is not so any more. */
export function settle({ room }: Caller): void {
  if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined);
  plain.get(room)?.close();
  plain.delete(room);
  worker()
    .then((registration) => registration?.getNotifications({ tag: room }))
    .then((shown) => {
      for (const one of shown ?? []) one.close();
    })
    .catch(() => undefined);
}
