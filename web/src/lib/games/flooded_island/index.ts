import type { GameModule } from '../types';
import Backdrop from './Backdrop.svelte';
import Board from './Board.svelte';
import { describeAction, hold, isNight, result, turn, worths } from './words';

const module: GameModule = {
  Board,
  Backdrop,
  isNight,
  turn,
  hold,
  result,
  describeAction,
  worths,
};

export default module;
