/**
 * The merge patch of `game_update.changes`: RFC 7396, except that null is a value like any other. Nothing
 * is ever removed, and arrays are replaced whole. The target is not modified; unchanged parts are shared
 * with it.
 */
export function applyPatch<T>(target: T, changes: unknown): T {
  if (!isRecord(changes)) return changes as T;
  const base: Record<string, unknown> = isRecord(target) ? target : {};
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    if (key === '__proto__') continue;
    result[key] = applyPatch(Object.hasOwn(base, key) ? base[key] : undefined, value);
  }
  return result as T;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
