/** Which colours the cells wear; kept in this browser. */
import { browserStorage } from '../../room/seat';

const key = 'boardwalk:flood_it:palette';

export const palettes = [
  { value: 'seaside', label: 'Seaside' },
  { value: 'clear', label: 'Colour-blind' },
  { value: 'grey', label: 'Greys' },
] as const;

export type Palette = (typeof palettes)[number]['value'];

function load(): Palette {
  try {
    const saved = browserStorage()?.getItem(key);
    return palettes.find((one) => one.value === saved)?.value ?? 'seaside';
  } catch {
    return 'seaside';
  }
}

class PaletteChoice {
  private chosen = $state(load());

  get value(): Palette {
    return this.chosen;
  }

  set(value: Palette): void {
    this.chosen = value;
    try {
      browserStorage()?.setItem(key, value);
    } catch {
      // Kept for as long as the page lives.
    }
  }
}

export const palette = new PaletteChoice();
