/** What people paste into the field for a room's code: codes with spaces, in quotes, whole links. */

const separators = /[\s\p{P}\p{S}\p{Z}\p{C}]+/gu;

/** Of an address with a broken escape nothing is a code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The code of a room, or null: 4 to 12 letters and digits, converted to upper case. */
export function roomId(text: string): string | null {
  const link = /\/game\/([^/?#\s]*)/i.exec(text);
  const words =
    link === null
      ? decoded(text).replace(/^\W*(?:room|code)[\s:.-]+(?=\w)/i, '')
      : decoded(link[1] ?? '');
  const id = words.replace(separators, '').toUpperCase();
  return /^[A-Z0-9]{4,12}$/.test(id) ? id : null;
}

/** The page of a pasted code or link. */
export function addressOf(text: string): string | null {
  const other = /\/(?:replay|play)\/\w+(?:\?[^\s#"'<>]*)?(?:#\d+)?/i.exec(text);
  if (other !== null) return other[0];
  const id = roomId(text);
  return id === null ? null : `/game/${id}`;
}
