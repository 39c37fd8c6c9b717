/* Flag War: moves and collisions (steps 2 to 4 of a round); a test for each sentence of the rules page. */
#include "games/flag_war/test_help.h"

/* ---- step 3: moves ---- */

TEST(test_all_move_at_once_and_pass_through) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 5);
    put(&f, B2, 3, 5); /* in the way of blue-1 */
    order(&f, B1, 10, 5);
    play(&f);
    assert_at(&f, B1, 10, 5);
    assert_log(&f, "moved blue-1 10,5");
}

TEST(test_swapped_pieces_do_not_collide) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 2, 5);
    put(&f, R1, 8, 5);
    order(&f, B1, 8, 5);
    order(&f, R1, 2, 5);
    order(&f, B2, 6, 8);
    order(&f, B3, 5, 8);
    play(&f);
    assert_at(&f, B1, 8, 5);
    assert_at(&f, R1, 2, 5);
    assert_at(&f, B2, 6, 8);
    assert_log(&f, "moved blue-1 8,5; moved blue-2 6,8; moved blue-3 5,8; moved red-1 2,5");
}

TEST(test_hold_is_an_occupant) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 7);
    put(&f, R1, 9, 7);
    order(&f, B1, 0, 7);
    order(&f, R1, 0, 7);
    play(&f);
    assert_at(&f, B1, 0, 7);
    assert_jailed(&f, R1);
}

TEST(test_own_active_zone_voids_the_move) {
    field f;
    field_open(&f, NULL);
    order(&f, B2, 5, 9);
    play(&f);
    assert_at(&f, B2, 5, 8);
    assert_log(&f, "voided blue-2");
}

TEST(test_only_the_destination_counts_for_the_zone) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 2, 9);
    order(&f, B1, 8, 9); /* straight through the own zone */
    play(&f);
    assert_at(&f, B1, 8, 9);
}

TEST(test_attackers_enter_the_zone) {
    field f;
    field_open(&f, NULL);
    order(&f, R1, 4, 9);
    play(&f);
    assert_at(&f, R1, 4, 9);
}

TEST(test_inactive_zone_may_be_entered) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 3);
    f.state.carrier[BW_WAR_BLUE] = R1 + 1; /* on its own ground: it scores, but moves come first */
    order(&f, B2, 5, 9);
    play(&f);
    assert_at(&f, B2, 5, 9);
}

TEST(test_flag_that_comes_home_in_step_2_closes_the_zone_for_this_round) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 1, 9);
    carry(&f, R1);
    f.state.rescuing = 1u << R1;
    order(&f, B2, 5, 9);
    play(&f);
    assert_at(&f, B2, 5, 8);
    assert_log(&f, "returned red-1 rescue; flag_returned blue red-1; voided blue-2; zone_active blue");
}

TEST(test_order_that_cannot_be_followed_is_skipped) {
    field f;
    field_open(&f, NULL);
    order(&f, B1, 0, 0);
    jail(&f, B2);
    order(&f, B2, 5, 8);
    play(&f);
    assert_at(&f, B1, 4, 8);
    assert_log(&f, "skipped blue-1 out_of_reach; skipped blue-2 jailed; key_appeared blue 9,1");
}

/* ---- step 4: collisions ---- */

typedef struct meeting {
    int y;               /* where */
    const int pieces[5]; /* -1 ends */
    const char *log;
} meeting;

