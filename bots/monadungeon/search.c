#include "bots/monadungeon/search.h"

#include <string.h>

/* A choice: its first action, and the goal it leads to, which is kept for the rest of the turn. */
typedef struct choice {
    bw_dungeon_action action;
    bw_dungeon_goal goal;
    bool has_goal;
    int64_t sum, squares; /* sums of how much better it did than the first choice, guess by guess */
    int32_t tried;
} choice;

static void add(choice *choices, int *count, const bw_dungeon_action *action, const bw_dungeon_goal *goal) {
    for (int i = 0; i < *count; i++) {
        if (memcmp(&choices[i].action, action, sizeof *action) == 0) {
            return; /* the first action came from a better goal */
        }
    }
    if (*count < BW_DUNGEON_CHOICES_MAX) {
        choice *next = &choices[(*count)++];
        memset(next, 0, sizeof *next);
        next->action = *action;
        next->has_goal = goal != 0;
        if (goal) next->goal = *goal;
    }
}

/* Actions that settle what is awaited, in their order; equivalent rotations only once. */
static void add_listed(const bw_dungeon *dungeon, choice *choices, int *count) {
    bw_dungeon_action list[BW_DUNGEON_LEGAL_MAX];
    uint32_t listed = bw_dungeon_legal(dungeon, dungeon->current, list, BW_DUNGEON_LEGAL_MAX);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < listed; i++) {
        if (list[i].type == BW_DUNGEON_PLACE) {
            uint8_t sides = bw_dungeon_tile_types[dungeon->waiting].sides;
            uint32_t turned = 1u << bw_dungeon_turned(sides, list[i].as.place.rotation);
            if (seen & turned) continue;
            seen |= turned;
        }
        if (list[i].type != BW_DUNGEON_END_TURN || dungeon->awaiting == BW_DUNGEON_NONE) {
            add(choices, count, &list[i], 0);
        }
    }
}

/* The best goals by the eval, best first. */
static void add_goals(bw_dungeon_evaluator *eval, choice *choices, int *count) {
    const bw_dungeon *dungeon = eval->dungeon;
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
    bw_dungeon_action action;
    bw_dungeon_find_ways(dungeon, eval->me->at, &ways);
    int found = bw_dungeon_find_goals(eval, &ways, goals);
    const bw_dungeon_goal *best = bw_dungeon_best_goal(dungeon, goals, found);
    if (bw_dungeon_by_teleport(eval, best, &action)) add(choices, count, &action, 0);
    bw_dungeon_pursue(dungeon, &ways, best, &action);
    add(choices, count, &action, best);
    for (int tries = 0; tries < 2 * BW_DUNGEON_CHOICES_MAX && *count < BW_DUNGEON_CHOICES_MAX; tries++) {
        int next = -1;
        for (int i = 0; i < found; i++) {
            if (goals[i].worth != BW_DUNGEON_NOT_EVALUATED && (next < 0 || goals[i].worth > goals[next].worth)) {
                next = i;
            }
        }
        if (next < 0) return;
        bw_dungeon_pursue(dungeon, &ways, &goals[next], &action);
        add(choices, count, &action, &goals[next]);
        goals[next].worth = BW_DUNGEON_NOT_EVALUATED;
    }
}

static void find_choices(const bw_dungeon *dungeon, choice *choices, int *count) {
    bw_dungeon_evaluator eval;
    bw_dungeon_action action;
    *count = 0;
    bw_dungeon_evaluator_begin(&eval, dungeon, dungeon->current, &bw_dungeon_tuned);
    if (bw_dungeon_reflex(&eval, &action)) add(choices, count, &action, 0);
    if (dungeon->awaiting != BW_DUNGEON_NONE) add_listed(dungeon, choices, count);
    else add_goals(&eval, choices, count);
}

/* The same goal from where the player is now, because the way to it may have changed. */
static bool keep_on(const bw_dungeon *dungeon, const bw_dungeon_goal *goal, bw_dungeon_action *action) {
    const bw_dungeon_tile *tile = &dungeon->tiles[goal->tile];
    bw_dungeon_ways ways;
    if (dungeon->awaiting != BW_DUNGEON_NONE || dungeon->actions_left == 0 || goal->aim == BW_DUNGEON_AIM_WAIT) {
        return false;
    }
    if ((goal->aim == BW_DUNGEON_AIM_ENTER && tile->monster == BW_DUNGEON_NONE) ||
        (goal->aim == BW_DUNGEON_AIM_EXPLORE && (!tile->edges || dungeon->deck_left == 0))) {
        return false;
    }
    if (!bw_dungeon_find_way(dungeon, dungeon->players[dungeon->current].at, goal->tile, &ways)) return false;
    bw_dungeon_pursue(dungeon, &ways, goal, action);
    return true;
}

