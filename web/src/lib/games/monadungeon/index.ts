import type { GameModule } from '../types';
import Board from './Board.svelte';
import { plays } from './model';
import { describeAction, result, turn } from './words';

const module: GameModule = { Board, plays, turn, result, describeAction };

export default module;
