/* Orders in words: from clauses to orders.
 *
 * A clause without units is given to whom it suits: the next step of the clause before ("... then left
 * 2"), or the piece that is nearest to what is to be done. What a word leaves open is decided here, and
 * every order is prepared on a copy of the queue, so that what is answered is what the rules accept. */
#include "bots/flag_war/plan.h"

#include <string.h>

#include "bots/flag_war/words.h"

/* A word that is not understood: named in the answer. */
static void quote(void *user, uint16_t from, uint16_t to) {
    bw_plan *p = user;
    size_t length = (size_t)(to - from);
    if (p->unclear.length + length + 4 > sizeof p->unclear_text || p->unclear.overflow) {
        p->unclear.overflow = true;
        return;
    }
    bw_out_text(&p->unclear, p->unclear.length ? ", \"" : "\"");
    bw_out_bytes(&p->unclear, p->text + from, length);
    bw_out_text(&p->unclear, "\"");
}

/* ---- carrying out ---- */

static bool step(bw_plan *p, const bw_clause *c, int index, uint32_t round) {
    if (c->direction >= BW_WAR_UP_LEFT && !p->config->diagonals) {
        bw_plan_complain(p, "Pieces move up, down, left or right.");
        return false;
    }
    int distance = c->distance < 0 ? 1 : c->distance;
    uint32_t repeats = c->until_told ? p->config->horizon : c->lasting > 0 ? (uint32_t)c->lasting : 1;
    bool any = false;
    for (uint32_t n = 0; n < repeats; n++, round++) {
        bw_war_spot from = bw_plan_stands(p, index, round);
        bw_war_spot to = bw_war_toward(p->config, from, c->direction, distance);
        if (any && to == from) {
            break; /* at the edge */
        }
        if (round == p->first && bw_plan_closed(p, to) && to != from) {
            bw_plan_complain(p, "That is in our own no-guard zone, closed while our flag is home.");
            return any;
        }
        if (!bw_plan_order(p, index, round, to)) return any;
        any = true;
    }
    return any;
}

static bool hold(bw_plan *p, int index, uint32_t round, int lasting) {
    bool any = false;
    for (int n = 0; n < lasting && n < BW_WAR_HORIZON_MAX; n++, round++) {
        if (!bw_plan_order(p, index, round, bw_plan_stands(p, index, round))) break;
        any = true;
    }
    return any;
}

/* Along the edge of the board, to the border of the enemy's ground (a decoy) or round to its flag. */
static bool go_round(bw_plan *p, const bw_clause *c, int index, uint32_t round) {
    int side = bw_plan_side(p, c), rows = bw_war_territory_rows(p->config);
    int enemy_border = p->team == BW_WAR_BLUE ? rows - 1 : p->config->height - rows;
    bw_war_spot flag = bw_war_flag(p->config, 1 - p->team);
    int x = side == BW_WAR_LEFT ? 0 : p->config->width - 1;
    bool sneaks = c->act == BW_ACT_SNEAK;
    return bw_plan_walk(p, index, round, bw_war_square(x, bw_war_y(bw_plan_stands(p, index, round)))) &&
           bw_plan_walk(p, index, p->clock[index], bw_war_square(x, sneaks ? bw_war_y(flag) : enemy_border)) &&
           (!sneaks || bw_plan_walk(p, index, p->clock[index], flag));
}

static bool go(bw_plan *p, const bw_clause *c, int index, uint32_t round) {
    bw_war_spot target;
    if (!bw_plan_target(p, c, index, round, &target)) return false;
    bool as_told =
        c->target == BW_TARGET_SQUARE || c->target == BW_TARGET_ENEMY || (c->has_act && c->act == BW_ACT_HUNT);
    target = as_told ? target : bw_plan_beside(p, index, target);
    if (p->taken_count < BW_WAR_TEAM_MAX) p->taken[p->taken_count++] = target;
    return bw_plan_walk(p, index, round, target);
}

static bool carry_out(bw_plan *p, const bw_clause *c, int index, uint32_t round) {
    bw_act act = c->has_act                                         ? (bw_act)c->act
                 : c->direction >= 0 && c->target == BW_TARGET_NONE ? BW_ACT_STEP
                                                                    : BW_ACT_GO;
    bool done;
    if (act == BW_ACT_CANCEL) {
        bool all = !c->at_round && !c->delay;
        return bw_plan_cancel(p, index, all ? p->first : round, all ? bw_plan_horizon(p) : round) > 0;
    }
    if (act == BW_ACT_STEP) return step(p, c, index, round);
    if (act == BW_ACT_HOLD) {
        done = hold(p, index, round, c->lasting > 0 ? c->lasting : 1);
    } else {
        done = act == BW_ACT_DISTRACT || act == BW_ACT_SNEAK ? go_round(p, c, index, round) : go(p, c, index, round);
        uint32_t lasting = c->lasting > 0 ? (uint32_t)c->lasting : 0, until = round + lasting;
        if (done && p->clock[index] < until) {
            hold(p, index, p->clock[index], (int)(until - p->clock[index]));
        }
    }
    if (done && c->until_told) bw_plan_cancel(p, index, p->clock[index], bw_plan_horizon(p));
    return done;
}

