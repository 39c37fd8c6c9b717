/* A seat's queue of orders, and which orders are allowed. */
#include "games/flag_war/flag_war.h"

#include <string.h>

static uint16_t *waiting(bw_war_draft *draft, uint32_t round, int index) {
    return &draft->to[round % BW_WAR_SLOTS][index];
}

bw_war_spot bw_war_planned(const bw_war_state *state, const bw_war_draft *draft, int piece, uint32_t round) {
    bw_war_spot at = bw_war_departs(state, piece);
    uint32_t first = state->round + 1;
    if (at == BW_WAR_NOWHERE) { /* in jail, an order for the next round is skipped */
        at = bw_war_start(&state->config, piece);
        first++;
    }
    for (uint32_t earlier = first; earlier < round; earlier++) {
        uint16_t to = draft->to[earlier % BW_WAR_SLOTS][piece % BW_WAR_TEAM_MAX];
        if (to && bw_war_reaches(&state->config, at, (bw_war_spot)(to - 1))) {
            at = (bw_war_spot)(to - 1);
        }
    }
    return at;
}

/* The round that a message targets, or a refusal. */
static int64_t round_meant(const bw_war_state *state, bool given, int64_t round) {
    int64_t next = (int64_t)state->round + 1;
    if (!given || round <= next) return next;
    return round > next + state->config.horizon - 1 ? BW_WAR_REFUSE(BW_WAR_BEYOND_HORIZON) : round;
}

static int destination(const bw_war_config *config, bw_war_spot from, const bw_war_command *command, bw_war_spot *to) {
    if (command->has_to ? command->has_direction || command->has_distance
                        : !command->has_direction || !command->has_distance) {
        return BW_WAR_REFUSE(BW_WAR_WHERE_TO);
    }
    if (command->has_direction) {
        if (command->direction >= BW_WAR_UP_LEFT && !config->diagonals) {
            return BW_WAR_REFUSE(BW_WAR_NO_DIAGONALS);
        }
        *to = bw_war_toward(config, from, command->direction, command->distance);
        return 0;
    }
    if (!bw_war_on_board(config, command->to.x, command->to.y)) {
        return BW_WAR_REFUSE(BW_WAR_OFF_BOARD);
    }
    *to = bw_war_square(command->to.x, command->to.y);
    if (bw_war_reaches(config, from, *to)) return 0;
    bw_war_config unlimited = *config;
    unlimited.max_distance = 0;
    return bw_war_reaches(&unlimited, from, *to) ? BW_WAR_REFUSE(BW_WAR_TOO_FAR) : BW_WAR_REFUSE(BW_WAR_NOT_STRAIGHT);
}

int bw_war_prepare(const void *state_, int seat, void *draft_, const void *action_) {
    const bw_war_state *state = state_;
    const bw_war_action *action = action_;
    bw_war_draft *draft = draft_;
    if (state->over) return BW_WAR_REFUSE(BW_WAR_IS_OVER);
    bool orders = action->type == BW_WAR_COMMAND;
    if (!orders && action->type != BW_WAR_CANCEL) return BW_WAR_REFUSE(BW_WAR_ONLY_CLOCK);
    int32_t number = orders ? action->as.command.piece : action->as.cancel.piece;
    if (number < 1 || number > state->config.pieces) return BW_WAR_REFUSE(BW_WAR_NO_SUCH_PIECE);
    int64_t round = orders ? round_meant(state, action->as.command.has_round, action->as.command.round)
                           : round_meant(state, action->as.cancel.has_round, action->as.cancel.round);
    if (round < 0) return (int)round;
    int piece = bw_war_piece(seat, number - 1);
    uint16_t *slot = waiting(draft, (uint32_t)round, number - 1);
    if (!orders) {
        if (!*slot) return BW_WAR_REFUSE(BW_WAR_NOTHING_WAITS);
        *slot = 0;
        return 0;
    }
    if (bw_war_is(state->jailed, piece) && round == (int64_t)state->round + 1) {
        return BW_WAR_REFUSE(BW_WAR_IN_JAIL);
    }
    bw_war_spot to;
    int refusal =
        destination(&state->config, bw_war_planned(state, draft, piece, (uint32_t)round), &action->as.command, &to);
    if (refusal) return refusal;
    *slot = (uint16_t)(to + 1);
    return 0;
}

void bw_war_prune_draft(const void *state_, int seat, void *draft_) {
    (void)seat;
    const bw_war_state *state = state_;
    bw_war_draft *draft = draft_;
    if (state->over) memset(draft, 0, sizeof *draft);
    else memset(draft->to[state->round % BW_WAR_SLOTS], 0, sizeof draft->to[0]);
}

