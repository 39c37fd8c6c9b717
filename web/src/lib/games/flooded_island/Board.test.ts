/** The weather's choices on a slow or broken connection, refusals, and how a night ends. */
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { BoardEngine } from '../../engine/engine.svelte';
import type { GameAction, RoomState } from '../../protocol';
import { Refusal } from '../../protocol';
import Board from './Board.svelte';

afterEach(cleanup);
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));

const view = () =>
  ({
    game_status: 'active',
    current_role: 'weather',
    current_turn: 1,
    width: 3,
    height: 3,
    max_flood_count: 2,
    days: 30,
    journeyman_position: { x: 0, y: 0 },
    grid: Array.from({ length: 3 }, () => ['dry', 'dry', 'dry']),
    names: { journeyman: 'Ann' },
    bots: {},
    phase: 'night',
    config: {},
  }) as unknown as RoomState;

function weather() {
  const sent: { action: GameAction; settle: (refusal?: Refusal) => void }[] = [];
  const props = {
    view: view(),
    you: { role: 'weather' },
    role: 'weather',
    live: true,
    events: [],
    engine: { ready: false } as BoardEngine,
    serverNow: () => 0,
    onAction: (action: GameAction) =>
      new Promise<void>((resolve, reject) => {
        sent.push({
          action,
          settle: (refusal) => {
            if (refusal === undefined) resolve();
            else reject(refusal);
          },
        });
      }),
  };
  const { rerender, container } = render(Board, { props });
  const again = (more: object) => rerender({ ...props, view: view(), ...more });
  const press = (x: number, y: number) =>
    fireEvent.click(
      container.querySelector(`[role="gridcell"][aria-label^="column ${x}, row ${y},"]`) as Element,
    );
  const chosen = () => container.querySelectorAll('[role="gridcell"][aria-selected="true"]').length;
  return { sent, again, press, chosen };
}

const staged = (...positions: object[]) => ({
  you: { role: 'weather', staged: { positions } },
});

test('an answer to the first choice does not take back the second', async () => {
  const { sent, again, press, chosen } = weather();
  await press(2, 2);
  await press(3, 3);
  expect(sent.map(({ action }) => action)).toEqual([
    { type: 'flood', positions: [{ x: 1, y: 1 }] },
    {
      type: 'flood',
      positions: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
    },
  ]);
  sent[0]?.settle();
  await again(staged({ x: 1, y: 1 }));
  expect(chosen()).toBe(2);
});

test('a choice stays visible while the connection is lost', async () => {
  const { again, press, chosen } = weather();
  await press(2, 2);
  await again({ live: false });
  expect(chosen()).toBe(1);
  expect(screen.getByRole('button', { name: 'End Turn' }).ariaDisabled).toBe('true');
  await press(3, 3);
  expect(chosen()).toBe(1);
});

test('a refused choice leaves what was staged before', async () => {
  const { sent, again, press, chosen } = weather();
  await again(staged({ x: 1, y: 1 }));
  await press(3, 3);
  expect(chosen()).toBe(2);
  sent[0]?.settle(new Refusal('illegal', 'No.'));
  await Promise.resolve();
  await again(staged({ x: 1, y: 1 }));
  expect(chosen()).toBe(1);
});

test('an illegal choice is refused beside the board, until the next choice or the next turn', async () => {
  const { sent, again, press, chosen } = weather();
  await press(2, 2);
  await press(3, 3);
  await press(1, 3);
  expect(screen.getByText(/^At most 2 fields per night/)).toBeTruthy();
  expect(chosen()).toBe(2);
  expect(sent).toHaveLength(2);
  await press(3, 3);
  expect(screen.queryByText(/at most/)).toBeNull();
  await press(1, 1);
  expect(screen.getByText(/^That is Ann, the adventurer/)).toBeTruthy();
  await again({ view: { ...view(), current_turn: 2, current_role: 'journeyman', phase: 'day' } });
  expect(screen.queryByText(/^That is Ann/)).toBeNull();
});

test('a night is skipped by a button that says so, and by no key', async () => {
  const { sent, press } = weather();
  const grid = screen.getByRole('grid');
  await fireEvent.keyDown(grid, { key: 'e' });
  expect(sent).toHaveLength(0);
  expect(screen.getByText(/"Pass the night"/)).toBeTruthy();
  await press(2, 2);
  expect(screen.queryByRole('button', { name: 'Pass the night' })).toBeNull();
  await press(2, 2);
  await fireEvent.click(screen.getByRole('button', { name: 'Pass the night' }));
  expect(sent.at(-1)?.action).toEqual({ type: 'end_turn' });
});

test('a button that cannot end the turn says why, and stays where it is', async () => {
  const { sent, again } = weather();
  await again({ view: { ...view(), current_role: 'journeyman', phase: 'day' } });
  const end = screen.getByRole('button', { name: 'End Turn' });
  expect(end.ariaDisabled).toBe('true');
  await fireEvent.click(end);
  expect(screen.getByText(/^Not your turn yet/)).toBeTruthy();
  expect(sent).toHaveLength(0);
  const day = { ...view(), current_role: 'journeyman', phase: 'day' };
  await again({ view: day, role: 'journeyman', you: { role: 'journeyman' } });
  await fireEvent.click(end);
  expect(screen.getByText('Choose an outlined field first.')).toBeTruthy();
});
