/* One test for each rule of Flooded Island. */
#include "games/flooded_island/test_help.h"

/* ---- the start ---- */

TEST(test_starts_dry_in_the_top_left_corner) {
    bw_island_state state = started(10, 10, 2);
    bw_island_view view;
    GAME->view_of(&state, BW_WATCHER, &view);
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 10; x++) assert_int_equal(view.grid[y][x], BW_ISLAND_DRY);
    }
    assert_true(view.has_journeyman_position);
    assert_int_equal(view.journeyman_position.x, 0);
    assert_int_equal(view.journeyman_position.y, 0);
    assert_true(view.has_grid_size);
    assert_int_equal(view.grid_size, 10);
    assert_int_equal(GAME->turn(&state), 1u << BW_ISLAND_JOURNEYMAN);
    assert_int_equal(GAME->current_turn(&state), 1);
}

TEST(test_settings_have_the_defaults_and_ranges_of_the_rules) {
    const bw_island_config *defaults = GAME->defaults;
    assert_int_equal(defaults->width, 10);
    assert_int_equal(defaults->height, 10);
    assert_int_equal(defaults->max_flood_count, 2);
    assert_true(defaults->has_days && defaults->days == 365);
    const int64_t ranges[4][2] = {{3, 10}, {3, 10}, {1, 3}, {10, 365}};
    assert_int_equal(GAME->config->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(GAME->config->fields[i].lo, ranges[i][0]);
        assert_int_equal(GAME->config->fields[i].hi, ranges[i][1]);
    }
}

TEST(test_rectangles_have_x_for_the_column_and_no_grid_size) {
    bw_island_state state = started(4, 3, 2);
    bw_island_view view;
    GAME->view_of(&state, BW_WATCHER, &view);
    assert_int_equal(view.width, 4);
    assert_int_equal(view.height, 3);
    assert_false(view.has_grid_size);
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(drown(&state, POINTS({3, 2})), 0); /* the far corner */
    assert_false(is_dry(&state, 3, 2));
    assert_int_equal(walk(&state, 1, 2), 0);
    assert_int_equal(drown(&state, POINTS({2, 3})), BW_ISLAND_FLOOD_OFF);
}

/* ---- the adventurer ---- */

TEST(test_moves_to_each_of_eight_neighbours) {
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            bw_island_state state = started(10, 10, 2);
            assert_int_equal(walk(&state, 1, 1), 0);
            assert_int_equal(pass(&state), 0);
            int expected = dx || dy ? 0 : BW_ISLAND_MOVE_STAY;
            assert_int_equal(walk(&state, 1 + dx, 1 + dy), expected);
        }
    }
}

TEST(test_moves_one_square_and_stays_on_the_island) {
    bw_island_state state = started(10, 10, 2);
    assert_int_equal(walk(&state, 2, 0), BW_ISLAND_MOVE_FAR);
    assert_int_equal(walk(&state, 9, 9), BW_ISLAND_MOVE_FAR);
    assert_int_equal(walk(&state, -1, 0), BW_ISLAND_MOVE_OFF);
    assert_int_equal(walk(&state, 0, 10), BW_ISLAND_MOVE_OFF);
    assert_int_equal(walk(&state, 1000, -1000), BW_ISLAND_MOVE_OFF);
    /* No wrapping around the edge. */
    assert_int_equal(walk(&state, 1, 0), 0);
    assert_int_equal(pass(&state), 0);
    for (int x = 2; x <= 9; x++) {
        assert_int_equal(walk(&state, x, x % 2), 0);
        assert_int_equal(pass(&state), 0);
    }
    assert_int_equal(walk(&state, 0, 2), BW_ISLAND_MOVE_FAR);
    assert_int_equal(walk(&state, 10, 1), BW_ISLAND_MOVE_OFF);
}

TEST(test_moves_onto_dry_squares_only) {
    bw_island_state state = started(10, 10, 2);
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(drown(&state, POINTS({2, 2}, {1, 2})), 0);
    assert_int_equal(walk(&state, 2, 2), BW_ISLAND_MOVE_WET);
    assert_int_equal(walk(&state, 1, 2), BW_ISLAND_MOVE_WET);
    assert_int_equal(walk(&state, 0, 2), 0);
}

