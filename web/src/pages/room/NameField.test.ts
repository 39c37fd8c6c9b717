/** The field for a name: how Enter leaves it, and what of a pasted name is kept. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Room } from '../../lib/room/room.svelte';
import { settings } from '../../lib/settings.svelte';
import NameField from './NameField.svelte';

beforeEach(() => {
  localStorage.clear();
});
afterEach(cleanup);

function field(): { input: HTMLInputElement; act: ReturnType<typeof vi.fn> } {
  const act = vi.fn(() => Promise.resolve());
  const room = { you: { role: 'a' }, state: { names: {} }, act } as unknown as Room;
  render(NameField, { room, ondone: () => undefined });
  return { input: screen.getByLabelText('Your name'), act };
}

/* Regression: it pressed the button to which the focus went, so it copied the link or started the game. */
test('Enter leaves the field and does nothing else', async () => {
  const { input } = field();
  expect(document.activeElement).toBe(input);
  expect(await fireEvent.keyDown(input, { key: 'a' })).toBe(true);
  expect(await fireEvent.keyDown(input, { key: 'Enter' })).toBe(false);
  expect(document.activeElement).not.toBe(input);
});

/* Regression: the server refused such a name, and the page gave its reason in the words of the protocol. */
test('characters that the server refuses are left out', async () => {
  const { input, act } = field();
  await fireEvent.input(input, { target: { value: '\u202eAnn\u200b \u{1F469}\u200d\u{1F680}' } });
  expect(settings.name).toBe('Ann \u{1F469}\u{1F680}');
  await fireEvent.change(input);
  expect(act).toHaveBeenCalledWith({ type: 'rename', name: 'Ann \u{1F469}\u{1F680}' });
});
