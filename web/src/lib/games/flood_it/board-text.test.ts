import { describe, expect, test } from 'vitest';
import { cellsOf, readBoard, startOn, writeBoard } from './board-text';

describe('a board as text', () => {
  test('has one line for each row and one character for each square', () => {
    expect(readBoard('rrg\nybr')).toEqual({ rows: 2, cols: 3, colors: 4, cells: '001320' });
    expect(readBoard('\n  R R G ,\r\n\r\ny;b;r\n\n')).toEqual(readBoard('rrg\nybr'));
    expect(readBoard('\ufeffr\u200brg\u2028y\u00a0b\tr')).toEqual(readBoard('rrg\nybr'));
    expect(readBoard('wr\nrr')).toEqual({ rows: 2, cols: 2, colors: 10, cells: '9000' });
    expect(readBoard('rr\nrr')).toEqual({ rows: 2, cols: 2, colors: 2, cells: '0000' });
  });

  test('accepts any letters and digits as colours, in their order', () => {
    expect(readBoard('12\n31')).toEqual({ rows: 2, cols: 2, colors: 3, cells: '0120' });
    expect(readBoard('bc\ndB')).toEqual({ rows: 2, cols: 2, colors: 4, cells: '1230' });
  });

  test('on one line is a square board', () => {
    expect(readBoard('abcabcabc')).toEqual({ rows: 3, cols: 3, colors: 3, cells: '012012012' });
    expect(readBoard('abcab')).toMatch(
      /^Line 1 stands alone, so it must be a square.*it has 5 squares/,
    );
    expect(readBoard('\nr')).toMatch(/^Line 2 stands alone.*it has 1 square\.$/);
  });

  test.each([
    ['', /no board in this text/],
    [' \n , \n', /no board in this text/],
    ['rg\n\nr', /^Line 3 has 1 square, and line 1 has 2/],
    ['rgb\nrgbr', /^Line 2 has 4 squares, and line 1 has 3/],
    ['rg\nr#', /^Line 2 has "#" in it: a square is a letter from a to z or a digit/],
    ['rg\nr\u{1f7e5}', /^Line 2 has "\u{1f7e5}" in it/u],
    ['r\ng', /^Line 1 makes a row of 1 square: 2 to 64/],
    [`${'r'.repeat(65)}\n${'g'.repeat(65)}`, /^Line 1 makes a row of 65 squares: 2 to 64/],
    ['rg\n'.repeat(65), /^Line 65 is one row too many: 2 to 64/],
    ['r'.repeat(65 * 65), /^Line 1 makes a row of 65 squares/],
    ['abcdef\nghijkl', /^Line 2 brings an 11th colour, "k": a board has at most 10/],
  ])('%j is refused by a sentence that names the line', (text, sentence) => {
    expect(readBoard(text)).toMatch(sentence);
  });

  test('is read as it was written', () => {
    const cells = Array.from({ length: 64 * 64 }, (_, i) => (i * 7 + (i >> 4)) % 10).join('');
    const text = writeBoard(cells, 64);
    expect(text.split('\n')).toHaveLength(64);
    expect(readBoard(text)).toEqual({ rows: 64, cols: 64, colors: 10, cells });
    expect(
      cellsOf([
        [0, 1],
        [2, 9],
      ]),
    ).toBe('0129');
  });

  test('has its own seed name, the same for the same board', () => {
    const word = (text: string): unknown => {
      const board = readBoard(text);
      return typeof board === 'string' ? board : startOn(board).settings['seed'];
    };
    expect(word('rg\ngr')).toBe(word('RG\nGR'));
    expect(word('rg\ngr')).toMatch(/^pasted-[0-9a-f]{8}$/);
    expect(word('rg\ngr')).not.toBe(word('rg\nrg'));
    expect(word('rgrg\nrgrg')).not.toBe(word('rg\nrg\nrg\nrg'));
  });
});
