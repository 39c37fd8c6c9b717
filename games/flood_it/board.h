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
#else /* without that instruction the compiler would call a library function, and the rules may not import any */
    w -= (w >> 1) & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + ((w >> 2) & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((w * 0x0101010101010101u) >> 56);
#endif
}

/* Makes the board of a seed. rows, cols, colors and the origin of `board` are already set, and in range. A board of
 * more than one cell always has at least two colours. */
void bw_floodit_generate(bw_floodit_board *board, const char *word);
/* Reads `cells`: a digit per cell in reading order, its colour index. rows, cols, colors and the origin are already
 * set. False, and nothing changed, if the text is not such a board. */
bool bw_floodit_read(bw_floodit_board *board, const char *cells);
/* Writes the board as such a text, with a NUL. */
void bw_floodit_write(const bw_floodit_board *board, char cells[BW_FLOODIT_CELLS_MAX + 1]);
/* The colour index of a cell. */
int bw_floodit_color_at(const bw_floodit_board *board, int row, int col);
/* The territory at the start: the origin's region. Returns its colour. */
int bw_floodit_begin(const bw_floodit_board *board, bw_floodit_plane *territory);
/* Adds all cells of `color` that the territory reaches through that colour. Returns the number of its cells. */
int bw_floodit_select(const bw_floodit_board *board, bw_floodit_plane *territory, int color);
/* The length of a solution found quickly: greedy by area, then narrow beams while it is above `wanted`. */
int bw_floodit_quick(const bw_floodit_board *board, int wanted);
/* A lower bound of any solution: regions to pass on the way to the farthest cell. */
int bw_floodit_at_least(const bw_floodit_board *board);
/* The "classic" limit: 25 at 20x20 with 4 colours. For other boards, the solver's typical answer for the size and
 * number of colours, scaled in the same way, and never below the length of a known solution. */
int bw_floodit_classic(const bw_floodit_board *board);

#endif
