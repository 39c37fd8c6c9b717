import type { GameModule } from '../types';
import Board from './Board.svelte';
import { hold } from './hold';
import { part } from './model';
import { describeAction, result, turn } from './words';

const module: GameModule = { Board, part, turn, hold, result, describeAction };

export default module;
