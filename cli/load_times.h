/* Percentiles of any number of times in fixed memory: a histogram with steps of half a per cent, from a microsecond
 * to over an hour. Values outside count at its edges; the maximum is exact. */
#ifndef BW_CLI_LOAD_TIMES_H
#define BW_CLI_LOAD_TIMES_H

#include <stdint.h>

enum { LOAD_STEPS_A_DOUBLING = 128, LOAD_TIME_STEPS = 32 * LOAD_STEPS_A_DOUBLING };

typedef struct load_times {
    uint64_t steps[LOAD_TIME_STEPS];
    uint64_t count;
    double max_ms;
} load_times;

void load_times_add(load_times *times, double ms);
/* The time that `share` (0 .. 1) of all do not exceed, to half a per cent; 1 gives the exact maximum; 0 if there are
 * no times. */
double load_times_at(const load_times *times, double share);

#endif
