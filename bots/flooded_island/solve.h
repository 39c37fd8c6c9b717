/* The value of Flooded Island from its start: who wins, and after how many moves of the adventurer.
 *
 * From above: patterns (patterns.h) with a beam, whose winning line the weather can keep to. From below:
 * for one length after the other, exact patterns that leave out only what no game of that length can hold;
 * where the start is in none of them, the game is longer. Where the two meet, the value is exact.
 * Grids up to 8x10 take about a second, 9x9 and 9x10 with two floods some minutes. 10x10 with two floods is narrowed to
 * 21..23 in that time, and the exact value takes more time and memory. The bounds so far are available at any time.
 *
 * The value never shrinks as the grid grows, nor as the floods get fewer: on the larger grid the adventurer can stay
 * within the smaller one, where floods outside are wasted. So a value found for one grid bounds others.
 */
#ifndef BW_ISLAND_SOLVE_H
#define BW_ISLAND_SOLVE_H

#include "bots/flooded_island/patterns.h"

typedef struct bw_island_value {
    bool decided;     /* the winner is known */
    int winner;       /* bw_island_seat, if decided */
    bool exact;       /* lower == upper */
    int lower, upper; /* moves that the adventurer completes; 365: it survives */
} bw_island_value;

typedef struct bw_island_watch {
    bool (*keep_going)(void *user); /* returns false to stop with the bounds so far; may be NULL */
    void (*progress)(void *user, const bw_island_value *so_far); /* called at each better bound; may be NULL */
    void *user;
    int at_least; /* moves that the adventurer is known to complete, from a smaller grid; 0: none */
} bw_island_watch;

/* `bytes` of memory, aligned to 16: 1 GiB is enough for every grid in the rules' table. */
void bw_island_solve(const bw_island_config *config, void *memory, size_t bytes, const bw_island_watch *watch,
                     bw_island_value *value);

#endif
