/** A game's settings in words, from what the server says of each. */
import type { Setting } from '../../lib/protocol';

/** The server's descriptions begin small, as they stand behind a title in its tables. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "3 to 10 fields"; milliseconds are told in seconds. */
export function range({ minimum = 0, maximum, unit }: Setting): string {
  const scale = unit === 'ms' ? 1000 : 1;
  const ends =
    maximum === undefined
      ? `${minimum / scale} or more`
      : `${minimum / scale} to ${(maximum / scale).toLocaleString('en')}`;
  return unit === undefined ? ends : `${ends} ${unit === 'ms' ? 'seconds' : unit}`;
}
