/** The boards that are offered by name, and the limit that any of them may have. */
import type { FlooditConfig } from '../../generated/wire';

export interface Variant {
  id: string;
  title: string;
  summary: string;
  settings: FlooditConfig;
}

/* As `boardwalk play` and the rooms have them; here too, for this page works without a server. */
export const variants: Variant[] = [
  { id: 'normal', title: 'Normal', summary: '20×20, 4 colours', settings: { preset: 'normal' } },
  { id: 'easy', title: 'Easy', summary: '10×10, 4 colours', settings: { preset: 'easy' } },
  { id: 'hard', title: 'Hard', summary: '20×20, 6 colours', settings: { preset: 'hard' } },
  {
    id: 'expert',
    title: 'Expert',
    summary: '28×28, 8 colours, 70 moves',
    settings: { preset: 'expert', move_limit: 70 },
  },
  {
    id: 'daily',
    title: "Today's board",
    summary: 'The same for everyone today',
    settings: { daily: true },
  },
  {
    id: 'classic',
    title: 'Classic',
    summary: '20×20, 4 colours, 25 moves',
    settings: { rows: 20, cols: 20, colors: 4, move_limit: 25 },
  },
];

/** The same settings with a limit or without one. What names its own limit keeps that. */
export function limited(settings: FlooditConfig, limit: boolean): FlooditConfig {
  if (!limit) return { ...settings, move_limit: 0 };
  return settings.move_limit === undefined ? { ...settings, move_limit: 'classic' } : settings;
}
