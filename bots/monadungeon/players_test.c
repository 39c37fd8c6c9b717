/* The bots of Monadungeon: exact odds, real distances, legal and repeatable choices, games that end. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bots/monadungeon/players.h"
#include "bots/monadungeon/search.h"
#include "tests/support/unit.h"

static bw_dungeon_config quick(void) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    config.quick = true;
    return config;
}

static void begin(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t seats, int number) {
    uint8_t seed[32] = {11, (uint8_t)number, (uint8_t)(number >> 8)};
    bw_dungeon_init(dungeon, config, seats, seed);
}

TEST(the_odds_of_two_dice_are_exact) {
    for (int sum = -3; sum <= 15; sum++) {
        int above = 0;
        for (int roll = 0; roll < 36; roll++) above += roll / 6 + roll % 6 + 2 > sum;
        assert_int_equal(bw_dungeon_rolls_above(sum), above);
    }
}

/* A eval for player 1 at the start of a new dungeon, with the given bag. */
static void evaluator_with(bw_dungeon_evaluator *eval, bw_dungeon *dungeon, int swords, int fireballs, uint8_t hp) {
    bw_dungeon_config config = quick();
    begin(dungeon, &config, 3, 1);
    dungeon->players[0].bag[BW_DUNGEON_SWORD] = (uint8_t)swords;
    dungeon->players[0].bag[BW_DUNGEON_FIREBALL] = (uint8_t)fireballs;
    dungeon->players[0].hp = hp;
    bw_dungeon_evaluator_begin(eval, dungeon, 0, &bw_dungeon_sound);
}

TEST(a_battle_is_worth_its_mean_over_all_rolls) {
    for (int swords = 0; swords <= 2; swords++) {
        for (int fireballs = 0; fireballs <= 3; fireballs++) {
            bw_dungeon dungeon;
            bw_dungeon_evaluator eval;
            evaluator_with(&eval, &dungeon, swords, fireballs, 3);
            for (uint8_t monster = 0; monster < BW_DUNGEON_DRAGON; monster++) {
                uint8_t loot = BW_DUNGEON_KEY;
                int hp = bw_dungeon_monster_hp[monster];
                int32_t gain = bw_dungeon_win_worth(&eval, monster, loot), loss = bw_dungeon_loss(&eval, false);
                int32_t each = bw_dungeon_fireball_worth(&eval), sum = 0;
                for (int roll = 0; roll < 36; roll++) {
                    int32_t best = INT32_MIN; /* over every number of fireballs that may be used */
                    int damage = roll / 6 + roll % 6 + 2 + 2 * swords;
                    for (int use = 0; use <= (damage > hp ? 0 : fireballs); use++) {
                        int hit = damage + use;
                        int32_t worth = (hit > hp ? gain : hit == hp ? -eval.weights->idle : -loss) - use * each;
                        best = worth > best ? worth : best;
                    }
                    sum += best;
                }
                assert_int_equal(bw_dungeon_fight_worth(&eval, monster, loot, false), sum / 36);
            }
        }
    }
}

TEST(the_dragon_is_left_alone_by_who_would_lose_by_it) {
    for (int lead = -1; lead <= 1; lead++) {
        bw_dungeon dungeon;
        bw_dungeon_evaluator eval;
        bw_dungeon_ways ways;
        bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
        evaluator_with(&eval, &dungeon, 2, 3, 5);
        dungeon.tiles[0].monster = BW_DUNGEON_DRAGON; /* as if it had moved in, with player 1 next to it */
        dungeon.players[1].points = (uint8_t)(3 - lead);
        bw_dungeon_evaluator_begin(&eval, &dungeon, 0, &bw_dungeon_sound);
        bw_dungeon_find_ways(&dungeon, 0, &ways);
        int count = bw_dungeon_find_goals(&eval, &ways, goals), fights = 0;
        for (int i = 0; i < count; i++) fights += goals[i].aim == BW_DUNGEON_AIM_ENTER;
        assert_int_equal(fights, lead >= 0);
    }
}

