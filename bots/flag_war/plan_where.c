/* Orders as text: which square a clause means. */
#include "bots/flag_war/plan.h"
#include "bots/flag_war/policy.h"

static bool on_board(bw_plan *p, int x, int y, bw_war_spot *target) {
    if (!bw_war_on_board(p->config, x, y)) {
        return bw_plan_refuse(p, "That square is not on the board.");
    }
    *target = bw_war_square(x, y);
    return true;
}

/* True if this text has sent a piece there, or another own piece is there and has not been moved. */
bool bw_plan_taken(const bw_plan *p, int index, bw_war_spot square) {
    for (uint32_t i = 0; i < p->taken_count; i++) {
        if (p->taken[i] == square) return true;
    }
    for (int i = 0; i < p->config->pieces; i++) {
        if (i != index && p->clock[i] == p->first && bw_war_departs(p->state, bw_plan_number(p, i)) == square) {
            return true;
        }
    }
    return false;
}

static int nth_offset(int n) { return n % 2 ? -(n + 1) / 2 : n / 2; } /* 0, -1, 1, -2, 2 ... */

/* The square itself, or, if it is taken, one next to it: first in the same row. */
bw_war_spot bw_plan_beside(const bw_plan *p, int index, bw_war_spot square) {
    for (int ring = 0; ring < BW_WAR_SIDE_MAX; ring++) {
        for (int row = 0; row <= 2 * ring; row++) {
            for (int dx = -ring; dx <= ring; dx++) {
                int dy = nth_offset(row);
                int x = bw_war_x(square) + dx, y = bw_war_y(square) + dy;
                bool edge = bw_war_apart(dx, 0) == ring || bw_war_apart(dy, 0) == ring;
                if (edge && bw_war_on_board(p->config, x, y) && !bw_plan_taken(p, index, bw_war_square(x, y)) &&
                    (ring == 0 || !bw_plan_closed(p, bw_war_square(x, y)))) {
                    return bw_war_square(x, y);
                }
            }
        }
    }
    return square;
}

/* The row of own ground next to the middle. */
static int border(const bw_plan *p) {
    int rows = bw_war_territory_rows(p->config);
    return p->team == BW_WAR_BLUE ? p->config->height - rows : rows - 1;
}

/* In front of the own zone, as far to the side as the clause says. */
static bw_war_spot guard_post(const bw_plan *p, const bw_clause *c) {
    int x = bw_war_x(bw_war_flag(p->config, p->team));
    int aside = p->config->guard_distance + 1;
    x += c->direction == BW_WAR_LEFT ? -aside : c->direction == BW_WAR_RIGHT ? aside : 0;
    return bw_war_square(x, bw_war_y(bw_war_start(p->config, bw_plan_number(p, 0))));
}

/* An enemy: by number, the carrier of the own flag, or the one nearest to the own flag. */
static bool enemy_at(bw_plan *p, int which, bw_war_spot *target) {
    int enemy = -1, nearest = 0;
    bw_war_spot flag = bw_war_flag(p->config, p->team);
    int carrier = p->state->carrier[p->team] - 1;
    if (which > p->config->pieces) return bw_plan_refuse(p, "There is no such enemy piece.");
    if (which > 0) {
        enemy = bw_war_piece(1 - p->team, which - 1);
    } else if (carrier >= 0) {
        enemy = carrier;
    } else if (which == 0) {
        for (int i = 0; i < p->config->pieces; i++) {
            bw_war_spot at = bw_war_departs(p->state, bw_war_piece(1 - p->team, i));
            int distance = bw_war_apart(bw_war_y(at), bw_war_y(flag)) * 32 + bw_war_apart(bw_war_x(at), bw_war_x(flag));
            if (at != BW_WAR_NOWHERE && (enemy < 0 || distance < nearest)) {
                enemy = bw_war_piece(1 - p->team, i);
                nearest = distance;
            }
        }
    }
    if (enemy < 0 || bw_war_departs(p->state, enemy) == BW_WAR_NOWHERE) {
        return bw_plan_refuse(p, which == -1 ? "No enemy carries our flag." : "That enemy piece is in jail.");
    }
    *target = bw_war_departs(p->state, enemy);
    return true;
}

