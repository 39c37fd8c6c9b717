import { describe, expect, it } from 'vitest';
import type { Move } from './review.svelte';
import { costWords, methodWords, moveWords, sureWords, verdictWords } from './words';
import { worths as days } from '../games/flooded_island/words';
import { worths as moves } from '../games/flood_it/words';

const move = (part: Partial<Move>): Move => ({
  step: 7,
  role: 'blue',
  of: 'blue',
  before: { blue: 0.6 },
  after: { blue: 0.2 },
  exact: [false, false],
  cost: 0.4,
  again: true,
  better: null,
  withBetter: null,
  ...part,
});
const name = (role: string): string => (role === 'blue' ? 'Ann' : role);

describe('the text of a review', () => {
  it('about chances of winning', () => {
    expect(moveWords(move({}), 'blue', undefined, 'Ann')).toBe(
      'Chance of winning: 60 % before this move, 20 % after it.',
    );
    expect(moveWords(move({ role: null }), 'blue', undefined, 'Ann')).toBe(
      "Ann's chance of winning: 60 % before this round, 20 % after it.",
    );
    expect(verdictWords(move({}), 'done', undefined, name)).toBe(
      "The game turned at move 7: Ann's chance of winning fell from 60 % to 20 %.",
    );
    expect(sureWords(move({}), 'chances', 10)).toMatch(/opinion, from 40 games against itself/);
    expect(sureWords(move({ again: false }), 'chances', 10)).toMatch(/from 10 games/);
    expect(methodWords('chances', 10, undefined)).toMatch(/opinion, not a proof/);
  });

  it('about moves left', () => {
    const lost = move({ before: { blue: null }, after: { blue: 4 }, cost: 22 });
    expect(moveWords(lost, 'blue', days, 'Ann')).toBe(
      'Until the trap: no trap in sight before this move, 4 days after it.',
    );
    const wasted = move({ before: { blue: 3 }, after: { blue: 3 }, cost: 1, exact: [true, true] });
    expect(costWords(wasted, moves)).toBe('1 move');
    expect(verdictWords(wasted, 'stopped', moves, name)).toBe(
      'So far the game turned at move 7: it cost Ann 1 move.',
    );
    expect(sureWords(wasted, 'moves', 20)).toBe('Proven by the solver.');
    expect(sureWords(lost, 'moves', 20)).toMatch(/not proven/);
  });

  it('if no move turned the game', () => {
    expect(verdictWords(null, 'done', undefined, name)).toBe('No single move turned the game.');
    expect(verdictWords(null, 'stopped', moves, name)).toMatch(/^Stopped before/);
    expect(verdictWords(null, 'failed', moves, name)).toMatch(/Load the page again/);
  });
});
