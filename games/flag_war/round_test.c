/* Flag War: the board and a round, a test for each sentence of the rules page. */
#include "games/flag_war/test_help.h"

/* ---- the board ---- */

static void test_default_board_is_that_of_the_rules_page(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    const bw_war_config *config = &f.state.config;
    assert_int_equal(bw_war_flag(config, BW_WAR_BLUE), bw_war_square(5, 10));
    assert_int_equal(bw_war_flag(config, BW_WAR_RED), bw_war_square(5, 0));
    for (int i = 0; i < 3; i++) {
        assert_at(&f, B1 + i, 4 + i, 8);
        assert_at(&f, R1 + i, 4 + i, 2);
    }
    for (int y = 0; y < 11; y++) {
        assert_int_equal(bw_war_ground(config, bw_war_square(0, y)), y < 5 ? BW_WAR_RED : y > 5 ? BW_WAR_BLUE : -1);
    }
    for (int y = 0; y < 11; y++) {
        for (int x = 0; x < 11; x++) {
            assert_int_equal(bw_war_guarded(config, BW_WAR_BLUE, bw_war_square(x, y)), x >= 4 && x <= 6 && y >= 9);
            assert_int_equal(bw_war_guarded(config, BW_WAR_RED, bw_war_square(x, y)), x >= 4 && x <= 6 && y <= 1);
        }
    }
    assert_int_equal(bw_war_key(config, BW_WAR_BLUE), bw_war_square(9, 1));
    assert_int_equal(bw_war_key(config, BW_WAR_RED), bw_war_square(1, 9));
}

static void test_board_formulas_hold_for_every_size(void **unused) {
    (void)unused;
    for (int width = 7; width <= 31; width += 2) {
        for (int height = 7; height <= 31; height++) {
            for (int pieces = 1; pieces <= 7; pieces++) {
                for (int guard = 0; guard <= 3; guard++) {
                    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
                    config.width = (uint8_t)width;
                    config.height = (uint8_t)height;
                    config.pieces = (uint8_t)pieces;
                    config.guard_distance = (uint8_t)guard;
                    bool fits = height - 2 - guard >= height - (height - 1) / 2 && guard + 1 < (height - 1) / 2;
                    assert_int_equal(bw_flag_war.check(&config) == 0, fits);
                    if (!fits) {
                        continue;
                    }
                    field f;
                    field_open(&f, &config);
                    for (int i = 0; i < 7; i++) {
                        if (i >= pieces) {
                            assert_int_equal(f.state.square[B1 + i], BW_WAR_NOWHERE);
                            continue;
                        }
                        assert_at(&f, B1 + i, (width - 1) / 2 - pieces / 2 + i, height - 2 - guard);
                        assert_at(&f, R1 + i, (width - 1) / 2 - pieces / 2 + i, guard + 1);
                    }
                }
            }
        }
    }
}

static void test_even_number_has_its_extra_piece_left_of_the_flag(void **unused) {
    (void)unused;
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.pieces = 4;
    field f;
    field_open(&f, &config);
    assert_at(&f, B1, 3, 8);
    assert_at(&f, B4, 6, 8);
}

/* ---- step 3: moves ---- */

static void test_all_move_at_once_and_pass_through(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 5);
    put(&f, B2, 3, 5); /* in the way of blue-1 */
    order(&f, B1, 10, 5);
    play(&f);
    assert_at(&f, B1, 10, 5);
    assert_log(&f, "moved blue-1 10,5");
}

static void test_swapped_pieces_do_not_collide(void **unused) {
    (void)unused;
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

static void test_hold_is_an_occupant(void **unused) {
    (void)unused;
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

static void test_own_active_zone_voids_the_move(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    order(&f, B2, 5, 9);
    play(&f);
    assert_at(&f, B2, 5, 8);
    assert_log(&f, "voided blue-2");
}

static void test_only_the_destination_counts_for_the_zone(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, B1, 2, 9);
    order(&f, B1, 8, 9); /* straight through the own zone */
    play(&f);
    assert_at(&f, B1, 8, 9);
}

static void test_attackers_enter_the_zone(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    order(&f, R1, 4, 9);
    play(&f);
    assert_at(&f, R1, 4, 9);
}

static void test_inactive_zone_may_be_entered(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 3);
    f.state.carrier[BW_WAR_BLUE] = R1 + 1; /* in its own ground: it scores, but moves come first */
    order(&f, B2, 5, 9);
    play(&f);
    assert_at(&f, B2, 5, 9);
}

