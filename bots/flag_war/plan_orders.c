/* Orders as text: preparing orders that the rules accept. */
#include "bots/flag_war/plan.h"
#include "bots/flag_war/policy.h"

#include <string.h>

/* ---- what went wrong ---- */

/* Whole sentences only: a sentence that does not fit is dropped. */
bool bw_plan_refuse(bw_plan *p, const char *sentence) {
    bw_out before = p->trouble;
    if (p->trouble.length) {
        bw_out_text(&p->trouble, " ");
    }
    bw_out_text(&p->trouble, sentence);
    if (p->trouble.overflow) p->trouble = before;
    return false;
}

static bool refuse_piece(bw_plan *p, int index, const char *rest) {
    char sentence[64];
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_format(&out, "Piece %d%s", index + 1, rest);
    sentence[out.length] = '\0';
    return bw_plan_refuse(p, sentence);
}

/* ---- orders ---- */

static bool emit(bw_plan *p, const bw_war_action *action) {
    if (p->count == p->cap) return bw_plan_refuse(p, "That is more than can be ordered at once.");
    int refusal = bw_war_prepare(p->state, p->team, p->draft, action);
    if (refusal < 0) {
        return bw_plan_refuse(p, refusal == BW_WAR_REFUSE(BW_WAR_BEYOND_HORIZON) ? "That is too many rounds ahead."
                                                                                 : bw_refusal(&bw_flag_war, refusal));
    }
    memcpy(&p->actions[p->count++], action, sizeof *action);
    return true;
}

bool bw_plan_order(bw_plan *p, int index, uint32_t round, bw_war_spot to) {
    bw_war_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_WAR_COMMAND;
    action.as.command = (bw_war_command){.piece = index + 1,
                                         .has_to = true,
                                         .to = {.x = bw_war_x(to), .y = bw_war_y(to)},
                                         .has_round = true,
                                         .round = round};
    if (bw_war_is(p->state->jailed, bw_plan_number(p, index)) && round == p->first) {
        return refuse_piece(p, index, " is in jail.");
    }
    if (!emit(p, &action)) return false;
    p->clock[index] = round + 1;
    return true;
}

/* Cancels the waiting orders of a piece in rounds first .. last. Returns how many. */
int bw_plan_cancel(bw_plan *p, int index, uint32_t first, uint32_t last) {
    int count = 0;
    for (uint32_t round = first; round <= last; round++) {
        bw_war_action action;
        if (!p->draft->to[round % BW_WAR_SLOTS][index]) continue;
        memset(&action, 0, sizeof action);
        action.type = BW_WAR_CANCEL;
        action.as.cancel = (bw_war_cancel){.piece = index + 1, .has_round = true, .round = round};
        if (!emit(p, &action)) break;
        count++;
    }
    return count;
}

bool bw_plan_closed(const bw_plan *p, bw_war_spot square) {
    return !p->state->carrier[p->team] && bw_war_guarded(p->config, p->team, square);
}

/* Neither closed nor occupied by an own piece: two own pieces on a square both go back to their start. */
static bool passable(const bw_plan *p, int index, bw_war_spot square) {
    return !bw_plan_closed(p, square) && !bw_plan_taken(p, index, square);
}

/* Move by move to a square; on own ground sideways first. */
bool bw_plan_walk(bw_plan *p, int index, uint32_t round, bw_war_spot target) {
    if (bw_plan_closed(p, target)) {
        return bw_plan_refuse(p, "That is in our own no-guard zone, closed while our flag is home.");
    }
    bw_war_spot at = bw_plan_stands(p, index, round);
    if (at == target) return bw_plan_order(p, index, round, target);
    for (; at != target; round++) {
        bool rows_first = bw_war_ground(p->config, at) != p->team;
        bw_war_spot to = bw_war_head_for(p->config, at, target, rows_first);
        if (to != target && !passable(p, index, to)) {
            bw_war_spot other = bw_war_head_for(p->config, at, target, !rows_first);
            to = passable(p, index, other) || bw_plan_closed(p, to) ? other : to;
        }
        if (!bw_plan_order(p, index, round, to)) return false;
        at = to;
    }
    return true;
}
