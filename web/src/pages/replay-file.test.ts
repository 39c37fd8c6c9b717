import { describe, expect, it } from 'vitest';
import { resultOf } from './replay-file';

describe("the last line of a game's file", () => {
  it('says who won, with which statistics, and when', () => {
    const result = { winner: 'player2', stats: { turns: 9, slayer: 'player2' } };
    const file = ['{"format":1}', JSON.stringify({ result, ended_at: 5000, hash: 'ab' })];
    for (const end of ['', '\n'])
      expect(resultOf(file.join('\n') + end)).toMatchObject({ over: result, ended_at: 5000 });
  });

  it('may be a move, or incomplete', () => {
    expect(resultOf('{"format":1}\n{"seq":3,"t":10}\n')).toEqual({ over: null });
    expect(resultOf('{"format":1}\n{"result":{"win')).toEqual({ over: null });
    expect(resultOf('')).toEqual({ over: null });
  });
});
