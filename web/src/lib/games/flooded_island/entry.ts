import type { GameEntry } from '../types';
import Cover from './Cover.svelte';
import RoleIcon from './RoleIcon.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Flooded Island',
  pitch: 'Walk an island while the weather floods it.',
  players: '2 players',
  minutes: '10 min',
  callings: true,
  goals: {
    journeyman: 'Stay on dry land to the last day.',
    weather: 'Leave the adventurer no dry neighbouring field.',
  },
  Cover,
  RoleIcon,
};

export default entry;
