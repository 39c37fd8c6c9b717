/** Kind: what a page shows for a moment and leaves behind in its title. */
import { cleanup, render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Title from './Title.svelte';

afterEach(cleanup);

test('a message within a page has its title for as long as it is there', async () => {
  const page = render(Title, { words: 'Room' });
  flushSync();
  const message = render(Title, { words: 'One moment' });
  flushSync();
  expect(document.title).toBe('One moment');
  // What happens behind it is told when it has gone.
  await page.rerender({ words: 'Your turn · Room' });
  expect(document.title).toBe('One moment');
  message.unmount();
  expect(document.title).toBe('Your turn · Room');
  await page.rerender({ words: 'Room' });
  expect(document.title).toBe('Room');
});
