#include "bots/flag_war/regret.h"

typedef struct side {
    int64_t regret[BW_REGRET_MAX], sum[BW_REGRET_MAX];
    int32_t now[BW_REGRET_MAX];
    int count;
} side;

/* In proportion to `amount`; evenly if it is all zero. The rounding remainder goes to the largest. */
static void shares(const int64_t *amount, int count, int32_t *share) {
    int64_t total = 0;
    int largest = 0, left = BW_REGRET_ONE;
    for (int i = 0; i < count; i++) {
        total += amount[i];
        largest = amount[i] > amount[largest] ? i : largest;
    }
    for (int i = 0; i < count; i++) {
        share[i] = (int32_t)(total ? amount[i] * BW_REGRET_ONE / total : BW_REGRET_ONE / count);
        left -= share[i];
    }
    share[largest] += left;
}

static void learn(side *me, const int64_t *won, int weight) {
    int64_t average = 0;
    for (int i = 0; i < me->count; i++) average += won[i] * me->now[i] / BW_REGRET_ONE;
    for (int i = 0; i < me->count; i++) {
        int64_t regret = me->regret[i] + won[i] - average;
        me->regret[i] = regret > 0 ? regret : 0;
        me->sum[i] += (int64_t)me->now[i] * weight;
    }
    shares(me->regret, me->count, me->now);
}

int32_t bw_regret_solve(int32_t (*payoff)[BW_REGRET_MAX], int rows, int columns, int iterations, bw_mix *row,
                        bw_mix *column) {
    side one = {.count = rows}, two = {.count = columns};
    int64_t won[BW_REGRET_MAX], value = 0;
    shares(one.regret, rows, one.now);
    shares(two.regret, columns, two.now);
    for (int step = 1; step <= iterations; step++) {
        for (int i = 0; i < rows; i++) {
            won[i] = 0;
            for (int j = 0; j < columns; j++) won[i] += (int64_t)payoff[i][j] * two.now[j];
            won[i] /= 16; /* keeps small differences */
        }
        learn(&one, won, step);
        for (int j = 0; j < columns; j++) {
            won[j] = 0;
            for (int i = 0; i < rows; i++) won[j] -= (int64_t)payoff[i][j] * one.now[i];
            won[j] /= 16;
        }
        learn(&two, won, step);
    }
    shares(one.sum, rows, row->weight);
    shares(two.sum, columns, column->weight);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            value += (int64_t)payoff[i][j] * row->weight[i] * column->weight[j];
        }
    }
    return (int32_t)(value / BW_REGRET_ONE / BW_REGRET_ONE);
}
