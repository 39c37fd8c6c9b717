/**
 * Sentences for screen readers. `announce` puts one into the page's live region (Announcer.svelte, once in
 * App and once in each open dialog): turns, results, refusals. Sentences within a moment are read together: the move that ends a game,
 * and the result, which comes in another message.
 */
const MOMENT_MS = 60;

class Announcements {
  text = $state('');
  private flip = false;
  private said: string[] = [];

  say(sentence: string): void {
    if (this.said.length === 0)
      setTimeout(() => {
        const [first = '', ...more] = this.said.splice(0);
        this.read(more.reduce((all, one) => `${all.replace(/[.…!?]*$/, '.')} ${one}`, first));
      }, MOMENT_MS);
    if (!this.said.includes(sentence)) this.said.push(sentence);
  }

  private read(sentences: string): void {
    // The same sentence twice must be read twice: a trailing space tells them apart.
    this.flip = !this.flip;
    this.text = this.flip ? sentences : `${sentences}\u00a0`;
  }
}

export const announcements = new Announcements();

export function announce(sentence: string): void {
  announcements.say(sentence);
}
