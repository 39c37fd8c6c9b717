#include "server/age.h"

static bool is_ahead(int64_t wall_ms, int64_t elapsed_ms, int64_t then_wall_ms, int64_t then_elapsed_ms) {
    return wall_ms > then_wall_ms + (elapsed_ms - then_elapsed_ms) + BW_AGE_AHEAD_MS;
}

void bw_age_start(bw_age *age, int64_t newest_ms, int64_t wall_ms, int64_t elapsed_ms) {
    bool usable = newest_ms > 0 && newest_ms < wall_ms; /* a record from the future was written by a wrong clock */
    *age = (bw_age){.wall_ms = usable ? newest_ms : wall_ms, .elapsed_ms = elapsed_ms};
}

int64_t bw_age_now(bw_age *age, int64_t wall_ms, int64_t elapsed_ms) {
    if (is_ahead(wall_ms, elapsed_ms, age->wall_ms, age->elapsed_ms)) {
        int64_t apart = wall_ms - (age->doubted_wall_ms + (elapsed_ms - age->doubted_elapsed_ms));
        if (!age->doubted || apart > BW_AGE_AHEAD_MS || apart < -BW_AGE_AHEAD_MS) { /* a new claim */
            age->doubted = true;
            age->doubted_wall_ms = wall_ms;
            age->doubted_elapsed_ms = elapsed_ms;
        }
        if (elapsed_ms - age->doubted_elapsed_ms < BW_AGE_PROBATION_MS) {
            return age->wall_ms + (elapsed_ms - age->elapsed_ms);
        }
    }
    age->doubted = false;
    age->wall_ms = wall_ms;
    age->elapsed_ms = elapsed_ms;
    return wall_ms;
}
