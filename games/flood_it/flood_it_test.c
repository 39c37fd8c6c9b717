/* One test for each rule of Flood-It. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/config.h"
#include "games/flood_it/flood_it.h"

#define GAME (&bw_flood_it)

static bw_floodit_config settings_of(int rows, int cols, int colors, int limit, const char *seed) {
    bw_floodit_config config = *(const bw_floodit_config *)GAME->defaults;
    config.rows = (uint8_t)rows, config.cols = (uint8_t)cols, config.colors = (uint8_t)colors;
    config.move_limit = (int16_t)limit;
    config.has_seed = seed != NULL;
    if (seed)
        snprintf(config.seed, sizeof config.seed, "%s", seed);
    return config;
}

/* State and view are large: one of each will do, and the tests run one after the other. */
typedef struct desk {
    bw_floodit_state state, before;
    bw_floodit_view view;
} desk;

static desk *open_desk(const bw_floodit_config *config, uint32_t seats, uint8_t key) {
    desk *d = malloc(sizeof *d);
    uint8_t seed[32];
    assert_non_null(d);
    memset(d, 0xaa, sizeof *d);
    memset(seed, key, sizeof seed);
    assert_int_equal(GAME->check(config), 0);
    GAME->init(&d->state, config, seats, seed);
    GAME->view_of(&d->state, BW_WATCHER, &d->view);
    return d;
}

static int play_as(desk *d, int seat, const bw_floodit_action *action) {
    d->before = d->state;
    int refusal = GAME->apply(&d->state, seat, action, NULL);
    if (refusal)
        assert_memory_equal(&d->before, &d->state, sizeof d->state);
    GAME->view_of(&d->state, seat, &d->view);
    return refusal;
}
static int color_as(desk *d, int seat, int color) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_FLOODIT_SELECT;
    action.as.select_color.color = (uint8_t)color;
    return play_as(d, seat, &action);
}
static int color(desk *d, int c) { return color_as(d, 0, c); }
static int simple(desk *d, int seat, uint8_t type) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = type;
    return play_as(d, seat, &action);
}

static int other_color(const desk *d, int than) { return than == 0 ? 1 : d->state.board.colors > 2 && than == 1 ? 2 : 0; }

/* Plays a line that wins: the colour that absorbs most, again and again. Returns its moves. */
static int win_as(desk *d, int seat) {
    int moves = 0;
    for (; d->state.seats[seat].cells < d->view.rows * d->view.cols; moves++) {
        int best = -1, most = -1;
        for (int c = 0; c < d->state.board.colors; c++) {
            bw_floodit_plane plane = d->state.seats[seat].territory;
            int cells = bw_floodit_select(&d->state.board, &plane, c);
            if (c != d->state.seats[seat].color && cells > most)
                most = cells, best = c;
        }
        assert_int_equal(color_as(d, seat, best), 0);
    }
    return moves;
}

/* ---- the board ---- */

/* The plain reading of the page: cells and flags, and a loop until nothing changes. */
typedef struct plain {
    int rows, cols;
    uint8_t color[64][64];
    bool controlled[64][64];
} plain;

static void absorb(plain *p, uint8_t chosen) {
    for (int r = 0; r < p->rows; r++)
        for (int c = 0; c < p->cols; c++)
            if (p->controlled[r][c])
                p->color[r][c] = chosen;
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < p->rows; r++)
            for (int c = 0; c < p->cols; c++) {
                bool beside = (r > 0 && p->controlled[r - 1][c]) || (r + 1 < p->rows && p->controlled[r + 1][c]) ||
                              (c > 0 && p->controlled[r][c - 1]) || (c + 1 < p->cols && p->controlled[r][c + 1]);
                if (!p->controlled[r][c] && p->color[r][c] == chosen && beside)
                    p->controlled[r][c] = changed = true;
            }
    }
}

