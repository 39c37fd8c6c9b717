#include "bots/monadungeon/players.h"

#include "bots/monadungeon/search.h"

/* A beginner: a tile is laid any way round, a battle takes every fireball or none, the worth of a goal is guessed, to
 * within a third or so, and one action in five goes for the second best of these. */
static void play_easy(const bw_dungeon *dungeon, int seat, bw_fast *fast, bw_dungeon_action *action) {
    bw_dungeon_evaluator eval;
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
    bool careless = dungeon->awaiting == BW_DUNGEON_AWAITS_PLACE || dungeon->awaiting == BW_DUNGEON_AWAITS_BATTLE;
    if (careless && bw_dungeon_sample(dungeon, seat, fast, action)) return;
    bw_dungeon_evaluator_begin(&eval, dungeon, seat, &bw_dungeon_sound);
    if (bw_dungeon_reflex(&eval, action)) return;
    bw_dungeon_find_ways(dungeon, eval.me->at, &ways);
    int count = bw_dungeon_find_goals(&eval, &ways, goals);
    for (int i = 0; i + 1 < count; i++) {
        int32_t more = (int32_t)bw_fast_below(fast, 90) - 45, eighths = (int32_t)bw_fast_below(fast, 9) - 4;
        goals[i].worth += more + goals[i].worth * eighths / 8;
    }
    const bw_dungeon_goal *goal = bw_dungeon_best_goal(dungeon, goals, count);
    int best = (int)(goal - goals);
    if (best + 1 < count && bw_fast_below(fast, 5) == 0) { /* the last is to wait: there is always that */
        goals[best].worth = BW_DUNGEON_NOT_EVALUATED;
        goal = bw_dungeon_best_goal(dungeon, goals, count);
    }
    bw_dungeon_pursue(dungeon, &ways, goal, action);
}

static bool position(const void *view, const void *config, int seat, const bw_thinking *thinking, bw_dungeon *dungeon) {
    return bw_dungeon_guess(dungeon, view, config, thinking->seed) == 0 && !dungeon->over && dungeon->current == seat;
}

static uint32_t easy(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                     bw_thinking *thinking, void *actions, uint32_t cap) {
    bw_dungeon dungeon;
    bw_fast fast = {thinking->seed ^ 0x5eed};
    (void)bot, (void)game;
    if (cap == 0 || !position(view, config, seat, thinking, &dungeon)) return 0;
    play_easy(&dungeon, seat, &fast, actions);
    return 1;
}

static uint32_t normal(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    bw_dungeon dungeon;
    (void)bot, (void)game;
    if (cap == 0 || !position(view, config, seat, thinking, &dungeon)) return 0;
    bw_dungeon_choose(&dungeon, &bw_dungeon_sound, actions);
    return 1;
}

static uint32_t hard(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                     bw_thinking *thinking, void *actions, uint32_t cap) {
    static const bw_dungeon_lookout lookout = {.guesses = 40, .turns = 10};
    (void)bot, (void)game;
    return cap > 0 && bw_dungeon_search(view, config, seat, &lookout, thinking, actions) ? 1 : 0;
}

static const bw_bot levels[BW_DUNGEON_BOTS] = {
    {.game = "monadungeon", .level = "easy", .choose = easy},
    {.game = "monadungeon", .level = "normal", .choose = normal},
    {.game = "monadungeon", .level = "hard", .choose = hard},
};
const bw_bot *const bw_dungeon_levels[BW_DUNGEON_BOTS] = {&levels[0], &levels[1], &levels[2]};
