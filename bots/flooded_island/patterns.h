/* What the weather needs: sets of flooded squares from which the adventurer is trapped within n days.
 *
 * More flooded squares never harm the weather. So the positions in which it wins within n days, the
 * adventurer to move from square p, are described by a list of smallest sets ("patterns"): it wins where
 * the flooded squares hold all of one of them. The lists follow from each other, backwards:
 *
 *   n = 0   one pattern: all neighbours of p
 *   n + 1   for every neighbour q: q itself, or a pattern of q for n of which the weather can add what is
 *           missing after the adventurer has dried the squares beside q; a pattern is the union of one
 *           such choice for every q
 *
 * Where nothing is left out (`whole`) the lists are exact, and so is what follows from them; with a beam
 * only the smallest patterns are kept and every pattern still holds what it promises: an upper bound, and a
 * way of playing that keeps to it. With a `target` patterns are left out that no game of that length can
 * hold (after m days at most m * floods squares are flooded), which costs nothing.
 *
 * The method is that of antichains in backward induction (De Wulf, Doyen, Henzinger, Raskin 2006), here on
 * sets of squares. By symmetry only squares of one corner of the grid have lists of their own.
 *
 *   bw_island_patterns_begin(p, config, beam, 0, memory, bytes);
 *   while (bw_island_patterns_next(p, NULL, NULL) == BW_ISLAND_PATTERNS_MORE)
 *       if ((n = bw_island_patterns_night(p, square, dry, &flood)) >= 0) ... it wins within n days
 *
 * The lists depend only on settings and beam. For another question about them, bw_island_patterns_again goes back to n = 0;
 * what was made before is then taken as it is.
 *
 * Memory is the caller's; what does not fit is left out and `whole` becomes false. */
#ifndef BW_ISLAND_PATTERNS_H
#define BW_ISLAND_PATTERNS_H

#include "games/flooded_island/flooded_island.h"

enum {
    BW_ISLAND_CORNER = 25,             /* the most squares that have lists of their own */
    BW_ISLAND_LAYERS = BW_ISLAND_DAYS, /* n is at most 364, because day 365 is the adventurer's */
    BW_ISLAND_RECENT = 1 << 14,        /* remembered candidates, so that duplicates are not added */
};

typedef struct bw_island_list {
    const bw_island_set *sets;
    uint32_t count;
} bw_island_list;

typedef struct bw_island_candidate {
    uint64_t order; /* smaller first: size, then a hash */
    bw_island_set set;
} bw_island_candidate;

typedef struct bw_island_patterns {
    int width, height, floods;
    uint32_t beam; /* patterns kept for a square and an n */
    int target;    /* 0: none */
    int days;      /* lists count for n = 0 .. days */
    int made;      /* ... and exist for n = 0 .. made */
    int still;     /* from this n on nothing is new; 0: not reached */
    bool whole;    /* nothing was left out that could matter, up to `made` */
    bw_island_list lists[BW_ISLAND_LAYERS][BW_ISLAND_CORNER];
    bw_island_list arrivals[BW_ISLAND_CORNER]; /* what must be flooded when the adventurer arrives */
    uint8_t corner[BW_ISLAND_SQUARES];         /* the list of each square */
    uint8_t turn[BW_ISLAND_SQUARES];           /* the symmetry that takes the square there */
    uint8_t square[BW_ISLAND_CORNER];
    int corners;
    uint8_t image[8][BW_ISLAND_SQUARES];
    /* caller-owned memory: first the lists, then the memory of one step */
    bw_island_set *pool, *work, *next;
    uint32_t pool_count, pool_cap, work_cap;
    bw_island_candidate *candidates;
    uint32_t candidate_cap;
    uint32_t recent[BW_ISLAND_RECENT]; /* positions in `candidates`, by hash; entries may be stale and are checked */
} bw_island_patterns;

typedef enum bw_island_patterns_outcome {
    BW_ISLAND_PATTERNS_MORE,    /* one more day was added */
    BW_ISLAND_PATTERNS_STILL,   /* nothing new was found, and never will be */
    BW_ISLAND_PATTERNS_FULL,    /* memory is full, or all days are done */
    BW_ISLAND_PATTERNS_STOPPED, /* keep_going returned false; the current day was dropped */
} bw_island_patterns_outcome;

/* `bytes` of memory, aligned to 16; at least 1 MiB. beam 0: no beam. Makes the lists for n = 0. */
void bw_island_patterns_begin(bw_island_patterns *patterns, const bw_island_config *config, uint32_t beam, int target,
                              void *memory, size_t bytes);
/* Back to n = 0. After an outcome of STOPPED only _begin makes the lists again that would have been. */
void bw_island_patterns_again(bw_island_patterns *patterns);
/* Adds the next n. keep_going may be NULL. */
bw_island_patterns_outcome bw_island_patterns_next(bw_island_patterns *patterns, bool (*keep_going)(void *user),
                                                   void *user);

/* The adventurer is to move: the smallest n within which it is trapped, as far as the lists know; -1: none. */
int bw_island_patterns_day(const bw_island_patterns *patterns, int square, bw_island_set dry);
/* The weather is to move: the smallest n, and in `flood` what it must flood now; -1: none. Only considers n >= from. */
int bw_island_patterns_night(const bw_island_patterns *patterns, int from, int square, bw_island_set dry,
                             bw_island_set *flood);
/* The same; `pattern` receives the pattern that the flood completes. Floods elsewhere do not matter. */
int bw_island_patterns_aim(const bw_island_patterns *patterns, int from, int square, bw_island_set dry,
                           bw_island_set *pattern);
/* The weather is to move: how many squares it lacks, beyond one night's floods, for its nearest pattern of the
 * largest n; 0: none. */
int bw_island_patterns_lack(const bw_island_patterns *patterns, int square, bw_island_set dry);

#endif
