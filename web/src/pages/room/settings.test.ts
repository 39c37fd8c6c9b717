import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { Setting } from '../../lib/protocol';
import SettingsForm from './SettingsForm.svelte';
import { range } from './settings';

afterEach(cleanup);

const number = (more: Partial<Setting>): Setting => ({
  type: 'integer',
  title: 'Width',
  description: 'columns',
  minimum: 3,
  maximum: 10,
  ...more,
});

test('a range has its unit, and milliseconds are shown as seconds', () => {
  expect(range(number({ unit: 'fields' }))).toBe('3 to 10 fields');
  expect(range(number({ minimum: 250, maximum: 60000, unit: 'ms' }))).toBe('0.25 to 60 seconds');
});

test('settings are shown by their titles; those without one are for programs only', () => {
  render(SettingsForm, {
    properties: { wide: number({}), date: number({ title: undefined as unknown as string }) },
    values: { wide: 4 },
    disabled: false,
    onchange: () => undefined,
  });
  expect(screen.getAllByRole('spinbutton')).toHaveLength(1);
  expect(screen.getByRole('spinbutton', { name: /^Width Columns \(3 to 10\)/ })).toBeTruthy();
});

test('a round of three seconds is set in seconds and sent in milliseconds', () => {
  const onchange = vi.fn();
  render(SettingsForm, {
    properties: { round_ms: number({ minimum: 250, maximum: 60000, unit: 'ms', default: 3000 }) },
    values: {},
    disabled: false,
    onchange,
  });
  expect(screen.getByRole<HTMLInputElement>('spinbutton').value).toBe('3');
  screen.getByRole('button', { name: 'Width: more' }).click();
  expect(onchange).toHaveBeenCalledWith('round_ms', 3250);
});

test('an object is set by its members; the other members are kept', () => {
  const onchange = vi.fn();
  const origin: Setting = {
    type: 'object',
    title: 'Start',
    description: 'where it begins',
    properties: { row: number({ title: 'Row', minimum: 0 }), col: number({ title: 'Column' }) },
    default: { row: 0, col: 0 },
  };
  render(SettingsForm, {
    properties: { origin },
    values: { origin: { row: 2, col: 5 } },
    disabled: false,
    onchange,
  });
  expect(screen.getByRole('group', { name: /^Start Where it begins/ })).toBeTruthy();
  screen.getByRole('button', { name: 'Row: more' }).click();
  expect(onchange).toHaveBeenCalledWith('origin', { row: 3, col: 5 });
});

test('a number that may be a word is a choice, with a number if that is chosen', () => {
  const onchange = vi.fn();
  const limit = number({
    type: ['integer', 'string'],
    title: 'Move limit',
    names: ['classic'],
    titles: ['Classic'],
    default: 25,
  });
  const shown = render(SettingsForm, {
    properties: { limit },
    values: { limit: 25 },
    disabled: false,
    onchange,
  });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'A number' }).checked).toBe(true);
  screen.getByRole('radio', { name: 'Classic' }).click();
  expect(onchange).toHaveBeenLastCalledWith('limit', 'classic');
  shown.unmount();
  render(SettingsForm, {
    properties: { limit },
    values: { limit: 'classic' },
    disabled: false,
    onchange,
  });
  expect(screen.queryByRole('spinbutton')).toBeNull();
  screen.getByRole('radio', { name: 'A number' }).click();
  expect(onchange).toHaveBeenLastCalledWith('limit', 25);
});
