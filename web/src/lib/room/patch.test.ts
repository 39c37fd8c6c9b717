import { describe, expect, it } from 'vitest';
import { applyPatch } from './patch';

describe('applyPatch', () => {
  it('merges objects, replaces arrays whole, and leaves the target alone', () => {
    const target = { a: { b: 1, c: [1, 2] }, d: 'x' };
    expect(applyPatch(target, { a: { c: [3] } })).toEqual({ a: { b: 1, c: [3] }, d: 'x' });
    expect(target).toEqual({ a: { b: 1, c: [1, 2] }, d: 'x' });
  });

  it('takes null as a value, never as a removal', () => {
    expect(applyPatch({ winner: 'weather', at: { x: 1 } }, { winner: null, at: null })).toEqual({
      winner: null,
      at: null,
    });
  });

  it('creates what is missing, over null and over a plain value', () => {
    expect(applyPatch({ a: null, b: 3 }, { a: { x: 1 }, b: { y: 2 } })).toEqual({
      a: { x: 1 },
      b: { y: 2 },
    });
  });

  it('shares unchanged parts', () => {
    const target = { grid: [[1]], turn: 1 };
    expect(applyPatch(target, { turn: 2 }).grid).toBe(target.grid);
  });

  it('never touches a prototype', () => {
    const result = applyPatch({}, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect('polluted' in (result as object)).toBe(false);
  });
});
