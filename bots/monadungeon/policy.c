#include "bots/monadungeon/policy.h"

#include <string.h>

enum { HOPELESS = -100000 };

/* The side on which a cell lies next to another one, or -1. */
static int side_between(int x, int y, int to_x, int to_y) {
    int dx = to_x - x, dy = to_y - y;
    return dx * dx + dy * dy != 1 ? -1 : dx ? 2 - dx : 1 + dy;
}

static void reach(bw_dungeon_ways *ways, uint8_t from, uint8_t to) {
    if (to != BW_DUNGEON_NONE && ways->distance[to] == BW_DUNGEON_NONE) {
        ways->distance[to] = (uint8_t)(ways->distance[from] + 1);
        ways->before[to] = from;
        ways->order[ways->count++] = to;
    }
}

static void set_out(const bw_dungeon *dungeon, uint8_t from, bw_dungeon_ways *ways) {
    memset(ways->distance, BW_DUNGEON_NONE, dungeon->tile_count);
    ways->distance[from] = 0;
    ways->before[from] = from;
    ways->order[0] = from;
    ways->count = 1;
}

static void go_on_from(const bw_dungeon *dungeon, uint8_t at, bw_dungeon_ways *ways) {
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    if (tile->monster != BW_DUNGEON_NONE) return;
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) reach(ways, at, tile->next[side]);
    if (tile->kind == BW_DUNGEON_GATE) reach(ways, at, bw_dungeon_other_gate(dungeon, at));
}

void bw_dungeon_find_ways(const bw_dungeon *dungeon, uint8_t from, bw_dungeon_ways *ways) {
    set_out(dungeon, from, ways);
    for (int i = 0; i < ways->count; i++) go_on_from(dungeon, ways->order[i], ways);
}

bool bw_dungeon_find_way(const bw_dungeon *dungeon, uint8_t from, uint8_t to, bw_dungeon_ways *ways) {
    set_out(dungeon, from, ways);
    for (int i = 0; i < ways->count && ways->distance[to] == BW_DUNGEON_NONE; i++) {
        go_on_from(dungeon, ways->order[i], ways);
    }
    return ways->distance[to] != BW_DUNGEON_NONE;
}

/* The present value of something that many moves away: each further turn reduces it, and after the torches have
 * burnt down it is worth nothing. */
static int32_t by_now(const bw_dungeon_evaluator *eval, int32_t worth, int distance) {
    const bw_dungeon *dungeon = eval->dungeon;
    int further = distance - dungeon->actions_left;
    int turns = further <= 0 ? 0 : (further + dungeon->actions - 1) / dungeon->actions;
    if (dungeon->lit_by != BW_DUNGEON_NONE && turns > dungeon->torches) return HOPELESS;
    for (int i = 0; i < turns && worth > 0; i++) worth -= worth * eval->weights->haste / 1000;
    return worth - eval->weights->step * distance;
}

static bool stands_on_fountain(const bw_dungeon *dungeon, uint8_t at) {
    return bw_dungeon_is_fountain(dungeon->tiles[at].kind);
}

/* What is the same for every tile while goals are collected. */
typedef struct collection {
    bw_dungeon_evaluator *eval;
    bw_dungeon_goal *goals;
    int count, explorable;
    int32_t healing, unknown[2];
} collection;

static void collect_begin(collection *c, bw_dungeon_evaluator *eval, bw_dungeon_goal *goals) {
    *c = (collection){.eval = eval,
                      .goals = goals,
                      .healing = bw_dungeon_healing_worth(eval),
                      .unknown = {BW_DUNGEON_NOT_EVALUATED, BW_DUNGEON_NOT_EVALUATED}};
}

static void collect(collection *c, int32_t worth, bw_dungeon_aim aim, uint8_t tile, int distance, uint8_t drop) {
    c->goals[c->count++] =
        (bw_dungeon_goal){by_now(c->eval, worth, distance), (uint8_t)aim, tile, (uint8_t)distance, drop};
}