static void test_floods_as_the_page_says(void **unused) {
    (void)unused;
    static plain p;
    bw_fast fast = {2026};
    for (int game = 0; game < 40; game++) {
        int rows = 2 + (int)bw_fast_below(&fast, 63), cols = 2 + (int)bw_fast_below(&fast, 63);
        int colors = 2 + (int)bw_fast_below(&fast, 9);
        char word[20];
        snprintf(word, sizeof word, "plain %d", game);
        bw_floodit_config config = settings_of(rows, cols, colors, 0, word);
        config.origin.row = (uint8_t)bw_fast_below(&fast, (uint32_t)rows);
        config.origin.col = (uint8_t)bw_fast_below(&fast, (uint32_t)cols);
        desk *d = open_desk(&config, 1, 1);
        memset(&p, 0, sizeof p);
        p.rows = rows, p.cols = cols;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++)
                p.color[r][c] = (uint8_t)bw_floodit_color_at(&d->state.board, r, c);
        p.controlled[config.origin.row][config.origin.col] = true;
        absorb(&p, p.color[config.origin.row][config.origin.col]); /* at the start too */
        for (int move = 0; move < 25; move++) {
            int count = 0;
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++) {
                    assert_int_equal(d->view.grid[r][c], p.color[r][c]);
                    assert_int_equal(d->view.controlled[r][c], p.controlled[r][c]);
                    count += p.controlled[r][c];
                }
            assert_int_equal(d->view.controlled_count, count);
            assert_int_equal(d->view.current_color, p.color[config.origin.row][config.origin.col]);
            assert_int_equal(d->view.move_count, move);
            if (GAME->turn(&d->state) == 0)
                break;
            bw_floodit_action action;
            assert_true(bw_random_action(GAME, &d->state, 0, &fast, &action));
            assert_int_equal(play_as(d, 0, &action), 0);
            absorb(&p, action.as.select_color.color);
        }
        free(d);
    }
}

/* Boards never change: these were written down once. */
static void test_boards_of_a_seed_stay_for_ever(void **unused) {
    (void)unused;
    static const struct {
        const char *word;
        int rows, cols, colors;
        const char *first; /* the first cells, as digits */
    } vectors[] = {
        {"1", 10, 10, 6, "5310353115213104322413121421022145354002"},
        {"boardwalk", 20, 20, 4, "0202231111010020333103022020210300203101"},
        {"daily-2026-11-27", 20, 20, 4, "2123331311212133200310001132221111300032"},
        {"insel", 64, 64, 10, "7766757842442104495204817149655308214855"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        bw_floodit_config config =
            settings_of(vectors[i].rows, vectors[i].cols, vectors[i].colors, 25, vectors[i].word);
        desk *d = open_desk(&config, 1, (uint8_t)i); /* the game's own seed has no say */
        char cells[41] = "";
        for (int k = 0; k < 40; k++)
            cells[k] = (char)('0' + bw_floodit_color_at(&d->state.board, k / vectors[i].cols, k % vectors[i].cols));
        assert_string_equal(cells, vectors[i].first);
        assert_string_equal(d->view.seed, vectors[i].word);
        free(d);
    }
}

static void test_every_colour_is_as_likely(void **unused) {
    (void)unused;
    for (int colors = 2; colors <= 10; colors++) {
        int seen[10] = {0}, total = 0;
        for (int i = 0; i < 20; i++) {
            char word[20];
            snprintf(word, sizeof word, "%d", i);
            bw_floodit_config config = settings_of(32, 32, colors, 0, word);
            desk *d = open_desk(&config, 1, 1);
            for (int c = 0; c < colors; c++)
                for (int r = 0; r < 32; r++)
                    seen[c] += bw_floodit_bits(d->state.board.planes[c].row[r]);
            free(d);
        }
        double chi = 0, expected = 20.0 * 32 * 32 / colors;
        for (int c = 0; c < colors; c++)
            chi += (seen[c] - expected) * (seen[c] - expected) / expected, total += seen[c];
        assert_int_equal(total, 20 * 32 * 32); /* each cell has one colour */
        assert_true(chi < 30);                 /* 9 degrees of freedom: once in 2,000, and the seeds are fixed */
    }
}

static void test_no_board_is_of_one_colour(void **unused) {
    (void)unused;
    for (int i = 0; i < 300; i++) { /* at 2x2 with two colours every eighth would be */
        char word[20];
        snprintf(word, sizeof word, "tiny %d", i);
        bw_floodit_config config = settings_of(2, 2, 2, 25, word);
        desk *d = open_desk(&config, 1, 1);
        assert_true(d->view.controlled_count < 4);
        assert_int_equal(GAME->turn(&d->state), 1);
        free(d);
    }
}

static void test_a_seed_is_drawn_where_none_is_given(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 25, NULL), named;
    desk *a = open_desk(&config, 1, 1), *b = open_desk(&config, 1, 2), *again = open_desk(&config, 1, 1);
    assert_int_equal(strlen(a->view.seed), 8);
    assert_string_not_equal(a->view.seed, b->view.seed);
    assert_string_equal(a->view.seed, again->view.seed);
    named = settings_of(20, 20, 4, 25, a->view.seed); /* the word shown makes the same board */
    desk *shared = open_desk(&named, 1, 9);
    assert_memory_equal(a->view.grid, shared->view.grid, sizeof a->view.grid);
    config = settings_of(20, 20, 4, 25, "");
    desk *empty = open_desk(&config, 1, 1);
    assert_string_equal(empty->view.seed, a->view.seed);
    free(a), free(b), free(again), free(shared), free(empty);
}

