/* Orders as text: which pieces a clause means if it names none. */
#include "bots/flag_war/plan.h"

static bool free_for(const bw_plan *p, int index) {
    int number = bw_plan_number(p, index);
    return !bw_war_is(p->state->jailed, number) && !bw_war_is(p->used, index) &&
           p->state->carrier[1 - p->team] != number + 1;
}

/* The free piece with the shortest way; -1: none. */
static int nearest_to(const bw_plan *p, bw_war_spot target) {
    int best = -1, least = 0;
    for (int i = 0; i < p->config->pieces; i++) {
        if (!free_for(p, i)) continue;
        bw_war_spot at = bw_plan_stands(p, i, p->clock[i]);
        int columns = bw_war_apart(bw_war_x(at), bw_war_x(target)), rows = bw_war_apart(bw_war_y(at), bw_war_y(target));
        int moves = bw_war_reaches(p->config, at, target) ? 0 : columns && rows ? 2 : 1;
        int cost = moves * 128 + columns + rows;
        if (best < 0 || cost < least) {
            best = i;
            least = cost;
        }
    }
    return best;
}

/* The free piece furthest to one side. */
static int outermost(const bw_plan *p, int direction) {
    int best = -1;
    for (int i = 0; i < p->config->pieces; i++) {
        if (!free_for(p, i)) continue;
        int x = bw_war_x(bw_plan_stands(p, i, p->clock[i]));
        int best_x = best < 0 ? 0 : bw_war_x(bw_plan_stands(p, best, p->clock[best]));
        if (best < 0 || (direction == BW_WAR_LEFT ? x < best_x : x > best_x)) best = i;
    }
    return best;
}

/* The carrier, else the pieces that are away, else all: go to the starting squares, or hold there. */
static uint32_t who_retreats(const bw_plan *p) {
    int carrier = p->state->carrier[1 - p->team] - 1;
    uint32_t away = 0, home = 0;
    if (carrier >= 0) return 1u << (carrier - p->team * BW_WAR_TEAM_MAX);
    for (int i = 0; i < p->config->pieces; i++) {
        bw_war_spot at = bw_war_departs(p->state, bw_plan_number(p, i));
        if (at != BW_WAR_NOWHERE) {
            *(bw_war_ground(p->config, at) == p->team ? &home : &away) |= 1u << i;
        }
    }
    return away ? away : home;
}

/* A side for a verb without one: not the one of the previous clause. */
int bw_plan_side(const bw_plan *p, const bw_clause *c) {
    if (c->direction == BW_WAR_LEFT || c->direction == BW_WAR_RIGHT) return c->direction;
    if (p->last.has_act && p->last.direction == BW_WAR_RIGHT) return BW_WAR_LEFT;
    return c->act == BW_ACT_SNEAK ? BW_WAR_RIGHT : BW_WAR_LEFT;
}

static uint32_t one(int index) { return index < 0 ? 0 : 1u << index; }

static uint32_t nearest_few(bw_plan *p, bw_war_spot target, int count) {
    uint32_t used = p->used, units = 0;
    for (int index; count > 0 && (index = nearest_to(p, target)) >= 0; count--) {
        units |= 1u << index;
        p->used |= units; /* while choosing */
    }
    p->used = used;
    return units;
}

/* Units for a clause that names none. */
uint32_t bw_plan_units(bw_plan *p, const bw_clause *c) {
    bw_act act = c->has_act ? (bw_act)c->act : c->direction >= 0 ? BW_ACT_STEP : BW_ACT_GO;
    bool goes_home = act == BW_ACT_GO && c->target == BW_TARGET_HOME;
    bool follows = c->then || p->last_given || act == BW_ACT_STEP || act == BW_ACT_RETREAT || act == BW_ACT_HOLD;
    if (p->last_units && follows && !c->nearest && !c->count) return p->last_units;
    bool same = p->last.has_act && c->has_act && p->last.act == c->act && p->last.target == c->target && !c->nearest &&
                !c->count;
    if (p->last_units && same && act != BW_ACT_DISTRACT && act != BW_ACT_SNEAK) {
        return p->last_units;
    }
    bw_war_spot target;
    uint32_t units;
    switch (goes_home ? BW_ACT_RETREAT : act) {
    case BW_ACT_HOLD:
    case BW_ACT_CANCEL: return bw_plan_everybody(p);
    case BW_ACT_RETREAT: return who_retreats(p);
    case BW_ACT_DISTRACT:
    case BW_ACT_SNEAK: units = one(outermost(p, bw_plan_side(p, c))); break;
    case BW_ACT_STEP: units = p->config->pieces == 1 ? 1 : 0; break;
    default:
        if (!bw_plan_target(p, c, -1, p->first, &target)) return 0;
        units = nearest_few(p, target, c->count > 1 ? c->count : 1);
    }
    if (!units) {
        p->vague = p->vague || act == BW_ACT_STEP;
        bw_plan_refuse(p, act == BW_ACT_STEP ? "Say which piece: \"piece 2 up 3\"." : "No piece is free for that.");
    }
    return units;
}
