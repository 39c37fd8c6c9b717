/* Boards of games/flood_it for the solver, and what an answer may cost. */
#ifndef BW_FLOOD_IT_PUZZLE_H
#define BW_FLOOD_IT_PUZZLE_H

#include "bots/bots.h"
#include "bots/flood_it/solver.h"
#include "games/flood_it/flood_it.h"

/* The board as a view shows it, with what has been played. */
void bw_flood_board_of(const bw_floodit_view *view, bw_flood_board *board);
/* Positions to expand for a board of this size, at least 1. What a position costs grows with the board, about as
 * cells x the longer side. An effort of 100 proves nearly all boards of 20x20 with 6 colours; where it proves nothing
 * it takes 0.1 to 0.4 s, in a browser up to a second, and up to two in one without vector instructions. */
uint64_t bw_flood_positions(unsigned rows, unsigned cols, uint32_t effort);

extern const bw_solver bw_floodit_solver;

#endif
