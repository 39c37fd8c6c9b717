/** The offer to install appears when the browser makes it, once, and never again after an answer. */
import { flushSync } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { install } from './install.svelte';

beforeEach(() => {
  localStorage.clear();
});

function offer(): ReturnType<typeof vi.fn> {
  const prompt = vi.fn(() => Promise.resolve());
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  flushSync();
  return prompt;
}

test('it is offered once: the browser asks when it is accepted, and it is not offered again', async () => {
  expect(install.offered).toBe(false);
  const prompt = offer();
  expect(install.offered).toBe(true);
  await install.accept();
  expect(prompt).toHaveBeenCalledOnce();
  expect(install.offered).toBe(false);
  offer();
  expect(install.offered).toBe(false);
});
