/* A Prometheus histogram: counts by upper bound, a sum, a count. Not thread-safe. */
#ifndef BW_HISTOGRAM_H
#define BW_HISTOGRAM_H

#include <stdint.h>

enum { BW_HISTOGRAM_BUCKETS = 14 };

typedef struct bw_histogram {
    uint64_t buckets[BW_HISTOGRAM_BUCKETS]; /* not cumulative; the last one is +Inf */
    uint64_t count;
    double sum_seconds;
} bw_histogram;

/* Upper bounds in seconds of all but the last. */
static inline double bw_histogram_bound(int bucket) {
    static const double bounds[BW_HISTOGRAM_BUCKETS - 1] = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                            0.025,  0.05,    0.1,    0.25,  1,      5};
    return bounds[bucket];
}

static inline void bw_histogram_add(bw_histogram *histogram, double seconds) {
    int bucket = 0;
    while (bucket < BW_HISTOGRAM_BUCKETS - 1 && seconds > bw_histogram_bound(bucket)) bucket++;
    histogram->buckets[bucket]++;
    histogram->count++;
    histogram->sum_seconds += seconds;
}

#endif
