/* Flag War behind engine/game.h. */
#include "games/flag_war/flag_war.h"

#include <string.h>

static const bw_role roles[] = {{.id = "blue", .title = "Blue"}, {.id = "red", .title = "Red"}};

static const bw_war_room defaults = {
    .width = 11,
    .height = 11,
    .pieces = 3,
    .guard_distance = 1,
    .round_ms = 3000,
    .elimination = true,
    .keys = true,
    .horizon = 100,
    .has_ready_ms = true,
};

static const bw_variant variants[] = {
    {"march", "Three squares a round", "Pieces move up to 3 squares a round, so there is time to catch a thief.", 2,
     "{\"width\":11,\"height\":11,\"pieces\":3,\"max_distance\":3,\"ready_ms\":30000}"},
    {"charge", "Any distance", "Pieces can cross the whole board in one round: a game takes seconds.", 1,
     "{\"width\":11,\"height\":11,\"pieces\":3,\"max_distance\":0,\"ready_ms\":30000}"},
    {"campaign", "The long field", "19 by 13 squares and 7 pieces a team, up to 3 squares a round.", 5,
     "{\"width\":19,\"height\":13,\"pieces\":7,\"max_distance\":3,\"ready_ms\":30000}"},
};

#define SENTENCE(constant, sentence) sentence,
static const char *const refusals[] = {BW_WAR_REFUSALS(SENTENCE)};

static int check(const void *config_) {
    const bw_war_room *config = config_;
    if (config->width % 2 == 0) return BW_WAR_REFUSE(BW_WAR_EVEN_WIDTH);
    if (config->guard_distance + 2 > (config->height - 1) / 2) {
        return BW_WAR_REFUSE(BW_WAR_NO_ROOM);
    }
    return 0;
}

static void init(void *state, const void *config, uint32_t seats, const uint8_t seed[32]) {
    (void)seats; /* always both */
    (void)seed;  /* there is no luck in this game */
    bw_war_config board;
    memcpy(&board, config, sizeof board);
    bw_war_init(state, &board);
}

static uint32_t turn(const void *state_) {
    const bw_war_state *state = state_;
    return state->over ? 0 : 3;
}

/* Reads a round from a file, so everything is checked. The order in which orders are listed does not matter. */
static int apply(void *state_, int seat, const void *action_, bw_events *events) {
    bw_war_state *state = state_;
    const bw_war_action *action = action_;
    if (state->over) return BW_WAR_REFUSE(BW_WAR_IS_OVER);
    if (seat != BW_CLOCK || action->type != BW_WAR_ROUND) return BW_WAR_REFUSE(BW_WAR_ONLY_CLOCK);
    bw_war_orders orders;
    bw_war_orders_clear(&orders);
    for (uint32_t i = 0; i < action->as.round.orders_count; i++) {
        const bw_war_order *order = &action->as.round.orders[i];
        if (order->role >= BW_WAR_TEAMS || order->piece < 1 || order->piece > state->config.pieces ||
            !bw_war_on_board(&state->config, order->to.x, order->to.y)) {
            return BW_WAR_REFUSE(BW_WAR_BAD_ROUND);
        }
        bw_war_spot *to = &orders.to[bw_war_piece(order->role, order->piece - 1)];
        if (*to != BW_WAR_NOWHERE) return BW_WAR_REFUSE(BW_WAR_BAD_ROUND);
        *to = bw_war_square(order->to.x, order->to.y);
    }
    bw_war_round(state, &orders, events);
    return 0;
}

static uint32_t round_ms(const void *state_) {
    const bw_war_state *state = state_;
    return state->config.round_ms;
}

static uint32_t ready_ms(const void *config_) {
    const bw_war_room *config = config_;
    return config->has_ready_ms ? config->ready_ms : 0;
}

static uint32_t current_turn(const void *state_) {
    const bw_war_state *state = state_;
    return state->round;
}

static uint32_t winners(const void *state_) {
    const bw_war_state *state = state_;
    return state->winners;
}

static void stats_of(const void *state_, void *stats_) {
    const bw_war_state *state = state_;
    bw_war_stats *stats = stats_;
    memset(stats, 0, sizeof *stats);
    stats->rounds = state->round;
    stats->reason = state->reason;
    stats->rescues = state->rescues;
    stats->jailed.blue = state->jailings[BW_WAR_BLUE];
    stats->jailed.red = state->jailings[BW_WAR_RED];
}

static int32_t score(const void *state, int seat) { return bw_war_score(state, seat); }

static int resign(void *state_, int seat, bw_events *events) {
    (void)events; /* the `over` event says it */
    bw_war_state *state = state_;
    if (state->over) return BW_WAR_REFUSE(BW_WAR_IS_OVER);
    state->over = 1;
    state->winners = (uint8_t)(1u << (1 - seat));
    state->reason = BW_WAR_BY_RESIGNING;
    return 0;
}

const bw_game bw_flag_war = {
    .id = "flag_war",
    .title = "Flag War",
    .summary = "Two teams move at the same time, every three seconds: capture their flag before they capture yours.",
    .rules_version = 1,
    .flags = BW_GAME_ROUNDS | BW_GAME_KEEPS_TIME | BW_GAME_SAME_VIEW,
    .roles = roles,
    .role_count = 2,
    .seats_min = 2,
    .state_size = sizeof(bw_war_state),
    .draft_size = sizeof(bw_war_draft),
    .max_events = BW_WAR_EVENTS,
    .config = &bw_war_room_schema,
    .defaults = &defaults,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .view = &bw_war_view_schema,
    .you = &bw_war_you_schema,
    .stats = &bw_war_stats_schema,
    .actions = &bw_war_action_union,
    .events = &bw_war_event_union,
    .refusals = refusals,
    .refusal_count = BW_WAR_REFUSAL_COUNT,
    .check = check,
    .init = init,
    .turn = turn,
    .apply = apply,
    .prepare = bw_war_prepare,
    .prune_draft = bw_war_prune_draft,
    .show_draft = bw_war_show_draft,
    .draft_text = bw_war_draft_text,
    .draft_fits = bw_war_draft_fits,
    .collect = bw_war_collect,
    .round_ms = round_ms,
    .ready_ms = ready_ms,
    .legal = bw_war_legal,
    .sample = bw_war_sample,
    .view_of = bw_war_view_of,
    .guess = bw_war_guess,
    .current_turn = current_turn,
    .winners = winners,
    .stats_of = stats_of,
    .score = score,
    .resign = resign,
    .text = bw_war_text,
};
