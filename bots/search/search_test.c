/* The general search: its answers are legal in every game, the same for the same seed and effort, and better than
 * random; blunders are bounded; a game without its own bots has three levels. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/random.h"
#include "bots/search/internal.h"
#include "engine/match.h"
#include "engine/registry.h"
#include "games/_blank/blank.h"
#include "games/flag_war/flag_war.h"
#include "games/flood_it/flood_it.h"
#include "games/flooded_island/flooded_island.h"
#include "tests/support/unit.h"

static const bw_bot *const *levels = bw_search_levels;
enum { EASY, NORMAL, HARD };

static void *memory_of(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static bool never(void *user) {
    (void)user;
    return false;
}

static _Alignas(64) unsigned char arena[6 << 20]; /* as the previous answer left it */

static uint32_t ask(const bw_bot *bot, const bw_match *m, int seat, uint64_t seed, uint32_t effort, int fill,
                    bool (*keep_going)(void *), void *actions) {
    static unsigned char view[1 << 16];
    assert_true(m->game->view->size <= sizeof view);
    bw_thinking thinking = {.seed = seed, .effort = effort, .keep_going = keep_going, .arena_bytes = bot->arena_bytes};
    assert_true(bot->arena_bytes <= sizeof arena);
    thinking.arena = arena;
    if (fill) memset(arena, fill, bot->arena_bytes);
    m->game->view_of(m->state, seat, view);
    uint32_t count = bot->choose(bot, m->game, view, m->config, seat, &thinking, actions, BW_BOT_ACTIONS_MAX);
    return count;
}

/* Plays a seat's answer, or makes it its orders; it must be accepted. */
static void act(const bw_bot *bot, bw_match *m, int seat, uint64_t seed, uint32_t effort, void *actions, void *played) {
    uint32_t count = ask(bot, m, seat, seed, effort, 0, NULL, actions);
    bool rounds = m->game->flags & BW_GAME_ROUNDS;
    assert_true(rounds ? count <= BW_BOT_ACTIONS_MAX : count == 1);
    for (uint32_t i = 0; i < count; i++) {
        void *action = (char *)actions + i * m->game->actions->size;
        int outcome = rounds ? bw_match_submit(m, seat, action, played, NULL) : bw_match_play(m, seat, action, NULL);
        assert_int_equal(outcome, 0);
    }
}

/* Plays a game between bots, one per seat, for at most `turns`. Returns the turns. */
static int play(bw_match *m, const bw_bot *const *bots, uint64_t seed, uint32_t effort, int turns) {
    const bw_game *game = m->game;
    void *actions = memory_of((size_t)BW_BOT_ACTIONS_MAX * game->actions->size),
         *played = memory_of(game->actions->size);
    int turn = 0, last = game->role_count - 1;
    for (uint32_t now; turn < turns && (now = game->turn(m->state)) != 0; turn++) {
        if (game->flags & BW_GAME_ROUNDS) {
            for (int seat = 0; seat < game->role_count; seat++) {
                if (now >> seat & 1) act(bots[seat], m, seat, seed + (uint64_t)turn, effort, actions, played);
            }
            bw_match_round(m, played, NULL);
            continue;
        }
        do {
            last = (last + 1) % game->role_count;
        } while (!(now >> last & 1));
        act(bots[last], m, last, seed + (uint64_t)turn, effort, actions, played);
    }
    free(actions);
    free(played);
    return turn;
}

static bw_match started(const bw_game *game, const void *config, uint32_t seats, uint8_t luck) {
    uint8_t seed[32] = {luck};
    bw_match m;
    bw_match_attach(&m, game, memory_of(bw_match_bytes(game)));
    assert_int_equal(bw_match_start(&m, config, seats, seed), 0);
    return m;
}

static uint32_t seats_of(const bw_game *game) {
    return game->flags & BW_GAME_OPEN_SEATS ? 1 : (1u << game->role_count) - 1;
}

/* ---- any game ---- */

TEST(test_a_game_without_bots_has_three_levels) {
    static const char *const names[] = {"easy", "normal", "hard"};
    for (int i = 0; i < 3; i++) {
        const bw_bot *bot = bw_bot_at(&bw_blank, i);
        assert_non_null(bot);
        assert_string_equal(bot->level, names[i]);
        assert_ptr_equal(bot, bw_bot_find(&bw_blank, names[i]));
    }
    assert_null(bw_bot_at(&bw_blank, 3));
}

