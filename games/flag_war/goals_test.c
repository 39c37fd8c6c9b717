/* Flag War: flags, keys, zones and the end (steps 5 to 7 of a round); a test for each sentence of the rules page. */
#include "games/flag_war/test_help.h"

/* ---- step 5: flags ---- */

TEST(test_flag_is_picked_up_and_follows) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 5, 4);
    order(&f, B1, 5, 0);
    play(&f);
    assert_int_equal(f.state.carrier[BW_WAR_RED], B1 + 1);
    assert_log(&f, "moved blue-1 5,0; flag_taken red blue-1; zone_inactive red");
    order(&f, B1, 0, 0);
    play(&f);
    bw_war_view view;
    bw_flag_war.view_of(&f.state, BW_WATCHER, &view);
    assert_int_equal(view.flags.red.x, 0);
    assert_int_equal(view.flags.red.y, 0);
    assert_true(view.flags.red.has_carried_by);
    assert_false(view.zones.red);
}

TEST(test_own_flag_does_nothing) {
    field f;
    field_open(&f, NULL);
    f.state.carrier[BW_WAR_BLUE] = R1 + 1; /* away, so blue may stand on its spawn */
    put(&f, R1, 0, 5);
    put(&f, B1, 5, 10);
    play(&f);
    assert_log(&f, "");
    assert_int_equal(f.state.carrier[BW_WAR_BLUE], R1 + 1);
}

TEST(test_carrier_in_its_own_territory_scores_and_all_stops) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 4);
    carry(&f, B1);
    jail(&f, R1);
    f.state.key[BW_WAR_RED] = 1;
    put(&f, R2, 1, 8);
    order(&f, R2, 1, 9); /* would rescue in a later step */
    order(&f, B1, 0, 6);
    play(&f);
    assert_log(&f, "moved blue-1 0,6; moved red-2 1,9; scored blue-1");
    assert_int_equal(bw_flag_war.turn(&f.state), 0);
    assert_int_equal(f.state.winners, 1u << BW_WAR_BLUE);
    assert_at(&f, R2, 1, 9);
    assert_jailed(&f, R1);
}

TEST(test_neutral_rows_do_not_score) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 4);
    carry(&f, B1);
    order(&f, B1, 0, 5);
    play(&f);
    assert_int_equal(f.state.over, 0);
}

TEST(test_own_flag_need_not_be_home_to_score) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 5);
    carry(&f, B1);
    put(&f, R1, 10, 6);
    carry(&f, R1);
    order(&f, B1, 0, 9);
    play(&f);
    assert_int_equal(f.state.winners, 1u << BW_WAR_BLUE);
}

TEST(test_both_score_and_nobody_wins) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 4);
    carry(&f, B1);
    put(&f, R1, 10, 6);
    carry(&f, R1);
    order(&f, B1, 0, 6);
    order(&f, R1, 10, 4);
    play(&f);
    assert_int_equal(f.state.over, 1);
    assert_int_equal(f.state.winners, 0);
    assert_int_equal(f.state.reason, BW_WAR_BY_FLAG);
    assert_log(&f, "moved blue-1 0,6; moved red-1 10,4; scored blue-1; scored red-1");
}

TEST(test_flag_home_in_step_4_is_taken_again_in_step_5_and_throws_nobody_out) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    put(&f, B1, 0, 7);  /* jails red-1 */
    put(&f, R2, 5, 10); /* stands on blue's spawn */
    put(&f, B3, 4, 9);  /* a defender in the zone, which is open */
    play(&f);
    assert_log(&f, "jailed red-1 0,7; flag_returned blue red-1; flag_taken blue red-2; key_appeared red 1,9");
    assert_at(&f, B3, 4, 9);
}

/* ---- step 6: keys ---- */

TEST(test_key_appears_with_the_jail_and_works_from_the_next_round) {
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 3);
    put(&f, R1, 0, 3);
    put(&f, B2, 9, 1); /* already stands where the key appears */
    play(&f);
    assert_log(&f, "jailed blue-1 0,3; key_appeared blue 9,1");
    assert_jailed(&f, B1);
    play(&f); /* still there */
    assert_log(&f, "rescued blue-2 1; key_vanished blue 9,1");
    assert_at(&f, B1, 4, 8);
    assert_at(&f, B2, 9, 1);
    assert_true(bw_war_is(f.state.rescuing, B2));
    order(&f, B2, 5, 5); /* from the starting square, not from the key */
    play(&f);
    assert_log(&f, "returned blue-2 rescue; moved blue-2 5,5");
    assert_int_equal(f.state.rescuing, 0);
}

