/* Orders in words: from clauses to orders.
 *
 * A clause without units is given to whom it suits: the next step of the clause before ("... then left
 * 2"), or the piece that is nearest to what is to be done. What a word leaves open is decided here, and
 * every order is prepared on a copy of the queue, so that what is answered is what the rules accept. */
#include <string.h>

#include "bots/flag_war/clause.h"
#include "bots/flag_war/policy.h"
#include "bots/flag_war/words.h"
#include "engine/json.h"

typedef struct plan {
    const char *text;
    const bw_war_state *state;
    const bw_war_config *config;
    int team;
    uint32_t first;                   /* the next round */
    bw_war_draft *draft;
    bw_war_action *actions;
    uint32_t count, cap;
    uint32_t clock[BW_WAR_TEAM_MAX];  /* the first round that a piece has no order of this text for */
    uint32_t used;                    /* pieces named or chosen so far */
    uint32_t last_units, last_end;    /* of the clause before */
    bool last_given;
    bw_clause last;
    uint32_t taken_count;             /* squares that this text sends somebody to */
    bw_war_spot taken[BW_WAR_TEAM_MAX];
    bool told, vague;                 /* something was to be done; it was not said by whom */
    bw_out unclear;                   /* quoted, ", " between */
    bw_out trouble;                   /* sentences */
    char unclear_text[96], trouble_text[128];
} plan;

/* ---- what went wrong ---- */

static void quote(void *user, uint16_t from, uint16_t to) {
    plan *p = user;
    size_t length = (size_t)(to - from);
    if (p->unclear.length + length + 4 > sizeof p->unclear_text || p->unclear.overflow) {
        p->unclear.overflow = true;
        return;
    }
    bw_out_text(&p->unclear, p->unclear.length ? ", \"" : "\"");
    bw_out_bytes(&p->unclear, p->text + from, length);
    bw_out_text(&p->unclear, "\"");
}

/* Whole sentences only: one that does not fit is left out. */
static void complain(plan *p, const char *sentence) {
    bw_out before = p->trouble;
    if (p->trouble.length) {
        bw_out_text(&p->trouble, " ");
    }
    bw_out_text(&p->trouble, sentence);
    if (p->trouble.overflow) {
        p->trouble = before;
    }
}

static void complain_of(plan *p, int index, const char *rest) {
    char sentence[64];
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_text(&out, "Piece ");
    bw_out_int(&out, index + 1);
    bw_out_text(&out, rest);
    sentence[out.length] = '\0';
    complain(p, sentence);
}

/* ---- orders ---- */

static int number_of(const plan *p, int index) { return bw_war_piece(p->team, index); }

static bw_war_spot stands(const plan *p, int index, uint32_t round) {
    return bw_war_planned(p->state, p->draft, number_of(p, index), round);
}

static bool emit(plan *p, const bw_war_action *action) {
    if (p->count == p->cap) {
        complain(p, "That is more than can be ordered at once.");
        return false;
    }
    int refusal = bw_war_prepare(p->state, p->team, p->draft, action);
    if (refusal < 0) {
        complain(p, refusal == BW_WAR_REFUSE(BW_WAR_BEYOND_HORIZON) ? "That is too many rounds ahead."
                                                                    : bw_refusal(&bw_flag_war, refusal));
        return false;
    }
    memcpy(&p->actions[p->count++], action, sizeof *action);
    return true;
}

static bool order(plan *p, int index, uint32_t round, bw_war_spot to) {
    bw_war_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_WAR_COMMAND;
    action.as.command = (bw_war_command){.piece = index + 1,
                                         .has_to = true,
                                         .to = {.x = bw_war_x(to), .y = bw_war_y(to)},
                                         .has_round = true,
                                         .round = round};
    if (bw_war_is(p->state->jailed, number_of(p, index)) && round == p->first) {
        complain_of(p, index, " is in jail.");
        return false;
    }
    if (!emit(p, &action)) {
        return false;
    }
    p->clock[index] = round + 1;
    return true;
}

/* Takes back what waits for a piece in rounds first .. last. Returns how many. */
static int cancel(plan *p, int index, uint32_t first, uint32_t last) {
    int count = 0;
    for (uint32_t round = first; round <= last; round++) {
        bw_war_action action;
        if (!p->draft->to[round % BW_WAR_SLOTS][index]) {
            continue;
        }
        memset(&action, 0, sizeof action);
        action.type = BW_WAR_CANCEL;
        action.as.cancel = (bw_war_cancel){.piece = index + 1, .has_round = true, .round = round};
        if (!emit(p, &action)) {
            break;
        }
        count++;
    }
    return count;
}

