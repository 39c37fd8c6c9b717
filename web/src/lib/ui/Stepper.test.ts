/** A number whose changes are answered late. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import Stepper from './Stepper.svelte';

afterEach(cleanup);

const number = (): HTMLInputElement => screen.getByRole('spinbutton');

test('steps before the first answer add up, and end where the answer says', async () => {
  const answers: (() => void)[] = [];
  const onchange = vi.fn(() => new Promise<void>((resolve) => answers.push(resolve)));
  render(Stepper, { label: 'Width', value: 10, min: 3, max: 10, onchange });
  const less = screen.getByRole('button', { name: 'Width: less' });
  for (let i = 0; i < 3; i += 1) await fireEvent.click(less);
  expect(onchange.mock.calls).toEqual([[9], [8], [7]]);
  expect(number().value).toBe('7');
  answers[0]?.();
  answers[1]?.();
  await vi.waitFor(() => {
    expect(number().value).toBe('7');
  });
  answers[2]?.(); // refused, for example: the value is unchanged
  await vi.waitFor(() => {
    expect(number().value).toBe('10');
  });
});
