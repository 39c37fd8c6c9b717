/**
 * Sentences for screen readers. `announce` puts one into the page's live region
 * (Announcer.svelte, once in App): turns, results, refusals.
 */
class Announcements {
  text = $state('');
  private flip = false;

  say(sentence: string): void {
    // A sentence said twice must still be read twice: a trailing space tells them apart.
    this.flip = !this.flip;
    this.text = this.flip ? sentence : `${sentence}\u00a0`;
  }
}

export const announcements = new Announcements();

export function announce(sentence: string): void {
  announcements.say(sentence);
}
