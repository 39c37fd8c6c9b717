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

/* ---- easy ---- */

static int any_of(uint32_t pieces, bw_fast *fast) {
    uint32_t nth = bw_fast_below(fast, (uint32_t)__builtin_popcount(pieces));
    while (nth--) pieces &= pieces - 1;
    return __builtin_ctz(pieces);
}

static uint32_t choose_easy(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                            bw_thinking *thinking, void *actions, uint32_t cap) {
    (void)bot;
    bw_war_state state;
    bw_war_orders orders;
    bw_fast fast = {thinking->seed};
    if (game->guess(&state, view, config, seat, thinking->seed) < 0 || state.over || !standing(&state, seat)) {
        return 0;
    }
    bw_war_orders_clear(&orders);
    int piece = any_of(standing(&state, seat), &fast);
    bool hesitates = bw_fast_below(&fast, 5) >= 3;
    orders.to[piece] = hesitates ? bw_war_departs(&state, piece) : bw_war_idea(&state, piece, &fast);
    for (int foe = 0; foe < BW_WAR_PIECES; foe++) { /* nobody walks into a jail with open eyes */
        bool there = bw_war_team_of(foe) != seat && state.square[foe] == orders.to[piece];
        if (there && bw_war_ground(&state.config, orders.to[piece]) != seat)
            orders.to[piece] = bw_war_departs(&state, piece);
    }
    return bw_war_give(&state, seat, &orders, actions, cap);
}

/* ---- normal ---- */

/* It looks at some of its pieces each round; the others stay where they are. */
static uint32_t attention(uint32_t pieces, bw_fast *fast) {
    uint32_t chosen = 0;
    for (uint32_t left = pieces; left; left &= left - 1) {
        chosen |= bw_fast_below(fast, 2) ? left & (0 - left) : 0;
    }
    return chosen ? chosen : 1u << any_of(pieces, fast);
}

static uint32_t choose_normal(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                              bw_thinking *thinking, void *actions, uint32_t cap) {
    (void)bot;
    enum { REPLIES = 6, AHEAD = 2 };
    bw_war_state state;
    bw_war_orders orders, best;
    bw_fast fast = {thinking->seed};
    if (game->guess(&state, view, config, seat, thinking->seed) < 0 || state.over || !standing(&state, seat)) {
        return 0;
    }
    uint32_t pieces = attention(standing(&state, seat), &fast);
    int32_t best_value = INT32_MIN;
    uint32_t tries = 1 + 16 * thinking->effort / 100;
    for (uint32_t n = 0; n < tries; n++) {
        bw_war_orders_clear(&orders);
        bw_war_ideas(&state, seat, 4, &orders, &fast);
        for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
            orders.to[piece] = bw_war_is(pieces, piece) ? orders.to[piece] : BW_WAR_NOWHERE;
        }
        int32_t value = 0;
        for (int reply = 0; reply < REPLIES; reply++) {
            bw_war_state after = state;
            bw_war_orders both = orders;
            bw_war_ideas(&after, 1 - seat, 4, &both, &fast);
            bw_war_round(&after, &both, NULL);
            int32_t blue = bw_war_playout(&after, AHEAD - 1, &fast);
            value += seat == BW_WAR_BLUE ? blue : -blue;
        }
        if (value > best_value) {
            best_value = value;
            best = orders;
        }
        if (thinking->keep_going && !thinking->keep_going(thinking->user)) break;
    }
    return bw_war_give(&state, seat, &best, actions, cap);
}

static const bw_bot easy = {.game = "flag_war", .level = "easy", .choose = choose_easy};
static const bw_bot normal = {.game = "flag_war", .level = "normal", .choose = choose_normal};
const bw_bot *const bw_war_levels[3] = {&easy, &normal, &bw_war_hard};
