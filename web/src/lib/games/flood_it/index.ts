import type { GameModule } from '../types';
import { linkedStart, roomSettings } from './address';
import Board from './Board.svelte';
import { describeAction, result, turn } from './words';

const module: GameModule = {
  Board,
  turn,
  result,
  describeAction,
  linked: linkedStart,
  roomSettings,
};

export default module;
