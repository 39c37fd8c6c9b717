#include "bots/flooded_island/solve.h"

enum { BEAM = 100, UPPER_LAYERS = 100 };

static void tell(const bw_island_watch *watch, const bw_island_value *value) {
    if (watch->progress) watch->progress(watch->user, value);
}

/* The smallest n for which the weather wins from the start, or -1. */
static int from_start(const bw_island_patterns *p) {
    return bw_island_patterns_day(p, 0, bw_island_land(p->width, p->height));
}

static void bound_above(bw_island_patterns *p, const bw_island_config *config, void *memory, size_t bytes,
                        const bw_island_watch *watch, bw_island_value *value) {
    bw_island_patterns_begin(p, config, BEAM, 0, memory, bytes);
    while (p->days < UPPER_LAYERS) {
        bw_island_patterns_outcome outcome = bw_island_patterns_next(p, watch->keep_going, watch->user);
        int n = from_start(p);
        if (n >= 0) {
            value->decided = true;
            value->winner = BW_ISLAND_WEATHER;
            value->upper = n;
            tell(watch, value);
            return;
        }
        if (outcome == BW_ISLAND_PATTERNS_STILL && p->whole) { /* no later day can change that */
            value->decided = true;
            value->winner = BW_ISLAND_JOURNEYMAN;
            value->lower = value->upper;
            tell(watch, value);
            return;
        }
        if (outcome != BW_ISLAND_PATTERNS_MORE) return;
    }
}

/* Does the weather win from the start within `target`? 1, 0, or -1 if that could not be found out. */
static int within_target(bw_island_patterns *p, const bw_island_config *config, int target, void *memory, size_t bytes,
                         const bw_island_watch *watch) {
    bw_island_patterns_begin(p, config, 0, target, memory, bytes);
    while (p->days < target) {
        bw_island_patterns_outcome outcome = bw_island_patterns_next(p, watch->keep_going, watch->user);
        if (outcome == BW_ISLAND_PATTERNS_STOPPED || outcome == BW_ISLAND_PATTERNS_FULL) break;
    }
    if (from_start(p) >= 0) return 1;
    return p->whole && p->days == target ? 0 : -1;
}

void bw_island_solve(const bw_island_config *config, void *memory, size_t bytes, const bw_island_watch *watch,
                     bw_island_value *value) {
    *value = (bw_island_value){.lower = watch->at_least > 1 ? watch->at_least : 1, .upper = BW_ISLAND_DAYS};
    bw_island_patterns *p = memory;
    size_t head = (sizeof *p + 63) / 64 * 64;
    void *rest = (char *)memory + head;
    bound_above(p, config, rest, bytes - head, watch, value);
    while (value->lower < value->upper) {
        int won = within_target(p, config, value->lower, rest, bytes - head, watch);
        if (won < 0) break;
        if (won) {
            value->decided = true;
            value->winner = BW_ISLAND_WEATHER;
            value->upper = value->lower;
        } else {
            value->lower++;
        }
        tell(watch, value);
    }
    value->exact = value->lower == value->upper;
}
