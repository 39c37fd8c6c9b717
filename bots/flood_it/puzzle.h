/* Converts boards of games/flood_it for the solver, and limits the cost of an answer. */
#ifndef BW_FLOOD_IT_PUZZLE_H
#define BW_FLOOD_IT_PUZZLE_H

#include "bots/bots.h"
#include "bots/flood_it/solver.h"
#include "games/flood_it/flood_it.h"

/* The board in a view, after its moves. */
void bw_flood_board_of(const bw_floodit_view *view, bw_flood_board *board);
/* Positions to expand for a board of this size, at least 1. The cost of a position grows about as cells x the longer
 * side. An effort of 100 proves nearly all boards of 20x20 with 6 colours. Without a proof it takes 0.1 to 0.4 s; in
 * a browser up to a second, or two without vector instructions. */
uint64_t bw_flood_positions(unsigned rows, unsigned cols, uint32_t effort);

extern const bw_solver bw_floodit_solver;

#endif
