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

/* The next move of the best line from where a game stands. */
typedef struct bw_flood_hint {
    uint8_t color;       /* as on the wire */
    uint32_t moves_left; /* this one included */
    bool proven;         /* no line is shorter */
    bool hopeless;       /* no line fits into the moves that the limit leaves: proven */
} bw_flood_hint;

/* Finds it within bw_flood_positions(). The arena holds bw_flood_arena_least() bytes or more; the more, the larger the
 * boards that are proven. Returns NULL, or a sentence on why there is no hint. */
const char *bw_flood_hint_of(const bw_floodit_view *view, uint32_t effort, void *arena, size_t arena_bytes,
                             bw_flood_hint *hint);

extern const bw_solver bw_floodit_solver;

#endif
