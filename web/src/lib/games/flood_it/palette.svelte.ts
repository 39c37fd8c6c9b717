/** Which colours the cells wear; kept in this browser. */
import { storage } from '../../storage.svelte';

const key = 'boardwalk:flood_it:palette';

export const palettes = [
  { value: 'seaside', label: 'Seaside' },
  { value: 'clear', label: 'Colour-blind' },
  { value: 'grey', label: 'Greys' },
] as const;

export type Palette = (typeof palettes)[number]['value'];

class PaletteChoice {
  readonly value: Palette = $derived.by(() => {
    storage.watch(key);
    const saved = storage.read(key);
    return palettes.find((one) => one.value === saved)?.value ?? 'seaside';
  });

  set(value: Palette): void {
    storage.write(key, value);
  }
}

export const palette = new PaletteChoice();
