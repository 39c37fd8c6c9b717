/* Blank: the smallest game that uses every part of the interface. Copy this folder to start a game.
 *
 * Two seats, first and second, take turns to mark a free square of a small grid. The player who marks the last square
 * wins.
 *
 * The functions below are what bots and solvers call; blank.c wraps them in a `const bw_game`. */
#ifndef BW_BLANK_H
#define BW_BLANK_H

#include "engine/game.h"

enum { BW_BLANK_SIDE_MAX = 5, BW_BLANK_SEATS = 2 };

/* ---- what goes over the wire ---- */

#define BW_BLANK_CONFIG_FIELDS(F, S)                                                \
    F(S, REQUIRED, INT, width, (uint8_t, 1, BW_BLANK_SIDE_MAX), "columns", "Width") \
    F(S, REQUIRED, INT, height, (uint8_t, 1, BW_BLANK_SIDE_MAX), "rows", "Height")
BW_STRUCT(bw_blank_config, BW_BLANK_CONFIG_FIELDS);

#define BW_BLANK_MARKS(E)      \
    E(BW_BLANK_FREE, "free")   \
    E(BW_BLANK_FIRST, "first") \
    E(BW_BLANK_SECOND, "second")
BW_ENUM(bw_blank_mark, BW_BLANK_MARKS);

#define BW_BLANK_VIEW_FIELDS(F, S)                                                                              \
    F(S, REQUIRED, INT, width, (uint8_t, 1, BW_BLANK_SIDE_MAX), "columns")                                      \
    F(S, REQUIRED, INT, height, (uint8_t, 1, BW_BLANK_SIDE_MAX), "rows")                                        \
    F(S, REQUIRED, ENUM_GRID, grid, (bw_blank_mark_names, BW_BLANK_SIDE_MAX, BW_BLANK_SIDE_MAX, height, width), \
      "who marked a square, grid[y][x]")
BW_STRUCT(bw_blank_view, BW_BLANK_VIEW_FIELDS);

#define BW_BLANK_SQUARE_FIELDS(F, S)                                          \
    F(S, REQUIRED, INDEX, x, (int16_t, -1000, 1000), "column, from the left") \
    F(S, REQUIRED, INDEX, y, (int16_t, -1000, 1000), "row, from the top")
BW_STRUCT(bw_blank_square, BW_BLANK_SQUARE_FIELDS);

#define BW_BLANK_ACTIONS(C) C(BW_BLANK_MARK, mark, "mark", bw_blank_square, 0, "marks a free square")
BW_TAGGED(bw_blank_action, BW_BLANK_ACTIONS);

#define BW_BLANK_EVENTS(C) C(BW_BLANK_MARKED, marked, "marked", bw_blank_square, 0, "a square was marked")
BW_TAGGED(bw_blank_event, BW_BLANK_EVENTS);

#define BW_BLANK_STATS_FIELDS(F, S) F(S, REQUIRED, INT, marks, (uint8_t, 0, 25), "squares marked")
BW_STRUCT(bw_blank_stats, BW_BLANK_STATS_FIELDS);

/* ---- the position ---- */

typedef struct bw_blank_state {
    uint8_t width, height;
    uint8_t marks;                                      /* squares marked so far; the first seat is to move if even */
    uint8_t resigned;                                   /* seat + 1 */
    uint8_t grid[BW_BLANK_SIDE_MAX][BW_BLANK_SIDE_MAX]; /* bw_blank_mark */
} bw_blank_state;

#define BW_BLANK_REFUSALS(E)                                                                       \
    E(BW_BLANK_OFF_GRID, "Choose a square of the grid.")                                           \
    E(BW_BLANK_TAKEN, "Choose a square that is still free.")                                       \
    E(BW_BLANK_TOO_SMALL, "The grid needs two squares at least: choose a larger width or height.") \
    E(BW_BLANK_IS_OVER, "The game is over.")                                                       \
    E(BW_BLANK_BAD_VIEW, "This is not a position of this game.")
enum { BW_BLANK_REFUSALS(BW_ENUM_CONSTANT) BW_BLANK_REFUSAL_COUNT }; /* refused: -(constant + 1) */

/* 0 or a refusal; `events` may be NULL. */
int bw_blank_play(bw_blank_state *state, int x, int y, bw_events *events);
static inline bool bw_blank_over(const bw_blank_state *state) {
    return state->resigned || state->marks == state->width * state->height;
}

extern const bw_game bw_blank;
/* older rules: begin */
extern const bw_game bw_blank_v1; /* rules version 1, kept for old files */
/* older rules: end */

#endif
