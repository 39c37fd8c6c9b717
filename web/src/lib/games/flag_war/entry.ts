import type { GameEntry } from '../types';
import Cover from './Cover.svelte';
import RoleIcon from './RoleIcon.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Flag War',
  pitch: 'Bring their flag home. Both teams move at once.',
  players: '2 players',
  minutes: '3 min',
  goals: {
    blue: 'Bring the red flag home.',
    red: 'Bring the blue flag home.',
  },
  Cover,
  RoleIcon,
};

export default entry;
