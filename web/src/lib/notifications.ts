/**
 * What reaches a player who looks elsewhere: a dot on the installed icon, a short vibration, and a notification.
 * The last two only where the player switched them on, and each only where the browser has it. None of them is
 * the only sign of anything: the title says it too.
 */
import { settings } from './settings.svelte';

/** The browser has them at all; a page that is not safe (http on another machine) has no notifications. */
export const canVibrate = (): boolean => typeof navigator.vibrate === 'function';
export const canNotify = (): boolean => typeof Notification === 'function' && isSecureContext;
/** The browser allows them here; a player may have taken that back in its own settings. */
export const mayNotify = (): boolean => canNotify() && Notification.permission === 'granted';

/** Lets the browser ask the player. It asks once: later its first answer stands. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** The room that has news; `room` tells its notification from those of others. */
export interface Source {
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

async function show(words: string, { room, title }: Source): Promise<void> {
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

async function close(room: string): Promise<void> {
  plain.get(room)?.close();
  plain.delete(room);
  const registration = await worker();
  for (const one of (await registration?.getNotifications({ tag: room })) ?? []) one.close();
}

/** Showing takes a moment. One after the other, so that what is withdrawn meanwhile does not stay. */
let last: Promise<void> = Promise.resolve();
function next(step: () => Promise<void>): void {
  last = last.then(step).catch(() => undefined); // the system refused: the title says it
}

/** Tells a player who looks elsewhere. */
export function notify(words: string, source: Source): void {
  if ('setAppBadge' in navigator) navigator.setAppBadge().catch(() => undefined);
  if (settings.notify && mayNotify()) next(() => show(words, source));
}

/** The player looks, or it is not so any more. */
export function withdraw({ room }: Source): void {
  if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined);
  next(() => close(room));
}
