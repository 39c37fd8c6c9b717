#include "bots/flooded_island/players.h"

#include "bots/flooded_island/patterns.h"

#include <string.h>

enum {
    HEAD = (sizeof(bw_island_patterns) + 63) / 64 * 64,
    MEMORY = 8 << 20, /* for lists: always the same, so that every machine thinks the same */
    ARENA = HEAD + MEMORY,
};

typedef struct island_skill {
    uint32_t beam; /* patterns kept; on small grids, where all of them are few, more */
    uint32_t beam_small;
    int days; /* looked ahead */
    uint32_t
        slips; /* of 100 decisions, those with a blunder: a move that is not trapped at once, or a field misplaced */
} island_skill;

/* How hard the weather's task is. In a year one good week is enough. In a month it needs a plan from the first night, and
 * on a large island a longer one. With three floods a night it has the upper hand. */
typedef enum task { YEAR, LARGE, SMALL, STORM, TASKS } task;

typedef struct strength {
    bw_bot bot;
    island_skill adventurer, weather[TASKS];
    uint32_t blind; /* of 100 decisions of the adventurer in a storm, those without a look at the water: any move */
} strength;

static task task_of(const bw_island_config *config) {
    if (config->max_flood_count != 2) return STORM;
    if (config->days > 60) return YEAR;
    return config->width * config->height > 48 ? LARGE : SMALL;
}

/* The grids that the rules' table calls small: all their patterns can be kept. */
static uint32_t beam_for(const island_skill *skill, const bw_island_state *state, uint32_t effort) {
    uint64_t beam = state->width * state->height <= 30 ? skill->beam_small : skill->beam;
    beam = beam * effort / 100;
    return beam < 4 ? 4 : beam > skill->beam_small ? skill->beam_small : (uint32_t)beam;
}

/* The position after the adventurer has moved. */
static bw_island_state walked(const bw_island_state *state, int square) {
    bw_island_state next = *state;
    bw_island_walk(&next, square);
    return next;
}

/* Squares within `distance` king's moves, the own one left out. */
static bw_island_set around(int square, int distance) {
    bw_island_set set = bw_island_single(square);
    for (int i = 0; i < distance; i++) {
        for (bw_island_set grow = set; !bw_island_empty(grow);) {
            set = bw_island_or(set, bw_island_king[bw_island_take(&grow)]);
        }
    }
    return bw_island_without(set, bw_island_single(square));
}

static int random_of(bw_island_set set, bw_fast *fast) {
    for (uint32_t skip = bw_fast_below(fast, (uint32_t)bw_island_count(set)); skip > 0; skip--) {
        bw_island_take(&set);
    }
    return bw_island_first(set);
}

/* ---- the weather ---- */

/* How well the adventurer, to move, stands: the best it can reach counts, then all it can reach. */
static int danger(const bw_island_patterns *p, const bw_island_state *state) {
    int best = 0, sum = 0;
    for (bw_island_set moves = bw_island_moves(state); !bw_island_empty(moves);) {
        bw_island_state next = walked(state, bw_island_take(&moves));
        int lack = 1 + bw_island_patterns_lack(p, next.square, next.dry);
        sum += lack;
        best = lack > best ? lack : best;
    }
    return -(best * 64 + sum);
}

/* Floods what leaves the adventurer worst off, one square after the other, beside what is set already. */
static bw_island_set fill(const bw_island_patterns *p, const bw_island_state *state, bw_island_set flood,
                          bw_fast *fast) {
    for (int left = state->max_flood_count - bw_island_count(flood); left > 0; left--) {
        bw_island_state drowned = *state;
        drowned.dry = bw_island_without(state->dry, flood);
        bw_island_set wanted = bw_island_and(around(state->square, 2), drowned.dry);
        int best = 0, ties = 0, chosen = -1;
        while (!bw_island_empty(wanted)) {
            int square = bw_island_take(&wanted);
            bw_island_state next = drowned;
            next.dry = bw_island_without(next.dry, bw_island_single(square));
            int value = danger(p, &next);
            if (chosen < 0 || value > best) best = value, ties = 0;
            if (value == best && bw_fast_below(fast, (uint32_t)++ties) == 0) chosen = square;
        }
        if (chosen < 0) break;
        flood = bw_island_or(flood, bw_island_single(chosen));
    }
    return flood;
}

