import './lib/tokens.css';
import './lib/base.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no #app element.');
mount(App, { target });

/* A page that was open while a newer version came asks for files that are no longer there: it is loaded anew,
   at its address, but not again and again. */
const again = 'boardwalk:again';
let leaving = false;
addEventListener('vite:preloadError', (event) => {
  if (leaving) event.preventDefault();
  if (leaving) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(again)) < 30_000) return;
    sessionStorage.setItem(again, String(Date.now()));
  } catch {
    return;
  }
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
