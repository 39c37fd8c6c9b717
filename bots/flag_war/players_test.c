/* Flag War's bots are legal, repeatable and bounded, and each level is stronger than the one below. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bots/flag_war/players.h"
#include "bots/flag_war/policy.h"
#include "bots/flag_war/regret.h"
#include "bots/random.h"
#include "tests/support/unit.h"

static void *arena;

static int open_arena(void **unused) {
    (void)unused;
    arena = aligned_alloc(64, (bw_war_hard.arena_bytes + 63) / 64 * 64);
    return arena ? 0 : -1;
}

static int close_arena(void **unused) {
    (void)unused;
    free(arena);
    return 0;
}

static uint32_t ask(const bw_bot *bot, const bw_war_state *state, int team, uint64_t seed, uint32_t effort,
                    bw_war_action *actions) {
    bw_war_view view;
    bw_thinking thinking = {.seed = seed, .effort = effort, .arena = arena, .arena_bytes = bot->arena_bytes};
    memset(actions, 0, BW_BOT_ACTIONS_MAX * sizeof *actions);
    bw_flag_war.view_of(state, team, &view);
    return bot->choose(bot, &bw_flag_war, &view, &state->config, team, &thinking, actions, BW_BOT_ACTIONS_MAX);
}

static void obey(bw_war_orders *orders, int team, const bw_war_action *actions, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const bw_war_command *command = &actions[i].as.command;
        orders->to[bw_war_piece(team, command->piece - 1)] = bw_war_square(command->to.x, command->to.y);
    }
}

static bw_war_config some_config(bw_fast *fast) {
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    do {
        config.width = (uint8_t)(7 + 2 * bw_fast_below(fast, 13));
        config.height = (uint8_t)(7 + bw_fast_below(fast, 25));
        config.pieces = (uint8_t)(1 + bw_fast_below(fast, 7));
        config.guard_distance = (uint8_t)bw_fast_below(fast, 4);
        config.diagonals = bw_fast_below(fast, 2);
        config.elimination = bw_fast_below(fast, 2);
        config.keys = bw_fast_below(fast, 2);
        config.max_distance = (uint8_t)bw_fast_below(fast, 5);
    } while (bw_flag_war.check(&config) < 0);
    return config;
}

/* Regression: doing nothing won, because the easy player walked into the standing pieces. */
TEST(easy_does_not_knowingly_walk_into_jail) {
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_fast fast = {9};
    for (int game = 0; game < 300; game++) {
        bw_war_state state;
        bw_war_config config = some_config(&fast);
        bw_war_init(&state, &config);
        for (int round = 0; round < 60 && !state.over; round++) { /* blue does nothing */
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            obey(&orders, BW_WAR_RED, actions,
                 ask(bw_war_levels[0], &state, BW_WAR_RED, bw_fast_next(&fast), 100, actions));
            bw_war_round(&state, &orders, NULL);
            assert_int_equal(state.jailings[BW_WAR_BLUE] + state.jailings[BW_WAR_RED], 0);
        }
    }
}

/* Blue sends one piece for the flag and home, and does nothing else. Returns how many of `games` red's easy bot
 * loses. */
static int lost_to_a_runner(const bw_war_config *config, int games) {
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    int lost = 0;
    for (int game = 0; game < games; game++) {
        bw_war_state state;
        bw_war_init(&state, config);
        for (int round = 0; round < 200 && !state.over; round++) {
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            uint64_t seed = (uint64_t)game * 1000 + (uint64_t)round;
            obey(&orders, BW_WAR_RED, actions, ask(bw_war_levels[0], &state, BW_WAR_RED, seed, 100, actions));
            int runner =
                state.carrier[BW_WAR_RED] ? state.carrier[BW_WAR_RED] - 1 : bw_war_piece(BW_WAR_BLUE, game % 3);
            if (!bw_war_is(state.jailed, runner)) {
                bw_war_spot to = bw_war_flag(config, BW_WAR_RED);
                if (state.carrier[BW_WAR_RED]) to = bw_war_start(config, runner);
                orders.to[runner] = bw_war_head_for(config, bw_war_departs(&state, runner), to, false);
            }
            bw_war_round(&state, &orders, NULL);
        }
        lost += state.over && bw_flag_war.winners(&state) == 1u << BW_WAR_BLUE;
    }
    return lost;
}

/* Regression: one piece that runs for the flag beats easy every time, if pieces reach any square in one move or
 * there are many. */
TEST(easy_stops_a_runner_now_and_then) {
    bw_war_config fast = *(const bw_war_config *)bw_flag_war.defaults, crowded = fast;
    crowded.width = 19, crowded.height = 13, crowded.pieces = 7, crowded.max_distance = 3;
    const int games = 60;
    assert_in_range(lost_to_a_runner(&fast, games), games / 5, games * 4 / 5);
    assert_in_range(lost_to_a_runner(&crowded, games), 0, games * 4 / 5);
}

