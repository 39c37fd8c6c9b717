/**
 * Is a place of the page seen, or was it? What stands there can be loaded then, and not with the first page: on a large
 * screen, too, the page is there before it.
 */
import type { Attachment } from 'svelte/attachments';

const afterFirst = 1500;

export class Near {
  seen = $state(false);

  readonly watch: Attachment = (place) => {
    if (typeof IntersectionObserver === 'undefined') {
      this.seen = true;
      return;
    }
    const observer = new IntersectionObserver((entries) => {
      this.seen ||= entries.some(({ isIntersecting }) => isIntersecting);
    });
    const later = setTimeout(() => {
      observer.observe(place);
    }, afterFirst);
    return () => {
      clearTimeout(later);
      observer.disconnect();
    };
  };
}
