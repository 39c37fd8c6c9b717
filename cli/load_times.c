#include "cli/load_times.h"

#include <math.h>

void load_times_add(load_times *times, double ms) {
    double step = ms > 0.001 ? log2(ms * 1000) * LOAD_STEPS_A_DOUBLING : 0;
    times->steps[step < LOAD_TIME_STEPS - 1 ? (int)step : LOAD_TIME_STEPS - 1]++;
    if (ms > times->max_ms || !times->count) times->max_ms = ms;
    times->count++;
}

double load_times_at(const load_times *times, double share) {
    uint64_t wanted = (uint64_t)ceil(share * (double)times->count), seen = 0;
    if (wanted >= times->count) return times->max_ms;
    for (int i = 0; i < LOAD_TIME_STEPS; i++) {
        seen += times->steps[i];
        double upper = exp2((double)(i + 1) / LOAD_STEPS_A_DOUBLING) / 1000;
        if (seen && seen >= wanted) return upper < times->max_ms ? upper : times->max_ms;
    }
    return times->max_ms;
}
