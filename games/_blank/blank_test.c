#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "games/_blank/blank.h"
#include "tests/support/unit.h"

static const uint8_t seed[32];

static bw_blank_state started(uint8_t width, uint8_t height) {
    bw_blank_config config = {width, height};
    bw_blank_state state;
    bw_blank.init(&state, &config, 3, seed);
    return state;
}

TEST(the_last_mark_wins) {
    bw_blank_state state = started(3, 1);
    for (int x = 0; x < 3; x++) {
        assert_int_equal(bw_blank.turn(&state), 1u << x % 2);
        assert_int_equal(bw_blank_play(&state, x, 0, NULL), 0);
    }
    assert_int_equal(bw_blank.turn(&state), 0);
    assert_int_equal(bw_blank.winners(&state), 1);
    /* older rules: begin */
    assert_int_equal(bw_blank_v1.winners(&state), 2);
    /* older rules: end */
}

TEST(a_refusal_changes_nothing) {
    bw_blank_state state = started(2, 2);
    assert_int_equal(bw_blank_play(&state, 1, 1, NULL), 0);
    bw_blank_state before = state;
    assert_int_equal(bw_blank_play(&state, 1, 1, NULL), -(BW_BLANK_TAKEN + 1));
    assert_int_equal(bw_blank_play(&state, 2, 0, NULL), -(BW_BLANK_OFF_GRID + 1));
    assert_int_equal(bw_blank_play(&state, 0, -1, NULL), -(BW_BLANK_OFF_GRID + 1));
    assert_memory_equal(&state, &before, sizeof state);
}

TEST(one_square_is_too_few) {
    bw_blank_config config = {1, 1};
    assert_int_equal(bw_blank.check(&config), -(BW_BLANK_TOO_SMALL + 1));
}

TEST(a_player_who_resigns_loses) {
    bw_blank_state state = started(2, 2);
    assert_int_equal(bw_blank.resign(&state, 0, NULL), 0);
    assert_int_equal(bw_blank.turn(&state), 0);
    assert_int_equal(bw_blank.winners(&state), 2);
    assert_int_equal(bw_blank_play(&state, 0, 0, NULL), -(BW_BLANK_IS_OVER + 1));
}

RUN_TESTS(NULL, NULL)
