/* Flood-It: boards, from a seed or from text, and what a colour floods on them. */
#include "games/flood_it/test_help.h"

/* A naive implementation of the rules: cells and flags, and a loop until nothing changes. */
typedef struct plain {
    int rows, cols;
    uint8_t color[64][64];
    bool controlled[64][64];
} plain;

static void absorb(plain *p, uint8_t chosen) {
    for (int r = 0; r < p->rows; r++) {
        for (int c = 0; c < p->cols; c++) {
            if (p->controlled[r][c]) p->color[r][c] = chosen;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < p->rows; r++) {
            for (int c = 0; c < p->cols; c++) {
                bool beside = (r > 0 && p->controlled[r - 1][c]) || (r + 1 < p->rows && p->controlled[r + 1][c]) ||
                              (c > 0 && p->controlled[r][c - 1]) || (c + 1 < p->cols && p->controlled[r][c + 1]);
                if (!p->controlled[r][c] && p->color[r][c] == chosen && beside) {
                    p->controlled[r][c] = changed = true;
                }
            }
        }
    }
}

TEST(test_floods_as_the_page_says) {
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
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < cols; c++) {
                p.color[r][c] = (uint8_t)bw_floodit_color_at(&d->state.board, r, c);
            }
        }
        p.controlled[config.origin.row][config.origin.col] = true;
        absorb(&p, p.color[config.origin.row][config.origin.col]); /* at the start too */
        for (int move = 0; move < 25; move++) {
            int count = 0;
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < cols; c++) {
                    assert_int_equal(d->view.grid[r][c], p.color[r][c]);
                    assert_int_equal(d->view.controlled[r][c], p.controlled[r][c]);
                    count += p.controlled[r][c];
                }
            }
            assert_int_equal(d->view.controlled_count, count);
            assert_int_equal(d->view.current_color, p.color[config.origin.row][config.origin.col]);
            assert_int_equal(d->view.move_count, move);
            if (GAME->turn(&d->state) == 0) break;
            bw_floodit_action action;
            assert_true(bw_random_action(GAME, &d->state, 0, &fast, &action));
            assert_int_equal(play_as(d, 0, &action), 0);
            absorb(&p, action.as.select_color.color);
        }
        free(d);
    }
}

/* The boards of a seed never change: these are recorded. */
TEST(test_boards_of_a_seed_stay_for_ever) {
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
        desk *d = open_desk(&config, 1, (uint8_t)i); /* the game's own seed does not matter */
        char cells[41] = "";
        for (int k = 0; k < 40; k++) {
            cells[k] = (char)('0' + bw_floodit_color_at(&d->state.board, k / vectors[i].cols, k % vectors[i].cols));
        }
        assert_string_equal(cells, vectors[i].first);
        assert_string_equal(d->view.seed, vectors[i].word);
        free(d);
    }
}

TEST(test_every_colour_is_as_likely) {
    for (int colors = 2; colors <= 10; colors++) {
        int seen[10] = {0}, total = 0;
        for (int i = 0; i < 20; i++) {
            char word[20];
            snprintf(word, sizeof word, "%d", i);
            bw_floodit_config config = settings_of(32, 32, colors, 0, word);
            desk *d = open_desk(&config, 1, 1);
            for (int c = 0; c < colors; c++) {
                for (int r = 0; r < 32; r++) {
                    seen[c] += bw_floodit_bits(d->state.board.planes[c].row[r]);
                }
            }
            free(d);
        }
        double chi = 0, expected = 20.0 * 32 * 32 / colors;
        for (int c = 0; c < colors; c++) {
            chi += (seen[c] - expected) * (seen[c] - expected) / expected, total += seen[c];
        }
        assert_int_equal(total, 20 * 32 * 32); /* each cell has one colour */
        assert_true(chi < 30);                 /* 9 degrees of freedom: once in 2,000, and the seeds are fixed */
    }
}

TEST(test_no_board_is_of_one_colour) {
    for (int i = 0; i < 300; i++) { /* at 2x2 with two colours, one in eight would be */
        char word[20];
        snprintf(word, sizeof word, "tiny %d", i);
        bw_floodit_config config = settings_of(2, 2, 2, 25, word);
        desk *d = open_desk(&config, 1, 1);
        assert_true(d->view.controlled_count < 4);
        assert_int_equal(GAME->turn(&d->state), 1);
        free(d);
    }
}

TEST(test_a_seed_is_drawn_where_none_is_given) {
    bw_floodit_config config = settings_of(20, 20, 4, 25, NULL), named;
    desk *a = open_desk(&config, 1, 1), *b = open_desk(&config, 1, 2), *again = open_desk(&config, 1, 1);
    assert_int_equal(strlen(a->view.seed), 8);
    assert_string_not_equal(a->view.seed, b->view.seed);
    assert_string_equal(a->view.seed, again->view.seed);
    named = settings_of(20, 20, 4, 25, a->view.seed); /* the seed in the view makes the same board */
    desk *shared = open_desk(&named, 1, 9);
    assert_memory_equal(a->view.grid, shared->view.grid, sizeof a->view.grid);
    config = settings_of(20, 20, 4, 25, "");
    desk *empty = open_desk(&config, 1, 1);
    assert_string_equal(empty->view.seed, a->view.seed);
    free(a), free(b), free(again), free(shared), free(empty);
}

