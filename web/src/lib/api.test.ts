/** The server's reason for refusing a request reaches the user in the server's own words. */
import { afterEach, expect, test, vi } from 'vitest';
import { createRoom, fetchReplay, fetchRoom, shareReplay } from './api';

function answer(status: number, body: unknown): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })));
}

afterEach(() => vi.unstubAllGlobals());

const refusal = { type: 'error', code: 'rate_limited', message: 'Too many new rooms.' };

test.each([400, 409, 413, 429, 503])(
  'a refusal with status %i keeps the server’s words',
  async (status) => {
    answer(status, refusal);
    for (const asking of [
      createRoom('flood_it'),
      fetchRoom('ABCD'),
      fetchReplay('X'),
      shareReplay(new Blob(['{}'])),
    ]) {
      await expect(asking).rejects.toThrow(refusal.message);
    }
  },
);

test('an answer without a message gives its status', async () => {
  answer(502, 'no object');
  await expect(fetchRoom('ABCD')).rejects.toThrow('502');
});

test('a missing network is explained in a sentence', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
  await expect(fetchRoom('ABCD')).rejects.toThrow('cannot be reached');
});

test('a missing resource is null, and an unknown game is reported', async () => {
  answer(404, {
    type: 'error',
    code: 'no_such_game',
    message: 'Line 1: this game is not in this program.',
  });
  expect(await fetchRoom('ABCD')).toBeNull();
  expect(await fetchReplay('X')).toBeNull();
  await expect(shareReplay(new Blob(['{}']))).rejects.toThrow('Line 1');
  await expect(createRoom('chess')).rejects.toThrow('Line 1');
});

test('a valid file gets an address', async () => {
  answer(201, { replay_id: 'CDFG', url: '/replay/CDFG' });
  expect(await shareReplay(new Blob(['{}']))).toEqual({ replay_id: 'CDFG', url: '/replay/CDFG' });
});
