/* Flood-It: settings, presets and limits, of a new game and of a room. */
#include "engine/config.h"
#include "games/flood_it/test_help.h"

/* ---- of a new game ---- */

static int fresh(desk *d, const bw_floodit_config *settings) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_FLOODIT_NEW;
    action.as.new_game.has_settings = settings != NULL;
    if (settings) action.as.new_game.settings = *settings;
    return play_as(d, 0, &action);
}

TEST(test_new_game_is_a_fresh_board) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "first"), given;
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    assert_int_equal(fresh(d, NULL), 0);
    assert_string_not_equal(d->view.seed, "first");
    assert_int_equal(d->view.move_count, 0);
    assert_int_equal(d->view.move_limit, 25);
    char drawn[BW_FLOODIT_WORD_BYTES];
    snprintf(drawn, sizeof drawn, "%s", d->view.seed);
    assert_int_equal(fresh(d, NULL), 0);
    assert_string_not_equal(d->view.seed, drawn);

    memset(&given, 0, sizeof given);
    given.has_rows = given.has_cols = given.has_colors = given.has_seed = given.has_move_limit = true;
    given.rows = 5, given.cols = 8, given.colors = 3, given.move_limit = 7;
    snprintf(given.seed, sizeof given.seed, "mine");
    assert_int_equal(fresh(d, &given), 0);
    assert_int_equal(d->view.rows, 5);
    assert_int_equal(d->view.cols, 8);
    assert_int_equal(d->view.colors_count, 3);
    assert_int_equal(d->view.move_limit, 7);
    assert_string_equal(d->view.seed, "mine");
    assert_int_equal(d->view.par, 9); /* floor(1.5 x 6.5) */

    memset(&given, 0, sizeof given);
    given.has_preset = true;
    given.preset = BW_FLOODIT_HARD;
    assert_int_equal(fresh(d, &given), 0);
    assert_int_equal(d->view.rows, 20);
    assert_int_equal(d->view.colors_count, 6);
    given.has_rows = true;
    given.rows = 12; /* beside a preset */
    assert_int_equal(fresh(d, &given), 0);
    assert_int_equal(d->view.rows, 12);
    assert_int_equal(d->view.cols, 20);

    memset(&given, 0, sizeof given);
    given.has_origin = true;
    given.origin = (bw_floodit_cell){12, 0};
    assert_int_equal(fresh(d, &given), BW_FLOODIT_ORIGIN);
    free(d);
}

TEST(test_a_limit_given_to_a_new_game_is_kept) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, "first"), given;
    desk *d = open_desk(&config, 1, 1);
    memset(&given, 0, sizeof given);
    given.has_preset = given.has_move_limit = true;
    given.preset = BW_FLOODIT_EASY;
    for (given.move_limit = 24; given.move_limit <= 26; given.move_limit++) {
        assert_int_equal(fresh(d, &given), 0);
        assert_int_equal(d->view.rows, 10);
        assert_int_equal(d->view.move_limit, given.move_limit);
    }
    given.has_move_limit = false;
    assert_int_equal(fresh(d, &given), 0);
    assert_int_not_equal(d->view.move_limit, 25); /* classic */
    given.has_preset = false;
    given.has_move_limit = true;
    given.move_limit = 25;
    assert_int_equal(fresh(d, &given), 0); /* the size of the previous preset, and a custom limit */
    assert_int_equal(d->view.rows, 10);
    assert_int_equal(d->view.move_limit, 25);
    assert_int_equal(fresh(d, NULL), 0);
    assert_int_equal(d->view.move_limit, 25);
    free(d);
}

/* ---- of a room ---- */

TEST(test_settings_have_the_defaults_and_ranges_of_the_rules) {
    const bw_floodit_config *c = GAME->defaults;
    assert_true(c->rows == 20 && c->cols == 20 && c->colors == 4 && c->move_limit == 25 && !c->has_seed);
    assert_true(c->origin.row == 0 && c->origin.col == 0);
    const int64_t ranges[4][2] = {{2, 64}, {2, 64}, {2, 10}, {0, BW_FLOODIT_MOVES_MAX}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(GAME->config->fields[i].lo, ranges[i][0]);
        assert_int_equal(GAME->config->fields[i].hi, ranges[i][1]);
    }
    static const char *const names[] = {"red",    "green", "blue", "yellow", "orange",
                                        "purple", "cyan",  "pink", "brown",  "white"};
    assert_int_equal(bw_floodit_color_names.count, 10);
    for (int i = 0; i < 10; i++) assert_string_equal(bw_floodit_color_names.names[i], names[i]);
    bw_floodit_config off = *c;
    off.origin.col = 20;
    assert_int_equal(GAME->check(&off), BW_FLOODIT_ORIGIN);
    off = *c;
    off.has_date = true;
    static const struct {
        const char *date;
        int refusal;
    } days[] = {
        {"2026-13-01", BW_FLOODIT_DATE},
        {"2026-00-10", BW_FLOODIT_DATE},
        {"2026-04-31", BW_FLOODIT_DATE},
        {"2026-04-30", 0},
        {"2026-01-00", BW_FLOODIT_DATE},
        {"2026-02-29", BW_FLOODIT_DATE},
        {"2028-02-29", 0},
        {"2100-02-29", BW_FLOODIT_DATE},
        {"2000-02-29", 0},
        {"2026-12-31", 0},
        {"2026/12/31", BW_FLOODIT_DATE},
    };
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        snprintf(off.date, sizeof off.date, "%s", days[i].date);
        assert_int_equal(GAME->check(&off), days[i].refusal);
    }
}

