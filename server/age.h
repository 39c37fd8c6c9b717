/* What time it is, for deleting what is old.
 *
 * A wrong clock must not delete anything for good, and no single look at it shows that it is wrong. So a time is
 * believed where it is no more than an hour ahead of what was known before: the newest record of the database when it
 * was opened, and the time that has passed since. A time beyond that is believed after the clock has kept to it for a
 * day; until then the old reckoning goes on, and less is deleted than might be. A clock that is behind deletes less
 * by itself.
 *
 *   bw_age_start(&age, newest_record_ms, wall_ms, elapsed_ms);
 *   now = bw_age_now(&age, wall_ms, elapsed_ms);
 *
 * `elapsed_ms` is a clock that nobody sets and that goes on while the machine sleeps (CLOCK_BOOTTIME). */
#ifndef BW_AGE_H
#define BW_AGE_H

#include <stdbool.h>
#include <stdint.h>

enum { BW_AGE_AHEAD_MS = 3600 * 1000, BW_AGE_PROBATION_MS = 24 * 3600 * 1000 };

typedef struct bw_age {
    int64_t wall_ms, elapsed_ms; /* a moment that is believed */
    bool doubted;                /* the clock is ahead: since this moment, by its own account */
    int64_t doubted_wall_ms, doubted_elapsed_ms;
} bw_age;

/* `newest_ms`: 0 where there is no record. */
void bw_age_start(bw_age *age, int64_t newest_ms, int64_t wall_ms, int64_t elapsed_ms);
int64_t bw_age_now(bw_age *age, int64_t wall_ms, int64_t elapsed_ms);

#endif
