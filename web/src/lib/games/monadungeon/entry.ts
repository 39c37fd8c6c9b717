import type { GameEntry } from '../types';
import Cover from './Cover.svelte';
import RoleIcon from './RoleIcon.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Monadungeon',
  pitch: 'Explore a labyrinth, fight with dice, beat the dragon.',
  players: '1–4 players',
  minutes: '20 min',
  goals: 'Have the most points when the dragon falls.',
  Cover,
  RoleIcon,
};

export default entry;
