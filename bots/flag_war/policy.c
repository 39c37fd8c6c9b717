#include "bots/flag_war/policy.h"

static int least(int a, int b) { return a < b ? a : b; }
static int sign(int value) { return (value > 0) - (value < 0); }

static int reach(const bw_war_config *config) { return config->max_distance ? config->max_distance : BW_WAR_SIDE_MAX; }

bw_war_spot bw_war_head_for(const bw_war_config *config, bw_war_spot from, bw_war_spot target, bool rows_first) {
    int columns = bw_war_x(target) - bw_war_x(from), rows = bw_war_y(target) - bw_war_y(from);
    int width = bw_war_apart(columns, 0), height = bw_war_apart(rows, 0);
    int right = width, down = height;
    if (width && height) {
        if (config->diagonals) right = down = least(width, height);
        else if (rows_first) right = 0;
        else down = 0;
    }
    right = least(right, reach(config)) * sign(columns);
    down = least(down, reach(config)) * sign(rows);
    return bw_war_square(bw_war_x(from) + right, bw_war_y(from) + down);
}

static bool closed(const bw_war_state *state, int team, bw_war_spot square) {
    return !state->carrier[team] && bw_war_guarded(&state->config, team, square);
}

bw_war_spot bw_war_random_move(const bw_war_state *state, int piece, bw_fast *fast) {
    const bw_war_config *config = &state->config;
    bw_war_spot from = bw_war_departs(state, piece);
    if (from == BW_WAR_NOWHERE) return from;
    int direction = (int)bw_fast_below(fast, config->diagonals ? 8 : 4);
    int64_t distance = 1 + bw_fast_below(fast, (uint32_t)least(reach(config), config->height));
    bw_war_spot to = bw_war_toward(config, from, direction, distance);
    return closed(state, bw_war_team_of(piece), to) ? from : to;
}

/* The first row of its own ground that a team reaches from the middle. */
static int border(const bw_war_config *config, int team) {
    int rows = bw_war_territory_rows(config);
    return team == BW_WAR_BLUE ? config->height - rows : rows - 1;
}

/* A carrier that can be home in one move goes there, to one of several rows; otherwise it runs or dodges. */
static bw_war_spot carry_home(const bw_war_state *state, int team, bw_war_spot from, bw_fast *fast) {
    const bw_war_config *config = &state->config;
    int homewards = team == BW_WAR_BLUE ? 1 : -1;
    int left = (border(config, team) - bw_war_y(from)) * homewards;
    if (left > reach(config)) {
        if (bw_fast_below(fast, 4) == 0) {
            bool right = bw_fast_below(fast, 2);
            return bw_war_toward(config, from, right ? BW_WAR_RIGHT : BW_WAR_LEFT,
                                 1 + bw_fast_below(fast, (uint32_t)least(reach(config), 4)));
        }
        return bw_war_square(bw_war_x(from), bw_war_y(from) + homewards * reach(config));
    }
    /* Rows from the border to the starting row are never in the zone. */
    int spare = least(bw_war_territory_rows(config) - 2 - config->guard_distance, reach(config) - left);
    int deeper = (int)bw_fast_below(fast, (uint32_t)spare + 1);
    return bw_war_square(bw_war_x(from), bw_war_y(from) + homewards * (left + deeper));
}

/* An enemy on own ground: a square where it may be after its next move. BW_WAR_NOWHERE: there is none. */
static bw_war_spot prey(const bw_war_state *state, int team, bw_fast *fast) {
    const bw_war_config *config = &state->config;
    bw_war_spot found = BW_WAR_NOWHERE;
    uint32_t seen = 0;
    for (uint32_t enemies = bw_war_team_bits(config, 1 - team) & ~(uint32_t)state->jailed; enemies;
         enemies &= enemies - 1) {
        int piece = __builtin_ctz(enemies);
        bw_war_spot square = bw_war_departs(state, piece);
        if (bw_war_ground(config, square) != team) continue;
        if (state->carrier[team] == piece + 1) {
            int homewards = team == BW_WAR_BLUE ? -1 : 1;
            int row = bw_war_y(square) + homewards * reach(config);
            bool still_here = row >= 0 && row < config->height && bw_war_ground(config, bw_war_square(0, row)) == team;
            return still_here && bw_fast_below(fast, 2) ? bw_war_square(bw_war_x(square), row) : square;
        }
        if (bw_fast_below(fast, ++seen) == 0) found = square;
    }
    return found;
}

bw_war_spot bw_war_idea(const bw_war_state *state, int piece, bw_fast *fast) {
    const bw_war_config *config = &state->config;
    int team = bw_war_team_of(piece);
    bw_war_spot from = bw_war_departs(state, piece), target = BW_WAR_NOWHERE;
    if (from == BW_WAR_NOWHERE) return from;
    /* A rescuer drops the flag before it moves. */
    if (state->carrier[1 - team] == piece + 1 && !bw_war_is(state->rescuing, piece)) {
        return carry_home(state, team, from, fast);
    }
    uint32_t draw = bw_fast_below(fast, 16);
    if (draw < 4 || state->carrier[1 - team]) target = prey(state, team, fast);
    if (target == BW_WAR_NOWHERE && state->key[team] && draw < 9) target = bw_war_key(config, team);
    if (target == BW_WAR_NOWHERE && !state->carrier[1 - team] && draw < 14) {
        target = bw_war_flag(config, 1 - team);
    }
    if (target == BW_WAR_NOWHERE) return bw_war_random_move(state, piece, fast);
    bw_war_spot to = bw_war_head_for(config, from, target, bw_fast_below(fast, 2));
    return closed(state, team, to) ? from : to;
}

void bw_war_ideas(const bw_war_state *state, int team, uint32_t random_of_16, bw_war_orders *orders, bw_fast *fast) {
    uint32_t pieces = bw_war_team_bits(&state->config, team) & ~(uint32_t)state->jailed;
    for (uint32_t left = pieces; left; left &= left - 1) {
        int piece = __builtin_ctz(left);
        bool random = random_of_16 && bw_fast_below(fast, 16) < random_of_16;
        bw_war_spot to = random ? bw_war_random_move(state, piece, fast) : bw_war_idea(state, piece, fast);
        for (uint32_t done = pieces & ((1u << piece) - 1); done; done &= done - 1) {
            if (orders->to[__builtin_ctz(done)] == to) {
                to = bw_war_departs(state, piece);
                break;
            }
        }
        orders->to[piece] = to;
    }
}

int32_t bw_war_playout(bw_war_state *state, int rounds, bw_fast *fast) {
    bw_war_orders orders;
    bw_war_orders_clear(&orders);
    int played = 0;
    for (; played < rounds && !state->over; played++) {
        for (int piece = 0; piece < BW_WAR_PIECES; piece++) orders.to[piece] = BW_WAR_NOWHERE;
        bw_war_ideas(state, BW_WAR_BLUE, 0, &orders, fast);
        bw_war_ideas(state, BW_WAR_RED, 0, &orders, fast);
        bw_war_round(state, &orders, NULL);
    }
    return bw_war_score(state, BW_WAR_BLUE) * (64 - played) / 64;
}
