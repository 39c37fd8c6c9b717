/** Which named variant a room's settings are. */
import type { Json, Variant } from '../../lib/protocol';

/** Key order does not matter to settings. */
function same(a: Json | undefined, b: Json): boolean {
  if (typeof b !== 'object' || b === null || Array.isArray(b))
    return JSON.stringify(a) === JSON.stringify(b);
  return (
    typeof a === 'object' &&
    a !== null &&
    !Array.isArray(a) &&
    Object.entries(b).every(([name, value]) => same(a[name], value))
  );
}

export const variantOf = (
  variants: readonly Variant[],
  config: Record<string, Json>,
): Variant | undefined => variants.find((one) => same(config, one.config));
