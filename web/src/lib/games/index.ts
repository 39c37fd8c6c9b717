/** Every game the client has a board for: one entry each, its board loaded when needed. */
import FloodedIslandCover from './flooded_island/Cover.svelte';
import FloodedIslandRole from './flooded_island/RoleIcon.svelte';
import FlagWarCover from './flag_war/Cover.svelte';
import FlagWarRole from './flag_war/RoleIcon.svelte';
import FloodItCover from './flood_it/Cover.svelte';
import FloodItRole from './flood_it/RoleIcon.svelte';
import MonadungeonCover from './monadungeon/Cover.svelte';
import MonadungeonRole from './monadungeon/RoleIcon.svelte';
import type { GameEntry } from './types';
import type { GameId } from '../protocol';

export const games: GameEntry[] = [
  {
    id: 'flooded_island',
    title: 'Flooded Island',
    pitch: 'One walks, the other floods. Stay dry for a year.',
    players: '2 players',
    minutes: '10 minutes',
    goals: {
      journeyman: 'Stay on dry land to the last day.',
      weather: 'Leave the adventurer no dry neighbouring field.',
    },
    Cover: FloodedIslandCover,
    RoleIcon: FloodedIslandRole,
    load: () => import('./flooded_island/index'),
  },
  {
    id: 'flood_it',
    title: 'Flood-It',
    pitch: 'One colour takes the whole board. In how few moves?',
    players: '1 to 8 players',
    minutes: '3 minutes',
    goals: 'Take the whole board in the fewest moves.',
    Cover: FloodItCover,
    RoleIcon: FloodItRole,
    solo: { title: 'Flood-It', role: 'player' },
    load: () => import('./flood_it/index'),
  },
  {
    id: 'monadungeon',
    title: 'Monadungeon',
    pitch: 'Explore, fight with two dice, be ahead when the dragon falls.',
    players: '1 to 4 players',
    minutes: '20 minutes',
    goals: 'Have the most points when the dragon falls.',
    Cover: MonadungeonCover,
    RoleIcon: MonadungeonRole,
    load: () => import('./monadungeon/index'),
  },
  {
    id: 'flag_war',
    title: 'Flag War',
    pitch: 'Both move at once, every three seconds. Fetch their flag.',
    players: '2 players',
    minutes: '5 minutes',
    goals: {
      blue: 'Bring the red flag home.',
      red: 'Bring the blue flag home.',
    },
    Cover: FlagWarCover,
    RoleIcon: FlagWarRole,
    load: () => import('./flag_war/index'),
  },
];

export function gameEntry(id: GameId): GameEntry | undefined {
  return games.find((game) => game.id === id);
}
