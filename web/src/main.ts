import './lib/tokens.css';
import './lib/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import './lib/install.svelte'; // the browser offers it once, on whatever page comes first
import { storage } from './lib/storage.svelte';
import { surviveTranslation } from './lib/translated';
import { keepFocus } from './lib/ui/focus-keeper';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no #app element.');
target.replaceChildren(); // the sentence for browsers in which the script does not load
surviveTranslation(document.body);
mount(App, { target });
keepFocus(target);

/* A page that was open during an update asks for files that no longer exist: it is reloaded, but not
 * again and again. */
const again = 'boardwalk:again';
let leaving = false;
addEventListener('vite:preloadError', (event) => {
  if (leaving) event.preventDefault();
  if (leaving) return;
  const last = Number(storage.read(again, 'session') ?? 0);
  if (Date.now() - last < 30_000 || !storage.write(again, String(Date.now()), 'session')) return;
  leaving = true;
  event.preventDefault();
  location.reload();
});

// So that the page opens, and puzzles can be played, without the server.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
}
