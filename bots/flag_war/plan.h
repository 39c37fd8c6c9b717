/* Orders as text: what plan.c and its parts share while reading one text.
 *
 *   plan.c         carries out clauses, one after another, and writes the answer
 *   plan_who.c     which pieces a clause means if it names none
 *   plan_where.c   which square a clause means
 *   plan_orders.c  orders on the way to a square, prepared on a copy of the queue
 *
 * A plan lives for one call of bw_war_read. The rules bound its arrays; a text that asks for more is answered with a
 * sentence. */
#ifndef BW_FLAG_WAR_PLAN_H
#define BW_FLAG_WAR_PLAN_H

#include "bots/flag_war/clause.h"
#include "engine/json.h"

typedef struct bw_plan {
    const char *text;
    int counts_from; /* numbering of columns and rows */
    const bw_war_state *state;
    const bw_war_config *config;
    int team;
    uint32_t first; /* the next round */
    bw_war_draft *draft;
    bw_war_action *actions;
    uint32_t count, cap;
    uint32_t clock[BW_WAR_TEAM_MAX]; /* the first round for which this text has not yet ordered a piece */
    uint32_t used;                   /* pieces named or chosen so far */
    uint32_t met;                    /* the same, plus those to be rescued or guarded */
    uint32_t last_units, last_end;   /* of the previous clause */
    bool last_given;
    bw_clause last;
    uint32_t taken_count; /* squares to which this text sends a piece */
    bw_war_spot taken[BW_WAR_TEAM_MAX];
    bool told, vague; /* a deed without a piece */
    bw_out unclear;   /* quoted, separated by ", " */
    bw_out trouble;   /* sentences */
    char unclear_text[96], trouble_text[128];
} bw_plan;

static inline int bw_plan_number(const bw_plan *p, int index) { return bw_war_piece(p->team, index); }
static inline uint32_t bw_plan_everybody(const bw_plan *p) { return (1u << p->config->pieces) - 1; }
/* The last round that can be ordered. */
static inline uint32_t bw_plan_horizon(const bw_plan *p) { return p->first + p->config->horizon - 1; }
/* Where a piece is before the moves of `round`, by its queue and this text so far. */
static inline bw_war_spot bw_plan_stands(const bw_plan *p, int index, uint32_t round) {
    return bw_war_planned(p->state, p->draft, bw_plan_number(p, index), round);
}

/* Adds a sentence to the answer; a sentence that does not fit is dropped. Returns false, for whoever gives up. */
bool bw_plan_refuse(bw_plan *p, const char *sentence);

/* plan_orders.c: false: the order was refused, and the plan says why. */
bool bw_plan_order(bw_plan *p, int index, uint32_t round, bw_war_spot to);
/* Move by move to a square, from `round` on. */
bool bw_plan_walk(bw_plan *p, int index, uint32_t round, bw_war_spot target);
/* Cancels the waiting orders of a piece in rounds first .. last. Returns how many. */
int bw_plan_cancel(bw_plan *p, int index, uint32_t first, uint32_t last);
/* A square of the own no-guard zone, if it is active now. */
bool bw_plan_closed(const bw_plan *p, bw_war_spot square);

/* plan_where.c: the target square of a clause (-1: that of the nearest piece). false: no target, and the plan says
 * why. */
bool bw_plan_target(bw_plan *p, const bw_clause *c, int index, uint32_t round, bw_war_spot *target);
/* True if this text has sent a piece there, or another own piece is there and has not been moved. */
bool bw_plan_taken(const bw_plan *p, int index, bw_war_spot square);
/* The square itself, or, if it is taken, one next to it: first in the same row. */
bw_war_spot bw_plan_beside(const bw_plan *p, int index, bw_war_spot square);

/* plan_who.c: units for a clause that names none; 0: none, and the plan says why. */
uint32_t bw_plan_units(bw_plan *p, const bw_clause *c);
/* The side of a clause that goes around the board. */
int bw_plan_side(const bw_plan *p, const bw_clause *c);

#endif
