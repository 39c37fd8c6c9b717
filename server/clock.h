/* The clock that nobody sets, for times and deadlines within this process. */
#ifndef BW_CLOCK_H
#define BW_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t bw_mono_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
static inline int64_t bw_mono_ms(void) { return bw_mono_us() / 1000; }

#endif