/* The value of a position to a seat, in hundredths of a point; won and lost games count their lead too. */
static int32_t outlook(const bw_dungeon *dungeon, int seat) {
    int32_t best = 0, mine = 0;
    for (int other = 0; other < BW_DUNGEON_PLAYERS; other++) {
        if (!(dungeon->active >> other & 1)) continue;
        const bw_dungeon_player *player = &dungeon->players[other];
        int32_t worth = 100 * player->points;
        if (!dungeon->over) {
            int bonus = bw_dungeon_weapon_damage(player);
            worth += 55 * bonus - 2 * bonus * bonus + (22 + 3 * bonus) * player->bag[BW_DUNGEON_FIREBALL] +
                     90 * player->bag[BW_DUNGEON_KEY] + 24 * player->bag[BW_DUNGEON_PORTAL_OF_HEALING] +
                     10 * player->bag[BW_DUNGEON_TELEPORT] + 7 * player->hp - 60 * player->stunned;
        }
        if (other == seat) mine = worth;
        else if (worth > best) best = worth;
    }
    if (!dungeon->over) return mine - best;
    uint32_t winners = bw_dungeon_winners(dungeon);
    if (!(winners >> seat & 1)) return mine - best - 800;
    return mine - best + (winners == 1u << seat ? 800 : 200);
}

/* `evals`: an evaluator for each seat, which knows things from earlier rollouts. */
static int32_t roll_out(const bw_dungeon *guess, const choice *first, int seat, int turns,
                        bw_dungeon_evaluator *evals) {
    bw_dungeon dungeon = *guess;
    bw_dungeon_action action;
    int players = bw_dungeon_count_sides(dungeon.active);
    uint32_t start = dungeon.turn_number, end = start + (uint32_t)(turns * players);
    dungeon.rng.used = (uint64_t)start * 64;
    if (bw_dungeon_apply(&dungeon, seat, &first->action, 0) < 0) {
        return -100000; /* never: legality does not depend on what is hidden */
    }
    uint32_t turn = 0;
    while (!dungeon.over && dungeon.turn_number < end) {
        if (turn != dungeon.turn_number) { /* the same dice for the same turn, whatever was chosen before */
            turn = dungeon.turn_number;
            dungeon.rng.used = (uint64_t)turn * 64;
        }
        if (!(first->has_goal && dungeon.turn_number == start && keep_on(&dungeon, &first->goal, &action))) {
            bw_dungeon_evaluator_again(&evals[dungeon.current], &dungeon);
            bw_dungeon_choose_by(&evals[dungeon.current], &action);
        }
        if (bw_dungeon_apply(&dungeon, dungeon.current, &action, 0) < 0) break;
    }
    return outlook(&dungeon, seat);
}

/* One more guess, the same for every remaining choice. */
static void try_all(const bw_dungeon *guess, choice *choices, int count, int seat, int turns,
                    bw_dungeon_evaluator *evals) {
    int32_t first = roll_out(guess, &choices[0], seat, turns, evals);
    for (int i = 1; i < count; i++) {
        int64_t better = roll_out(guess, &choices[i], seat, turns, evals) - first;
        choices[i].sum += better;
        choices[i].squares += better * better;
        choices[i].tried++;
    }
}

/* Keeps the first choice and the better half of the others, best first; ties in the eval's order. */
static int drop_worse(choice *choices, int count) {
    for (int i = 2; i < count; i++) {
        choice moved = choices[i];
        int at = i;
        for (; at > 1 && choices[at - 1].sum < moved.sum; at--) choices[at] = choices[at - 1];
        choices[at] = moved;
    }
    return 1 + count / 2;
}

/* Is its mean significantly above zero? By twice its standard error: with n tries, sum^2 > 4 (squares - sum^2 / n). */
static bool surely_better(const choice *other) {
    int64_t n = other->tried;
    if (other->sum <= 0 || n < 2) return false;
    int64_t mean = other->sum / n, variance = other->squares / n - mean * mean;
    return mean * mean * n > 4 * variance;
}

bool bw_dungeon_search(const bw_dungeon_view *view, const bw_dungeon_config *config, int seat,
                       const bw_dungeon_lookout *lookout, bw_thinking *thinking, bw_dungeon_action *action) {
    bw_dungeon guess;
    choice choices[BW_DUNGEON_CHOICES_MAX];
    bw_dungeon_evaluator evals[BW_DUNGEON_PLAYERS];
    int count;
    bw_fast fast = {thinking->seed};
    if (bw_dungeon_guess(&guess, view, config, bw_fast_next(&fast)) < 0 || guess.over || guess.current != seat) {
        return false;
    }
    find_choices(&guess, choices, &count);
    for (int i = 0; i < BW_DUNGEON_PLAYERS; i++) bw_dungeon_evaluator_begin(&evals[i], &guess, i, &bw_dungeon_tuned);
    int rollouts = (int)((int64_t)lookout->guesses * count * thinking->effort / 100);
    bool go_on = true;
    while (count > 1 && go_on) {
        for (int n = rollouts / count; n >= 0 && go_on; n--) {
            if (bw_dungeon_guess(&guess, view, config, bw_fast_next(&fast)) < 0) return false;
            try_all(&guess, choices, count, seat, lookout->turns, evals);
            go_on = !thinking->keep_going || thinking->keep_going(thinking->user);
        }
        int kept = drop_worse(choices, count);
        go_on = go_on && kept < count;
        count = kept;
    }
    *action = choices[count > 1 && surely_better(&choices[1])].action;
    return true;
}