/* Every distance is one more than that of the nearest neighbour that can be walked across. */
TEST(distances_are_those_of_real_passages) {
    bw_dungeon_config config = quick();
    for (int n = 0; n < 30; n++) {
        bw_dungeon dungeon;
        bw_dungeon_action action;
        bw_fast fast = {(uint64_t)n};
        begin(&dungeon, &config, 15, n);
        for (int step = 0; bw_dungeon_sample(&dungeon, dungeon.current, &fast, &action); step++) {
            bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL);
            if (step % 50 || dungeon.awaiting != BW_DUNGEON_NONE) continue;
            bw_dungeon_ways ways;
            bw_dungeon_find_ways(&dungeon, dungeon.players[dungeon.current].at, &ways);
            for (int i = 0; i < dungeon.tile_count; i++) {
                int nearest = 254;
                for (int j = 0; j < dungeon.tile_count; j++) {
                    bool next = false;
                    for (int side = 0; side < 4; side++) {
                        next = next || dungeon.tiles[j].next[side] == i;
                    }
                    next = next || bw_dungeon_other_gate(&dungeon, (uint8_t)j) == i;
                    if (next && dungeon.tiles[j].monster == BW_DUNGEON_NONE && ways.distance[j] < nearest) {
                        nearest = ways.distance[j];
                    }
                }
                bool here = i == dungeon.players[dungeon.current].at;
                assert_int_equal(ways.distance[i], here ? 0 : nearest + 1);
            }
        }
    }
}

/* Plays a game between these bots; every choice is requested twice. Returns the turns. */
static uint32_t play(const bw_bot *const *bots, const bw_dungeon_config *config, uint32_t seats, int number,
                     uint32_t effort) {
    bw_dungeon dungeon;
    bw_dungeon_view view;
    bw_dungeon_action action, again;
    bw_fast fast = {(uint64_t)number};
    begin(&dungeon, config, seats, number);
    while (!dungeon.over) {
        bw_thinking thinking = {.seed = bw_fast_next(&fast), .effort = effort};
        const bw_bot *bot = bots[dungeon.current];
        int seat = dungeon.current;
        bw_dungeon_view_of(&dungeon, &view);
        memset(&action, 0, sizeof action), memset(&again, 0, sizeof again);
        assert_int_equal(bot->choose(bot, &bw_monadungeon, &view, config, seat, &thinking, &action, 1), 1);
        assert_int_equal(bot->choose(bot, &bw_monadungeon, &view, config, seat, &thinking, &again, 1), 1);
        assert_memory_equal(&action, &again, sizeof action);
        assert_int_equal(bw_dungeon_apply(&dungeon, seat, &action, NULL), 0); /* always legal */
        assert_true(dungeon.turn_number < 20000);
    }
    return dungeon.turn_number;
}

