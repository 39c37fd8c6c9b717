/**
 * Vite plugin: writes `sw.js`, a service worker that knows every built file, so
 * that the page opens and plays without the server (gone, or behind a proxy that
 * says so). Hashed files come from the cache; pages come from the network while it is
 * there; /api and /ws are never touched. The version before is kept, for pages of it
 * that are still open.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

function worker(files: string[], version: string): string {
  return `const cacheName = ${JSON.stringify(`boardwalk-${version}`)};
const files = ${JSON.stringify(files)};

const current = (request) => caches.open(cacheName).then((cache) => cache.match(request));

async function page(request) {
  const answer = await fetch(request).catch(() => null);
  if (answer !== null && answer.status < 500) return answer;
  return (await current('/')) ?? answer ?? Response.error();
}

addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith('boardwalk-') && name !== cacheName))
      .then((others) => Promise.all(others.slice(0, -1).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

// A notification leads to the page that it is about, where that is still open.
addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then((pages) => {
      const page = pages.find(({ url }) => new URL(url).pathname === notification.data);
      return page === undefined ? clients.openWindow(notification.data) : page.focus();
    }),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (/^\\/(api|ws|metrics|healthz|readyz)(\\/|$)/.test(url.pathname)) return;
  if (request.mode === 'navigate') {
    event.respondWith(page(request));
    return;
  }
  event.respondWith(
    current(request).then((found) => found ?? caches.match(request)).then((found) => found ?? fetch(request)),
  );
});
`;
}

/** Fonts and pictures that a page can do without are left to the network. */
const kept = /\.(js|css|wasm|svg|woff2|webmanifest)$/;

/** The files whose names do not tell what is in them. */
const plain = ['theme.js', 'favicon.svg', 'manifest.webmanifest'];

export function offline(): Plugin {
  let root = '';
  let publicDir = '';
  return {
    name: 'boardwalk:offline',
    apply: 'build',
    configResolved(config) {
      ({ root, publicDir } = config);
    },
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => kept.test(name))
        .map((name) => `/${name}`);
      const list = ['/', ...plain.map((name) => `/${name}`), ...files.sort()];
      const hash = createHash('sha256').update(list.join('\n'));
      for (const path of [join(root, 'index.html'), ...plain.map((name) => join(publicDir, name))])
        hash.update(readFileSync(path));
      const version = hash.digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker(list, version) });
    },
  };
}
