/** Is a place of the page seen, or was it? What stands there can be loaded then, and not with the first page. */
import type { Attachment } from 'svelte/attachments';

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
    observer.observe(place);
    return () => {
      observer.disconnect();
    };
  };
}