TEST(games_of_four_always_end) {
    static const struct {
        int level, games;
        uint32_t effort;
    } cases[] = {{0, 150, 100}, {1, 400, 100}, {2, 3, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bw_bot *bot = bw_dungeon_levels[cases[i].level];
        const bw_bot *bots[4] = {bot, bot, bot, bot};
        for (int n = 0; n < cases[i].games; n++) {
            bw_dungeon_config config = quick();
            config.deck_size = (uint8_t)(8 + n % 92);
            config.quick = n % 3 == 0 || cases[i].level == 2;
            config.max_hp = (uint8_t)(1 + n % 7);
            config.actions = (uint8_t)(1 + n % 5);
            play(bots, &config, (uint32_t)n % 15 + 1, n, cases[i].effort);
        }
    }
}

TEST(bots_of_all_levels_play_together) {
    const bw_bot *bots[4] = {bw_dungeon_levels[2], bw_dungeon_levels[0], bw_dungeon_levels[1], bw_dungeon_levels[0]};
    bw_dungeon_config config = quick();
    play(bots, &config, 15, 4, 10);
}

static bool never(void *user) {
    ++*(int *)user;
    return false;
}

TEST(a_search_that_is_cut_short_answers_all_the_same) {
    bw_dungeon dungeon;
    bw_dungeon_view view;
    bw_dungeon_action action = {0};
    bw_dungeon_config config = quick();
    int asked = 0;
    bw_thinking thinking = {.seed = 1, .effort = 100000000, .keep_going = never, .user = &asked};
    begin(&dungeon, &config, 3, 1);
    bw_dungeon_view_of(&dungeon, &view);
    const bw_bot *hard = bw_dungeon_levels[2];
    assert_int_equal(hard->choose(hard, &bw_monadungeon, &view, &config, 0, &thinking, &action, 1), 1);
    assert_int_equal(asked, 1);
    assert_int_equal(bw_dungeon_apply(&dungeon, 0, &action, NULL), 0);
}

TEST(a_bot_out_of_turn_answers_nothing) {
    bw_dungeon dungeon;
    bw_dungeon_view view;
    bw_dungeon_action action;
    bw_dungeon_config config = quick();
    bw_thinking thinking = {.seed = 1, .effort = 100};
    begin(&dungeon, &config, 3, 1);
    bw_dungeon_view_of(&dungeon, &view);
    for (int i = 0; i < BW_DUNGEON_BOTS; i++) {
        const bw_bot *bot = bw_dungeon_levels[i];
        assert_int_equal(bot->choose(bot, &bw_monadungeon, &view, &config, 1, &thinking, &action, 1), 0);
    }
}

/* With a key in hand, a chest four steps away and nothing else nearby, the player goes there. */
TEST(normal_takes_the_chest_it_has_the_key_for) {
    bw_dungeon_config config = quick();
    config.deck_size = 8;
    bw_dungeon dungeon;
    begin(&dungeon, &config, 1, 3);
    dungeon.deck_left = 1;
    dungeon.players[0].bag[BW_DUNGEON_KEY] = 1;
    dungeon.tiles[0].edges = 2; /* explored to the right only */
    dungeon.deck[0] = 1;        /* a crossing of corridors */
    dungeon.rooms_left = 0;
    bw_dungeon_action action;
    bool opened = false;
    for (int step = 0; step < 4 && !opened; step++) {
        bw_dungeon_choose(&dungeon, &bw_dungeon_sound, &action);
        assert_int_equal(bw_dungeon_apply(&dungeon, 0, &action, NULL), 0);
        if (step == 1) dungeon.tiles[0].loot = BW_DUNGEON_CHEST;
        opened = action.type == BW_DUNGEON_OPEN_CHEST;
    }
    assert_true(opened);
    assert_int_equal(dungeon.players[0].points, 2);
}

/* What the short cuts of bw_dungeon_choose leave out: every goal, and an evaluator of the position's own. */
static void choose_the_long_way(const bw_dungeon *dungeon, bw_dungeon_action *action) {
    bw_dungeon_evaluator eval;
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX];
    bw_dungeon_evaluator_begin(&eval, dungeon, dungeon->current, &bw_dungeon_tuned);
    if (bw_dungeon_reflex(&eval, action)) return;
    bw_dungeon_find_ways(dungeon, eval.me->at, &ways);
    int count = bw_dungeon_find_goals(&eval, &ways, goals);
    const bw_dungeon_goal *goal = bw_dungeon_best_goal(dungeon, goals, count);
    if (!bw_dungeon_by_teleport(&eval, goal, action)) bw_dungeon_pursue(dungeon, &ways, goal, action);
}

TEST(looking_no_further_than_needed_changes_no_choice) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    bw_dungeon_evaluator evals[BW_DUNGEON_PLAYERS]; /* kept from position to position, and from game to game */
    for (int n = 0; n < 30; n++) {
        bw_dungeon dungeon;
        bw_dungeon_action action, other;
        bw_fast fast = {(uint64_t)n};
        config.quick = n % 2;
        begin(&dungeon, &config, 15, n);
        for (int seat = 0; seat < BW_DUNGEON_PLAYERS && n == 0; seat++) {
            bw_dungeon_evaluator_begin(&evals[seat], &dungeon, seat, &bw_dungeon_tuned);
        }
        while (!dungeon.over) {
            bw_dungeon_evaluator_again(&evals[dungeon.current], &dungeon);
            bw_dungeon_choose_by(&evals[dungeon.current], &action);
            choose_the_long_way(&dungeon, &other);
            assert_memory_equal(&action, &other, sizeof action);
            /* now and then something else, so that positions come up that it would never get into */
            if (bw_fast_below(&fast, 8) == 0) bw_dungeon_sample(&dungeon, dungeon.current, &fast, &action);
            assert_int_equal(bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL), 0);
        }
    }
}

RUN_TESTS(NULL, NULL)
