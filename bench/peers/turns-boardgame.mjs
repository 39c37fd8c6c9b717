// The turn game as boardgame.io declares it.
import { newGame, play } from './turns.mjs';

export const Turns = {
  name: 'turns',
  setup: newGame,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID }, position) => {
        if (!play(G, Number(playerID), position)) return 'INVALID_MOVE';
        G.last = position;
      },
    },
  },
};
