/**
 * The browser's offer to install Boardwalk, kept until the person wants it. It is made once: whatever they answer, in
 * the browser's question or here, it is not made again in this browser.
 *
 *   install.offered          true: show it; reactive
 *   await install.accept()   the browser asks
 *   install.decline()
 */
import { flag, Kept } from './storage.svelte';

/** The event of browsers that can install; TypeScript does not know it. */
interface Offer extends Event {
  prompt: () => Promise<unknown>;
}

const kept = new Kept<{ answered: boolean }>('boardwalk:install', { answered: flag });

class Install {
  private offer = $state.raw<Offer | null>(null);
  readonly offered = $derived(this.offer !== null && kept.watch().answered !== true);

  constructor() {
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.offer = event as Offer;
    });
    addEventListener('appinstalled', () => {
      this.decline();
    });
  }

  async accept(): Promise<void> {
    const { offer } = this;
    this.decline();
    await offer?.prompt();
  }

  decline(): void {
    this.offer = null;
    kept.write({ answered: true });
  }
}

export const install = new Install();
