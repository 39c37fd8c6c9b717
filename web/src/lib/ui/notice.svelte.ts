/**
 * What the page has to say in place of the turn (connection lost, paused): set by
 * the room's page, shown by Table where the turn stands, so that nothing moves
 * and nothing is covered.
 */
import { getContext, setContext } from 'svelte';

export interface TableNotice {
  title: string;
  detail: string;
  action?: { label: string; run: () => void };
}

const key = Symbol('table notice');

export function provideNotice(read: () => TableNotice | null): void {
  setContext(key, read);
}

export function tableNotice(): () => TableNotice | null {
  return getContext<(() => TableNotice | null) | undefined>(key) ?? (() => null);
}
