/**
 * Vite plugin: writes `sw.js`, a service worker that knows every built file, so
 * that the page opens and plays without the server. Hashed files come from the
 * cache; pages come from the network while it is there; /api and /ws are never touched.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

function worker(files: string[], version: string): string {
  return `const cacheName = ${JSON.stringify(`boardwalk-${version}`)};
const files = ${JSON.stringify(files)};

addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (/^\\/(api|ws|metrics|healthz|readyz)(\\/|$)/.test(url.pathname)) return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/')));
    return;
  }
  event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
});
`;
}

/** Fonts and pictures that a page can do without are left to the network. */
const kept = /\.(js|css|wasm|svg|woff2|webmanifest)$/;

export function offline(): Plugin {
  return {
    name: 'boardwalk:offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => kept.test(name))
        .map((name) => `/${name}`);
      const list = ['/', '/theme.js', '/favicon.svg', '/manifest.webmanifest', ...files.sort()];
      const version = createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker(list, version) });
    },
  };
}
