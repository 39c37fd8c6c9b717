import type { GameModule } from '../types';
import Board from './Board.svelte';
import { describeAction, result, turn } from './words';

const module: GameModule = { Board, turn, result, describeAction };

export default module;