static void collect_at(collection *c, const bw_dungeon_ways *ways, uint8_t at) {
    bw_dungeon_evaluator *eval = c->eval;
    const bw_dungeon *dungeon = eval->dungeon;
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    int distance = ways->distance[at];
    bool can_move = dungeon->actions_left > 0;
    if (tile->monster != BW_DUNGEON_NONE) {
        if (!bw_dungeon_worth_trying(eval, tile->monster)) return;
        bool fountain = stands_on_fountain(dungeon, ways->before[at]);
        collect(c, bw_dungeon_fight_worth(eval, tile->monster, tile->loot, fountain), BW_DUNGEON_AIM_ENTER, at,
                distance, BW_DUNGEON_NONE);
        return;
    }
    if (tile->loot != BW_DUNGEON_NONE) {
        uint8_t drop;
        int32_t worth = bw_dungeon_worth(eval, tile->loot, &drop);
        bw_dungeon_aim aim = tile->loot == BW_DUNGEON_CHEST ? BW_DUNGEON_AIM_OPEN : BW_DUNGEON_AIM_TAKE;
        if (worth > 0) collect(c, worth, aim, at, distance, drop);
    }
    bool fountain = stands_on_fountain(dungeon, at);
    if (fountain && c->healing > 0 && can_move) {
        collect(c, c->healing, BW_DUNGEON_AIM_REST, at, distance, BW_DUNGEON_NONE);
    }
    /* Unknown tiles are all alike, so the nearest few places are enough. */
    if (tile->edges && dungeon->deck_left > 0 && can_move && c->explorable < 4) {
        c->explorable++;
        if (c->unknown[fountain] == BW_DUNGEON_NOT_EVALUATED) {
            c->unknown[fountain] = bw_dungeon_unknown_worth(eval, fountain);
        }
        collect(c, c->unknown[fountain], BW_DUNGEON_AIM_EXPLORE, at, distance + 1, BW_DUNGEON_NONE);
    }
}

static int collect_end(collection *c) {
    c->goals[c->count++] = (bw_dungeon_goal){0, BW_DUNGEON_AIM_WAIT, c->eval->me->at, 0, BW_DUNGEON_NONE};
    return c->count;
}

int bw_dungeon_find_goals(bw_dungeon_evaluator *eval, const bw_dungeon_ways *ways, bw_dungeon_goal *goals) {
    collection c;
    collect_begin(&c, eval, goals);
    for (int i = 0; i < (eval->dungeon->actions_left > 0 ? ways->count : 1); i++) collect_at(&c, ways, ways->order[i]);
    return collect_end(&c);
}

/* The same with the way to each, nearest first, until no goal further away can be worth more than the best so far. */
static int find_near_goals(bw_dungeon_evaluator *eval, bw_dungeon_ways *ways, bw_dungeon_goal *goals) {
    const bw_dungeon *dungeon = eval->dungeon;
    collection c;
    int32_t best = 0, most = BW_DUNGEON_NOT_EVALUATED;
    collect_begin(&c, eval, goals);
    set_out(dungeon, eval->me->at, ways);
    for (int i = 0, seen = 0, far = 0; i < (dungeon->actions_left > 0 ? ways->count : 1); i++) {
        uint8_t at = ways->order[i];
        if (best > 0 && ways->distance[at] > far) {
            far = ways->distance[at];
            if (most == BW_DUNGEON_NOT_EVALUATED) most = bw_dungeon_most_worth(eval);
            if (by_now(eval, most, far) <= best) break;
        }
        go_on_from(dungeon, at, ways);
        collect_at(&c, ways, at);
        for (; seen < c.count; seen++) best = goals[seen].worth > best ? goals[seen].worth : best;
    }
    return collect_end(&c);
}

const bw_dungeon_goal *bw_dungeon_best_goal(const bw_dungeon *dungeon, const bw_dungeon_goal *goals, int count) {
    const bw_dungeon_goal *best = &goals[count - 1], *least_bad = best;
    for (int i = 0; i + 1 < count; i++) {
        if (goals[i].worth > best->worth) best = &goals[i];
        /* Waiting for ever is not a plan: anything that makes progress is tried, however poor. Once the torches
         * burn, the game ends anyway. */
        if (goals[i].worth > HOPELESS / 2 &&
            (least_bad->aim == BW_DUNGEON_AIM_WAIT || goals[i].worth > least_bad->worth)) {
            least_bad = &goals[i];
        }
    }
    return best->aim == BW_DUNGEON_AIM_WAIT && dungeon->lit_by == BW_DUNGEON_NONE ? least_bad : best;
}