/* One field of the night's floods: any near the adventurer. */
static bw_island_set misplaced(const bw_island_state *state, bw_fast *fast) {
    bw_island_set near = bw_island_and(around(state->square, 2), state->dry);
    return bw_island_empty(near) ? near : bw_island_single(random_of(near, fast));
}

/* One more day. Lists of a day that was broken off are not what they would have been, so they are not used again. */
static bool look_further(const island_skill *skill, bw_island_patterns *p, bw_thinking *thinking) {
    if (p->days >= skill->days) return false;
    bw_island_patterns_outcome outcome = bw_island_patterns_next(p, thinking->keep_going, thinking->user);
    if (thinking->holds && (outcome == BW_ISLAND_PATTERNS_STOPPED || outcome == BW_ISLAND_PATTERNS_FULL)) {
        *thinking->holds = NULL;
    }
    return outcome == BW_ISLAND_PATTERNS_MORE;
}

static bw_island_set think_flood(const island_skill *skill, bw_island_patterns *p, const bw_island_state *state,
                                 bool slips, bw_thinking *thinking, bw_fast *fast) {
    bw_island_set flood = {{0, 0}};
    if (slips) return fill(p, state, misplaced(state, fast), fast);
    while (bw_island_patterns_night(p, p->days, state->square, state->dry, &flood) < 0 &&
           look_further(skill, p, thinking)) {
        continue;
    }
    return fill(p, state, flood, fast);
}

/* ---- the adventurer ---- */

static int room_of(const bw_island_state *state) { /* after a move: dry squares about, and the middle */
    int x = bw_island_x(state->square), y = bw_island_y(state->square);
    int to_edge_x = x < state->width - 1 - x ? x : state->width - 1 - x;
    int to_edge_y = y < state->height - 1 - y ? y : state->height - 1 - y;
    return bw_island_count(bw_island_and(bw_island_king[state->square], state->dry)) + 2 * (to_edge_x + to_edge_y);
}

/* Any move after which the weather cannot trap at once; where there is none, any. */
static int careless_move(const bw_island_patterns *p, const bw_island_state *state, bw_fast *fast) {
    bw_island_set moves = bw_island_moves(state), safe = moves;
    for (bw_island_set m = moves; !bw_island_empty(m);) {
        int square = bw_island_take(&m);
        bw_island_state next = walked(state, square);
        if (bw_island_patterns_night(p, 0, square, next.dry, NULL) == 0) {
            safe = bw_island_without(safe, bw_island_single(square));
        }
    }
    return random_of(bw_island_empty(safe) ? moves : safe, fast);
}

static int think_move(const island_skill *skill, bw_island_patterns *p, const bw_island_state *state,
                      bw_thinking *thinking, bw_fast *fast) {
    int trapped[BW_ISLAND_SQUARES]; /* after how many days, by square; -1: not seen */
    bw_island_set moves = bw_island_moves(state), open = moves;
    for (bw_island_set m = moves; !bw_island_empty(m);) trapped[bw_island_take(&m)] = -1;
    for (bool more = true; more && !bw_island_empty(open);) {
        for (bw_island_set m = open; !bw_island_empty(m);) {
            int square = bw_island_take(&m);
            bw_island_state next = walked(state, square);
            trapped[square] = bw_island_patterns_night(p, p->days, square, next.dry, NULL);
            if (trapped[square] >= 0) open = bw_island_without(open, bw_island_single(square));
        }
        more = look_further(skill, p, thinking);
    }
    int best = 0, ties = 0, chosen = -1;
    while (!bw_island_empty(moves)) {
        int square = bw_island_take(&moves);
        bw_island_state next = walked(state, square);
        int value = trapped[square] >= 0 ? trapped[square] * 1000
                                         : 1000000 + 10000 * bw_island_patterns_lack(p, square, next.dry);
        value += room_of(&next);
        if (chosen < 0 || value > best) best = value, ties = 0;
        if (value == best && bw_fast_below(fast, (uint32_t)++ties) == 0) chosen = square;
    }
    return chosen;
}

