/* Flood-It's players finish their boards, are as strong as their names say, and perfect plays optimally. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bots/flood_it/players.h"
#include "bots/flood_it/solver.h"
#include "games/flood_it/flood_it.h"

#define GAME (&bw_flood_it)

typedef struct desk {
    bw_floodit_state state;
    bw_floodit_view view;
    bw_floodit_config config;
} desk;

static desk *lay(int side, int colors, int word, uint32_t seats) {
    desk *d = calloc(1, sizeof *d);
    uint8_t seed[32] = {0};
    assert_non_null(d);
    d->config = *(const bw_floodit_config *)GAME->defaults;
    d->config.rows = d->config.cols = (uint8_t)side;
    d->config.colors = (uint8_t)colors;
    d->config.move_limit = 0;
    d->config.has_seed = true;
    snprintf(d->config.seed, sizeof d->config.seed, "players %d", word);
    GAME->init(&d->state, &d->config, seats, seed);
    return d;
}

static void move(desk *d, const bw_bot *bot, int seat, uint64_t seed, bool (*keep_going)(void *)) {
    void *arena = aligned_alloc(64, (bot->arena_bytes + 63) / 64 * 64);
    bw_floodit_action action;
    assert_non_null(arena);
    bw_thinking thinking = {
        .seed = seed, .effort = 100, .keep_going = keep_going, .arena = arena, .arena_bytes = bot->arena_bytes};
    GAME->view_of(&d->state, seat, &d->view);
    assert_int_equal(bot->choose(bot, GAME, &d->view, &d->config, seat, &thinking, &action, 1), 1);
    assert_int_equal(GAME->apply(&d->state, seat, &action, NULL), 0);
    free(arena);
}

static int moves_of(const char *level, int side, int colors, int word) {
    desk *d = lay(side, colors, word, 1);
    for (uint64_t i = 0; GAME->turn(&d->state); i++) {
        move(d, bw_bot_find(GAME, level), 0, i + (uint64_t)word * 100, NULL);
    }
    assert_int_equal(GAME->winners(&d->state), 1);
    int moves = d->state.seats[0].history.cursor;
    free(d);
    return moves;
}

static void test_each_level_is_stronger_than_the_one_before(void **unused) {
    (void)unused;
    static const char *const names[BW_FLOODIT_PLAYERS] = {"easy", "normal", "hard", "perfect"};
    int sums[BW_FLOODIT_PLAYERS] = {0};
    for (int l = 0; l < BW_FLOODIT_PLAYERS; l++) {
        assert_string_equal(bw_bot_at(GAME, l)->level, names[l]);
        for (int word = 0; word < 8; word++) sums[l] += moves_of(names[l], 12, 5, word);
    }
    assert_null(bw_bot_at(GAME, BW_FLOODIT_PLAYERS));
    printf("moves over 8 boards: %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
    assert_true(sums[0] > sums[1] && sums[1] > sums[2] && sums[2] >= sums[3]);
}

/* Easy makes mistakes but always gains: each of its colours absorbs at least a third of the best. */
static void test_the_blunders_of_easy_are_bounded(void **unused) {
    (void)unused;
    for (int word = 0; word < 6; word++) {
        desk *d = lay(14, 6, word, 1);
        int worse = 0;
        while (GAME->turn(&d->state)) {
            const bw_floodit_seat before = d->state.seats[0];
            int best = 0;
            for (int color = 0; color < 6; color++) {
                bw_floodit_plane plane = before.territory;
                int gain = color == before.color ? 0 : bw_floodit_select(&d->state.board, &plane, color) - before.cells;
                if (gain > best) best = gain;
            }
            move(d, bw_bot_at(GAME, 0), 0, (uint64_t)word * 1000 + before.history.cursor, NULL);
            int gain = d->state.seats[0].cells - before.cells;
            assert_true(3 * gain >= best);
            worse += gain < best;
        }
        assert_true(worse > 3);
        free(d);
    }
}

static void test_perfect_plays_the_proven_optimum(void **unused) {
    (void)unused;
    const bw_flood_limits limits = {.max_nodes = 50000};
    void *arena = malloc(BW_FLOOD_BEST_KNOWN_ARENA);
    assert_non_null(arena);
    for (int word = 0; word < 4; word++) {
        desk *d = lay(20, 4, word, 1);
        bw_flood_board board = {.rows = 20, .cols = 20};
        bw_flood_solution solution;
        for (int i = 0; i < 400; i++) {
            board.cells[i] = (uint8_t)bw_floodit_color_at(&d->state.board, i / 20, i % 20);
        }
        assert_int_equal(bw_flood_solve(&board, &limits, arena, BW_FLOOD_BEST_KNOWN_ARENA, &solution), BW_FLOOD_OK);
        assert_true(solution.proven);
        assert_int_equal(moves_of("perfect", 20, 4, word), solution.count);
        assert_true((int)solution.count >= bw_floodit_at_least(&d->state.board));
        assert_true((int)solution.count <= bw_floodit_quick(&d->state.board, 0));
        free(d);
    }
    free(arena);
}

static bool never(void *user) {
    (void)user;
    return false;
}

static void test_players_race_and_answer_when_cut_short(void **unused) {
    (void)unused;
    desk *d = lay(30, 8, 1, 0x15); /* three seats that are not adjacent */
    for (int l = 0; l < BW_FLOODIT_PLAYERS; l++) {
        for (int seat = 0; seat < 6; seat += 2) move(d, bw_bot_at(GAME, l), seat, 3, never);
    }
    assert_int_equal(d->state.seats[4].history.cursor, 4);
    free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_level_is_stronger_than_the_one_before),
        cmocka_unit_test(test_the_blunders_of_easy_are_bounded),
        cmocka_unit_test(test_perfect_plays_the_proven_optimum),
        cmocka_unit_test(test_players_race_and_answer_when_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
