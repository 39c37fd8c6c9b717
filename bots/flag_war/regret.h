/* Equilibria of small matrix games by regret matching (Hart, Mas-Colell 2000) in the form of Tammelin's
 * CFR+ (2014): regrets never below zero, later strategies weigh more. Whole numbers only, so that every
 * machine gets the same answer. */
#ifndef BW_REGRET_H
#define BW_REGRET_H

#include <stdint.h>

enum { BW_REGRET_MAX = 32, BW_REGRET_ONE = 1 << 16 };

typedef struct bw_mix {
    int32_t weight[BW_REGRET_MAX]; /* they add up to BW_REGRET_ONE */
} bw_mix;

/* payoff[i][j] (within +-100,000) is what the row player wins of the column player. Returns the value of
 * the two mixes against each other. rows, columns 1 .. BW_REGRET_MAX. */
int32_t bw_regret_solve(int32_t (*payoff)[BW_REGRET_MAX], int rows, int columns, int iterations, bw_mix *row,
                        bw_mix *column);

#endif
