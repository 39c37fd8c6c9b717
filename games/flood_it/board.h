/* Flood-It on bit boards: for each colour a plane of 64 rows of 64 bits (bit c of row r is row r, column c),
 * and the territory as one such plane. These are the rules without checks, for bots, solvers and playouts.
 *
 * Boards come from a seed word alone: the ChaCha8 key stream under the SHA-256 of the word, square by square in reading
 * order. This never changes; boards_test.c holds vectors. A player in the browser can also enter a board as text. */
#ifndef BW_FLOODIT_BOARD_H
#define BW_FLOODIT_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BW_FLOODIT_SIDE_MIN = 2,
    BW_FLOODIT_SIDE_MAX = 64,
    BW_FLOODIT_CELLS_MAX = BW_FLOODIT_SIDE_MAX * BW_FLOODIT_SIDE_MAX,
    BW_FLOODIT_COLORS_MIN = 2,
    BW_FLOODIT_COLORS_MAX = 10,
};

typedef struct bw_floodit_plane {
    uint64_t row[BW_FLOODIT_SIDE_MAX];
} bw_floodit_plane;

typedef struct bw_floodit_board {
    bw_floodit_plane planes[BW_FLOODIT_COLORS_MAX];
    uint8_t rows, cols, colors, origin_row, origin_col;
    uint8_t zero[3];
} bw_floodit_board;

static inline int bw_floodit_bits(uint64_t w) {
#if defined(__POPCNT__) || defined(__wasm__) || defined(__aarch64__)
    return __builtin_popcountll(w);
#else /* without the instruction the compiler would call a library that the rules may not import */
    w -= (w >> 1) & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + ((w >> 2) & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((w * 0x0101010101010101u) >> 56);
#endif
}

/* The board of a word; rows, cols, colors and the origin are set in `board` already, and in range. A board
 * of more than one cell is never of one colour. */
void bw_floodit_generate(bw_floodit_board *board, const char *word);
/* The board of `cells`, a digit for each in reading order: its colour index. rows, cols, colors and the origin are set
 * already. False, and nothing changed, where that is not what the text has. */
bool bw_floodit_read(bw_floodit_board *board, const char *cells);
/* The same text of a board, with a 0 at its end. */
void bw_floodit_write(const bw_floodit_board *board, char cells[BW_FLOODIT_CELLS_MAX + 1]);
/* The colour index of a cell. */
int bw_floodit_color_at(const bw_floodit_board *board, int row, int col);
/* The territory at the start: the region of the origin's colour about the origin. Returns its colour. */
int bw_floodit_begin(const bw_floodit_board *board, bw_floodit_plane *territory);
/* Adds all cells of `color` that the territory reaches through that colour. Returns its cells. */
int bw_floodit_select(const bw_floodit_board *board, bw_floodit_plane *territory, int color);
/* A solution found quickly: its length. Greedy by area, then narrow beams while it is above `wanted`. */
int bw_floodit_quick(const bw_floodit_board *board, int wanted);
/* No solution is shorter: the farthest cell, in regions to pass. */
int bw_floodit_at_least(const bw_floodit_board *board);
/* The "classic" limit: 25 at 20x20 with 4 colours; for others the solver's typical answer for that size and
 * number of colours, scaled alike, and never below a solution known to exist. */
int bw_floodit_classic(const bw_floodit_board *board);

#endif
