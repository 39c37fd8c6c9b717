/* Flag War: the board of any size, settings, and variants of the rules. */
#include "games/flag_war/test_help.h"

TEST(test_default_board_is_that_of_the_rules_page) {
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

TEST(test_board_formulas_hold_for_every_size) {
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
                    if (!fits) continue;
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

TEST(test_even_number_has_its_extra_piece_left_of_the_flag) {
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.pieces = 4;
    field f;
    field_open(&f, &config);
    assert_at(&f, B1, 3, 8);
    assert_at(&f, B4, 6, 8);
}

/* ---- settings and variants ---- */

TEST(test_diagonals_and_max_distance) {
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

TEST(test_keys_can_be_left_out) {
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

TEST(test_each_rule_is_replaced_in_one_place) {
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

TEST(test_standard_rules_by_pointer_and_inline_agree) {
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

RUN_TESTS(NULL, NULL)
