#include "bots/flag_war/players.h"

#include <string.h>

#include "bots/flag_war/policy.h"

uint32_t bw_war_give(const bw_war_state *state, int team, const bw_war_orders *orders, void *actions_, uint32_t cap) {
    bw_war_action *actions = actions_;
    uint32_t count = 0;
    for (int index = 0; index < state->config.pieces && count < cap; index++) {
        bw_war_spot to = orders->to[bw_war_piece(team, index)];
        if (to == BW_WAR_NOWHERE || bw_war_is(state->jailed, bw_war_piece(team, index))) continue;
        bw_war_action *action = &actions[count++];
        memset(action, 0, sizeof *action);
        action->type = BW_WAR_COMMAND;
        action->as.command.piece = index + 1;
        action->as.command.has_to = true;
        action->as.command.to = (bw_war_point){.x = bw_war_x(to), .y = bw_war_y(to)};
    }
    return count;
}

/* The pieces of a team that can be ordered. */
static uint32_t standing(const bw_war_state *state, int team) {
    return bw_war_team_bits(&state->config, team) & ~(uint32_t)state->jailed;
}

static int any_of(uint32_t pieces, bw_fast *fast) {
    uint32_t nth = bw_fast_below(fast, (uint32_t)__builtin_popcount(pieces));
    while (nth--) pieces &= pieces - 1;
    return __builtin_ctz(pieces);
}

/* Nobody walks into a jail with open eyes. */
static void stay_free(const bw_war_state *state, int team, bw_war_orders *orders) {
    for (int index = 0; index < state->config.pieces; index++) {
        int piece = bw_war_piece(team, index);
        bw_war_spot *to = &orders->to[piece];
        if (*to == BW_WAR_NOWHERE || bw_war_ground(&state->config, *to) == team) continue;
        for (int foe = 0; foe < BW_WAR_PIECES; foe++) {
            bool there = bw_war_team_of(foe) != team && state->square[foe] == *to;
            if (there) *to = bw_war_departs(state, piece);
        }
    }
}

/* As long as no piece of the other team has left its start: somebody may still be reading the rules. */
static bool untouched(const bw_war_state *state, int team) {
    uint32_t pieces = bw_war_team_bits(&state->config, team);
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
        if (bw_war_is(pieces, piece) && state->square[piece] != bw_war_start(&state->config, piece)) return false;
    }
    return true;
}

/* Nobody leaves the own ground, and nobody brings a flag home. */
static void wait_for_them(const bw_war_state *state, int team, bw_war_orders *orders) {
    for (int index = 0; index < state->config.pieces; index++) {
        int piece = bw_war_piece(team, index);
        bw_war_spot *to = &orders->to[piece];
        if (*to == BW_WAR_NOWHERE) continue;
        bool carries = state->carrier[1 - team] == piece + 1;
        if (carries || bw_war_ground(&state->config, *to) != team) *to = bw_war_departs(state, piece);
    }
}

/* One piece follows an idea, or stays. */
static void wander(const bw_war_state *state, int team, bw_war_orders *orders, bw_fast *fast) {
    int piece = any_of(standing(state, team), fast);
    bool hesitates = bw_fast_below(fast, 5) >= 3;
    orders->to[piece] = hesitates ? bw_war_departs(state, piece) : bw_war_idea(state, piece, fast);
}

/* ---- looking ahead ---- */

typedef struct war_look {
    uint32_t tries, replies; /* orders that are looked at, and answers to each */
    uint32_t attention;      /* of 100 pieces, those that are looked at in a round; the others stay where they are */
} war_look;

static uint32_t attended(uint32_t pieces, uint32_t attention, bw_fast *fast) {
    uint32_t chosen = 0;
    for (uint32_t left = pieces; left; left &= left - 1) {
        chosen |= bw_fast_below(fast, 100) < attention ? left & (0 - left) : 0;
    }
    return chosen ? chosen : 1u << any_of(pieces, fast);
}

static void look_ahead(const war_look *look, const bw_war_state *state, int team, bw_thinking *thinking, bw_fast *fast,
                       bw_war_orders *best) {
    enum { AHEAD = 2 };
    bw_war_orders orders;
    uint32_t pieces = attended(standing(state, team), look->attention, fast);
    int32_t best_value = INT32_MIN;
    uint32_t tries = 1 + look->tries * thinking->effort / 100;
    for (uint32_t n = 0; n < tries; n++) {
        bw_war_orders_clear(&orders);
        bw_war_ideas(state, team, 4, &orders, fast);
        for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
            orders.to[piece] = bw_war_is(pieces, piece) ? orders.to[piece] : BW_WAR_NOWHERE;
        }
        int32_t value = 0;
        for (uint32_t reply = 0; reply < look->replies; reply++) {
            bw_war_state after = *state;
            bw_war_orders both = orders;
            bw_war_ideas(&after, 1 - team, 4, &both, fast);
            bw_war_round(&after, &both, NULL);
            int32_t blue = bw_war_playout(&after, AHEAD - 1, fast);
            value += team == BW_WAR_BLUE ? blue : -blue;
        }
        if (value > best_value) {
            best_value = value;
            *best = orders;
        }
        if (thinking->keep_going && !thinking->keep_going(thinking->user)) break;
    }
}

/* ---- levels ---- */

/* What is to be watched: few pieces that take a while to come; pieces that are there at once; many pieces. */
typedef enum field { SLOW, FAST, CROWDED, FIELDS } field;

typedef struct strength {
    bw_bot bot;
    war_look look[FIELDS]; /* without tries: one piece at a time wanders */
    bool careful;          /* goes nowhere where an enemy stands that would jail it */
    uint32_t patience;     /* so many rounds it stays at home while nobody of the others has moved */
} strength;

static field field_of(const bw_war_config *config) {
    if (config->pieces > 4) return CROWDED;
    return config->max_distance == 0 || config->max_distance > 4 ? FAST : SLOW;
}

static uint32_t choose(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    const strength *level = (const strength *)bot;
    bw_war_state state;
    bw_war_orders orders;
    bw_fast fast = {thinking->seed};
    if (game->guess(&state, view, config, seat, thinking->seed) < 0 || state.over || !standing(&state, seat)) {
        return 0;
    }
    const war_look *look = &level->look[field_of(&state.config)];
    bw_war_orders_clear(&orders);
    if (look->tries) look_ahead(look, &state, seat, thinking, &fast, &orders);
    else wander(&state, seat, &orders, &fast);
    if (level->careful) stay_free(&state, seat, &orders);
    if (state.round > 0 && state.round < level->patience && untouched(&state, 1 - seat)) {
        wait_for_them(&state, seat, &orders);
    }
    return bw_war_give(&state, seat, &orders, actions, cap);
}

#define LEVEL(name) .bot = {.game = "flag_war", .level = name, .choose = choose}
static const strength easy = {
    LEVEL("easy"),
    .look = {[FAST] = {8, 4, 45}, [CROWDED] = {8, 4, 68}},
    .careful = true,
    .patience = 20,
};
static const strength normal = {LEVEL("normal"),
                                .look = {[SLOW] = {16, 6, 50}, [FAST] = {16, 6, 65}, [CROWDED] = {16, 6, 70}}};
const bw_bot *const bw_war_levels[3] = {&easy.bot, &normal.bot, &bw_war_hard};
