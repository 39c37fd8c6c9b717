import type { GameModule } from '../types';
import { linkedStart, roomSettings } from './address';
import Board from './Board.svelte';
import { solo } from './solo';
import { part } from './types';
import { describeAction, result, turn, worths } from './words';

const module: GameModule = {
  Board,
  part,
  turn,
  result,
  describeAction,
  worths,
  linked: linkedStart,
  roomSettings,
  solo,
};

export default module;
