import type { GameEntry } from '../types';
import Cover from './Cover.svelte';
import RoleIcon from './RoleIcon.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Flag War',
  pitch: 'Both move at once, every three seconds. Fetch their flag.',
  players: '2 players',
  minutes: '5 minutes',
  goals: {
    blue: 'Bring the red flag home.',
    red: 'Bring the blue flag home.',
  },
  Cover,
  RoleIcon,
};

export default entry;