static void test_flag_that_comes_home_in_step_2_closes_the_zone_for_this_round(void **unused) {
    (void)unused;
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

static void test_order_that_cannot_be_followed_is_skipped(void **unused) {
    (void)unused;
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
    int y;                   /* where */
    const int pieces[5];     /* -1 ends */
    const char *log;
} meeting;

static void test_collisions_by_ground_and_number(void **unused) {
    (void)unused;
    static const meeting meetings[] = {
        /* in blue's territory every red piece is jailed */
        {7, {B1, R1, -1}, "jailed red-1 0,7; key_appeared red 1,9"},
        {6, {B1, R1, -1}, "jailed red-1 0,6; key_appeared red 1,9"},
        {7, {B1, R1, R2, -1}, "jailed red-1 0,7; jailed red-2 0,7; key_appeared red 1,9"},
        /* then what remains of one team, if two or more, returns */
        {7, {B1, B2, R1, -1}, "jailed red-1 0,7; returned blue-1 collision; returned blue-2 collision; key_appeared red 1,9"},
        /* in red's territory every blue piece */
        {3, {B1, R1, -1}, "jailed blue-1 0,3; key_appeared blue 9,1"},
        {4, {B1, B2, R1, R2, -1},
         "jailed blue-1 0,4; jailed blue-2 0,4; returned red-1 collision; returned red-2 collision; key_appeared blue 9,1"},
        /* in the neutral rows all of them */
        {5, {B1, R1, -1}, "jailed blue-1 0,5; jailed red-1 0,5; key_appeared blue 9,1; key_appeared red 1,9"},
        {5, {B1, B2, R1, -1},
         "jailed blue-1 0,5; jailed blue-2 0,5; jailed red-1 0,5; key_appeared blue 9,1; key_appeared red 1,9"},
        /* one team alone: no jail, wherever it is */
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

static void test_two_collisions_in_one_round_do_not_mix(void **unused) {
    (void)unused;
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

static void test_jailed_carrier_loses_the_flag(void **unused) {
    (void)unused;
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
    assert_log(&f, "moved red-1 0,8; jailed red-1 0,8; flag_returned blue red-1; key_appeared red 1,9; zone_active blue");
}

static void test_returned_carrier_loses_the_flag(void **unused) {
    (void)unused;
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

static void test_reset_onto_an_occupied_square_is_examined_next_round(void **unused) {
    (void)unused;
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

static void test_rescuer_that_went_home_collides_like_any_piece(void **unused) {
    (void)unused;
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

/* ---- step 5: flags ---- */

static void test_flag_is_picked_up_and_follows(void **unused) {
    (void)unused;
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

static void test_own_flag_does_nothing(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    f.state.carrier[BW_WAR_BLUE] = R1 + 1; /* away, so that blue may stand on its spawn */
    put(&f, R1, 0, 5);
    put(&f, B1, 5, 10);
    play(&f);
    assert_log(&f, "");
    assert_int_equal(f.state.carrier[BW_WAR_BLUE], R1 + 1);
}

static void test_carrier_in_its_own_territory_scores_and_all_stops(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 4);
    carry(&f, B1);
    jail(&f, R1);
    f.state.key[BW_WAR_RED] = 1;
    put(&f, R2, 1, 8);
    order(&f, R2, 1, 9); /* would rescue, in a later step */
    order(&f, B1, 0, 6);
    play(&f);
    assert_log(&f, "moved blue-1 0,6; moved red-2 1,9; scored blue-1");
    assert_int_equal(bw_flag_war.turn(&f.state), 0);
    assert_int_equal(f.state.winners, 1u << BW_WAR_BLUE);
    assert_at(&f, R2, 1, 9);
    assert_jailed(&f, R1);
}

static void test_neutral_rows_do_not_score(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, B1, 0, 4);
    carry(&f, B1);
    order(&f, B1, 0, 5);
    play(&f);
    assert_int_equal(f.state.over, 0);
}

static void test_own_flag_need_not_be_home_to_score(void **unused) {
    (void)unused;
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

static void test_both_score_and_nobody_wins(void **unused) {
    (void)unused;
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

static void test_flag_home_in_step_4_is_taken_again_in_step_5_and_throws_nobody_out(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    put(&f, B1, 0, 7);       /* jails red-1 */
    put(&f, R2, 5, 10);      /* stands on blue's spawn */
    put(&f, B3, 4, 9);       /* a defender in the zone, which is open */
    play(&f);
    assert_log(&f, "jailed red-1 0,7; flag_returned blue red-1; flag_taken blue red-2; key_appeared red 1,9");
    assert_at(&f, B3, 4, 9);
}

/* ---- step 6: keys ---- */

static void test_key_appears_with_the_jail_and_works_from_the_next_round(void **unused) {
    (void)unused;
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
    order(&f, B2, 5, 5); /* from the start, not from the key */
    play(&f);
    assert_log(&f, "returned blue-2 rescue; moved blue-2 5,5");
    assert_int_equal(f.state.rescuing, 0);
}

static void test_rescue_frees_all_those_jailed_in_the_same_round_too(void **unused) {
    (void)unused;
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

static void test_the_other_teams_key_does_nothing(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    jail(&f, B1);
    f.state.key[BW_WAR_BLUE] = 1;
    put(&f, R1, 9, 1);
    play(&f);
    assert_log(&f, "");
    assert_int_equal(f.state.key[BW_WAR_BLUE], 1);
}

static void test_caught_on_the_key_rescues_nobody(void **unused) {
    (void)unused;
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

static void test_rescuing_carrier_loses_the_flag_when_it_goes_home(void **unused) {
    (void)unused;
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

static void test_zone_throws_its_defenders_out_when_the_flag_comes_home(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    put(&f, R1, 0, 7);
    carry(&f, R1);
    put(&f, B1, 0, 7);
    put(&f, B3, 4, 10);
    put(&f, R2, 6, 9); /* an attacker inside stays */
    play(&f);
    assert_log(&f, "jailed red-1 0,7; flag_returned blue red-1; key_appeared red 1,9; zone_active blue; returned blue-3 zone");
    assert_at(&f, B3, 6, 8);
    assert_at(&f, R2, 6, 9);
}

static void test_all_in_jail_loses(void **unused) {
    (void)unused;
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

static void test_both_eliminated_and_nobody_wins(void **unused) {
    (void)unused;
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

static void test_a_flag_score_counts_before_elimination(void **unused) {
    (void)unused;
    field f;
    field_open(&f, NULL);
    jail(&f, B2);
    put(&f, B1, 10, 3); /* the last blue piece but the carrier */
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

static void test_without_elimination_the_game_goes_on(void **unused) {
    (void)unused;
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.elimination = false;
    field f;
    field_open(&f, &config);
    for (int i = 0; i < 3; i++) {
        jail(&f, R1 + i);
    }
    play(&f);
    assert_int_equal(f.state.over, 0);
}

static void test_max_rounds_is_a_draw(void **unused) {
    (void)unused;
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

static void test_a_rescue_saves_from_elimination(void **unused) {
    (void)unused;
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

/* ---- settings and variants ---- */

static void test_diagonals_and_max_distance(void **unused) {
    (void)unused;
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.diagonals = true;
    config.max_distance = 2;
    field f;
    field_open(&f, &config);
    order(&f, B1, 2, 6);
    order(&f, B2, 2, 5); /* three squares */
    order(&f, B3, 7, 6); /* no line at all */
    play(&f);
    assert_log(&f, "moved blue-1 2,6; skipped blue-2 out_of_reach; skipped blue-3 out_of_reach");
}

static void test_keys_can_be_left_out(void **unused) {
    (void)unused;
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.keys = false;
    field f;
    field_open(&f, &config);
    put(&f, B1, 0, 3);
    put(&f, R1, 0, 3);
    play(&f);
    assert_log(&f, "jailed blue-1 0,3");
}

static bool reaches_as_a_knight(const bw_war_config *config, bw_war_spot from, bw_war_spot to) {
    (void)config;
    int columns = bw_war_apart(bw_war_x(from), bw_war_x(to)), rows = bw_war_apart(bw_war_y(from), bw_war_y(to));
    return columns * rows == 2;
}

static bool guards_whole_rows(const bw_war_config *config, int team, bw_war_spot square) {
    return bw_war_apart(bw_war_y(square), bw_war_y(bw_war_flag(config, team))) <= config->guard_distance;
}

static bw_war_spot key_in_the_middle(const bw_war_config *config, int team) {
    return bw_war_square(team == BW_WAR_BLUE ? 0 : config->width - 1, config->height / 2);
}

static void test_each_rule_is_replaced_in_one_place(void **unused) {
    (void)unused;
    bw_war_rules knight = bw_war_standard, rows = bw_war_standard, middle = bw_war_standard;
    knight.reaches = reaches_as_a_knight;
    rows.guarded = guards_whole_rows;
    middle.key = key_in_the_middle;
    field f;
    field_open(&f, NULL);
    order(&f, B1, 3, 6);
    order(&f, B2, 5, 6);
    play_by(&f, &knight);
    assert_log(&f, "moved blue-1 3,6; skipped blue-2 out_of_reach");
    field_open(&f, NULL);
    put(&f, B1, 0, 8);
    order(&f, B1, 0, 9);
    play_by(&f, &rows);
    assert_log(&f, "voided blue-1");
    field_open(&f, NULL);
    jail(&f, B1);
    play_by(&f, &middle);
    assert_log(&f, "key_appeared blue 0,5");
    put(&f, B2, 0, 8);
    order(&f, B2, 0, 5);
    play_by(&f, &middle);
    assert_log(&f, "moved blue-2 0,5; rescued blue-2 1; key_vanished blue 0,5");
}

static void test_standard_rules_by_pointer_and_inline_agree(void **unused) {
    (void)unused;
    bw_fast fast = {.state = 7};
    for (int game = 0; game < 200; game++) {
        bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
        config.pieces = (uint8_t)(1 + bw_fast_below(&fast, 7));
        config.diagonals = game & 1;
        field a, b;
        field_open(&a, &config);
        field_open(&b, &config);
        for (int round = 0; round < 60 && !a.state.over; round++) {
            for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
                if (bw_fast_below(&fast, 3)) {
                    order(&a, piece, (int)bw_fast_below(&fast, 11), (int)bw_fast_below(&fast, 11));
                }
            }
            b.orders = a.orders;
            play(&a);
            play_by(&b, &bw_war_standard);
            assert_memory_equal(&a.state, &b.state, sizeof a.state);
            assert_string_equal(a.log, b.log);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_board_is_that_of_the_rules_page),
        cmocka_unit_test(test_board_formulas_hold_for_every_size),
        cmocka_unit_test(test_even_number_has_its_extra_piece_left_of_the_flag),
        cmocka_unit_test(test_all_move_at_once_and_pass_through),
        cmocka_unit_test(test_swapped_pieces_do_not_collide),
        cmocka_unit_test(test_hold_is_an_occupant),
        cmocka_unit_test(test_own_active_zone_voids_the_move),
        cmocka_unit_test(test_only_the_destination_counts_for_the_zone),
        cmocka_unit_test(test_attackers_enter_the_zone),
        cmocka_unit_test(test_inactive_zone_may_be_entered),
        cmocka_unit_test(test_flag_that_comes_home_in_step_2_closes_the_zone_for_this_round),
        cmocka_unit_test(test_order_that_cannot_be_followed_is_skipped),
        cmocka_unit_test(test_collisions_by_ground_and_number),
        cmocka_unit_test(test_two_collisions_in_one_round_do_not_mix),
        cmocka_unit_test(test_jailed_carrier_loses_the_flag),
        cmocka_unit_test(test_returned_carrier_loses_the_flag),
        cmocka_unit_test(test_reset_onto_an_occupied_square_is_examined_next_round),
        cmocka_unit_test(test_rescuer_that_went_home_collides_like_any_piece),
        cmocka_unit_test(test_flag_is_picked_up_and_follows),
        cmocka_unit_test(test_own_flag_does_nothing),
        cmocka_unit_test(test_carrier_in_its_own_territory_scores_and_all_stops),
        cmocka_unit_test(test_neutral_rows_do_not_score),
        cmocka_unit_test(test_own_flag_need_not_be_home_to_score),
        cmocka_unit_test(test_both_score_and_nobody_wins),
        cmocka_unit_test(test_flag_home_in_step_4_is_taken_again_in_step_5_and_throws_nobody_out),
        cmocka_unit_test(test_key_appears_with_the_jail_and_works_from_the_next_round),
        cmocka_unit_test(test_rescue_frees_all_those_jailed_in_the_same_round_too),
        cmocka_unit_test(test_the_other_teams_key_does_nothing),
        cmocka_unit_test(test_caught_on_the_key_rescues_nobody),
        cmocka_unit_test(test_rescuing_carrier_loses_the_flag_when_it_goes_home),
        cmocka_unit_test(test_zone_throws_its_defenders_out_when_the_flag_comes_home),
        cmocka_unit_test(test_all_in_jail_loses),
        cmocka_unit_test(test_both_eliminated_and_nobody_wins),
        cmocka_unit_test(test_a_flag_score_counts_before_elimination),
        cmocka_unit_test(test_without_elimination_the_game_goes_on),
        cmocka_unit_test(test_max_rounds_is_a_draw),
        cmocka_unit_test(test_a_rescue_saves_from_elimination),
        cmocka_unit_test(test_diagonals_and_max_distance),
        cmocka_unit_test(test_keys_can_be_left_out),
        cmocka_unit_test(test_each_rule_is_replaced_in_one_place),
        cmocka_unit_test(test_standard_rules_by_pointer_and_inline_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