static void step_to(const bw_dungeon *dungeon, uint8_t type, uint8_t tile, bw_dungeon_action *action) {
    action->type = type;
    action->as.move.to.x = dungeon->tiles[tile].x;
    action->as.move.to.y = dungeon->tiles[tile].y;
}

/* The empty cell to explore from a tile: where most tiles open toward it, so that ways connect. */
static void explore_from(const bw_dungeon *dungeon, uint8_t at, bw_dungeon_action *action) {
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    int best = -1, joins[BW_DUNGEON_SIDES] = {0};
    bool choice = tile->edges & (tile->edges - 1);
    for (int i = 0; choice && i < dungeon->tile_count; i++) {
        const bw_dungeon_tile *other = &dungeon->tiles[i];
        int dx = other->x - tile->x, dy = other->y - tile->y;
        if (dx * dx > 4 || dy * dy > 4) continue;
        for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
            int back = side_between(dx, dy, bw_dungeon_dx[side], bw_dungeon_dy[side]);
            if (back >= 0) joins[side] += other->sides >> back & 1;
        }
    }
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
        if (!(tile->edges >> side & 1) || joins[side] <= best) continue;
        best = joins[side];
        action->type = BW_DUNGEON_EXPLORE;
        action->as.explore.to.x = tile->x + bw_dungeon_dx[side];
        action->as.explore.to.y = tile->y + bw_dungeon_dy[side];
    }
}

void bw_dungeon_pursue(const bw_dungeon *dungeon, const bw_dungeon_ways *ways, const bw_dungeon_goal *goal,
                       bw_dungeon_action *action) {
    uint8_t at = dungeon->players[dungeon->current].at, tile = goal->tile;
    memset(action, 0, sizeof *action);
    if (tile != at) {
        while (ways->before[tile] != at) tile = ways->before[tile];
        step_to(dungeon, BW_DUNGEON_MOVE, tile, action);
        return;
    }
    switch (goal->aim) {
    case BW_DUNGEON_AIM_EXPLORE: explore_from(dungeon, at, action); break;
    case BW_DUNGEON_AIM_TAKE:
        action->type = BW_DUNGEON_PICK_UP;
        action->as.pick_up.has_drop = goal->drop != BW_DUNGEON_NONE;
        action->as.pick_up.drop = action->as.pick_up.has_drop ? goal->drop : 0;
        break;
    case BW_DUNGEON_AIM_OPEN: action->type = BW_DUNGEON_OPEN_CHEST; break;
    case BW_DUNGEON_AIM_REST: action->type = BW_DUNGEON_REST; break;
    default: action->type = BW_DUNGEON_END_TURN;
    }
}

/* The tiles around the place of the waiting tile, by side. */
static void find_neighbours(const bw_dungeon *dungeon, uint8_t neighbours[BW_DUNGEON_SIDES]) {
    memset(neighbours, BW_DUNGEON_NONE, BW_DUNGEON_SIDES);
    for (int i = 0; i < dungeon->tile_count; i++) {
        const bw_dungeon_tile *tile = &dungeon->tiles[i];
        int back = side_between(tile->x, tile->y, dungeon->waiting_x, dungeon->waiting_y);
        if (back >= 0) neighbours[back ^ 2] = (uint8_t)i;
    }
}

static int fit(const bw_dungeon *dungeon, const uint8_t neighbours[BW_DUNGEON_SIDES], uint8_t rotation) {
    uint8_t sides = bw_dungeon_turned(bw_dungeon_tile_types[dungeon->waiting].sides, rotation);
    int points = 0;
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
        if (!(sides >> side & 1)) continue;
        if (neighbours[side] == BW_DUNGEON_NONE) {
            points += 3; /* somewhere to go on */
            continue;
        }
        const bw_dungeon_tile *other = &dungeon->tiles[neighbours[side]];
        if (other->sides >> (side ^ 2) & 1) points += other->monster == BW_DUNGEON_NONE ? 2 : 1; /* a short cut */
    }
    return points;
}