TEST(test_every_level_plays_every_game_by_its_rules) {
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        for (int level = EASY; level <= HARD; level++) {
            const bw_bot *bots[BW_SEATS_MAX];
            for (int seat = 0; seat < BW_SEATS_MAX; seat++) bots[seat] = levels[level];
            uint32_t seats = game->flags & BW_GAME_OPEN_SEATS ? (1u << game->role_count) - 1 : seats_of(game);
            bw_match m = started(game, game->defaults, seats, (uint8_t)(i + 1));
            play(&m, bots, 7, level == HARD ? 1 : 5, 12);
            free(m.block);
        }
    }
}

TEST(test_the_same_seed_and_effort_give_the_same_answer) {
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        size_t size = BW_BOT_ACTIONS_MAX * (size_t)game->actions->size;
        unsigned char *actions[2] = {memory_of(size), memory_of(size)};
        bw_match m = started(game, game->defaults, seats_of(game), 3);
        for (int level = EASY; level <= HARD; level++) {
            uint32_t count[2];
            for (int k = 0; k < 2; k++) count[k] = ask(levels[level], &m, 0, 11, 10, k ? 0x55 : 0, NULL, actions[k]);
            assert_int_equal(count[0], count[1]);
            assert_memory_equal(actions[0], actions[1], count[0] * game->actions->size);
            /* stopped at once: still an answer */
            uint32_t hurried = ask(levels[level], &m, 0, 11, 100, 0, never, actions[0]);
            assert_true(game->flags & BW_GAME_ROUNDS ? hurried <= BW_BOT_ACTIONS_MAX : hurried == 1);
        }
        free(m.block);
        free(actions[0]);
        free(actions[1]);
    }
}

/* ---- better than chance ---- */

/* The search's side of the island wins, whichever it is. */
TEST(test_it_wins_both_sides_of_an_island_against_chance) {
    for (int seat = 0; seat < 2; seat++) {
        bw_island_config config = {.width = 4, .height = 4, .max_flood_count = 2, .has_days = true, .days = 20};
        const bw_bot *bots[2] = {&bw_random, &bw_random};
        bots[seat] = levels[HARD];
        int won = 0;
        for (uint8_t n = 0; n < 4; n++) {
            bw_match m = started(&bw_flooded_island, &config, 3, 1);
            play(&m, bots, 100u * n, 60, 100);
            won += (int)(m.game->winners(m.state) >> seat & 1);
            free(m.block);
        }
        assert_true(won >= 3);
    }
}

TEST(test_it_takes_fewer_moves_of_a_flood_than_chance) {
    int moves[2] = {0, 0};
    for (uint8_t n = 0; n < 4; n++) {
        for (int k = 0; k < 2; k++) {
            const bw_bot *bot = k ? &bw_random : levels[HARD];
            const bw_bot *bots[BW_SEATS_MAX] = {bot};
            bw_match m = started(&bw_flood_it, bw_flood_it.defaults, 1, n);
            moves[k] += play(&m, bots, n, 15, 60);
            free(m.block);
        }
    }
    assert_true(moves[0] < moves[1]);
}

TEST(test_it_wins_a_war_against_chance) {
    int won = 0;
    for (uint8_t n = 0; n < 4; n++) {
        const bw_bot *bots[2] = {n % 2 ? &bw_random : levels[HARD], n % 2 ? levels[HARD] : &bw_random};
        bw_match m = started(&bw_flag_war, bw_flag_war.defaults, 3, n);
        play(&m, bots, n, 30, 150);
        won += m.game->turn(m.state) == 0 && m.game->winners(m.state) == 1u << n % 2;
        free(m.block);
    }
    assert_true(won >= 3);
}

/* ---- blunders ---- */

TEST(test_a_blunder_is_never_worse_than_its_bound) {
    static const int32_t means[] = {-900, 100, 400, 500, -200, 450};
    enum { ARMS = sizeof means / sizeof means[0] };
    bw_search_arm arms[ARMS];
    const bw_search_arm *of[ARMS];
    bw_search_strength level = {.blunders = 50, .bound = 100};
    bw_search s = {.level = &level, .fast = {5}, .low = -1000, .high = 1000, .done = 100};
    int chosen[ARMS] = {0};
    for (int i = 0; i < ARMS; i++) {
        arms[i] = (bw_search_arm){.sum = 10 * (int64_t)means[i], .tried = 10, .offered = 20};
        of[i] = &arms[i];
    }
    arms[3].tried = 40, arms[3].sum = 40 * 500; /* the best, as the search has found */
    for (int n = 0; n < 1000; n++) chosen[bw_search_decide(&s, of, ARMS)]++;
    assert_in_range(chosen[3], 400, 600);
    assert_true(chosen[2] > 150 && chosen[5] > 150);
    assert_int_equal(chosen[0] + chosen[1] + chosen[4], 0);
}

RUN_TESTS(NULL, NULL)