/* ---- moves ---- */

static void test_the_present_colour_is_refused_and_not_counted(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 25, "moves");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(color(d, d->view.current_color), BW_FLOODIT_SAME_COLOR);
    assert_int_equal(color(d, BW_FLOODIT_WHITE), BW_FLOODIT_NO_COLOR);
    assert_int_equal(color(d, 4), BW_FLOODIT_NO_COLOR);
    assert_int_equal(d->view.move_count, 0);
    free(d);
}

static void test_a_colour_that_absorbs_nothing_counts(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 25, "nothing");
    desk *d = open_desk(&config, 1, 1);
    int first = d->view.current_color, cells = d->view.controlled_count, barren = -1;
    for (int c = 0; c < 4 && barren < 0; c++) {
        bw_floodit_plane plane = d->state.seats[0].territory;
        if (c != first && bw_floodit_select(&d->state.board, &plane, c) == cells)
            barren = c;
    }
    if (barren < 0) { /* a corner of two neighbours has such a colour among four, or its own */
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

static void test_the_event_tells_what_joined(void **unused) {
    (void)unused;
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

static void test_every_cell_controlled_wins(void **unused) {
    (void)unused;
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

static void test_a_win_on_the_last_move_is_a_win_and_one_less_a_loss(void **unused) {
    (void)unused;
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

static void test_a_game_without_limit_ends_at_the_hard_cap(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 0, "cap");
    desk *d = open_desk(&config, 1, 1);
    int a = d->view.current_color, b = other_color(d, a);
    for (int i = 0; i < BW_FLOODIT_MOVES_MAX; i++)
        assert_int_equal(color(d, i % 2 ? a : b), 0);
    assert_int_equal(color(d, d->view.current_color == a ? b : a), BW_FLOODIT_IS_LOST);
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
    assert_int_equal(GAME->turn(&d->state), 1);
    free(d);
}

/* ---- undo, redo, reset, new game ---- */

static void test_undo_and_redo_any_number_of_steps(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 25, "undo");
    desk *d = open_desk(&config, 1, 1);
    static bw_floodit_view seen[9];
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), BW_FLOODIT_NO_UNDO);
    assert_int_equal(simple(d, 0, BW_FLOODIT_REDO), BW_FLOODIT_NO_REDO);
    for (int i = 0; i <= 8; i++) {
        seen[i] = d->view;
        if (i < 8)
            assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
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
    assert_int_equal(d->view.redo_count, 0); /* a new move clears what could be redone */
    assert_int_equal(simple(d, 0, BW_FLOODIT_REDO), BW_FLOODIT_NO_REDO);
    free(d);
}

static void test_undo_reopens_a_lost_game(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, 3, "lost");
    desk *d = open_desk(&config, 1, 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(color(d, other_color(d, d->view.current_color)), 0);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(simple(d, 0, BW_FLOODIT_UNDO), 0);
    assert_int_equal(GAME->turn(&d->state), 1);
    assert_true(d->view.undone);
    assert_int_equal(d->view.outcome, BW_FLOODIT_PLAYING);
    assert_true(GAME->actions->cases[BW_FLOODIT_UNDO].flags & BW_ACTION_REOPENS);
    free(d);
}

static void test_reset_starts_the_same_board_again(void **unused) {
    (void)unused;
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

static int fresh(desk *d, const bw_floodit_config *settings) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_FLOODIT_NEW;
    action.as.new_game.has_settings = settings != NULL;
    if (settings)
        action.as.new_game.settings = *settings;
    return play_as(d, 0, &action);
}

static void test_new_game_is_a_fresh_board(void **unused) {
    (void)unused;
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

static void test_a_limit_given_to_a_new_game_is_kept(void **unused) {
    (void)unused;
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
    assert_int_equal(fresh(d, &given), 0); /* the size of the preset before, a limit of one's own */
    assert_int_equal(d->view.rows, 10);
    assert_int_equal(d->view.move_limit, 25);
    assert_int_equal(fresh(d, NULL), 0);
    assert_int_equal(d->view.move_limit, 25);
    free(d);
}

/* ---- settings ---- */

static void test_settings_have_the_defaults_and_ranges_of_the_rules(void **unused) {
    (void)unused;
    const bw_floodit_config *c = GAME->defaults;
    assert_true(c->rows == 20 && c->cols == 20 && c->colors == 4 && c->move_limit == 25 && !c->has_seed);
    assert_true(c->origin.row == 0 && c->origin.col == 0);
    const int64_t ranges[4][2] = {{2, 64}, {2, 64}, {2, 10}, {0, BW_FLOODIT_MOVES_MAX}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(GAME->config->fields[i].lo, ranges[i][0]);
        assert_int_equal(GAME->config->fields[i].hi, ranges[i][1]);
    }
    static const char *const names[] = {"red", "green", "blue", "yellow", "orange", "purple", "cyan", "pink", "brown", "white"};
    assert_int_equal(bw_floodit_color_names.count, 10);
    for (int i = 0; i < 10; i++)
        assert_string_equal(bw_floodit_color_names.names[i], names[i]);
    bw_floodit_config off = *c;
    off.origin.col = 20;
    assert_int_equal(GAME->check(&off), BW_FLOODIT_ORIGIN);
    off = *c;
    off.has_date = true;
    snprintf(off.date, sizeof off.date, "2026-13-01");
    assert_int_equal(GAME->check(&off), BW_FLOODIT_DATE);
}

static void test_classic_limits_are_never_below_a_known_solution(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(20, 20, 4, BW_FLOODIT_CLASSIC, "classic");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(d->view.move_limit, 25);
    free(d);
    static const int sizes[][3] = {{2, 2, 2}, {3, 7, 10}, {10, 10, 6}, {14, 14, 6}, {10, 40, 4}, {40, 40, 3}, {64, 64, 10}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
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

static bw_floodit_config configured(const bw_floodit_config *before, const char *json) {
    bw_floodit_config config = before ? *before : *(const bw_floodit_config *)GAME->defaults;
    bw_token tokens[32];
    bw_doc doc;
    assert_true(bw_doc_parse(&doc, json, strlen(json), tokens, 32, 4, NULL) > 0);
    assert_int_equal(bw_config_read(GAME, &doc, 0, &config, NULL, NULL), 0);
    return config;
}

/* What is shown before the start is what is played: the board has the sizes that the settings name. */
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

static void test_what_is_set_goes_before_a_preset(void **unused) {
    (void)unused;
    bw_floodit_config config = configured(NULL, "{\"preset\":\"hard\"}");
    expect_board(&config, 20, 20, 6);
    assert_int_equal(config.preset, BW_FLOODIT_HARD);
    assert_int_equal(config.move_limit, BW_FLOODIT_CLASSIC);
    config = configured(&config, "{\"rows\":4,\"cols\":5}"); /* later */
    expect_board(&config, 4, 5, 6);
    assert_int_equal(config.preset, BW_FLOODIT_CUSTOM);
    config = configured(NULL, "{\"rows\":20,\"preset\":\"easy\"}"); /* beside, and equal to the default */
    expect_board(&config, 20, 10, 4);
    config = configured(NULL, "{\"move_limit\":25,\"preset\":\"easy\"}");
    expect_board(&config, 10, 10, 4);
    assert_int_equal(config.move_limit, 25);
    config = configured(NULL, "{\"rows\":6,\"cols\":6}"); /* without one, the limit is as it was */
    expect_board(&config, 6, 6, 4);
    assert_int_equal(config.move_limit, 25);
    config = configured(&config, "{\"daily\":true,\"date\":\"2026-11-27\"}"); /* everybody's board */
    expect_board(&config, 20, 20, 4);
    config = configured(&config, "{\"rows\":6}");
    expect_board(&config, 20, 20, 4);
}

static void test_presets_and_the_daily_board(void **unused) {
    (void)unused;
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

/* ---- the race ---- */

static void test_a_race_gives_everyone_a_copy(void **unused) {
    (void)unused;
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

static void test_fewest_moves_then_time_wins_a_race(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(8, 8, 4, 0, "fewest");
    /* Seats 0 and 2 play the same number of moves, 2 done first; seat 1 is quicker still, and wastes two. */
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

static void test_giving_up_a_race_leaves_it_to_the_others(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(8, 8, 4, 0, "resign");
    desk *d = open_desk(&config, 3, 1);
    assert_int_equal(GAME->resign(&d->state, 0, NULL), 0);
    assert_int_equal(GAME->resign(&d->state, 0, NULL), BW_FLOODIT_GAVE_UP);
    assert_int_equal(color_as(d, 0, other_color(d, d->view.current_color)), BW_FLOODIT_GAVE_UP);
    win_as(d, 1);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1u << 1);
    free(d);
    d = open_desk(&config, 1, 1); /* alone there is nobody to give up to */
    assert_int_equal(GAME->resign(&d->state, 0, NULL), BW_FLOODIT_ALONE);
    free(d);
}

static void test_words_draw_the_board(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(3, 4, 3, 9, "words");
    desk *d = open_desk(&config, 1, 1);
    char text[1024];
    size_t length = GAME->text(&d->view, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "0 of 9 moves, 1 of 12 cells, red.\n"
                              "Board words, par 5.\n"
                              "Rbbg\n"
                              "brrg\n"
                              "rbgg\n"
                              "Capitals are the territory: R red G green B blue\n");
    free(d);
}

static void test_a_given_board_takes_the_place_of_the_seeds(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(2, 3, 3, BW_FLOODIT_CLASSIC, "given");
    desk *d = open_desk(&config, 1, 1);
    bw_floodit_state again;
    assert_false(d->view.has_board);
    static const char *const bad[] = {"", "01201", "0120122", "01201a", "012013", "01201\n"};
    d->before = d->state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(GAME->give(&d->state, bad[i]), BW_FLOODIT_CELLS);
        assert_memory_equal(&d->before, &d->state, sizeof d->state);
    }
    uint64_t drawn = GAME->puzzle(&d->state);
    assert_int_equal(GAME->give(&d->state, "001201"), 0);
    assert_int_not_equal(GAME->puzzle(&d->state), drawn);
    GAME->view_of(&d->state, 0, &d->view);
    assert_true(d->view.has_board);
    assert_string_equal(d->view.board, "001201");
    assert_int_equal(d->view.controlled_count, 3);
    assert_int_equal(d->view.grid[1][0], 2);
    assert_int_equal(color(d, 1), 0);
    assert_int_equal(d->view.controlled_count, 5);
    assert_string_equal(d->view.board, "001201"); /* as at the start, and so the position can be told from the view */
    assert_int_equal(GAME->guess(&again, &d->view, &config, 0, 1), 0);
    assert_memory_equal(&again.board, &d->state.board, sizeof again.board);
    assert_memory_equal(again.seats, d->state.seats, sizeof again.seats);
    assert_int_equal(simple(d, 0, BW_FLOODIT_RESET), 0);
    assert_int_equal(d->view.controlled_count, 3);
    assert_int_equal(simple(d, 0, BW_FLOODIT_NEW), 0);
    assert_false(d->view.has_board);
    free(d);
}

static void test_a_given_board_of_one_colour_is_won_at_once(void **unused) {
    (void)unused;
    bw_floodit_config config = settings_of(2, 2, 2, BW_FLOODIT_CLASSIC, "one");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(GAME->give(&d->state, "1111"), 0);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1);
    assert_int_equal(GAME->current_turn(&d->state), 0);
    free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floods_as_the_page_says),
        cmocka_unit_test(test_boards_of_a_seed_stay_for_ever),
        cmocka_unit_test(test_every_colour_is_as_likely),
        cmocka_unit_test(test_no_board_is_of_one_colour),
        cmocka_unit_test(test_a_seed_is_drawn_where_none_is_given),
        cmocka_unit_test(test_the_present_colour_is_refused_and_not_counted),
        cmocka_unit_test(test_a_colour_that_absorbs_nothing_counts),
        cmocka_unit_test(test_the_event_tells_what_joined),
        cmocka_unit_test(test_every_cell_controlled_wins),
        cmocka_unit_test(test_a_win_on_the_last_move_is_a_win_and_one_less_a_loss),
        cmocka_unit_test(test_a_game_without_limit_ends_at_the_hard_cap),
        cmocka_unit_test(test_undo_and_redo_any_number_of_steps),
        cmocka_unit_test(test_undo_reopens_a_lost_game),
        cmocka_unit_test(test_reset_starts_the_same_board_again),
        cmocka_unit_test(test_new_game_is_a_fresh_board),
        cmocka_unit_test(test_a_limit_given_to_a_new_game_is_kept),
        cmocka_unit_test(test_settings_have_the_defaults_and_ranges_of_the_rules),
        cmocka_unit_test(test_classic_limits_are_never_below_a_known_solution),
        cmocka_unit_test(test_presets_and_the_daily_board),
        cmocka_unit_test(test_what_is_set_goes_before_a_preset),
        cmocka_unit_test(test_a_race_gives_everyone_a_copy),
        cmocka_unit_test(test_fewest_moves_then_time_wins_a_race),
        cmocka_unit_test(test_giving_up_a_race_leaves_it_to_the_others),
        cmocka_unit_test(test_words_draw_the_board),
        cmocka_unit_test(test_a_given_board_takes_the_place_of_the_seeds),
        cmocka_unit_test(test_a_given_board_of_one_colour_is_won_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