TEST(test_a_given_board_takes_the_place_of_the_seeds) {
    bw_floodit_config config = settings_of(2, 3, 3, BW_FLOODIT_CLASSIC, "given");
    desk *d = open_desk(&config, 1, 1);
    bw_floodit_state again;
    assert_false(d->view.has_board);
    static const char *const bad[] = {"", "01201", "0120122", "01201a", "012013", "01201\n"};
    d->before = d->state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(GAME->set_position(&d->state, bad[i]), BW_FLOODIT_CELLS);
        assert_memory_equal(&d->before, &d->state, sizeof d->state);
    }
    uint64_t drawn = GAME->puzzle(&d->state);
    assert_int_equal(GAME->set_position(&d->state, "001201"), 0);
    assert_int_not_equal(GAME->puzzle(&d->state), drawn);
    GAME->view_of(&d->state, 0, &d->view);
    assert_true(d->view.has_board);
    assert_string_equal(d->view.board, "001201");
    assert_int_equal(d->view.controlled_count, 3);
    assert_int_equal(d->view.grid[1][0], 2);
    assert_int_equal(color(d, 1), 0);
    assert_int_equal(d->view.controlled_count, 5);
    assert_string_equal(d->view.board, "001201"); /* as at the start, so that the view determines the position */
    assert_int_equal(GAME->guess(&again, &d->view, &config, 0, 1), 0);
    assert_memory_equal(&again.board, &d->state.board, sizeof again.board);
    assert_memory_equal(again.seats, d->state.seats, sizeof again.seats);
    assert_int_equal(simple(d, 0, BW_FLOODIT_RESET), 0);
    assert_int_equal(d->view.controlled_count, 3);
    assert_int_equal(simple(d, 0, BW_FLOODIT_NEW), 0);
    assert_false(d->view.has_board);
    free(d);
}

TEST(test_a_given_board_of_one_colour_is_won_at_once) {
    bw_floodit_config config = settings_of(2, 2, 2, BW_FLOODIT_CLASSIC, "one");
    desk *d = open_desk(&config, 1, 1);
    assert_int_equal(GAME->set_position(&d->state, "1111"), 0);
    assert_int_equal(GAME->turn(&d->state), 0);
    assert_int_equal(GAME->winners(&d->state), 1);
    assert_int_equal(GAME->current_turn(&d->state), 0);
    free(d);
}

TEST(test_words_draw_the_board) {
    bw_floodit_config config = settings_of(3, 4, 3, 9, "words");
    desk *d = open_desk(&config, 1, 1);
    char text[1024] = "";
    bw_out out = bw_out_to(text, sizeof text - 1);
    GAME->text(&d->view, &out);
    assert_string_equal(text, "0 of 9 moves, 1 of 12 squares, red.\n"
                              "Board words, par 5.\n"
                              "Rbbg\n"
                              "brrg\n"
                              "rbgg\n"
                              "Capital letters are your area: R red G green B blue\n");
    free(d);
}

/* A board's limit must never change, however it is computed, because game files depend on it. (These were recorded
 * with the first implementation, which flooded the board for each move it considered.) */
TEST(test_limits_stay_for_ever) {
    static const struct {
        uint8_t rows, cols, colors, row, col;
        int quick, classic;
    } boards[] = {
        {2, 2, 2, 0, 0, 1, 3},        {3, 7, 10, 2, 6, 12, 16},   {10, 10, 6, 0, 0, 16, 20},
        {14, 14, 6, 13, 13, 19, 27},  {2, 64, 10, 1, 63, 64, 86}, {64, 2, 5, 0, 0, 46, 49},
        {40, 40, 3, 20, 20, 17, 32},  {33, 47, 7, 0, 46, 68, 79}, {64, 64, 10, 0, 0, 183, 183},
        {64, 64, 6, 63, 0, 102, 110}, {64, 64, 2, 31, 31, 9, 21}, {20, 20, 10, 0, 0, 47, 53},
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        bw_floodit_board board = {.rows = boards[i].rows, .cols = boards[i].cols, .colors = boards[i].colors};
        char word[20];
        board.origin_row = boards[i].row;
        board.origin_col = boards[i].col;
        snprintf(word, sizeof word, "quick %zu", i);
        bw_floodit_generate(&board, word);
        assert_int_equal(bw_floodit_quick(&board, 0), boards[i].quick);
        assert_int_equal(bw_floodit_classic(&board), boards[i].classic);
        assert_true(bw_floodit_at_least(&board) <= boards[i].quick);
    }
}

RUN_TESTS(NULL, NULL)
