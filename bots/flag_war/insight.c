/* Flag War for whoever looks back at a game: a round with other orders of one team. */
#include "bots/flag_war/players.h"
#include "games/flag_war/flag_war.h"

static void instead(const void *state, int seat, const void *orders, uint32_t count, void *round_memory) {
    const bw_war_action *given = orders;
    bw_war_round_orders *round = &((bw_war_action *)round_memory)->as.round, other = *round;
    bw_war_point to[BW_WAR_TEAM_MAX];
    bool ordered[BW_WAR_TEAM_MAX] = {false};
    const bw_war_config *config = &((const bw_war_state *)state)->config;
    for (uint32_t i = 0; i < count; i++) {
        const bw_war_command *command = &given[i].as.command;
        if (given[i].type != BW_WAR_COMMAND || !command->has_to) continue;
        to[command->piece - 1] = command->to;
        ordered[command->piece - 1] = true;
    }
    /* By team and piece, as the clock collects them. */
    memset(round, 0, sizeof *round);
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        for (uint32_t i = 0; team != seat && i < other.orders_count; i++) {
            if (other.orders[i].role == team) round->orders[round->orders_count++] = other.orders[i];
        }
        for (int piece = 0; team == seat && piece < config->pieces; piece++) {
            if (!ordered[piece]) continue;
            bw_war_order *order = &round->orders[round->orders_count++];
            order->role = (uint8_t)team;
            order->piece = (uint8_t)(piece + 1);
            order->to = to[piece];
        }
    }
}

const bw_insight bw_war_insight = {.game = "flag_war", .instead = instead};
