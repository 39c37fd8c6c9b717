// The turn game that every peer hosts: two seats move in turn, and each move is sent to both.
export const SIDE = 10;

export const newGame = () => ({ seq: 0, turn: 0, board: Array(SIDE * SIDE).fill(0) });

/** Applies a legal move, and returns the update for both; returns undefined if the move is illegal. */
export function play(game, seat, { x, y }) {
  if (seat !== game.turn || !(x >= 0 && x < SIDE && y >= 0 && y < SIDE)) return undefined;
  game.board[y * SIDE + x] = seat + 1;
  game.turn = 1 - seat;
  game.seq++;
  return { type: 'update', seq: game.seq, by: seat, position: { x, y }, changes: { turn: game.turn, moves: game.seq, last: `${x},${y}`, status: 'active', paused: false } };
}
