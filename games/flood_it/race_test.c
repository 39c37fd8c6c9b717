/* Flood-It: several players, each with their own copy of the board. */
#include "games/flood_it/test_help.h"

TEST(test_a_race_gives_everyone_a_copy) {
    bw_floodit_config config = settings_of(10, 10, 4, 0, "race");
    desk *d = open_desk(&config, 1u << 0 | 1u << 2 | 1u << 5, 1);
    assert_int_equal(GAME->turn(&d->state), 1u << 0 | 1u << 2 | 1u << 5);
    assert_int_equal(d->view.race_count, 3);
    assert_string_equal(d->view.race[1].key, "player3");
    int start = d->view.current_color, cells = d->view.controlled_count;
    assert_int_equal(color_as(d, 1, other_color(d, start)), BW_FLOODIT_NO_COPY);
    assert_int_equal(color_as(d, 2, other_color(d, start)), 0);
    assert_int_equal(d->view.move_count, 1); /* the viewer's own */
    assert_int_equal(d->view.race[1].move_count, 1);
    assert_int_equal(d->view.race[0].move_count, 0);
    GAME->view_of(&d->state, 0, &d->view);
    assert_int_equal(d->view.move_count, 0);
    assert_int_equal(d->view.controlled_count, cells);
    assert_int_equal(simple(d, 2, BW_FLOODIT_NEW), BW_FLOODIT_RACE_NEW);
    assert_int_equal(simple(d, 2, BW_FLOODIT_UNDO), 0);
    assert_true(d->view.race[1].undone);
    assert_false(d->view.race[0].undone);
    free(d);
}

TEST(test_fewest_moves_then_time_wins_a_race) {
    bw_floodit_config config = settings_of(8, 8, 4, 0, "fewest");
    /* Seats 0 and 2 play the same number of moves, and 2 finishes first; seat 1 plays fewer, but wastes two. */
    desk *d = open_desk(&config, 7, 1);
    int a = d->view.current_color, b = other_color(d, a);
    assert_int_equal(color_as(d, 1, b), 0);
    assert_int_equal(color_as(d, 1, a), 0);
    assert_int_equal(color_as(d, 1, b), 0);
    win_as(d, 1);
    assert_int_equal(GAME->winners(&d->state), 1u << 1);
    win_as(d, 2);
    assert_true(d->state.seats[2].history.cursor < d->state.seats[1].history.cursor);
    assert_int_equal(GAME->turn(&d->state), 1u << 0);
    win_as(d, 0);
    assert_int_equal(d->state.seats[0].history.cursor, d->state.seats[2].history.cursor);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1u << 2);
    assert_int_equal(d->view.race[2].finished, 2);
    assert_int_equal(simple(d, 0, BW_FLOODIT_RESET), BW_FLOODIT_RACE_OVER);
    free(d);
}

TEST(test_giving_up_a_race_leaves_it_to_the_others) {
    bw_floodit_config config = settings_of(8, 8, 4, 0, "resign");
    desk *d = open_desk(&config, 3, 1);
    assert_int_equal(GAME->resign(&d->state, 0, NULL), 0);
    assert_int_equal(GAME->resign(&d->state, 0, NULL), BW_FLOODIT_GAVE_UP);
    assert_int_equal(color_as(d, 0, other_color(d, d->view.current_color)), BW_FLOODIT_GAVE_UP);
    win_as(d, 1);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1u << 1);
    free(d);
    d = open_desk(&config, 1, 1); /* a player alone has nobody to give up to */
    assert_int_equal(GAME->resign(&d->state, 0, NULL), BW_FLOODIT_ALONE);
    free(d);
}

static int claim_as(desk *d, int seat) {
    bw_floodit_action action = {.type = BW_FLOODIT_CLAIM};
    action.as.claimed.role = (uint8_t)seat;
    int outcome = GAME->apply(&d->state, BW_CLOCK, &action, NULL);
    GAME->view_of(&d->state, seat, &d->view);
    return outcome;
}

/* A claim ends a race whenever somebody still holds it up, and never takes a win away. */
TEST(test_a_race_is_claimed_from_those_who_are_away) {
    bw_floodit_config config = settings_of(8, 8, 4, 0, "claim");
    bw_floodit_stats stats;
    bw_floodit_view again;
    static bw_floodit_state guessed;
    desk *d = open_desk(&config, 7, 1);
    assert_int_equal(claim_as(d, 5), BW_FLOODIT_NO_CLAIM); /* not a seat of this race */
    assert_int_equal(GAME->resign(&d->state, 0, NULL), 0);
    assert_int_equal(claim_as(d, 0), BW_FLOODIT_NO_CLAIM); /* a player who gave up wins nothing */
    assert_int_equal(claim_as(d, 2), 0);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1u << 2);
    assert_int_equal(d->view.outcome, BW_FLOODIT_WON);
    assert_false(d->view.race[2].won); /* the board is not flooded */
    GAME->stats_of(&d->state, &stats);
    assert_true(stats.has_by_absence && stats.by_absence);
    assert_int_equal(GAME->guess(&guessed, &d->view, &config, 2, 1), 0);
    GAME->view_of(&guessed, 2, &again);
    assert_memory_equal(&again, &d->view, sizeof again);
    assert_int_equal(GAME->winners(&guessed), 1u << 2);
    assert_int_equal(claim_as(d, 2), BW_FLOODIT_NO_CLAIM);
    assert_int_equal(simple(d, 2, BW_FLOODIT_RESET), BW_FLOODIT_RACE_OVER);
    free(d);
    d = open_desk(&config, 7, 1);
    win_as(d, 1);
    assert_int_equal(claim_as(d, 2), BW_FLOODIT_NO_CLAIM); /* 1 has won: the others play on to beat it */
    assert_int_equal(claim_as(d, 1), 0);
    assert_int_equal(GAME->winners(&d->state), 1u << 1);
    free(d);
    d = open_desk(&config, 1, 1);
    assert_int_equal(claim_as(d, 0), BW_FLOODIT_NO_CLAIM);
    free(d);
}

RUN_TESTS(NULL, NULL)