static uint32_t begins(const bw_plan *p, const bw_clause *c, int index) {
    uint32_t base = p->clock[index];
    base = c->then && p->last_end > base ? p->last_end : base;
    if (c->at_round > 0) return (uint32_t)c->at_round > p->first ? (uint32_t)c->at_round : p->first;
    return base + (uint32_t)(c->delay > 1 ? c->delay - 1 : 0);
}

static void follow(bw_plan *p, bw_clause *c) {
    bool says = c->has_act || c->direction >= 0 || c->target != BW_TARGET_NONE;
    if (c->negated || !says) {
        quote(p, c->from, c->to);
        return;
    }
    p->told = true;
    if (c->has_act && c->act == BW_ACT_HOLD && c->target == BW_TARGET_ENEMY) {
        c->act = BW_ACT_HUNT; /* "stop the intruder" */
    }
    uint32_t units = c->units;
    if (c->others) units |= bw_plan_everybody(p) & ~p->used;
    if (!c->given) units = bw_plan_units(p, c);
    bool sweeping = c->given && c->units == bw_plan_everybody(p); /* "all": those in jail are passed over in silence */
    uint32_t end = 0;
    int cancelled = 0;
    for (int index = 0; index < p->config->pieces; index++) {
        if (!bw_war_is(units, index)) continue;
        uint32_t round = begins(p, c, index);
        bool jailed = bw_war_is(p->state->jailed, bw_plan_number(p, index)) && round == p->first;
        bool cancels = c->has_act && c->act == BW_ACT_CANCEL;
        if (jailed && !cancels && (sweeping || c->others || !c->given)) continue;
        p->used |= 1u << index;
        cancelled += carry_out(p, c, index, round);
        end = p->clock[index] > end ? p->clock[index] : end;
    }
    if (c->has_act && c->act == BW_ACT_CANCEL && !cancelled) {
        bw_plan_complain(p, "No order is waiting.");
    }
    p->last_units = units;
    p->last_given = c->given;
    p->last_end = end;
    memcpy(&p->last, c, sizeof *c);
}

/* ---- the answer ---- */

static void put_answer(bw_plan *p, bool complete, bw_words_answer *answer) {
    bw_out out = bw_out_to(answer->error, sizeof answer->error - 1);
    answer->count = p->count;
    answer->understood = complete && p->told && !p->vague && !p->unclear.length && !p->unclear.overflow;
    bw_war_summary(p->actions, p->count, answer->summary, sizeof answer->summary);
    if (p->unclear.length) {
        bw_out_text(&out, "Not understood: ");
        bw_out_bytes(&out, p->unclear_text, p->unclear.length);
        bw_out_text(&out, ". ");
    }
    if (p->trouble.length) {
        bw_out_bytes(&out, p->trouble_text, p->trouble.length);
        bw_out_text(&out, " ");
    }
    if (!complete) bw_out_text(&out, "The end of the text was left out. ");
    if (!p->count && !p->trouble.length) {
        bw_out_text(&out, "Try \"piece 2 up 3\", \"1 to 4,2\", \"middle to the flag\", rush, guard, come home, rescue, "
                          "hold, cancel; \"then\", \"in 2 rounds\".");
    }
    while (out.length && out.at[out.length - 1] == ' ') out.length--;
    answer->error[out.length] = '\0';
}

void bw_war_read(const bw_war_state *state, int team, bw_war_draft *draft, const char *text, bw_war_action *actions,
                 uint32_t cap, bw_words_answer *answer) {
    bw_lexeme lexemes[BW_LEXEMES_MAX];
    bw_plan p = {.text = text,
                 .state = state,
                 .config = &state->config,
                 .team = team,
                 .first = state->round + 1,
                 .draft = draft,
                 .actions = actions,
                 .cap = cap,
                 .last = {.direction = -1}};
    p.unclear = bw_out_to(p.unclear_text, sizeof p.unclear_text);
    p.trouble = bw_out_to(p.trouble_text, sizeof p.trouble_text);
    for (int i = 0; i < BW_WAR_TEAM_MAX; i++) p.clock[i] = p.first;
    bool complete = bw_lex(text, lexemes);
    bw_parser parser = {.at = lexemes, .state = state, .team = team, .unknown = quote, .user = &p};
    bw_clause clause;
    while (bw_clause_next(&parser, &clause)) follow(&p, &clause);
    put_answer(&p, complete, answer);
}
