/* The clock by which old rooms and replays are deleted.
 *
 * A wrong clock must not delete anything, and a single reading cannot show that it is wrong. So a time is accepted if
 * it is at most an hour ahead of the expected one: the newest record in the database at start, plus the time that has
 * passed since. A time beyond that is accepted after the clock has kept to it for a day; until then the expected time
 * is used, and less is deleted. A clock that is behind only delays deletion.
 *
 *   bw_age_start(&age, newest_record_ms, wall_ms, elapsed_ms);
 *   now = bw_age_now(&age, wall_ms, elapsed_ms);
 *
 * `elapsed_ms` is a clock that nobody sets and that goes on while the machine sleeps (CLOCK_BOOTTIME). */
#ifndef BW_AGE_H
#define BW_AGE_H

#include <stdbool.h>
#include <stdint.h>

/* When the newest plausible record was made, in SQL; `schema` is the prefix of each table's name. A clock that was
 * ahead also stamped records, and the next start must not trust it because of them: if everything of the newest day
 * is more than a week newer than all older records, the newest of the older ones counts. Reads every room and replay
 * once, at the start (0.5 s for a million). */
#define BW_AGE_NEWEST_SQL(schema)                                                                                 \
    "WITH stamp AS (SELECT made_at AS ms FROM " schema "replay UNION ALL SELECT changed_at FROM " schema "room)," \
    " newest AS (SELECT coalesce(max(ms), 0) AS ms FROM stamp),"                                                  \
    " others AS (SELECT max(stamp.ms) AS ms FROM stamp, newest WHERE stamp.ms <= newest.ms - 86400000),"          \
    " since AS (SELECT min(stamp.ms) AS ms FROM stamp, others WHERE stamp.ms > others.ms)"                        \
    " SELECT CASE WHEN since.ms - others.ms > 604800000 THEN others.ms ELSE newest.ms END FROM newest, others, since"

enum { BW_AGE_AHEAD_MS = 3600 * 1000, BW_AGE_PROBATION_MS = 24 * 3600 * 1000 };

typedef struct bw_age {
    int64_t wall_ms, elapsed_ms; /* an accepted time */
    bool doubted;                /* the clock is ahead: since this time, by its own account */
    int64_t doubted_wall_ms, doubted_elapsed_ms;
} bw_age;

/* `newest_ms`: 0 if there are no records. */
void bw_age_start(bw_age *age, int64_t newest_ms, int64_t wall_ms, int64_t elapsed_ms);
int64_t bw_age_now(bw_age *age, int64_t wall_ms, int64_t elapsed_ms);

#endif
