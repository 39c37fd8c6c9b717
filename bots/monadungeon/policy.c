#include "bots/monadungeon/policy.h"

#include <string.h>

enum { HOPELESS = -100000 };

static void reach(bw_dungeon_ways *ways, uint8_t from, uint8_t to) {
    if (to != BW_DUNGEON_NONE && ways->distance[to] == BW_DUNGEON_NONE) {
        ways->distance[to] = (uint8_t)(ways->distance[from] + 1);
        ways->before[to] = from;
        ways->order[ways->count++] = to;
    }
}

void bw_dungeon_find_ways(const bw_dungeon *dungeon, uint8_t from, bw_dungeon_ways *ways) {
    memset(ways->distance, BW_DUNGEON_NONE, dungeon->tile_count);
    ways->distance[from] = 0;
    ways->before[from] = from;
    ways->order[0] = from;
    ways->count = 1;
    for (int i = 0; i < ways->count; i++) {
        uint8_t at = ways->order[i];
        const bw_dungeon_tile *tile = &dungeon->tiles[at];
        if (tile->monster != BW_DUNGEON_NONE) continue;
        for (int side = 0; side < BW_DUNGEON_SIDES; side++) reach(ways, at, tile->next[side]);
        if (tile->kind == BW_DUNGEON_GATE) reach(ways, at, bw_dungeon_other_gate(dungeon, at));
    }
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

/* Ending the game behind means losing it; and a player who tries the impossible may try it for ever. */
static bool worth_trying(const bw_dungeon_evaluator *eval, uint8_t monster) {
    int hp = bw_dungeon_monster_hp[monster];
    return bw_dungeon_rolls_above(hp - eval->bonus - eval->fireballs) > 0 &&
           (monster != BW_DUNGEON_DRAGON || eval->lead >= 0);
}

int bw_dungeon_find_goals(bw_dungeon_evaluator *eval, const bw_dungeon_ways *ways, bw_dungeon_goal *goals) {
    const bw_dungeon *dungeon = eval->dungeon;
    int count = 0, explorable = 0;
    int32_t healing = bw_dungeon_healing_worth(eval), unknown[2] = {BW_DUNGEON_NOT_EVALUATED, BW_DUNGEON_NOT_EVALUATED};
    bool can_move = dungeon->actions_left > 0;
    for (int i = 0; i < (can_move ? ways->count : 1); i++) {
        uint8_t at = ways->order[i], drop;
        int distance = ways->distance[at];
        const bw_dungeon_tile *tile = &dungeon->tiles[at];
        if (tile->monster != BW_DUNGEON_NONE && !worth_trying(eval, tile->monster)) continue;
        if (tile->monster != BW_DUNGEON_NONE) {
            int32_t worth =
                bw_dungeon_fight_worth(eval, tile->monster, tile->loot, stands_on_fountain(dungeon, ways->before[at]));
            goals[count++] = (bw_dungeon_goal){by_now(eval, worth, distance), BW_DUNGEON_AIM_ENTER, at,
                                               (uint8_t)distance, BW_DUNGEON_NONE};
            continue;
        }
        if (tile->loot != BW_DUNGEON_NONE) {
            int32_t worth = bw_dungeon_worth(eval, tile->loot, &drop);
            if (worth > 0) {
                goals[count++] = (bw_dungeon_goal){
                    by_now(eval, worth, distance),
                    (uint8_t)(tile->loot == BW_DUNGEON_CHEST ? BW_DUNGEON_AIM_OPEN : BW_DUNGEON_AIM_TAKE), at,
                    (uint8_t)distance, drop};
            }
        }
        bool fountain = stands_on_fountain(dungeon, at);
        if (fountain && healing > 0 && can_move) {
            goals[count++] = (bw_dungeon_goal){by_now(eval, healing, distance), BW_DUNGEON_AIM_REST, at,
                                               (uint8_t)distance, BW_DUNGEON_NONE};
        }
        /* Unknown tiles are all alike, so the nearest few places are enough. */
        if (tile->edges && dungeon->deck_left > 0 && can_move && explorable < 4) {
            explorable++;
            if (unknown[fountain] == BW_DUNGEON_NOT_EVALUATED) {
                unknown[fountain] = bw_dungeon_unknown_worth(eval, fountain);
            }
            goals[count++] = (bw_dungeon_goal){by_now(eval, unknown[fountain], distance + 1), BW_DUNGEON_AIM_EXPLORE,
                                               at, (uint8_t)(distance + 1), BW_DUNGEON_NONE};
        }
    }
    goals[count++] = (bw_dungeon_goal){0, BW_DUNGEON_AIM_WAIT, eval->me->at, 0, BW_DUNGEON_NONE};
    return count;
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
    int best = -1;
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
        if (!(tile->edges >> side & 1)) continue;
        int x = tile->x + bw_dungeon_dx[side], y = tile->y + bw_dungeon_dy[side], joins = 0;
        for (int around = 0; around < BW_DUNGEON_SIDES; around++) {
            uint8_t other = bw_dungeon_tile_at(dungeon, x + bw_dungeon_dx[around], y + bw_dungeon_dy[around]);
            joins += other != BW_DUNGEON_NONE && dungeon->tiles[other].sides >> (around ^ 2) & 1;
        }
        if (joins > best) {
            best = joins;
            action->type = BW_DUNGEON_EXPLORE;
            action->as.explore.to.x = x;
            action->as.explore.to.y = y;
        }
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

int bw_dungeon_fit(const bw_dungeon *dungeon, uint8_t rotation) {
    uint8_t sides = bw_dungeon_turned(bw_dungeon_tile_types[dungeon->waiting].sides, rotation);
    int fit = 0;
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
        if (!(sides >> side & 1)) continue;
        uint8_t other = bw_dungeon_tile_at(dungeon, dungeon->waiting_x + bw_dungeon_dx[side],
                                           dungeon->waiting_y + bw_dungeon_dy[side]);
        if (other == BW_DUNGEON_NONE) {
            fit += 3; /* somewhere to go on */
        } else if (dungeon->tiles[other].sides >> (side ^ 2) & 1) {
            fit += dungeon->tiles[other].monster == BW_DUNGEON_NONE ? 2 : 1; /* a short cut */
        }
    }
    return fit;
}

static void place_waiting(const bw_dungeon *dungeon, bw_dungeon_action *action) {
    uint8_t rotations[4];
    int count = bw_dungeon_rotations(bw_dungeon_tile_types[dungeon->waiting].sides, dungeon->waiting_side, rotations);
    int best = -1;
    action->type = BW_DUNGEON_PLACE;
    for (int i = 0; i < count; i++) {
        int fit = bw_dungeon_fit(dungeon, rotations[i]);
        if (fit > best) {
            best = fit;
            action->as.place.rotation = rotations[i];
        }
    }
}

static void settle(const bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
    const bw_dungeon *dungeon = eval->dungeon;
    const bw_dungeon_tile *tile = &dungeon->tiles[eval->me->at];
    int damage = dungeon->dice[0] + dungeon->dice[1] + eval->bonus;
    action->type = BW_DUNGEON_BATTLE;
    action->as.battle.fireballs = (uint16_t)bw_dungeon_fireballs_for(
        eval, damage, bw_dungeon_monster_hp[tile->monster], bw_dungeon_win_worth(eval, tile->monster, tile->loot),
        bw_dungeon_loss(eval, stands_on_fountain(dungeon, dungeon->came_from)));
}

static void take_or_leave(const bw_dungeon_evaluator *eval, bw_dungeon_action *action) {
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

void bw_dungeon_choose(const bw_dungeon *dungeon, const bw_dungeon_weights *weights, bw_dungeon_action *action) {
    bw_dungeon_evaluator eval;
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
    bw_dungeon_evaluator_begin(&eval, dungeon, dungeon->current, weights);
    if (bw_dungeon_reflex(&eval, action)) return;
    bw_dungeon_find_ways(dungeon, eval.me->at, &ways);
    int count = bw_dungeon_find_goals(&eval, &ways, goals);
    const bw_dungeon_goal *goal = bw_dungeon_best_goal(dungeon, goals, count);
    if (!bw_dungeon_by_teleport(&eval, goal, action)) {
        bw_dungeon_pursue(dungeon, &ways, goal, action);
    }
}