static void place_waiting(const bw_dungeon *dungeon, bw_dungeon_action *action) {
    uint8_t rotations[4], neighbours[BW_DUNGEON_SIDES];
    int count = bw_dungeon_rotations(bw_dungeon_tile_types[dungeon->waiting].sides, dungeon->waiting_side, rotations);
    int best = -1;
    if (count > 1) find_neighbours(dungeon, neighbours);
    action->type = BW_DUNGEON_PLACE;
    action->as.place.rotation = rotations[0];
    for (int i = 0; count > 1 && i < count; i++) {
        int points = fit(dungeon, neighbours, rotations[i]);
        if (points > best) {
            best = points;
            action->as.place.rotation = rotations[i];
        }
    }
}

static void settle(bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    const bw_dungeon *dungeon = eval->dungeon;
    const bw_dungeon_tile *tile = &dungeon->tiles[eval->me->at];
    int damage = dungeon->dice[0] + dungeon->dice[1] + eval->bonus;
    action->type = BW_DUNGEON_BATTLE;
    action->as.battle.fireballs = (uint16_t)bw_dungeon_fireballs_for(
        eval, damage, bw_dungeon_monster_hp[tile->monster], bw_dungeon_win_worth(eval, tile->monster, tile->loot),
        bw_dungeon_loss(eval, stands_on_fountain(dungeon, dungeon->came_from)));
}

static void take_or_leave(bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    uint8_t drop;
    if (bw_dungeon_worth(eval, eval->dungeon->tiles[eval->me->at].loot, &drop) <= 0) {
        action->type = BW_DUNGEON_LEAVE_LOOT;
        return;
    }
    action->type = BW_DUNGEON_PICK_UP;
    action->as.pick_up.has_drop = drop != BW_DUNGEON_NONE;
    action->as.pick_up.drop = action->as.pick_up.has_drop ? drop : 0;
}

/* A portal if it is time to heal and the player is not on a fountain. */
static bool cast_portal(const bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    const bw_dungeon *dungeon = eval->dungeon;
    if (eval->me->bag[BW_DUNGEON_PORTAL_OF_HEALING] == 0 || dungeon->actions_left == 0 || eval->me->hp > 2 ||
        eval->me->hp >= dungeon->max_hp || stands_on_fountain(dungeon, eval->me->at)) {
        return false;
    }
    action->type = BW_DUNGEON_CAST;
    action->as.cast.spell = BW_DUNGEON_CAST_PORTAL;
    return true;
}

bool bw_dungeon_reflex(bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    memset(action, 0, sizeof *action);
    switch (eval->dungeon->awaiting) {
    case BW_DUNGEON_AWAITS_PLACE: place_waiting(eval->dungeon, action); return true;
    case BW_DUNGEON_AWAITS_BATTLE: settle(eval, action); return true;
    case BW_DUNGEON_AWAITS_LOOT: take_or_leave(eval, action); return true;
    default: return cast_portal(eval, action);
    }
}

bool bw_dungeon_by_teleport(const bw_dungeon_evaluator *eval, const bw_dungeon_goal *goal, bw_dungeon_action *action) {
    const bw_dungeon *dungeon = eval->dungeon;
    if (goal->aim != BW_DUNGEON_AIM_REST || eval->me->bag[BW_DUNGEON_TELEPORT] == 0 ||
        goal->distance <= dungeon->actions_left) {
        return false;
    }
    memset(action, 0, sizeof *action);
    action->type = BW_DUNGEON_CAST;
    action->as.cast.spell = BW_DUNGEON_CAST_TELEPORT;
    action->as.cast.has_to = true;
    action->as.cast.to.x = dungeon->tiles[goal->tile].x;
    action->as.cast.to.y = dungeon->tiles[goal->tile].y;
    return true;
}

void bw_dungeon_choose_by(bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
    if (bw_dungeon_reflex(eval, action)) return;
    int count = find_near_goals(eval, &ways, goals);
    const bw_dungeon_goal *goal = bw_dungeon_best_goal(eval->dungeon, goals, count);
    if (!bw_dungeon_by_teleport(eval, goal, action)) bw_dungeon_pursue(eval->dungeon, &ways, goal, action);
}

void bw_dungeon_choose(const bw_dungeon *dungeon, const bw_dungeon_weights *weights, bw_dungeon_action *action) {
    bw_dungeon_evaluator eval;
    bw_dungeon_evaluator_begin(&eval, dungeon, dungeon->current, weights);
    bw_dungeon_choose_by(&eval, action);
}