/* Where a team's key is, or will be: a piece sent for a key that is not there yet goes there, and the answer says
 * so. */
static bool key_at(bw_plan *p, int team, bool to_take_it, bw_war_spot *target) {
    *target = bw_war_key(p->config, team);
    if (*target == BW_WAR_NOWHERE) return bw_plan_refuse(p, "This game has no keys.");
    if (to_take_it && !p->state->key[team]) {
        bw_plan_refuse(p, "There is no key on the board yet: it appears there once one of ours is in jail.");
    }
    return true;
}

static bw_war_spot corner(const bw_plan *p, int direction) {
    bool left = direction == BW_WAR_UP_LEFT || direction == BW_WAR_DOWN_LEFT;
    bool top = direction == BW_WAR_UP_LEFT || direction == BW_WAR_UP_RIGHT;
    return bw_war_square(left ? 0 : p->config->width - 1, top ? 0 : p->config->height - 1);
}

static bool carries(const bw_plan *p, int index) {
    return p->state->carrier[1 - p->team] == bw_plan_number(p, index) + 1;
}

/* Home: for a carrier the nearest own row, else the starting square. */
static bw_war_spot home_of(const bw_plan *p, int index, uint32_t round) {
    return carries(p, index) ? bw_war_square(bw_war_x(bw_plan_stands(p, index, round)), border(p))
                             : bw_war_start(p->config, bw_plan_number(p, index));
}

/* The target square of a clause (-1: that of the nearest piece). false: no target, and the answer says why. */
bool bw_plan_target(bw_plan *p, const bw_clause *c, int index, uint32_t round, bw_war_spot *target) {
    bw_war_spot at = index < 0 ? bw_war_flag(p->config, p->team) : bw_plan_stands(p, index, round);
    bool guards = c->has_act && c->act == BW_ACT_GUARD;
    switch ((bw_target_kind)c->target) {
    case BW_TARGET_SQUARE: return on_board(p, c->x, c->y, target);
    case BW_TARGET_COLUMN: return on_board(p, c->value, bw_war_y(at), target);
    case BW_TARGET_ROW: return on_board(p, bw_war_x(at), c->value, target);
    case BW_TARGET_CORNER: *target = corner(p, c->value); return true;
    case BW_TARGET_EDGE: *target = bw_war_toward(p->config, at, c->value, BW_WAR_SIDE_MAX); return true;
    case BW_TARGET_MIDDLE: *target = bw_war_square((p->config->width - 1) / 2, p->config->height / 2); return true;
    case BW_TARGET_HOME: *target = index < 0 ? at : home_of(p, index, round); return true;
    case BW_TARGET_ENEMY: return enemy_at(p, c->value, target);
    case BW_TARGET_OWN: *target = bw_plan_stands(p, c->value, p->clock[c->value]); return true;
    case BW_TARGET_KEY:
        return key_at(p,
                      guards && c->whose != BW_WHOSE_OWN ? 1 - p->team
                      : c->whose == BW_WHOSE_ENEMY       ? 1 - p->team
                                                         : p->team,
                      !guards && c->whose != BW_WHOSE_ENEMY, target);
    case BW_TARGET_FLAG:
        if (c->whose == BW_WHOSE_OWN || (guards && c->whose != BW_WHOSE_ENEMY)) {
            *target = guard_post(p, c);
        } else if (index >= 0 && carries(p, index)) {
            *target = home_of(p, index, round); /* the carrier has it already */
        } else {
            *target = bw_war_flag(p->config, 1 - p->team);
        }
        return true;
    case BW_TARGET_NONE: break;
    }
    switch (c->has_act ? (bw_act)c->act : BW_ACT_GO) {
    case BW_ACT_GUARD: *target = guard_post(p, c); return true;
    case BW_ACT_HUNT: return enemy_at(p, 0, target);
    case BW_ACT_RESCUE: return key_at(p, p->team, true, target);
    case BW_ACT_RETREAT: *target = index < 0 ? at : home_of(p, index, round); return true;
    default: *target = bw_war_flag(p->config, 1 - p->team); return true;
    }
}