TEST(test_classic_limits_are_never_below_a_known_solution) {
    bw_floodit_config config = settings_of(20, 20, 4, BW_FLOODIT_CLASSIC, "classic");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(d->view.move_limit, 25);
    free(d);
    static const int sizes[][3] = {{2, 2, 2},   {3, 7, 10},  {10, 10, 6}, {14, 14, 6},
                                   {10, 40, 4}, {40, 40, 3}, {64, 64, 10}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int word = 0; word < 3; word++) {
            char seed[20];
            snprintf(seed, sizeof seed, "limit %d", word);
            config = settings_of(sizes[i][0], sizes[i][1], sizes[i][2], BW_FLOODIT_CLASSIC, seed);
            d = open_desk(&config, 1, 1);
            int found = bw_floodit_quick(&d->state.board, d->view.move_limit);
            assert_true(d->view.move_limit >= found);
            assert_true(found >= bw_floodit_at_least(&d->state.board));
            free(d);
        }
    }
}

static bw_floodit_config configured(const bw_floodit_config *before, const char *json) {
    bw_floodit_config config = before ? *before : *(const bw_floodit_config *)GAME->defaults;
    bw_token tokens[32];
    bw_doc doc;
    assert_true(bw_doc_parse(&doc, json, strlen(json), tokens, 32, 4, NULL) > 0);
    assert_int_equal(bw_config_read(GAME, &doc, 0, &config, NULL, NULL), 0);
    return config;
}

/* The preview before the start must match what is played: the board has the sizes of the settings. */
static void expect_board(const bw_floodit_config *config, int rows, int cols, int colors) {
    assert_int_equal(config->rows, rows);
    assert_int_equal(config->cols, cols);
    assert_int_equal(config->colors, colors);
    desk *d = open_desk(config, 1, 1);
    assert_int_equal(d->view.rows, rows);
    assert_int_equal(d->view.cols, cols);
    assert_int_equal(d->view.colors_count, colors);
    free(d);
}

TEST(test_what_is_set_goes_before_a_preset) {
    bw_floodit_config config = configured(NULL, "{\"preset\":\"hard\"}");
    expect_board(&config, 20, 20, 6);
    assert_int_equal(config.preset, BW_FLOODIT_HARD);
    assert_int_equal(config.move_limit, BW_FLOODIT_CLASSIC);
    config = configured(&config, "{\"rows\":4,\"cols\":5}"); /* later */
    expect_board(&config, 4, 5, 6);
    assert_int_equal(config.preset, BW_FLOODIT_CUSTOM);
    config = configured(NULL, "{\"rows\":20,\"preset\":\"easy\"}"); /* given beside it, and equal to the default */
    expect_board(&config, 20, 10, 4);
    config = configured(NULL, "{\"move_limit\":25,\"preset\":\"easy\"}");
    expect_board(&config, 10, 10, 4);
    assert_int_equal(config.move_limit, 25);
    config = configured(NULL, "{\"rows\":6,\"cols\":6}"); /* without one, the limit stays */
    expect_board(&config, 6, 6, 4);
    assert_int_equal(config.move_limit, 25);
    config = configured(&config, "{\"daily\":true,\"date\":\"2026-11-27\"}"); /* everybody's board */
    expect_board(&config, 20, 20, 4);
    config = configured(&config, "{\"rows\":6}");
    expect_board(&config, 20, 20, 4);
}

TEST(test_presets_and_the_daily_board) {
    static const int expected[4][2] = {{10, 4}, {20, 4}, {20, 6}, {28, 8}};
    for (uint8_t preset = 0; preset < 4; preset++) {
        bw_floodit_config config = settings_of(5, 5, 2, 25, NULL);
        config.preset = preset;
        desk *d = open_desk(&config, 1, 1);
        assert_int_equal(d->view.rows, expected[preset][0]);
        assert_int_equal(d->view.cols, expected[preset][0]);
        assert_int_equal(d->view.colors_count, expected[preset][1]);
        free(d);
    }
    bw_floodit_config config = settings_of(5, 5, 2, 25, "ignored");
    config.daily = true;
    config.has_date = true;
    snprintf(config.date, sizeof config.date, "2026-11-27");
    desk *a = open_desk(&config, 1, 1), *b = open_desk(&config, 1, 2);
    assert_string_equal(a->view.seed, "daily-2026-11-27");
    assert_int_equal(a->view.rows, 20);
    assert_memory_equal(a->view.grid, b->view.grid, sizeof a->view.grid);
    snprintf(config.date, sizeof config.date, "2026-11-28");
    desk *next = open_desk(&config, 1, 1);
    assert_memory_not_equal(a->view.grid, next->view.grid, sizeof a->view.grid);
    bw_floodit_config given;
    memset(&given, 0, sizeof given);
    given.has_daily = given.daily = true;
    config = settings_of(5, 5, 2, 25, "x");
    desk *later = open_desk(&config, 1, 1);
    assert_int_equal(fresh(later, &given), BW_FLOODIT_NO_DATE);
    given.has_date = true;
    snprintf(given.date, sizeof given.date, "2026-11-27");
    assert_int_equal(fresh(later, &given), 0);
    assert_memory_equal(a->view.grid, later->view.grid, sizeof a->view.grid);
    free(a), free(b), free(next), free(later);
}

RUN_TESTS(NULL, NULL)
