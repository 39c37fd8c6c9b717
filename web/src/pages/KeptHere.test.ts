/**
 * If some of this browser's games are not in the backup file, the page says so when it saves the file.
 */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unread } from '../lib/local/carry';
import KeptHere from './KeptHere.svelte';

beforeEach(() => {
  vi.stubGlobal('URL', { createObjectURL: () => '#', revokeObjectURL: () => undefined });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function save(): Promise<void> {
  render(KeptHere);
  await fireEvent.click(screen.getByRole('button', { name: 'Save to a file' }));
}

test.each([
  ['is missing', undefined],
  [
    'throws',
    {
      open: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    },
  ],
  [
    'fails later',
    {
      open: () => {
        const request = { onerror: () => undefined, error: new DOMException('denied') };
        setTimeout(() => {
          request.onerror();
        });
        return request;
      },
    },
  ],
])('a database that %s is reported', async (_, database) => {
  vi.stubGlobal('indexedDB', database);
  await save();
  expect(await screen.findByText(unread, { exact: false })).toBeTruthy();
});