TEST(test_dries_the_four_squares_beside_and_no_diagonal) {
    bw_island_state state = started(10, 10, 3);
    assert_int_equal(walk(&state, 1, 0), 0);
    assert_int_equal(drown(&state, POINTS({2, 1}, {3, 2}, {1, 2})), 0);
    assert_int_equal(walk(&state, 2, 0), 0);
    assert_true(is_dry(&state, 2, 1)); /* beside (2,0) */
    assert_int_equal(drown(&state, POINTS({2, 3}, {2, 1}, {3, 3})), 0);
    assert_int_equal(walk(&state, 3, 1), 0);
    assert_true(is_dry(&state, 2, 1));  /* left of (3,1) */
    assert_true(is_dry(&state, 3, 2));  /* below */
    assert_false(is_dry(&state, 2, 3)); /* two away */
    assert_int_equal(drown(&state, POINTS({4, 3}, {2, 2})), 0);
    assert_int_equal(walk(&state, 3, 2), 0);
    assert_true(is_dry(&state, 2, 2));
    assert_true(is_dry(&state, 3, 3));
    assert_false(is_dry(&state, 2, 3)); /* diagonal */
    assert_false(is_dry(&state, 4, 3)); /* diagonal */
}

TEST(test_dried_counts_only_what_was_flooded) {
    bw_island_state state = started(10, 10, 2);
    unsigned char memory[BW_EVENTS_MAX * sizeof(bw_island_event)];
    bw_events events = {memory, sizeof(bw_island_event), 0, BW_EVENTS_MAX};
    bw_island_action action = move_to(1, 1);
    assert_int_equal(GAME->apply(&state, BW_ISLAND_JOURNEYMAN, &action, &events), 0);
    const bw_island_event *event = (const bw_island_event *)memory;
    assert_int_equal(events.count, 1); /* nothing was dried */
    assert_int_equal(event[0].type, BW_ISLAND_EVENT_MOVED);
    assert_int_equal(event[0].as.moved.from.x, 0);
    assert_int_equal(event[0].as.moved.to.x, 1);

    events.count = 0;
    action = flood_of(POINTS({3, 1}, {2, 2}));
    assert_int_equal(GAME->apply(&state, BW_ISLAND_WEATHER, &action, &events), 0);
    assert_int_equal(events.count, 2);
    assert_int_equal(event[0].type, BW_ISLAND_EVENT_FLOODED);
    assert_int_equal(event[0].as.flooded.positions_count, 2);
    assert_int_equal(event[1].type, BW_ISLAND_EVENT_DAY);
    assert_int_equal(event[1].as.day.n, 2);

    events.count = 0;
    action = move_to(2, 1);
    assert_int_equal(GAME->apply(&state, BW_ISLAND_JOURNEYMAN, &action, &events), 0);
    assert_int_equal(events.count, 2);
    assert_int_equal(event[1].type, BW_ISLAND_EVENT_DRIED);
    assert_int_equal(event[1].as.dried.positions_count, 2);
    bw_island_stats stats;
    GAME->stats_of(&state, &stats);
    assert_int_equal(stats.days_survived, 2);
    assert_int_equal(stats.fields_flooded, 2);
    assert_int_equal(stats.fields_dried, 2);
}

/* ---- the weather ---- */

TEST(test_floods_up_to_the_maximum) {
    const int many[4][2] = {{5, 5}, {6, 5}, {7, 5}, {8, 5}};
    const int over[] = {BW_ISLAND_FLOOD_OVER_1, BW_ISLAND_FLOOD_OVER_2, BW_ISLAND_FLOOD_OVER_3};
    for (int floods = 1; floods <= 3; floods++) {
        for (int count = 0; count <= 4; count++) {
            bw_island_state state = started(10, 10, floods);
            assert_int_equal(walk(&state, 1, 1), 0);
            assert_int_equal(drown(&state, many, count), count <= floods ? 0 : over[floods - 1]);
        }
    }
    bw_island_state state = started(10, 10, 2);
    bw_island_action all;
    memset(&all, 0, sizeof all);
    all.type = BW_ISLAND_FLOOD;
    all.as.flood.positions_count = 128; /* as many as fit in a message */
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(play(&state, BW_ISLAND_WEATHER, all), BW_ISLAND_FLOOD_OVER_2);
}

