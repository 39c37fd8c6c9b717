/* Matrix games with known values, and positions of Flag War whose value anybody can see. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cli/matrix_game.h"
#include "cli/war_graph.h"
#include "tests/support/unit.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-6)

/* ---- matrix games ---- */

TEST(paper_beats_stone) {
    static const double payoff[] = {0, -1, 1, 1, 0, -1, -1, 1, 0};
    double work[16], row[3], column[3];
    NEAR(matrix_solve(payoff, 3, 3, work, row, column), 0);
    for (int i = 0; i < 3; i++) {
        NEAR(row[i], 1.0 / 3);
        NEAR(column[i], 1.0 / 3);
    }
}

/* value = (ad - bc) / (a + d - b - c) */
TEST(a_game_of_two_by_two_is_as_in_the_books) {
    static const double payoff[] = {3, -1, -2, 1};
    double work[9], row[2], column[2];
    NEAR(matrix_solve(payoff, 2, 2, work, row, column), 1.0 / 7);
    NEAR(row[0], 3.0 / 7);
    NEAR(column[0], 2.0 / 7);
}

/* Where neither side would leave, nobody mixes; a dominated choice is never made. */
TEST(a_saddle_is_found) {
    static const double payoff[] = {1, 2, 0, 3, 4, 2, 2, 5, 1};
    double work[16], row[3], column[3];
    NEAR(matrix_solve(payoff, 3, 3, work, row, column), 2);
    NEAR(row[1], 1);
    NEAR(column[2], 1);
}

TEST(each_mix_guarantees_the_value) {
    bw_fast fast = {5};
    for (int n = 0; n < 300; n++) {
        double payoff[400], work[441], row[20], column[20], low = 0, high = 0;
        int rows = 1 + (int)bw_fast_below(&fast, 20), columns = 1 + (int)bw_fast_below(&fast, 20);
        /* few different payoffs: many ties, which the pivots may circle among */
        for (int k = 0; k < rows * columns; k++) payoff[k] = (int)bw_fast_below(&fast, n % 2 ? 3 : 1000) - 1;
        double value = matrix_solve(payoff, rows, columns, work, row, column);
        matrix_guarantees(payoff, rows, columns, row, column, &low, &high);
        assert_true(fabs(low - value) < 1e-6 && fabs(high - value) < 1e-6);
    }
}

/* ---- positions ---- */

static bw_war_state position(bw_war_spot blue, bw_war_spot red, bool blue_carries, bool red_carries) {
    bw_war_room room = *(const bw_war_room *)bw_flag_war.defaults;
    bw_war_config config;
    bw_war_state state;
    memcpy(&config, &room, sizeof config);
    config.width = config.height = 7, config.pieces = 1, config.max_distance = 1;
    bw_war_init(&state, &config);
    state.square[bw_war_piece(BW_WAR_BLUE, 0)] = blue;
    state.square[bw_war_piece(BW_WAR_RED, 0)] = red;
    if (blue_carries) state.carrier[BW_WAR_RED] = (uint8_t)(bw_war_piece(BW_WAR_BLUE, 0) + 1);
    if (red_carries) state.carrier[BW_WAR_BLUE] = (uint8_t)(bw_war_piece(BW_WAR_RED, 0) + 1);
    return state;
}

static double value_of(const bw_war_state *state, int rounds, double unfinished) {
    war_graph g;
    assert_true(war_graph_build(&g, state, 100000));
    war_graph_solve(&g, rounds, unfinished, true);
    double low = g.value[0];
    war_graph_solve(&g, rounds, unfinished, false);
    assert_true(low <= g.value[0] + 1e-12 && low > g.value[0] - 1e-6);
    war_graph_free(&g);
    return low;
}

/* Rows 0 to 2 are red's, row 3 is nobody's, rows 4 to 6 are blue's. */
TEST(a_carrier_one_step_from_home_has_won) {
    bw_war_state blue = position(bw_war_square(2, 3), bw_war_square(2, 1), true, false);
    bw_war_state red = position(bw_war_square(2, 5), bw_war_square(2, 3), false, true);
    bw_war_state both = position(bw_war_square(2, 3), bw_war_square(5, 3), true, true);
    NEAR(value_of(&blue, 1, -1), 1);
    NEAR(value_of(&red, 1, 1), -1);
    NEAR(value_of(&both, 1, 0), 0); /* both score in the same round: nobody wins */
}

/* Blue must cross row 3 in the same round in which red may only guess where: two ways past it, and red stops one of
 * them. Blue at (1,2) can go down, or stay and be met; red at (1,4) on blue's ground can meet it in row 3 only by
 * standing there, where both are jailed and nobody wins. */
TEST(in_two_rounds_a_carrier_is_home_unless_it_is_met) {
    bw_war_state far = position(bw_war_square(1, 2), bw_war_square(5, 5), true, false);
    NEAR(value_of(&far, 2, -1), 1);  /* nobody can be there in time */
    NEAR(value_of(&far, 1, -1), -1); /* but one round is not enough */
    bw_war_state near = position(bw_war_square(1, 2), bw_war_square(1, 4), true, false);
    double value = value_of(&near, 50, 0);
    assert_true(value >= -1e-6 && value < 1);
}

TEST(the_start_is_even_and_the_bounds_hold_the_value) {
    bw_war_state start = position(bw_war_square(3, 4), bw_war_square(3, 2), false, false);
    double low = value_of(&start, 20, -1), middle = value_of(&start, 20, 0), high = value_of(&start, 20, 1);
    NEAR(middle, 0);
    NEAR(low, -high);
    assert_true(low <= middle + 1e-6 && middle <= high + 1e-6);
}

/* Every legal order is one of the moves, and is found again. */
TEST(orders_are_found_among_the_moves) {
    bw_war_state start = position(bw_war_square(3, 4), bw_war_square(3, 2), false, false);
    bw_war_orders moves[WAR_GRAPH_MOVES];
    start.config.pieces = 2, start.config.max_distance = 2;
    bw_war_init(&start, &(bw_war_config){.width = 7, .height = 7, .pieces = 2, .guard_distance = 1, .max_distance = 2});
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        int count = war_graph_moves(&start, team, moves);
        assert_in_range(count, 30, 81);
        for (int i = 0; i < count; i++) assert_int_equal(war_graph_move_of(&start, team, &moves[i]), i);
    }
}

TEST(too_large_a_game_is_refused) {
    bw_war_state start = position(bw_war_square(3, 4), bw_war_square(3, 2), false, false);
    war_graph g;
    assert_false(war_graph_build(&g, &start, 100));
    war_graph_free(&g);
}

RUN_TESTS(NULL, NULL)