TEST(test_rescue_frees_all_those_jailed_in_the_same_round_too) {
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, B2, 9, 5);
    order(&f, B2, 9, 1);
    put(&f, B3, 0, 3);
    put(&f, R1, 0, 3);
    play(&f);
    assert_log(&f, "moved blue-2 9,1; jailed blue-3 0,3; rescued blue-2 2; key_vanished blue 9,1");
    assert_at(&f, B1, 4, 8);
    assert_at(&f, B3, 6, 8);
    assert_int_equal(f.state.rescues, 1);
    assert_int_equal(f.state.jailings[BW_WAR_BLUE], 1);
}

TEST(test_the_other_teams_key_does_nothing) {
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, R1, 9, 1);
    play(&f);
    assert_log(&f, "");
    assert_int_equal(f.state.key[BW_WAR_BLUE], 1);
}

TEST(test_caught_on_the_key_rescues_nobody) {
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, B2, 9, 5);
    order(&f, B2, 9, 1);
    put(&f, R1, 9, 1);
    play(&f);
    assert_jailed(&f, B1);
    assert_jailed(&f, B2);
}

TEST(test_rescuing_carrier_loses_the_flag_when_it_goes_home) {
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, B2, 9, 0);
    carry(&f, B2);
    order(&f, B2, 9, 1);
    play(&f);
    assert_int_equal(f.state.carrier[BW_WAR_RED], B2 + 1);
    put(&f, R3, 5, 1); /* a defender in the open zone */
    play(&f);
    assert_log(&f, "returned blue-2 rescue; flag_returned red blue-2; zone_active red; returned red-3 zone");
    assert_at(&f, R3, 6, 2);
}

/* ---- step 7: zones and the end ---- */

TEST(test_zone_throws_its_defenders_out_when_the_flag_comes_home) {
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    put(&f, B1, 0, 7);
    put(&f, B3, 4, 10);
    put(&f, R2, 6, 9); /* an attacker inside stays */
    play(&f);
    assert_log(
        &f, "jailed red-1 0,7; flag_returned blue red-1; key_appeared red 1,9; zone_active blue; returned blue-3 zone");
    assert_at(&f, B3, 6, 8);
    assert_at(&f, R2, 6, 9);
}

TEST(test_all_in_jail_loses) {
    field f;
    field_open(&f, NULL);
    jail(&f, R2);
    jail(&f, R3);
    put(&f, R1, 0, 7);
    put(&f, B1, 0, 7);
    play(&f);
    assert_int_equal(f.state.over, 1);
    assert_int_equal(f.state.winners, 1u << BW_WAR_BLUE);
    assert_int_equal(f.state.reason, BW_WAR_BY_ELIMINATION);
}

TEST(test_both_eliminated_and_nobody_wins) {
    field f;
    field_open(&f, NULL);
    jail(&f, R2);
    jail(&f, R3);
    jail(&f, B2);
    jail(&f, B3);
    put(&f, R1, 0, 5);
    put(&f, B1, 0, 5);
    play(&f);
    assert_int_equal(f.state.over, 1);
    assert_int_equal(f.state.winners, 0);
    assert_int_equal(f.state.reason, BW_WAR_BY_ELIMINATION);
}

TEST(test_a_flag_score_counts_before_elimination) {
    field f;
    field_open(&f, NULL);
    jail(&f, B2);
    put(&f, B1, 10, 3); /* the last blue piece except the carrier */
    put(&f, R1, 10, 3);
    put(&f, B3, 0, 5);
    jail(&f, R2);
    jail(&f, R3);
    carry(&f, B3);
    order(&f, B3, 0, 6);
    play(&f);
    assert_int_equal(f.state.winners, 1u << BW_WAR_BLUE);
    assert_int_equal(f.state.reason, BW_WAR_BY_FLAG);
}

TEST(test_without_elimination_the_game_goes_on) {
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.elimination = false;
    field f;
    field_open(&f, &config);
    for (int i = 0; i < 3; i++) jail(&f, R1 + i);
    play(&f);
    assert_int_equal(f.state.over, 0);
}

TEST(test_max_rounds_is_a_draw) {
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.max_rounds = 2;
    field f;
    field_open(&f, &config);
    play(&f);
    assert_int_equal(f.state.over, 0);
    play(&f);
    assert_int_equal(f.state.over, 1);
    assert_int_equal(f.state.winners, 0);
    assert_int_equal(f.state.reason, BW_WAR_BY_MAX_ROUNDS);
}

TEST(test_a_rescue_saves_from_elimination) {
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    jail(&f, B2);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, B3, 9, 3);
    order(&f, B3, 9, 1);
    play(&f);
    assert_int_equal(f.state.over, 0);
    assert_int_equal(f.state.jailed, 0);
}

RUN_TESTS(NULL, NULL)