TEST(test_floods_anywhere_but_under_the_adventurer) {
    bw_island_state state = started(10, 10, 2);
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(drown(&state, POINTS({1, 1})), BW_ISLAND_FLOOD_OWN);
    assert_int_equal(drown(&state, POINTS({9, 9}, {1, 1})), BW_ISLAND_FLOOD_OWN);
    assert_int_equal(drown(&state, POINTS({10, 9})), BW_ISLAND_FLOOD_OFF);
    assert_int_equal(drown(&state, POINTS({5, 5}, {5, 5})), BW_ISLAND_FLOOD_TWICE);
    assert_int_equal(drown(&state, POINTS({9, 9}, {0, 0})), 0);
    assert_int_equal(walk(&state, 2, 2), 0);
    assert_int_equal(drown(&state, POINTS({9, 9})), BW_ISLAND_FLOOD_WET);
}

TEST(test_the_weather_may_pass) {
    bw_island_state state = started(3, 3, 1);
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(pass(&state), 0);
    assert_int_equal(GAME->turn(&state), 1u << BW_ISLAND_JOURNEYMAN);
    assert_int_equal(GAME->current_turn(&state), 2);
}

/* ---- turns and the end ---- */

TEST(test_turns_alternate_and_days_count) {
    bw_island_state state = started(10, 10, 2);
    assert_int_equal(pass(&state), BW_ISLAND_NOT_NIGHT);
    assert_int_equal(walk(&state, 1, 1), 0);
    assert_int_equal(GAME->turn(&state), 1u << BW_ISLAND_WEATHER);
    assert_int_equal(GAME->current_turn(&state), 1);
    assert_int_equal(walk(&state, 2, 2), BW_ISLAND_NOT_DAY);
    assert_int_equal(pass(&state), 0);
    assert_int_equal(GAME->current_turn(&state), 2);
    assert_int_equal(play(&state, BW_ISLAND_JOURNEYMAN, flood_of(NULL, 0)), BW_ISLAND_ONLY_MOVES);
    assert_int_equal(walk(&state, 2, 2), 0);
    assert_int_equal(play(&state, BW_ISLAND_WEATHER, move_to(3, 3)), BW_ISLAND_ONLY_FLOODS);
    bw_island_action end_turn;
    memset(&end_turn, 0, sizeof end_turn);
    end_turn.type = BW_ISLAND_END_TURN;
    assert_int_equal(play(&state, BW_ISLAND_WEATHER, end_turn), BW_ISLAND_NOT_A_MOVE);
}

TEST(test_the_weather_wins_when_no_neighbour_is_dry) {
    bw_island_state state = started(3, 3, 3);
    assert_int_equal(walk(&state, 1, 0), 0);
    assert_int_equal(drown(&state, POINTS({0, 1}, {1, 1}, {2, 2})), 0);
    assert_int_equal(walk(&state, 0, 0), 0); /* dries (0,1) again */
    assert_int_equal(GAME->winners(&state), 0);
    assert_int_equal(drown(&state, POINTS({1, 0}, {0, 1})), 0);
    assert_int_equal(GAME->winners(&state), 1u << BW_ISLAND_WEATHER);
    assert_int_equal(GAME->turn(&state), 0);
    assert_int_equal(GAME->current_turn(&state), 2);
    bw_island_stats stats;
    GAME->stats_of(&state, &stats);
    assert_int_equal(stats.days_survived, 2);
    assert_int_equal(stats.fields_flooded, 5);
    assert_int_equal(stats.fields_dried, 1);
    assert_int_equal(walk(&state, 0, 1), BW_ISLAND_OVER);
    assert_int_equal(pass(&state), BW_ISLAND_OVER);
    assert_int_equal(GAME->score(&state, BW_ISLAND_WEATHER), 1000);
    assert_int_equal(GAME->score(&state, BW_ISLAND_JOURNEYMAN), -1000);
}