TEST(test_collisions_by_ground_and_number) {
    static const meeting meetings[] = {
        /* in blue's territory every red piece is jailed */
        {7, {B1, R1, -1}, "jailed red-1 0,7; key_appeared red 1,9"},
        {6, {B1, R1, -1}, "jailed red-1 0,6; key_appeared red 1,9"},
        {7, {B1, R1, R2, -1}, "jailed red-1 0,7; jailed red-2 0,7; key_appeared red 1,9"},
        /* if two or more of one team remain, they go back */
        {7,
         {B1, B2, R1, -1},
         "jailed red-1 0,7; returned blue-1 collision; returned blue-2 collision; key_appeared red 1,9"},
        /* in red's territory every blue piece */
        {3, {B1, R1, -1}, "jailed blue-1 0,3; key_appeared blue 9,1"},
        {4,
         {B1, B2, R1, R2, -1},
         "jailed blue-1 0,4; jailed blue-2 0,4; returned red-1 collision; returned red-2 collision; key_appeared blue 9,1"},
        /* in the neutral rows all of them */
        {5, {B1, R1, -1}, "jailed blue-1 0,5; jailed red-1 0,5; key_appeared blue 9,1; key_appeared red 1,9"},
        {5,
         {B1, B2, R1, -1},
         "jailed blue-1 0,5; jailed blue-2 0,5; jailed red-1 0,5; key_appeared blue 9,1; key_appeared red 1,9"},
        /* one team only: no jail, anywhere */
        {5, {B1, B3, -1}, "returned blue-1 collision; returned blue-3 collision"},
        {2, {R1, R2, R3, -1}, "returned red-1 collision; returned red-2 collision; returned red-3 collision"},
        {2, {B1, B2, -1}, "returned blue-1 collision; returned blue-2 collision"},
    };
    for (size_t i = 0; i < sizeof meetings / sizeof meetings[0]; i++) {
        field f;
        field_open(&f, NULL);
        for (int at = 0; meetings[i].pieces[at] >= 0; at++) {
            put(&f, meetings[i].pieces[at], 0, meetings[i].y);
        }
        play(&f);
        assert_log(&f, meetings[i].log);
        for (int at = 0; meetings[i].pieces[at] >= 0; at++) {
            int piece = meetings[i].pieces[at];
            if (!bw_war_is(f.state.jailed, piece) && strstr(f.log, "returned")) {
                assert_int_equal(f.state.square[piece], bw_war_start(&f.state.config, piece));
            }
        }
    }
}

TEST(test_two_collisions_in_one_round_do_not_mix) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 7);
    put(&f, R1, 0, 7);
    put(&f, B2, 0, 3);
    put(&f, R2, 0, 3);
    play(&f);
    assert_jailed(&f, R1);
    assert_jailed(&f, B2);
    assert_at(&f, B1, 0, 7);
    assert_at(&f, R2, 0, 3);
}

TEST(test_jailed_carrier_loses_the_flag) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    order(&f, B1, 0, 8);
    put(&f, B1, 0, 8);
    order(&f, R1, 0, 8);
    play(&f);
    assert_jailed(&f, R1);
    assert_int_equal(f.state.carrier[BW_WAR_BLUE], 0);
    assert_log(&f,
               "moved red-1 0,8; jailed red-1 0,8; flag_returned blue red-1; key_appeared red 1,9; zone_active blue");
}

TEST(test_returned_carrier_loses_the_flag) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    put(&f, R2, 0, 7);
    play(&f);
    assert_at(&f, R1, 4, 2);
    assert_int_equal(f.state.carrier[BW_WAR_BLUE], 0);
    assert_log(&f, "returned red-1 collision; flag_returned blue red-1; returned red-2 collision; zone_active blue");
}

TEST(test_reset_onto_an_occupied_square_is_examined_next_round) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 4, 8); /* stands on blue-1's starting square */
    put(&f, B1, 0, 7);
    put(&f, B2, 0, 7);
    play(&f);
    assert_at(&f, B1, 4, 8);
    assert_at(&f, R1, 4, 8);
    play(&f);
    assert_jailed(&f, R1);
    assert_at(&f, B1, 4, 8);
}

TEST(test_rescuer_that_went_home_collides_like_any_piece) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 9, 1);
    f.state.rescuing = 1u << B1;
    put(&f, B2, 4, 3);
    order(&f, B2, 4, 8);
    play(&f);
    assert_log(&f, "returned blue-1 rescue; moved blue-2 4,8; returned blue-1 collision; returned blue-2 collision");
    assert_int_equal(f.state.rescuing, 0);
}

RUN_TESTS(NULL, NULL)
