/** Copies text, also on pages without TLS: there browsers only allow the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true; // so that no keyboard opens on a phone
  field.className = 'spoken';
  // While a dialog is open, nothing outside it can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    // The browser has no such command any more.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