/* Regression: a player who was still reading the rules when the clock started had lost after three rounds. */
TEST(easy_waits_for_somebody_who_has_not_moved_yet) {
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    for (int v = 0; v < bw_flag_war.variant_count; v++) {
        bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
        if (v != 1) config.max_distance = 3;
        if (v == 2) config.width = 19, config.height = 13, config.pieces = 7;
        for (int game = 0; game < 20; game++) {
            bw_war_state state;
            bw_war_init(&state, &config);
            while (state.round < 20) {
                bw_war_orders orders;
                uint64_t seed = (uint64_t)game * 1000 + (uint64_t)state.round;
                bw_war_orders_clear(&orders);
                obey(&orders, BW_WAR_RED, actions, ask(bw_war_levels[0], &state, BW_WAR_RED, seed, 100, actions));
                bw_war_round(&state, &orders, NULL);
                assert_false(state.over);
            }
            int rounds = 0;
            for (; !state.over && rounds < 600; rounds++) { /* it does not wait for ever */
                bw_war_orders orders;
                uint64_t seed = (uint64_t)game * 1000 + (uint64_t)state.round;
                bw_war_orders_clear(&orders);
                obey(&orders, BW_WAR_RED, actions, ask(bw_war_levels[0], &state, BW_WAR_RED, seed, 100, actions));
                bw_war_round(&state, &orders, NULL);
            }
            assert_true(state.over);
        }
    }
}

TEST(every_order_is_accepted_under_any_settings) {
    static bw_war_draft draft;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_fast fast = {5};
    for (int game = 0; game < 60; game++) {
        bw_war_state state;
        bw_war_config config = some_config(&fast);
        bw_war_init(&state, &config);
        for (int round = 0; round < 12 && !state.over; round++) {
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            for (int team = 0; team < 2; team++) {
                const bw_bot *bot = bw_war_levels[bw_fast_below(&fast, 3)];
                uint32_t count = ask(bot, &state, team, bw_fast_next(&fast), 3, actions);
                memset(&draft, 0, sizeof draft);
                for (uint32_t i = 0; i < count; i++) {
                    assert_int_equal(actions[i].type, BW_WAR_COMMAND);
                    assert_int_equal(bw_war_prepare(&state, team, &draft, &actions[i]), 0);
                }
                assert_true(count > 0 || !(bw_war_team_bits(&config, team) & ~(uint32_t)state.jailed));
                obey(&orders, team, actions, count);
            }
            bw_war_round(&state, &orders, NULL);
        }
    }
}

TEST(the_same_question_has_the_same_answer) {
    bw_war_action one[BW_BOT_ACTIONS_MAX], two[BW_BOT_ACTIONS_MAX];
    bw_war_state state;
    bw_war_init(&state, bw_flag_war.defaults);
    for (int level = 0; level < 3; level++) {
        int differences = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            uint32_t count = ask(bw_war_levels[level], &state, 1, seed, 4, one);
            memset(arena, 0xa5, bw_war_hard.arena_bytes);
            assert_int_equal(ask(bw_war_levels[level], &state, 1, seed, 4, two), count);
            assert_memory_equal(one, two, sizeof one);
            ask(bw_war_levels[level], &state, 1, seed + 100, 4, two);
            differences += memcmp(one, two, sizeof one) != 0;
        }
        assert_true(differences > 0); /* and it is not always the same one */
    }
}

static bool never(void *asked) {
    ++*(int *)asked;
    return false;
}

TEST(a_hurried_player_answers_at_once) {
    bw_war_state state;
    bw_war_view view;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_war_init(&state, bw_flag_war.defaults);
    bw_flag_war.view_of(&state, 0, &view);
    for (int level = 1; level < 3; level++) {
        int asked = 0;
        bw_thinking thinking = {.seed = 1,
                                .effort = 1000000,
                                .keep_going = never,
                                .user = &asked,
                                .arena = arena,
                                .arena_bytes = bw_war_hard.arena_bytes};
        assert_true(bw_war_levels[level]->choose(bw_war_levels[level], &bw_flag_war, &view, &state.config, 0, &thinking,
                                                 actions, BW_BOT_ACTIONS_MAX) > 0);
        assert_true(asked >= 1 && asked < 4);
    }
}

TEST(bots_order_no_piece_in_jail) {
    bw_war_state state;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.elimination = false;
    bw_war_init(&state, &config);
    for (int piece = 0; piece < 3; piece++) {
        state.square[piece] = BW_WAR_NOWHERE;
        state.jailed = (uint16_t)(state.jailed | 1u << piece);
    }
    for (int level = 0; level < 3; level++) {
        assert_int_equal(ask(bw_war_levels[level], &state, 0, 1, 2, actions), 0);
    }
}