static uint32_t horizon(const plan *p) { return p->first + p->config->horizon - 1; }

static bool closed(const plan *p, bw_war_spot square) {
    return !p->state->carrier[p->team] && bw_war_guarded(p->config, p->team, square);
}

/* Move by move to a square, sideways first on own ground. */
static bool walk(plan *p, int index, uint32_t round, bw_war_spot target) {
    if (closed(p, target)) {
        complain(p, "That is in our own no-guard zone, closed while our flag is home.");
        return false;
    }
    bw_war_spot at = stands(p, index, round);
    if (at == target) {
        return order(p, index, round, target);
    }
    for (; at != target; round++) {
        bool rows_first = bw_war_ground(p->config, at) != p->team;
        bw_war_spot to = bw_war_head_for(p->config, at, target, rows_first);
        if (closed(p, to)) {
            to = bw_war_head_for(p->config, at, target, !rows_first);
        }
        if (!order(p, index, round, to)) {
            return false;
        }
        at = to;
    }
    return true;
}

/* ---- where to ---- */

static bool on_board(plan *p, int x, int y, bw_war_spot *target) {
    if (!bw_war_on_board(p->config, x, y)) {
        complain(p, "That square is not on the board.");
        return false;
    }
    *target = bw_war_square(x, y);
    return true;
}

/* This text has sent somebody there, or another own piece stands there that it has not moved. */
static bool taken(const plan *p, int index, bw_war_spot square) {
    for (uint32_t i = 0; i < p->taken_count; i++) {
        if (p->taken[i] == square) {
            return true;
        }
    }
    for (int i = 0; i < p->config->pieces; i++) {
        if (i != index && p->clock[i] == p->first && bw_war_departs(p->state, number_of(p, i)) == square) {
            return true;
        }
    }
    return false;
}

static int nth_offset(int n) { return n % 2 ? -(n + 1) / 2 : n / 2; } /* 0, -1, 1, -2, 2 ... */

/* The square itself, or, where it is taken, one beside it: in the same row first. */
static bw_war_spot beside(const plan *p, int index, bw_war_spot square) {
    for (int ring = 0; ring < BW_WAR_SIDE_MAX; ring++) {
        for (int row = 0; row <= 2 * ring; row++) {
            for (int dx = -ring; dx <= ring; dx++) {
                int dy = nth_offset(row);
                int x = bw_war_x(square) + dx, y = bw_war_y(square) + dy;
                bool edge = bw_war_apart(dx, 0) == ring || bw_war_apart(dy, 0) == ring;
                if (edge && bw_war_on_board(p->config, x, y) && !taken(p, index, bw_war_square(x, y)) &&
                    (ring == 0 || !closed(p, bw_war_square(x, y)))) {
                    return bw_war_square(x, y);
                }
            }
        }
    }
    return square;
}

/* The row of the own ground that lies next to the middle. */
static int border(const plan *p) {
    int rows = bw_war_territory_rows(p->config);
    return p->team == BW_WAR_BLUE ? p->config->height - rows : rows - 1;
}

/* In front of the own zone, as far to the side as the clause says. */
static bw_war_spot guard_post(const plan *p, const bw_clause *c) {
    int x = bw_war_x(bw_war_flag(p->config, p->team));
    int aside = p->config->guard_distance + 1;
    x += c->direction == BW_WAR_LEFT ? -aside : c->direction == BW_WAR_RIGHT ? aside : 0;
    return bw_war_square(x, bw_war_y(bw_war_start(p->config, number_of(p, 0))));
}

/* An enemy: by number, the carrier of the own flag, or the one that is nearest to the own flag. */
static bool enemy_at(plan *p, int which, bw_war_spot *target) {
    int enemy = -1, nearest = 0;
    bw_war_spot flag = bw_war_flag(p->config, p->team);
    int carrier = p->state->carrier[p->team] - 1;
    if (which > p->config->pieces) {
        complain(p, "There is no such enemy piece.");
        return false;
    }
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
        complain(p, which == -1 ? "No enemy carries our flag." : "That enemy piece is in jail.");
        return false;
    }
    *target = bw_war_departs(p->state, enemy);
    return true;
}

