/** Building blocks of sentences. */

/** "1 move", "3 moves", "2 people". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** "The island". */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "Ada, Bo and Player 3". */
export const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;

/**
 * A name, or an order in words, as the server takes it: without control and format characters, which come along
 * when something is pasted, and which join emoji.
 */
export const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
