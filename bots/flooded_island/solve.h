/* The value of Flooded Island from its start: who wins, and after how many moves of the adventurer.
 *
 * From above: patterns (patterns.h) with a beam, whose winning line the weather can keep to. From below:
 * for one length after the other, exact patterns that leave out only what no game of that length can hold;
 * where the start is in none of them, the game is longer. Where the two meet, the value is exact.
 * Grids up to 6x6 take well under a second, 8x8 a minute or two; 10x10 with two floods is narrowed to 22..23
 * within minutes, and the step to the exact value wants more time and memory. The bounds so far can be had
 * at any time.
 */
#ifndef BW_ISLAND_SOLVE_H
#define BW_ISLAND_SOLVE_H

#include "bots/flooded_island/patterns.h"

typedef struct bw_island_value {
    bool decided;     /* it is known who wins */
    int winner;       /* bw_island_seat, where decided */
    bool exact;       /* lower == upper */
    int lower, upper; /* moves that the adventurer completes; 365: it survives */
} bw_island_value;

typedef struct bw_island_watch {
    bool (*keep_going)(void *user); /* false: stop, the bounds so far are the answer; may be NULL */
    void (*progress)(void *user, const bw_island_value *so_far); /* at each better bound; may be NULL */
    void *user;
} bw_island_watch;

/* `bytes` of memory, aligned to 16: 1 GiB is enough for every grid in the rules' table. */
void bw_island_solve(const bw_island_config *config, void *memory, size_t bytes, const bw_island_watch *watch,
                     bw_island_value *value);

#endif
