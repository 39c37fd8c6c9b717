/** The server is up but refuses the connection. Each status is explained as what it is, never as a network problem. */
import { expect, test, vi } from 'vitest';
import { whyRefused } from './reach';

const answers =
  (statuses: Record<string, number | undefined>): typeof fetch =>
  (path) => {
    const status = statuses[String(path)];
    if (status === undefined) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve({ status } as Response);
  };

test.each([
  ['a proxy that drops Upgrade', { '/api/games': 200, '/ws/ABCD': 426 }, /refused/, /Upgrade/],
  ['a proxy without the way', { '/api/games': 200, '/ws/ABCD': 404 }, /refused/, /Upgrade/],
  ['a filter that cuts it', { '/api/games': 200 }, /refused/, /Upgrade/],
  ['a limit', { '/api/games': 200, '/ws/ABCD': 429 }, /Too many/, /MAX_SOCKETS_PER_ADDRESS/],
  ['a limit on all', { '/api/games': 429 }, /Too many/, /MAX_SOCKETS_PER_ADDRESS/],
  ['an unknown host', { '/api/games': 403 }, /does not know this address/, /FRONTEND_URL/],
  ['a malformed host', { '/api/games': 400 }, /does not know this address/, /Host/],
  ['a proxy alone', { '/api/games': 502 }, /not running/, /start the server/],
])('%s', async (_, statuses, title, operator) => {
  const found = await whyRefused('ABCD', answers(statuses));
  expect(found?.title).toMatch(title);
  expect(found?.operator).toMatch(operator);
  expect(found?.detail).toMatch(/\.$/);
});

test('if nothing answers, it is the network', async () => {
  expect(await whyRefused('ABCD', answers({}))).toBeNull();
});

test('a network that swallows the question is blamed after some seconds', async () => {
  vi.useFakeTimers();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const aborter = new AbortController();
    setTimeout(() => {
      aborter.abort(new DOMException('Too slow', 'TimeoutError'));
    }, ms);
    return aborter.signal;
  });
  const silent: typeof fetch = (_, init) =>
    new Promise((_, refuse) => {
      init?.signal?.addEventListener('abort', () => {
        refuse(new DOMException('Too slow', 'TimeoutError'));
      });
    });
  const found = whyRefused('ABCD', silent);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await found).toBeNull();
  timeout.mockRestore();
  vi.useRealTimers();
});
