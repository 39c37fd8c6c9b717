/**
 * What the browser reports once, before the page that needs it is open. The offer to install arrives on the first page,
 * and the home page shows it later.
 */
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';

// It observes the page for longer than jsdom has one.
vi.mock('./lib/translated', () => ({ surviveTranslation: () => undefined }));

test('an offer that arrived on another page is shown on the home page', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network')));
  vi.stubGlobal('scrollTo', () => undefined);
  history.replaceState(null, '', '/game/!');
  document.body.innerHTML = '<div id="app"></div>';
  await import('./main');
  const prompt = vi.fn(() => Promise.resolve());
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  (await screen.findByRole('link', { name: 'Choose a game' })).click();
  (await screen.findByRole('button', { name: 'Install' })).click();
  await vi.waitFor(() => {
    expect(prompt).toHaveBeenCalledOnce();
  });
}, 300_000); // the whole client is loaded
