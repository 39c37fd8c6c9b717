/** The lesson's page reserves space for every sentence that the lesson may show. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { saidIn } from './lessons';

it('finds every instruction, every outcome and every answer', () => {
  const text = [
    'game blank',
    'end Now play.',
    'step One',
    'say First. | Second.',
    'say Do it.',
    'wrong {"type":"a"} | Not so | or so.',
    'else Not yet.',
    'then Done.',
    'step Two',
    'say Again.',
  ].join('\n');
  expect(saidIn(text)).toEqual([
    ['First. | Second.', 'Do it.'],
    ['Not so | or so.'],
    ['Not yet.'],
    ['Done.'],
    ['Again.'],
  ]);
});

it.each(['flooded_island', 'flood_it', 'monadungeon', 'flag_war'])(
  'a sentence of %s fits a small phone',
  (game) => {
    const text = readFileSync(`../games/${game}/lessons/first.lesson`, 'utf8');
    // About 38 letters a line, and five lines.
    const lines = (said: string[]): number =>
      said.reduce((sum, one) => sum + Math.ceil(one.length / 38), 0);
    expect(saidIn(text).filter((said) => lines(said) > 5)).toEqual([]);
  },
);
