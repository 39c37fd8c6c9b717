import type { GameModule } from '../types';
import Backdrop from './Backdrop.svelte';
import Board from './Board.svelte';
import { describeAction, hold, isNight, result, turn } from './words';

const module: GameModule = { Board, Backdrop, isNight, turn, hold, result, describeAction };

export default module;
