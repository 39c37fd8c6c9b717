/* For the simulated universe in the browser's build: the time that a run takes comes from the caller. */
#ifndef BW_SIM_TIME_H
#define BW_SIM_TIME_H

struct timespec {
    long long tv_sec;
    long tv_nsec;
};
enum { CLOCK_MONOTONIC };
int clock_gettime(int clock, struct timespec *now);

#endif