/* ---- how they play ---- */

TEST(the_hard_one_fetches_an_unguarded_flag_in_two_rounds) {
    for (int team = 0; team < 2; team++) {
        bw_war_state state;
        bw_war_action actions[BW_BOT_ACTIONS_MAX];
        bw_war_init(&state, bw_flag_war.defaults);
        for (int round = 0; round < 2; round++) {
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            obey(&orders, team, actions, ask(&bw_war_hard, &state, team, (uint64_t)round, 20, actions));
            bw_war_round(&state, &orders, NULL);
        }
        assert_int_equal(state.winners, 1u << team);
    }
}

TEST(the_hard_one_frees_its_jail_when_nothing_else_helps) {
    bw_war_state state;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.max_distance = 2;
    bw_war_init(&state, &config);
    for (int piece = 0; piece < 2; piece++) {
        state.square[piece] = BW_WAR_NOWHERE;
        state.jailed = (uint16_t)(state.jailed | 1u << piece);
    }
    state.key[BW_WAR_BLUE] = 1;
    state.square[BW_WAR_BLUE_3] = bw_war_square(9, 3);
    uint32_t count = ask(&bw_war_hard, &state, BW_WAR_BLUE, 3, 40, actions);
    assert_int_equal(count, 1);
    assert_int_equal(actions[0].as.command.to.x, 9);
    assert_int_equal(actions[0].as.command.to.y, 1);
}

static int points(const bw_bot *strong, const bw_bot *weak, int games, uint32_t effort) {
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.max_distance = 3;
    config.max_rounds = 80;
    int total = 0;
    for (int game = 0; game < games; game++) {
        bw_war_state state;
        bw_war_action actions[BW_BOT_ACTIONS_MAX];
        bw_war_init(&state, &config);
        while (!state.over) {
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            for (int team = 0; team < 2; team++) {
                const bw_bot *bot = (team ^ (game & 1)) ? weak : strong;
                uint64_t seed = (uint64_t)(game * 1000 + (int)state.round * 2 + team);
                obey(&orders, team, actions, ask(bot, &state, team, seed, effort, actions));
            }
            bw_war_round(&state, &orders, NULL);
        }
        total += !state.winners ? 1 : (state.winners >> (game & 1) & 1) ? 2 : 0;
    }
    return total;
}

TEST(each_level_beats_the_one_below) {
    assert_true(points(bw_war_levels[0], &bw_random, 40, 100) > 50);
    assert_true(points(bw_war_levels[1], bw_war_levels[0], 40, 100) > 60);
    assert_true(points(bw_war_levels[2], bw_war_levels[1], 12, 5) > 17);
}

/* ---- equilibria ---- */

TEST(known_games_have_their_known_values) {
    static int32_t payoff[BW_REGRET_MAX][BW_REGRET_MAX];
    static const int32_t rock_paper_scissors[3][3] = {{0, -900, 900}, {900, 0, -900}, {-900, 900, 0}};
    bw_mix row, column;
    for (int i = 0; i < 3; i++) {
        memcpy(payoff[i], rock_paper_scissors[i], sizeof rock_paper_scissors[i]);
    }
    int32_t value = bw_regret_solve(payoff, 3, 3, 1000, &row, &column);
    assert_in_range(value + 10, 0, 20);
    for (int i = 0; i < 3; i++) {
        assert_in_range(row.weight[i], BW_REGRET_ONE / 3 - 1000, BW_REGRET_ONE / 3 + 1000);
    }
    /* Matching pennies where one pair is worth more: both play it 1/3 of the time, the value is 1/3. */
    payoff[0][0] = 3000, payoff[0][1] = -1000, payoff[1][0] = -1000, payoff[1][1] = 1000;
    value = bw_regret_solve(payoff, 2, 2, 2000, &row, &column);
    assert_in_range(value, 300, 367);
    assert_in_range(row.weight[0], BW_REGRET_ONE / 3 - 1500, BW_REGRET_ONE / 3 + 1500);
    assert_in_range(column.weight[0], BW_REGRET_ONE / 3 - 1500, BW_REGRET_ONE / 3 + 1500);
    /* A saddle: the second row and column, worth 200. */
    payoff[0][0] = 100, payoff[0][1] = -500, payoff[1][0] = 700, payoff[1][1] = 200;
    value = bw_regret_solve(payoff, 2, 2, 500, &row, &column);
    assert_in_range(value, 195, 205);
    assert_true(row.weight[1] > BW_REGRET_ONE * 98 / 100 && column.weight[1] > BW_REGRET_ONE * 98 / 100);
    assert_int_equal(row.weight[0] + row.weight[1], BW_REGRET_ONE);
}

RUN_TESTS(open_arena, close_arena)
