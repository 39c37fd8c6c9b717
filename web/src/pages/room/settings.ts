/** A game's settings in words, from what the server says of each. */
import type { Setting } from '../../lib/protocol';

/** "3 to 10 fields"; milliseconds are shown as seconds. */
export function range({ minimum = 0, maximum, unit }: Setting): string {
  const scale = unit === 'ms' ? 1000 : 1;
  const ends =
    maximum === undefined
      ? `${minimum / scale} or more`
      : `${minimum / scale} to ${(maximum / scale).toLocaleString('en')}`;
  return unit === undefined ? ends : `${ends} ${unit === 'ms' ? 'seconds' : unit}`;
}