TEST(test_a_diagonal_way_out_is_a_way_out) {
    bw_island_state state = started(3, 3, 3);
    assert_int_equal(walk(&state, 1, 0), 0);
    assert_int_equal(pass(&state), 0);
    assert_int_equal(walk(&state, 0, 0), 0);
    assert_int_equal(drown(&state, POINTS({1, 0}, {0, 1})), 0);
    assert_int_equal(GAME->winners(&state), 0);
    assert_int_equal(walk(&state, 1, 1), 0);
}

TEST(test_trapped_is_tested_at_the_start_of_any_turn) {
    /* A view in which the adventurer is to move and cannot. */
    bw_island_state state = started(3, 3, 2), guessed;
    bw_island_view view;
    bw_island_config config = {.width = 3, .height = 3, .max_flood_count = 2};
    GAME->view_of(&state, BW_WATCHER, &view);
    view.grid[0][1] = view.grid[1][0] = view.grid[1][1] = BW_ISLAND_FLOODED;
    assert_int_equal(GAME->guess(&guessed, &view, &config, BW_ISLAND_JOURNEYMAN, 1), 0);
    assert_int_equal(GAME->turn(&guessed), 0);
    assert_int_equal(GAME->winners(&guessed), 1u << BW_ISLAND_WEATHER);
}

/* Regression: code that took day 365 for the last day. */
TEST(test_the_last_day_wins_at_once) {
    static const int lasts[] = {10, 11, 30, 364, 365, 0};
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        int last = lasts[i] ? lasts[i] : 365; /* not given: a year */
        bw_island_config config = {.width = 10, .height = 10, .max_flood_count = 2};
        bw_island_state state, guessed;
        bw_island_view view;
        config.has_days = lasts[i] != 0;
        config.days = (uint16_t)lasts[i];
        bw_island_start(&state, &config);
        for (int day = 1; day <= last; day++) {
            char heading[2048], expected[32];
            assert_int_equal(GAME->current_turn(&state), day);
            assert_int_equal(GAME->winners(&state), 0);
            GAME->view_of(&state, BW_WATCHER, &view);
            assert_int_equal(view.days, last);
            bw_out text = bw_out_to(heading, sizeof heading);
            GAME->text(&view, &text);
            snprintf(expected, sizeof expected, "Day %d of %d. ", day, last);
            assert_memory_equal(heading, expected, strlen(expected));
            assert_int_equal(walk(&state, day % 2, 0), 0);
            GAME->view_of(&state, BW_WATCHER, &view);
            assert_int_equal(GAME->guess(&guessed, &view, &config, BW_WATCHER, 1), 0);
            assert_memory_equal(&guessed, &state, sizeof state);
            if (day < last) assert_int_equal(pass(&state), 0);
        }
        assert_int_equal(GAME->winners(&state), 1u << BW_ISLAND_JOURNEYMAN);
        assert_int_equal(GAME->turn(&state), 0);
        assert_int_equal(GAME->current_turn(&state), last);
        assert_int_equal(pass(&state), BW_ISLAND_OVER); /* no last night */
        bw_island_stats stats;
        GAME->stats_of(&state, &stats);
        assert_int_equal(stats.days_survived, last);
        view.days_survived++; /* not a position: past the last day */
        assert_int_equal(GAME->guess(&guessed, &view, &config, BW_WATCHER, 1), BW_ISLAND_NO_POSITION);
    }
}

TEST(test_resigning_loses) {
    for (int seat = 0; seat < 2; seat++) {
        bw_island_state state = started(10, 10, 2), guessed;
        bw_island_config config = {.width = 10, .height = 10, .max_flood_count = 2};
        bw_island_view view;
        assert_int_equal(GAME->resign(&state, seat, NULL), 0);
        assert_int_equal(GAME->winners(&state), 1u << (1 - seat));
        assert_int_equal(GAME->resign(&state, seat, NULL), BW_ISLAND_OVER);
        assert_int_equal(GAME->current_turn(&state), 1);
        GAME->view_of(&state, BW_WATCHER, &view);
        assert_int_equal(GAME->guess(&guessed, &view, &config, 0, 0), 0);
        assert_memory_equal(&guessed, &state, sizeof state);
    }
}

RUN_TESTS(NULL, NULL)