static bool key_at(plan *p, int team, bool must_lie_there, bw_war_spot *target) {
    *target = bw_war_key(p->config, team);
    if (*target == BW_WAR_NOWHERE) {
        complain(p, "This game has no keys.");
        return false;
    }
    if (must_lie_there && !p->state->key[team]) {
        complain(p, "There is no key on the board: none of ours was in jail last round.");
        return false;
    }
    return true;
}

static bw_war_spot corner(const plan *p, int direction) {
    bool left = direction == BW_WAR_UP_LEFT || direction == BW_WAR_DOWN_LEFT;
    bool top = direction == BW_WAR_UP_LEFT || direction == BW_WAR_UP_RIGHT;
    return bw_war_square(left ? 0 : p->config->width - 1, top ? 0 : p->config->height - 1);
}

/* Home: with the enemy's flag the nearest own row, else the starting square. */
static bw_war_spot home_of(const plan *p, int index, uint32_t round) {
    bool carries = p->state->carrier[1 - p->team] == number_of(p, index) + 1;
    return carries ? bw_war_square(bw_war_x(stands(p, index, round)), border(p)) : bw_war_start(p->config, number_of(p, index));
}

/* Where a clause sends a piece (-1: whoever is nearest). false: nowhere, and it has been said why. */
static bool target_of(plan *p, const bw_clause *c, int index, uint32_t round, bw_war_spot *target) {
    bw_war_spot at = index < 0 ? bw_war_flag(p->config, p->team) : stands(p, index, round);
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
    case BW_TARGET_KEY:
        return key_at(p, guards && c->whose != BW_WHOSE_OWN ? 1 - p->team : c->whose == BW_WHOSE_ENEMY ? 1 - p->team : p->team,
                      !guards && c->whose != BW_WHOSE_ENEMY, target);
    case BW_TARGET_FLAG:
        if (c->whose == BW_WHOSE_OWN || (guards && c->whose != BW_WHOSE_ENEMY)) {
            *target = guard_post(p, c);
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

/* ---- who ---- */

static bool free_for(const plan *p, int index) {
    int number = number_of(p, index);
    return !bw_war_is(p->state->jailed, number) && !bw_war_is(p->used, index) &&
           p->state->carrier[1 - p->team] != number + 1;
}

/* The free piece with the shortest way; -1: there is none. */
static int nearest_to(const plan *p, bw_war_spot target) {
    int best = -1, least = 0;
    for (int i = 0; i < p->config->pieces; i++) {
        if (!free_for(p, i)) {
            continue;
        }
        bw_war_spot at = stands(p, i, p->clock[i]);
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

/* The free piece furthest to a side. */
static int outermost(const plan *p, int direction) {
    int best = -1;
    for (int i = 0; i < p->config->pieces; i++) {
        if (!free_for(p, i)) {
            continue;
        }
        int x = bw_war_x(stands(p, i, p->clock[i]));
        int best_x = best < 0 ? 0 : bw_war_x(stands(p, best, p->clock[best]));
        if (best < 0 || (direction == BW_WAR_LEFT ? x < best_x : x > best_x)) {
            best = i;
        }
    }
    return best;
}

static uint32_t everybody(const plan *p) { return (1u << p->config->pieces) - 1; }

/* The carrier, else whoever is away, else everybody: to the starting squares, or holding there. */
static uint32_t who_retreats(const plan *p) {
    int carrier = p->state->carrier[1 - p->team] - 1;
    uint32_t away = 0, home = 0;
    if (carrier >= 0) {
        return 1u << (carrier - p->team * BW_WAR_TEAM_MAX);
    }
    for (int i = 0; i < p->config->pieces; i++) {
        bw_war_spot at = bw_war_departs(p->state, number_of(p, i));
        if (at != BW_WAR_NOWHERE) {
            *(bw_war_ground(p->config, at) == p->team ? &home : &away) |= 1u << i;
        }
    }
    return away ? away : home;
}

/* The side of a verb that has none: not that of the clause before. */
static int side_of(const plan *p, const bw_clause *c) {
    if (c->direction == BW_WAR_LEFT || c->direction == BW_WAR_RIGHT) {
        return c->direction;
    }
    if (p->last.has_act && p->last.direction == BW_WAR_RIGHT) {
        return BW_WAR_LEFT;
    }
    return c->act == BW_ACT_SNEAK ? BW_WAR_RIGHT : BW_WAR_LEFT;
}

static uint32_t one(int index) { return index < 0 ? 0 : 1u << index; }

/* Units for a clause that names none. */
static uint32_t choose_units(plan *p, const bw_clause *c) {
    bw_act act = c->has_act ? (bw_act)c->act : c->direction >= 0 ? BW_ACT_STEP : BW_ACT_GO;
    bool follows = c->then || p->last_given || act == BW_ACT_STEP || act == BW_ACT_RETREAT || act == BW_ACT_HOLD;
    if (p->last_units && follows && !c->nearest) {
        return p->last_units;
    }
    bool same = p->last.has_act && c->has_act && p->last.act == c->act && p->last.target == c->target && !c->nearest;
    if (p->last_units && same && act != BW_ACT_DISTRACT && act != BW_ACT_SNEAK) {
        return p->last_units;
    }
    bw_war_spot target;
    uint32_t units;
    switch (act) {
    case BW_ACT_HOLD:
    case BW_ACT_CANCEL: return everybody(p);
    case BW_ACT_RETREAT: return who_retreats(p);
    case BW_ACT_DISTRACT:
    case BW_ACT_SNEAK: units = one(outermost(p, side_of(p, c))); break;
    case BW_ACT_STEP: units = p->config->pieces == 1 ? 1 : 0; break;
    default:
        if (!target_of(p, c, -1, p->first, &target)) {
            return 0;
        }
        units = one(nearest_to(p, target));
    }
    if (!units) {
        p->vague = p->vague || act == BW_ACT_STEP;
        complain(p, act == BW_ACT_STEP ? "Say which piece: \"piece 2 up 3\"." : "No piece is free for that.");
    }
    return units;
}

/* ---- carrying out ---- */

static bool step(plan *p, const bw_clause *c, int index, uint32_t round) {
    if (c->direction >= BW_WAR_UP_LEFT && !p->config->diagonals) {
        complain(p, "Pieces move up, down, left or right.");
        return false;
    }
    int distance = c->distance < 0 ? 1 : c->distance;
    uint32_t repeats = c->until_told ? p->config->horizon : c->lasting > 0 ? (uint32_t)c->lasting : 1;
    bool any = false;
    for (uint32_t n = 0; n < repeats; n++, round++) {
        bw_war_spot from = stands(p, index, round);
        bw_war_spot to = bw_war_toward(p->config, from, c->direction, distance);
        if (any && to == from) {
            break; /* at the edge */
        }
        if (round == p->first && closed(p, to) && to != from) {
            complain(p, "That is in our own no-guard zone, closed while our flag is home.");
            return any;
        }
        if (!order(p, index, round, to)) {
            return any;
        }
        any = true;
    }
    return any;
}

static bool hold(plan *p, int index, uint32_t round, int lasting) {
    bool any = false;
    for (int n = 0; n < lasting && n < BW_WAR_HORIZON_MAX; n++, round++) {
        if (!order(p, index, round, stands(p, index, round))) {
            break;
        }
        any = true;
    }
    return any;
}

/* Along the edge of the board, to the border of the enemy's ground (a decoy) or round to its flag. */
static bool go_round(plan *p, const bw_clause *c, int index, uint32_t round) {
    int side = side_of(p, c), rows = bw_war_territory_rows(p->config);
    int enemy_border = p->team == BW_WAR_BLUE ? rows - 1 : p->config->height - rows;
    bw_war_spot flag = bw_war_flag(p->config, 1 - p->team);
    int x = side == BW_WAR_LEFT ? 0 : p->config->width - 1;
    bool sneaks = c->act == BW_ACT_SNEAK;
    return walk(p, index, round, bw_war_square(x, bw_war_y(stands(p, index, round)))) &&
           walk(p, index, p->clock[index], bw_war_square(x, sneaks ? bw_war_y(flag) : enemy_border)) &&
           (!sneaks || walk(p, index, p->clock[index], flag));
}

static bool go(plan *p, const bw_clause *c, int index, uint32_t round) {
    bw_war_spot target;
    if (!target_of(p, c, index, round, &target)) {
        return false;
    }
    bool as_told = c->target == BW_TARGET_SQUARE || c->target == BW_TARGET_ENEMY || (c->has_act && c->act == BW_ACT_HUNT);
    target = as_told ? target : beside(p, index, target);
    if (p->taken_count < BW_WAR_TEAM_MAX) {
        p->taken[p->taken_count++] = target;
    }
    return walk(p, index, round, target);
}

static bool carry_out(plan *p, const bw_clause *c, int index, uint32_t round) {
    bw_act act = c->has_act ? (bw_act)c->act : c->direction >= 0 && c->target == BW_TARGET_NONE ? BW_ACT_STEP : BW_ACT_GO;
    bool done;
    if (act == BW_ACT_CANCEL) {
        bool all = !c->at_round && !c->delay;
        return cancel(p, index, all ? p->first : round, all ? horizon(p) : round) > 0;
    }
    if (act == BW_ACT_STEP) {
        return step(p, c, index, round);
    }
    if (act == BW_ACT_HOLD) {
        done = hold(p, index, round, c->lasting > 0 ? c->lasting : 1);
    } else {
        done = act == BW_ACT_DISTRACT || act == BW_ACT_SNEAK ? go_round(p, c, index, round) : go(p, c, index, round);
        uint32_t lasting = c->lasting > 0 ? (uint32_t)c->lasting : 0, until = round + lasting;
        if (done && p->clock[index] < until) {
            hold(p, index, p->clock[index], (int)(until - p->clock[index]));
        }
    }
    if (done && c->until_told) {
        cancel(p, index, p->clock[index], horizon(p));
    }
    return done;
}

static uint32_t begins(const plan *p, const bw_clause *c, int index) {
    uint32_t base = p->clock[index];
    base = c->then && p->last_end > base ? p->last_end : base;
    if (c->at_round > 0) {
        return (uint32_t)c->at_round > p->first ? (uint32_t)c->at_round : p->first;
    }
    return base + (uint32_t)(c->delay > 1 ? c->delay - 1 : 0);
}

static void follow(plan *p, bw_clause *c) {
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
    if (c->others) {
        units |= everybody(p) & ~p->used;
    }
    if (!c->given) {
        units = choose_units(p, c);
    }
    bool sweeping = c->given && c->units == everybody(p); /* "all": those in jail are passed over in silence */
    uint32_t end = 0;
    int cancelled = 0;
    for (int index = 0; index < p->config->pieces; index++) {
        if (!bw_war_is(units, index)) {
            continue;
        }
        uint32_t round = begins(p, c, index);
        bool jailed = bw_war_is(p->state->jailed, number_of(p, index)) && round == p->first;
        bool cancels = c->has_act && c->act == BW_ACT_CANCEL;
        if (jailed && !cancels && (sweeping || c->others || !c->given)) {
            continue;
        }
        p->used |= 1u << index;
        cancelled += carry_out(p, c, index, round);
        end = p->clock[index] > end ? p->clock[index] : end;
    }
    if (c->has_act && c->act == BW_ACT_CANCEL && !cancelled) {
        complain(p, "No order is waiting.");
    }
    p->last_units = units;
    p->last_given = c->given;
    p->last_end = end;
    memcpy(&p->last, c, sizeof *c);
}

/* ---- the answer ---- */

static void put_answer(plan *p, bool complete, bw_words_answer *answer) {
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
    if (!complete) {
        bw_out_text(&out, "The end of the text was left out. ");
    }
    if (!p->count && !p->trouble.length) {
        bw_out_text(&out, "Try \"piece 2 up 3\", \"1 to 4,2\", \"middle to the flag\", rush, guard, come home, rescue, "
                          "hold, cancel; \"then\", \"in 2 rounds\".");
    }
    while (out.length && out.at[out.length - 1] == ' ') {
        out.length--;
    }
    answer->error[out.length] = '\0';
}

void bw_war_read(const bw_war_state *state, int team, bw_war_draft *draft, const char *text, bw_war_action *actions,
                 uint32_t cap, bw_words_answer *answer) {
    bw_lexeme lexemes[BW_LEXEMES_MAX];
    plan p = {.text = text,
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
    for (int i = 0; i < BW_WAR_TEAM_MAX; i++) {
        p.clock[i] = p.first;
    }
    bool complete = bw_lex(text, lexemes);
    bw_parser parser = {.at = lexemes, .state = state, .team = team, .unknown = quote, .user = &p};
    bw_clause clause;
    while (bw_clause_next(&parser, &clause)) {
        follow(&p, &clause);
    }
    put_answer(&p, complete, answer);
}
