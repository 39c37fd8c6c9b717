/* Flooded Island for whoever looks back at a game: how many moves the adventurer still completes.
 *
 * The patterns of the perfect players (patterns.h) say within how many days the weather traps it. While no pattern has
 * been left out of the lists they say so exactly; afterwards it may be trapped sooner than they know. */
#include "bots/flooded_island/patterns.h"
#include "bots/flooded_island/players.h"

#include <string.h>

enum {
    BEAM = 100,
    BEAM_SMALL = 400, /* on grids of which all patterns can be kept */
    SMALL = 30,
    SEES = 26, /* days ahead */
    MEMORY = 8 << 20,
};

typedef struct sight {
    bw_island_patterns patterns;
    int exact_to; /* days for which no pattern is left out */
    bool all;     /* nothing traps that is not in the lists */
} sight;

enum { HEAD = (sizeof(sight) + 63) / 64 * 64 };

static void begin(void *arena, const void *config_memory) {
    sight *s = arena;
    const bw_island_config *config = config_memory;
    uint32_t beam = config->width * config->height <= SMALL ? BEAM_SMALL : BEAM;
    bw_island_patterns *p = &s->patterns;
    bw_island_patterns_begin(p, config, beam, 0, (char *)arena + HEAD, MEMORY);
    s->exact_to = 0;
    s->all = false;
    while (p->days < SEES && !s->all) {
        bw_island_patterns_outcome outcome = bw_island_patterns_next(p, NULL, NULL);
        if (p->whole) s->exact_to = p->days;
        s->all = outcome == BW_ISLAND_PATTERNS_STILL && p->whole;
        if (outcome != BW_ISLAND_PATTERNS_MORE) break;
    }
}

/* At night: within how many days; SEES + 1: not that the lists know. */
static int at_night(const sight *s, const bw_island_state *state, bw_island_set *flood) {
    int days = bw_island_patterns_night(&s->patterns, 0, state->square, state->dry, flood);
    return days < 0 ? SEES + 1 : days;
}

/* By day: after the move that leads furthest; among equals to where the weather lacks most. */
static int by_day(const sight *s, const bw_island_state *state, int *best) {
    int furthest = -1, most = -1;
    for (bw_island_set moves = bw_island_moves(state); !bw_island_empty(moves);) {
        bw_island_state next = *state;
        int square = bw_island_take(&moves);
        bw_island_walk(&next, square);
        int days = at_night(s, &next, NULL), lacks = bw_island_patterns_lack(&s->patterns, square, next.dry);
        if (days > furthest || (days == furthest && lacks > most)) furthest = days, most = lacks, *best = square;
    }
    return furthest < 0 ? 0 : furthest > SEES ? furthest : furthest + 1;
}

static bool look(void *arena, const bw_game *game, const void *state_memory, int seat, bw_worth *worth, void *best) {
    const sight *s = arena;
    const bw_island_state *state = state_memory;
    bw_island_set flood = {{0, 0}};
    bool day = state->phase == BW_ISLAND_DAY;
    int move = 0, last = bw_island_days(state) - state->moves;
    if (state->winner) {
        *worth = (bw_worth){.exact = true, .open = state->winner == 1 + BW_ISLAND_JOURNEYMAN};
        if (worth->open) worth->value = SEES + 1;
        return false;
    }
    int days = day ? by_day(s, state, &move) : at_night(s, state, &flood);
    /* Who is trapped only after the last day is not trapped. */
    worth->open = days > SEES || days >= last;
    worth->value = worth->open ? SEES + 1 : days;
    worth->exact = s->all || (worth->open && days <= SEES ? last : days) <= s->exact_to;
    if (!(game->turn(state) >> seat & 1)) return false;
    bw_island_put(best, seat, move, flood);
    return true;
}

const bw_insight bw_island_insight = {
    .game = "flooded_island",
    .arena_bytes = HEAD + MEMORY,
    .few = 1u << BW_ISLAND_WEATHER,
    .counting = 1u << BW_ISLAND_JOURNEYMAN,
    .begin = begin,
    .look = look,
};
