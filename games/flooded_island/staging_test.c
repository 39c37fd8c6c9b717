/* Flooded Island: a turn can be staged, changed and withdrawn before it is played. */
#include "engine/match.h"
#include "games/flooded_island/test_help.h"

typedef struct table {
    bw_match match;
    _Alignas(8) uint8_t block[8192];
} table;

static void lay(table *t, int floods) {
    bw_island_config config = {.width = 10, .height = 10, .max_flood_count = (uint8_t)floods};
    uint8_t seed[32] = {0};
    assert_true(bw_match_bytes(GAME) <= sizeof t->block);
    memset(t->block, 0, sizeof t->block);
    bw_match_attach(&t->match, GAME, t->block);
    assert_int_equal(bw_match_start(&t->match, &config, 3, seed), 0);
}

static int send(table *t, int seat, bw_island_action action) {
    bw_island_action played;
    uint8_t before[sizeof t->block];
    memcpy(before, t->block, sizeof before);
    int outcome = bw_match_submit(&t->match, seat, &action, &played, NULL);
    if (outcome < 0) assert_memory_equal(before, t->block, sizeof before);
    return outcome;
}
static int end_turn(table *t, int seat) {
    bw_island_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_ISLAND_END_TURN;
    return send(t, seat, action);
}
static bw_island_you staged(const table *t, int seat) {
    bw_island_you you;
    GAME->show_draft(t->match.state, seat, bw_match_draft(&t->match, seat), &you);
    return you;
}

TEST(test_moves_are_staged_changed_and_taken_back) {
    table t;
    lay(&t, 2);
    bw_island_state before = *(bw_island_state *)t.match.state;
    assert_false(staged(&t, 0).has_staged);
    assert_int_equal(end_turn(&t, 0), BW_ISLAND_MOVE_NONE);
    assert_int_equal(send(&t, 0, move_to(1, 1)), BW_PREPARED);
    assert_int_equal(send(&t, 0, move_to(0, 1)), BW_PREPARED);
    assert_memory_equal(&before, t.match.state, sizeof before); /* nothing has happened */
    bw_island_you you = staged(&t, 0);
    assert_true(you.has_staged && you.staged.has_position && !you.staged.has_positions);
    assert_int_equal(you.staged.position.y, 1);
    assert_int_equal(send(&t, 0, move_to(5, 5)), BW_ISLAND_MOVE_FAR); /* keeps what was staged */
    assert_int_equal(staged(&t, 0).staged.position.y, 1);
    bw_island_action none;
    memset(&none, 0, sizeof none);
    none.type = BW_ISLAND_MOVE;
    assert_int_equal(send(&t, 0, none), BW_PREPARED);
    assert_false(staged(&t, 0).has_staged);
    assert_int_equal(end_turn(&t, 0), BW_ISLAND_MOVE_NONE);
    assert_int_equal(send(&t, 0, move_to(1, 1)), BW_PREPARED);
    assert_int_equal(end_turn(&t, 0), BW_PLAYED);
    assert_false(staged(&t, 0).has_staged);
    assert_int_equal(((bw_island_state *)t.match.state)->square, 11);
}

TEST(test_floods_are_staged_changed_and_taken_back) {
    table t;
    lay(&t, 2);
    assert_int_equal(send(&t, 0, move_to(1, 1)), BW_PREPARED);
    assert_int_equal(end_turn(&t, 0), BW_PLAYED);
    assert_int_equal(send(&t, 1, flood_of(POINTS({5, 5}))), BW_PREPARED);
    assert_int_equal(send(&t, 1, flood_of(POINTS({6, 6}, {7, 7}))), BW_PREPARED);
    assert_int_equal(send(&t, 1, flood_of(POINTS({1, 1}))), BW_ISLAND_FLOOD_OWN);
    assert_int_equal(send(&t, 1, flood_of(POINTS({3, 3}, {3, 3}))), BW_ISLAND_FLOOD_TWICE);
    bw_island_you you = staged(&t, 1);
    assert_true(you.has_staged && you.staged.has_positions && !you.staged.has_position);
    assert_int_equal(you.staged.positions_count, 2);
    assert_int_equal(you.staged.positions[1].x, 7);
    assert_int_equal(send(&t, 1, flood_of(NULL, 0)), BW_PREPARED);
    assert_false(staged(&t, 1).has_staged);
    assert_int_equal(end_turn(&t, 1), BW_PLAYED); /* a pass */
    const bw_island_state *state = t.match.state;
    assert_int_equal(state->fields_flooded, 0);
    assert_int_equal(GAME->current_turn(state), 2);
}

TEST(test_a_file_holds_the_move_itself) {
    table t;
    lay(&t, 2);
    bw_island_action action = move_to(1, 1);
    assert_int_equal(bw_match_play(&t.match, 0, &action, NULL), 0);
    action = flood_of(POINTS({2, 2}));
    assert_int_equal(bw_match_play(&t.match, 1, &action, NULL), 0);
    assert_int_equal(((bw_island_state *)t.match.state)->moves, 1);
    memset(&action, 0, sizeof action); /* a move without a target is not a move */
    assert_int_equal(bw_match_play(&t.match, 0, &action, NULL), BW_ISLAND_MOVE_NONE);
}

RUN_TESTS(NULL, NULL)
