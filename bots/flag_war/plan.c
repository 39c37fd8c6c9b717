/* Orders as text: from clauses to orders.
 *
 * A clause without units goes to the most suitable ones: the units of the previous clause if it is a next step ("...
 * then left 2"), else the piece nearest to the target. Open details are decided here. Every order is prepared on a
 * copy of the queue, so the answer contains exactly what the rules accept. */
#include "bots/flag_war/plan.h"
#include "bots/flag_war/policy.h"

#include <string.h>

#include "bots/flag_war/words.h"

/* A word that is not understood: the answer quotes it. */
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
        return bw_plan_refuse(p, "Pieces move up, down, left or right.");
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
            bw_plan_refuse(p, "That is in our own no-guard zone, closed while our flag is home.");
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

/* Along the edge of the board, to the border of the enemy's ground (a decoy) or around to its flag. */
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

/* "to 4,5 in round 9" means to arrive in round 9: when a walk of several moves has to start. */
static uint32_t in_time_for(const bw_plan *p, int index, uint32_t round, bw_war_spot target) {
    bw_war_spot at = bw_plan_stands(p, index, round);
    uint32_t moves = 0;
    for (; at != target && moves < 2 * BW_WAR_SIDE_MAX; moves++) {
        at = bw_war_head_for(p->config, at, target, bw_war_ground(p->config, at) != p->team);
    }
    uint32_t before = moves > 1 ? moves - 1 : 0;
    return round > p->clock[index] + before ? round - before : p->clock[index];
}

static bool go(bw_plan *p, const bw_clause *c, int index, uint32_t round) {
    bw_war_spot target;
    if (!bw_plan_target(p, c, index, round, &target)) return false;
    bool as_told =
        c->target == BW_TARGET_SQUARE || c->target == BW_TARGET_ENEMY || (c->has_act && c->act == BW_ACT_HUNT);
    if (c->target == BW_TARGET_OWN && p->taken_count < BW_WAR_TEAM_MAX) p->taken[p->taken_count++] = target;
    target = as_told ? target : bw_plan_beside(p, index, target);
    if (c->at_round > 0) round = in_time_for(p, index, round, target);
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

static int how_many(uint32_t units) {
    int count = 0;
    for (; units; units &= units - 1) count++;
    return count;
}

/* A clause that cannot be carried out as written: the answer says why, and all other orders become a proposal. */
static void refuse(bw_plan *p, const char *sentence) {
    p->vague = true;
    bw_plan_refuse(p, sentence);
}

/* The two pieces meant by "both"; 0: unclear. */
static uint32_t both(const bw_plan *p) {
    if (how_many(p->met) == 2) return p->met;
    if (how_many(p->last_units) == 2) return p->last_units;
    return p->config->pieces == 2 ? bw_plan_everybody(p) : 0;
}

/* The pieces that a clause is about, which do not act themselves. false: nothing can be done for them. */
static bool heed_objects(bw_plan *p, const bw_clause *c) {
    uint32_t jailed = 0;
    for (int i = 0; i < p->config->pieces; i++) {
        if (bw_war_is(p->state->jailed, bw_plan_number(p, i))) jailed |= 1u << i;
    }
    p->met |= c->objects;
    if (c->act == BW_ACT_RESCUE && !(c->objects & jailed)) {
        return refuse(p, how_many(c->objects) == 1 ? "That piece is not in jail." : "Those pieces are not in jail."),
               false;
    }
    if (c->act == BW_ACT_GUARD && c->objects & jailed) return refuse(p, "That piece is in jail."), false;
    if (c->given && !(c->units & ~c->objects) && !c->others) {
        return refuse(p, "A piece can't do that for itself."), false;
    }
    return true;
}

static void follow(bw_plan *p, bw_clause *c) {
    bool says = c->has_act || c->direction >= 0 || c->target != BW_TARGET_NONE;
    if (c->broken) return; /* quoted */
    if (c->foreign) {
        refuse(p, "Only your own pieces take orders.");
        return;
    }
    if (c->negated || !says) {
        quote(p, c->from, c->to);
        return;
    }
    p->told = true;
    if (c->has_act && c->act == BW_ACT_HOLD && c->target == BW_TARGET_ENEMY) {
        c->act = BW_ACT_HUNT; /* "stop the intruder" */
    }
    if (c->objects && !heed_objects(p, c)) return;
    if (c->both) {
        c->units |= both(p);
        if (!c->units) {
            refuse(p, "Say which two: \"1 and 3 up 2\".");
            return;
        }
    }
    if (c->everyone && !c->given) {
        c->given = true;
        c->units = bw_plan_everybody(p);
    }
    c->units &= ~c->objects;
    uint32_t used = p->used;
    p->used |= c->objects; /* while choosing */
    uint32_t units = c->units;
    if (c->others) units |= bw_plan_everybody(p) & ~p->used;
    if (!c->given) units = bw_plan_units(p, c) & ~c->objects;
    p->used = used;
    bool sweeping = c->given && c->units == bw_plan_everybody(p); /* "all": pieces in jail are skipped silently */
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
        bw_plan_refuse(p, "No order is waiting.");
    }
    p->met |= units;
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
    bw_war_summary(p->actions, p->count, p->draft, p->counts_from, answer);
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
    if (p->count && !answer->understood) bw_out_text(&out, "So these orders are only proposed. ");
    if (!p->count && !p->trouble.length) {
        bw_out_text(&out, "Try \"piece 2 up 3\", \"1 to ");
        bw_out_text(&out, p->counts_from ? "5,3" : "4,2"); /* the same square with either numbering */
        bw_out_text(&out, "\", \"middle to the flag\", rush, guard, come home, rescue, hold, cancel; \"then\", "
                          "\"in 2 rounds\".");
    }
    while (out.length && out.at[out.length - 1] == ' ') out.length--;
    answer->error[out.length] = '\0';
}

void bw_war_read(const bw_war_state *state, int team, bw_war_draft *draft, const bw_words_asked *asked,
                 bw_war_action *actions, uint32_t cap, bw_words_answer *answer) {
    bw_lexeme lexemes[BW_LEXEMES_MAX];
    bw_plan p = {.text = asked->text,
                 .counts_from = asked->counts_from,
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
    bool complete = bw_lex(asked->text, lexemes);
    if (bw_clause_drop_conditions(lexemes)) {
        refuse(&p, "A sentence with a condition (if, when, until ...) orders nothing.");
    }
    bw_parser parser = {
        .at = lexemes, .state = state, .team = team, .counts_from = asked->counts_from, .unknown = quote, .user = &p};
    bw_clause clause;
    while (bw_clause_next(&parser, &clause)) follow(&p, &clause);
    put_answer(&p, complete, answer);
}
