/* Neighbours of every field of a 10x10 grid, as compile-time constants. */
#include "games/flooded_island/flooded_island.h"

#define ON(x, y) ((x) >= 0 && (x) < 10 && (y) >= 0 && (y) < 10)
/* The bit of (x, y) in one half, or 0. */
#define BIT(x, y, h) (ON(x, y) && (y) / 5 == (h) ? (uint64_t)1 << ((10 * (y) + (x) + 100) % 50) : 0)
#define CROSS(x, y, h) (BIT((x)-1, y, h) | BIT((x) + 1, y, h) | BIT(x, (y)-1, h) | BIT(x, (y) + 1, h))
#define SLANT(x, y, h) \
    (BIT((x)-1, (y)-1, h) | BIT((x) + 1, (y)-1, h) | BIT((x)-1, (y) + 1, h) | BIT((x) + 1, (y) + 1, h))
#define CROSS_OF(x, y) {{CROSS(x, y, 0), CROSS(x, y, 1)}},
#define KING_OF(x, y) {{CROSS(x, y, 0) | SLANT(x, y, 0), CROSS(x, y, 1) | SLANT(x, y, 1)}},
#define ROW(X, y) X(0, y) X(1, y) X(2, y) X(3, y) X(4, y) X(5, y) X(6, y) X(7, y) X(8, y) X(9, y)
#define ALL(F) ROW(F, 0) ROW(F, 1) ROW(F, 2) ROW(F, 3) ROW(F, 4) ROW(F, 5) ROW(F, 6) ROW(F, 7) ROW(F, 8) ROW(F, 9)

const bw_island_set bw_island_king[BW_ISLAND_SQUARES] = {ALL(KING_OF)};
const bw_island_set bw_island_cross[BW_ISLAND_SQUARES] = {ALL(CROSS_OF)};