void bw_war_show_draft(const void *state_, int seat, const void *draft_, void *you_) {
    (void)seat;
    const bw_war_state *state = state_;
    const bw_war_draft *draft = draft_;
    bw_war_you *you = you_;
    you->queue_count = 0;
    for (uint32_t ahead = 1; ahead <= state->config.horizon; ahead++) {
        uint32_t round = state->round + ahead;
        const uint16_t *orders = draft->to[round % BW_WAR_SLOTS];
        for (int index = 0; index < BW_WAR_TEAM_MAX; index++) {
            uint16_t to = orders[index];
            if (!to) continue;
            bw_war_queued *queued = &you->queue[you->queue_count++];
            memset(queued, 0, sizeof *queued);
            queued->round = round;
            queued->piece = (uint8_t)(index + 1);
            queued->to = bw_war_point_at((bw_war_spot)(to - 1));
        }
    }
}

bool bw_war_draft_fits(const void *state_, int seat, const void *draft_) {
    (void)seat;
    const bw_war_state *state = state_;
    const bw_war_draft *draft = draft_;
    for (uint32_t ahead = 0; ahead < BW_WAR_SLOTS; ahead++) { /* 0: the round just played, whose slot is free */
        for (int index = 0; index < BW_WAR_TEAM_MAX; index++) {
            uint16_t to = draft->to[(state->round + ahead) % BW_WAR_SLOTS][index];
            bool possible = !state->over && ahead >= 1 && ahead <= state->config.horizon &&
                            index < state->config.pieces &&
                            bw_war_on_board(&state->config, (to - 1) & 31, (to - 1) >> 5);
            if (to != 0 && !possible) return false;
        }
    }
    return true;
}

void bw_war_collect(const void *state_, const void *drafts_, void *action_) {
    const bw_war_state *state = state_;
    const bw_war_draft *drafts = drafts_;
    bw_war_action *action = action_;
    memset(action, 0, sizeof *action);
    action->type = BW_WAR_ROUND;
    bw_war_round_orders *round = &action->as.round;
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        for (int index = 0; index < state->config.pieces; index++) {
            uint16_t to = drafts[team].to[(state->round + 1) % BW_WAR_SLOTS][index];
            if (!to) continue;
            bw_war_order *order = &round->orders[round->orders_count++];
            order->role = (uint8_t)team;
            order->piece = (uint8_t)(index + 1);
            order->to = bw_war_point_at((bw_war_spot)(to - 1));
        }
    }
}

/* One piece's orders for the next round: every square it reaches, including its own. */
static bool may_order(const bw_war_state *state, int piece, int x, int y) {
    return bw_war_reaches(&state->config, bw_war_departs(state, piece), bw_war_square(x, y));
}

static void write_order(bw_war_action *action, int index, int x, int y) {
    memset(action, 0, sizeof *action);
    action->type = BW_WAR_COMMAND;
    action->as.command.piece = index + 1;
    action->as.command.has_to = true;
    action->as.command.to = (bw_war_point){.x = x, .y = y};
}

uint32_t bw_war_legal(const void *state_, int seat, void *actions_, uint32_t cap) {
    const bw_war_state *state = state_;
    bw_war_action *actions = actions_;
    uint32_t count = 0;
    if (state->over || seat < 0) return 0;
    for (int index = 0; index < state->config.pieces; index++) {
        int piece = bw_war_piece(seat, index);
        if (bw_war_is(state->jailed, piece)) continue;
        for (int y = 0; y < state->config.height; y++) {
            for (int x = 0; x < state->config.width; x++) {
                if (!may_order(state, piece, x, y)) continue;
                if (count < cap) write_order(&actions[count], index, x, y);
                count++;
            }
        }
    }
    return count;
}

/* Uniform over what `legal` lists: draws pieces and squares until one is legal. A piece's own square always is, so
 * at least 1 try in 6727 succeeds; after 4096 tries the first legal order is used. */
bool bw_war_sample(const void *state_, int seat, bw_fast *fast, void *action) {
    const bw_war_state *state = state_;
    if (state->over || seat < 0) return false;
    uint32_t free = bw_war_team_bits(&state->config, seat) & ~(uint32_t)state->jailed;
    if (!free) return false;
    for (int tries = 0; tries < 4096; tries++) {
        int index = (int)bw_fast_below(fast, state->config.pieces), piece = bw_war_piece(seat, index);
        int x = (int)bw_fast_below(fast, state->config.width), y = (int)bw_fast_below(fast, state->config.height);
        if (!bw_war_is(free, piece) || !may_order(state, piece, x, y)) continue;
        write_order(action, index, x, y);
        return true;
    }
    return bw_war_legal(state, seat, action, 1) > 0;
}