/* ---- both ---- */

/* The lists, at n = 0: those of the last decision in this arena, if they are of the same settings and beam. */
static bw_island_patterns *patterns_for(const bw_island_config *config, uint32_t beam, bw_thinking *thinking) {
    static const char mark = 0; /* its address says whose it is */
    bw_island_patterns *p = thinking->arena;
    if (thinking->holds && *thinking->holds == &mark && p->width == config->width && p->height == config->height &&
        p->floods == config->max_flood_count && p->beam == beam) {
        bw_island_patterns_again(p);
        return p;
    }
    bw_island_patterns_begin(p, config, beam, 0, (char *)thinking->arena + HEAD, MEMORY);
    if (thinking->holds) *thinking->holds = &mark;
    return p;
}

static uint32_t choose(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    const strength *level = (const strength *)bot;
    const island_skill *skill = seat == BW_ISLAND_WEATHER ? &level->weather[task_of(config)] : &level->adventurer;
    bw_island_state state;
    if (cap < 1 || game->guess(&state, view, config, seat, thinking->seed) < 0 || game->turn(&state) != 1u << seat) {
        return 0;
    }
    bw_fast fast = {thinking->seed};
    bool slips = bw_fast_below(&fast, 100) < skill->slips;
    bool blind = task_of(config) == STORM && level->blind && bw_fast_below(&fast, 100) < level->blind;
    bw_island_set flood = {{0, 0}};
    int move = -1;
    bw_island_patterns *p = patterns_for(config, beam_for(skill, &state, thinking->effort), thinking);
    if (seat == BW_ISLAND_WEATHER) flood = think_flood(skill, p, &state, slips, thinking, &fast);
    else if (blind) move = random_of(bw_island_moves(&state), &fast);
    else move = slips ? careless_move(p, &state, &fast) : think_move(skill, p, &state, thinking, &fast);
    bw_island_put(actions, seat, move, flood);
    return 1;
}

#define LEVEL(name) \
    .bot = {.game = "flooded_island", .level = name, .arena_bytes = ARENA, .keeps = true, .choose = choose}
#define ALL(...)                                                                                            \
    {                                                                                                       \
        [YEAR] = {__VA_ARGS__}, [LARGE] = {__VA_ARGS__}, [SMALL] = {__VA_ARGS__}, [STORM] = { __VA_ARGS__ } \
    }
static const strength easy = {
    LEVEL("easy"),
    .adventurer = {4, 4, 0, 60},
    .weather =
        {[YEAR] = {8, 8, 2, 60}, [LARGE] = {30, 30, 16, 16}, [SMALL] = {30, 30, 10, 40}, [STORM] = {4, 4, 0, 80}},
    .blind = 65,
};
static const strength normal = {
    LEVEL("normal"),
    .adventurer = {12, 12, 3, 15},
    .weather =
        {[YEAR] = {12, 12, 3, 15}, [LARGE] = {30, 30, 16, 6}, [SMALL] = {30, 30, 10, 24}, [STORM] = {12, 12, 3, 78}},
    .blind = 40,
};
static const strength hard = {
    LEVEL("hard"),
    .adventurer = {30, 30, 10, 0},
    .weather =
        {[YEAR] = {30, 30, 10, 0}, [LARGE] = {30, 30, 16, 0}, [SMALL] = {30, 30, 16, 0}, [STORM] = {30, 30, 10, 0}},
};
static const strength perfect = {LEVEL("perfect"), .adventurer = {100, 400, 26, 0}, .weather = ALL(100, 400, 26, 0)};

const bw_bot *const bw_island_levels[BW_ISLAND_PLAYERS] = {&easy.bot, &normal.bot, &hard.bot, &perfect.bot};
