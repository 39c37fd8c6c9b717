#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/elo.h"
#include "tests/support/unit.h"

TEST(equal_sides_differ_by_nothing) {
    elo e = elo_of(40, 20, 40);
    assert_true(fabs(e.difference) < 1e-9);
    assert_true(e.low < 0 && e.high > 0 && fabs(e.low + e.high) < 1e-6);
}

TEST(three_quarters_are_191) {
    elo e = elo_of(75, 0, 25);
    assert_true(fabs(e.difference - 190.8485) < 1e-3);
    /* score 0.75 +- 1.96 sqrt(0.1875 / 100) = 0.6651 .. 0.8349 */
    assert_true(fabs(e.low - 119.19) < 0.5 && fabs(e.high - 281.5) < 0.5);
}

TEST(more_games_narrow_the_interval) {
    elo few = elo_of(6, 0, 4), many = elo_of(600, 0, 400);
    assert_true(many.high - many.low < (few.high - few.low) / 5);
}

TEST(a_clean_sweep_is_bounded_below_only) {
    elo e = elo_of(100, 0, 0);
    assert_true(isinf(e.difference) && e.difference > 0 && isinf(e.high));
    /* 0.025^(1/100) = 0.9638: at least 570 Elo */
    assert_true(fabs(e.low - 570) < 2);
    elo lost = elo_of(0, 0, 100);
    assert_true(isinf(lost.low) && lost.low < 0 && fabs(lost.high + e.low) < 1e-6);
}

/* ---- sequential tests ---- */

/* Many matches with random results: wrong no more often than promised, and always decided in the end. */
static int verdicts(double chance, double difference, int matches, int *yes, int *no) {
    uint64_t state = 12345;
    int games = 0;
    *yes = *no = 0;
    for (int m = 0; m < matches; m++) {
        uint64_t wins = 0, losses = 0;
        for (int verdict = 0; verdict == 0; games += 2) {
            for (int k = 0; k < 2; k++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                if ((double)(state >> 33) / 2147483648.0 < chance) wins++;
                else losses++;
            }
            verdict = sprt_of(wins, 0, losses, difference);
            *yes += verdict > 0;
            *no += verdict < 0;
        }
    }
    return games / matches;
}

TEST(a_sequential_test_is_seldom_wrong_and_ends_early) {
    int yes, no;
    assert_true(verdicts(0.5, 50, 400, &yes, &no) < 1000);
    assert_in_range(yes, 0, 32);                                /* 5 % would be 20 */
    assert_true(verdicts(0.571463, 50, 400, &yes, &no) < 1000); /* 50 Elo */
    assert_in_range(no, 0, 32);
    assert_true(verdicts(0.9, 50, 400, &yes, &no) < 60);
    assert_int_equal(no, 0);
    assert_int_equal(sprt_of(0, 0, 0, 50), 0);
    assert_int_equal(sprt_of(1, 0, 0, 50), 0);
}

/* ---- ladders ---- */

static void meet(ladder_results *r, int a, int b, double points, double games) {
    r->points[a][b] += points, r->games[a][b] += games;
    r->points[b][a] += games - points, r->games[b][a] += games;
}

TEST(two_on_a_ladder_are_a_match) {
    ladder_results r = {.players = 2};
    meet(&r, 1, 0, 750, 1000);
    ladder_rating ratings[LADDER_PLAYERS];
    ladder_rate(&r, ratings);
    assert_true(ratings[0].elo == 0 && ratings[0].error == 0);
    assert_true(fabs(ratings[1].elo - 191) < 1);
    elo match = elo_of(750, 0, 250);
    assert_true(fabs(ratings[1].error - (match.high - match.low) / 2) < 2);
}

TEST(strengths_come_back_from_what_they_make_likely) {
    static const double strengths[] = {0, 100, 250, 600};
    ladder_results r = {.players = 4};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < i; k++) {
            meet(&r, i, k, 1e5 / (1 + pow(10, (strengths[k] - strengths[i]) / 400)), 1e5);
        }
    }
    ladder_rating ratings[LADDER_PLAYERS];
    ladder_rate(&r, ratings);
    for (int i = 0; i < 4; i++) assert_true(fabs(ratings[i].elo - strengths[i]) < 1);
    assert_true(ratings[3].error > ratings[1].error && ratings[3].error < 10);
}

TEST(who_won_all_games_is_not_infinitely_strong) {
    ladder_results r = {.players = 3};
    meet(&r, 1, 0, 10, 10);
    meet(&r, 2, 1, 10, 10);
    ladder_rating ratings[LADDER_PLAYERS];
    ladder_rate(&r, ratings);
    assert_true(ratings[1].elo > 300 && ratings[2].elo > ratings[1].elo + 300 && ratings[2].elo < 2000);
    assert_true(ratings[2].error > 200 && ratings[2].error < 2000);
}

RUN_TESTS(NULL, NULL)
