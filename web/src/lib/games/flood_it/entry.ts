import type { GameEntry } from '../types';
import Cover from './Cover.svelte';
import RoleIcon from './RoleIcon.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Flood-It',
  pitch: 'Turn the whole board one colour in a few moves.',
  players: '1–8 players',
  minutes: '3 min',
  goals: 'Take the whole board in the fewest moves.',
  Cover,
  RoleIcon,
  today: () => import('./Today.svelte'),
  solo: { role: 'player' },
};

export default entry;
