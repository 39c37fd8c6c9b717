import type { GameEntry } from '../types';
import Cover from './Cover.svelte';

const entry: Omit<GameEntry, 'id' | 'load'> = {
  title: 'Blank',
  pitch: 'Mark the last square.',
  players: '2 players',
  minutes: '1 min',
  goals: 'Mark the last square.',
  Cover,
};

export default entry;
