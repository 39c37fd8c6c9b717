/* Flood-It: moves, the end, undo and redo; a test for each rule. */
#include "games/flood_it/test_help.h"

/* ---- moves ---- */

TEST(test_the_present_colour_is_refused_and_not_counted) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "moves");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(color(d, d->view.current_color), BW_FLOODIT_SAME_COLOR);
    assert_int_equal(color(d, BW_FLOODIT_WHITE), BW_FLOODIT_NO_COLOR);
    assert_int_equal(color(d, 4), BW_FLOODIT_NO_COLOR);
    assert_int_equal(d->view.move_count, 0);
    free(d);
}

TEST(test_a_colour_that_absorbs_nothing_counts) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "nothing");
    desk *d = open_desk(&config, 1, 1);
    int first = d->view.current_color, cells = d->view.controlled_count, barren = -1;
    for (int c = 0; c < 4 && barren < 0; c++) {
        bw_floodit_plane plane = d->state.seats[0].territory;
        if (c != first && bw_floodit_select(&d->state.board, &plane, c) == cells) barren = c;
    }
    if (barren < 0) { /* a corner with two neighbours leaves at least one such colour of four */
        assert_int_equal(color(d, other_color(d, first)), 0);
        barren = first;
        cells = d->view.controlled_count;
        bw_floodit_plane plane = d->state.seats[0].territory;
        assert_int_equal(bw_floodit_select(&d->state.board, &plane, barren), cells);
    }
    int before = d->view.move_count;
    assert_int_equal(color(d, barren), 0);
    assert_int_equal(d->view.move_count, before + 1);
    assert_int_equal(d->view.controlled_count, cells);
    free(d);
}

TEST(test_the_event_tells_what_joined) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "event");
    desk *d = open_desk(&config, 1, 1);
    bw_floodit_event event;
    bw_events events = {(unsigned char *)&event, sizeof event, 0, 1};
    bw_floodit_action action;
    int cells = d->view.controlled_count;
    memset(&action, 0, sizeof action);
    action.as.select_color.color = (uint8_t)other_color(d, d->view.current_color);
    assert_int_equal(GAME->apply(&d->state, 0, &action, &events), 0);
    GAME->view_of(&d->state, 0, &d->view);
    assert_int_equal(events.count, 1);
    assert_int_equal(event.type, BW_FLOODIT_EVENT_COLORED);
    assert_int_equal(event.as.colored.absorbed, d->view.controlled_count - cells);
    assert_false(event.as.colored.has_role);
    free(d);
}

/* ---- the end ---- */

TEST(test_every_cell_controlled_wins) {
    bw_floodit_config config = settings_of(10, 10, 6, 0, "win");
    desk *d = open_desk(&config, 1, 1);
    int moves = win_as(d, 0);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1);
    assert_int_equal(d->view.outcome, BW_FLOODIT_WON);
    assert_int_equal(color(d, other_color(d, d->view.current_color)), BW_FLOODIT_IS_WON);
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), BW_FLOODIT_WON_UNDO);
    bw_floodit_stats stats;
    GAME->stats_of(&d->state, &stats);
    assert_int_equal(stats.move_count, moves);
    assert_int_equal(stats.par, 15);
    assert_true(stats.has_best_known);
    assert_int_equal(stats.best_known, moves);
    free(d);
}

TEST(test_a_win_on_the_last_move_is_a_win_and_one_less_a_loss) {
    bw_floodit_config config = settings_of(10, 10, 6, 0, "limit");
    desk *d = open_desk(&config, 1, 1);
    int moves = win_as(d, 0);
    free(d);
    config.move_limit = (int16_t)moves;
    d = open_desk(&config, 1, 1);
    assert_int_equal(win_as(d, 0), moves);
    assert_int_equal(GAME->winners(&d->state), 1);
    free(d);
    config.move_limit = (int16_t)(moves - 1);
    d = open_desk(&config, 1, 1);
    for (int i = 0; i < moves - 1; i++) {
        assert_int_equal(GAME->turn(&d->state), 1);
        assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    }
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 0);
    assert_int_equal(d->view.outcome, BW_FLOODIT_LOST);
    assert_int_equal(color(d, other_color(d, d->view.current_color)), BW_FLOODIT_IS_LOST);
    free(d);
}

TEST(test_a_game_without_limit_ends_at_the_hard_cap) {
    bw_floodit_config config = settings_of(20, 20, 4, 0, "cap");
    desk *d = open_desk(&config, 1, 1);
    int a = d->view.current_color, b = other_color(d, a);
    for (int i = 0; i < BW_FLOODIT_MOVES_MAX; i++) assert_int_equal(color(d, i % 2 ? a : b), 0);
    assert_int_equal(color(d, d->view.current_color == a ? b : a), BW_FLOODIT_IS_LOST);
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
    assert_int_equal(GAME->turn(&d->state), 1);
    free(d);
}

/* ---- undo, redo, reset, new game ---- */

TEST(test_undo_and_redo_any_number_of_steps) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "undo");
    desk *d = open_desk(&config, 1, 1);
    static bw_floodit_view seen[9];
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), BW_FLOODIT_NO_UNDO);
    assert_int_equal(simple(d, 0, BW_FLOODIT_REDO), BW_FLOODIT_NO_REDO);
    for (int i = 0; i <= 8; i++) {
        seen[i] = d->view;
        if (i < 8) assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    }
    assert_false(d->view.undone);
    for (int i = 7; i >= 0; i--) {
        assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
        assert_true(d->view.undone);
        assert_int_equal(d->view.move_count, i);
        assert_int_equal(d->view.redo_count, 8 - i);
        assert_memory_equal(d->view.grid, seen[i].grid, sizeof seen[i].grid);
        assert_memory_equal(d->view.controlled, seen[i].controlled, sizeof seen[i].controlled);
    }
    for (int i = 1; i <= 8; i++) {
        assert_int_equal(simple(d, 0, BW_FLOODIT_REDO), 0);
        assert_int_equal(d->view.move_count, i);
        assert_memory_equal(d->view.grid, seen[i].grid, sizeof seen[i].grid);
    }
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
    assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    assert_int_equal(d->view.redo_count, 0); /* a new move clears the redo list */
    assert_int_equal(simple(d, 0, BW_FLOODIT_REDO), BW_FLOODIT_NO_REDO);
    free(d);
}

TEST(test_undo_reopens_a_lost_game) {
    bw_floodit_config config = settings_of(20, 20, 4, 3, "lost");
    desk *d = open_desk(&config, 1, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    }
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
    assert_int_equal(GAME->turn(&d->state), 1);
    assert_true(d->view.undone);
    assert_int_equal(d->view.outcome, BW_FLOODIT_PLAYING);
    assert_true(GAME->actions->cases[BW_FLOODIT_UNDO].flags & BW_ACTION_REOPENS);
    free(d);
}

TEST(test_reset_starts_the_same_board_again) {
    bw_floodit_config config = settings_of(10, 10, 6, 0, NULL);
    desk *d = open_desk(&config, 1, 1);
    bw_floodit_view first = d->view;
    int moves = win_as(d, 0);
    assert_int_equal(simple(d, 0, BW_FLOODIT_RESET), 0); /* also after a win */
    assert_true(d->view.has_best_known);
    assert_int_equal(d->view.best_known, moves);
    first.has_best_known = true, first.best_known = (uint16_t)moves, first.proven = d->view.proven;
    assert_memory_equal(&first, &d->view, sizeof first);
    assert_int_equal(GAME->turn(&d->state), 1);
    free(d);
}

RUN_TESTS(NULL, NULL)
