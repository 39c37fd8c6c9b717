/** Regression: a page shows something for a moment and leaves it in its title. */
import { cleanup, render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import Title from './Title.svelte';

afterEach(cleanup);

test('a message within a page sets the title only while it is shown', async () => {
  const page = render(Title, { words: 'Room' });
  flushSync();
  const message = render(Title, { words: 'One moment' });
  flushSync();
  expect(document.title).toBe('One moment');
  // What happens behind it is shown when it has closed.
  await page.rerender({ words: 'Your turn · Room' });
  expect(document.title).toBe('One moment');
  message.unmount();
  expect(document.title).toBe('Your turn · Room');
  await page.rerender({ words: 'Room' });
  expect(document.title).toBe('Room');
});
