/* The solver compared with known optima and with brute force, and at its limits. */
#include "bots/flood_it/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARENA_BYTES = 256 << 20 };

static uint64_t random_next(uint64_t *state) {
    uint64_t x = (*state += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static void board_random(bw_flood_board *board, unsigned rows, unsigned cols, unsigned colors, uint64_t *seed) {
    memset(board, 0, sizeof *board);
    board->rows = (uint8_t)rows;
    board->cols = (uint8_t)cols;
    for (unsigned i = 0; i < rows * cols; i++) {
        board->cells[i] = (uint8_t)(random_next(seed) % colors);
    }
}

static int solve(void **state, const bw_flood_board *board, const bw_flood_limits *limits, bw_flood_solution *out) {
    return bw_flood_solve(board, limits, *state, ARENA_BYTES, out);
}

/* Brute force that shares no code with the solver: iterative deepening over plain cells. */
static void fill(uint8_t *cells, int rows, int cols, int row, int col, uint8_t from, uint8_t to) {
    if (row < 0 || col < 0 || row >= rows || col >= cols || cells[row * cols + col] != from) return;
    cells[row * cols + col] = to;
    fill(cells, rows, cols, row - 1, col, from, to);
    fill(cells, rows, cols, row + 1, col, from, to);
    fill(cells, rows, cols, row, col - 1, from, to);
    fill(cells, rows, cols, row, col + 1, from, to);
}

static bool brute_within(const bw_flood_board *board, const uint8_t *cells, unsigned colors, unsigned depth) {
    const unsigned count = (unsigned)board->rows * board->cols;
    const unsigned origin = (unsigned)board->origin_row * board->cols + board->origin_col;
    unsigned left = 0;
    for (unsigned color = 0; color < colors; color++) {
        left += memchr(cells, (int)color, count) != NULL;
    }
    if (left == 1) return true;
    if (left - 1 > depth) return false;
    for (unsigned color = 0; color < colors; color++) {
        uint8_t copy[64];
        if (color == cells[origin]) continue;
        memcpy(copy, cells, count);
        fill(copy, board->rows, board->cols, board->origin_row, board->origin_col, copy[origin], (uint8_t)color);
        if (brute_within(board, copy, colors, depth - 1)) return true;
    }
    return false;
}

static unsigned brute_force(const bw_flood_board *board, unsigned colors) {
    unsigned depth = 0;
    while (!brute_within(board, board->cells, colors, depth)) depth++;
    return depth;
}

static void agrees_with_brute_force(void **state) {
    uint64_t seed = 20261127;
    static const struct {
        uint8_t rows, cols, colors;
    } shapes[] = {{2, 2, 3}, {3, 3, 3}, {3, 3, 5}, {4, 4, 3}, {4, 4, 4},
                  {3, 6, 3}, {6, 2, 4}, {5, 5, 3}, {1, 7, 3}, {4, 5, 4}};
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        for (int i = 0; i < 60; i++) {
            bw_flood_board board;
            bw_flood_solution solution;
            board_random(&board, shapes[shape].rows, shapes[shape].cols, shapes[shape].colors, &seed);
            board.origin_row = (uint8_t)(random_next(&seed) % board.rows);
            board.origin_col = (uint8_t)(random_next(&seed) % board.cols);
            assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
            assert_true(solution.proven);
            assert_int_equal(solution.count, brute_force(&board, shapes[shape].colors));
            assert_true(bw_flood_replay(&board, solution.moves, solution.count));
        }
    }
}

/* tests/data is two folders up from here. */
static FILE *data_open(const char *name) {
    char path[4096];
    const char *slash = strrchr(__FILE__, '/');
    const int folder = slash != NULL ? (int)(slash - __FILE__) : 1;
    snprintf(path, sizeof path, "%.*s/../../tests/data/flood_it/%s", folder, slash != NULL ? __FILE__ : ".", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("%s can't be opened (tests run in the build folder)", path);
    return file;
}

static bool data_next(FILE *boards, FILE *optima, bw_flood_board *board, unsigned *optimum) {
    char line[1024];
    char number[32];
    if (fgets(line, sizeof line, boards) == NULL) return false;
    const size_t cells = strcspn(line, "\n");
    memset(board, 0, sizeof *board);
    while ((size_t)board->rows * board->rows < cells) board->rows++;
    board->cols = board->rows;
    assert_int_equal((size_t)board->rows * board->cols, cells);
    for (size_t i = 0; i < cells; i++) board->cells[i] = (uint8_t)(line[i] & 31);
    assert_non_null(fgets(number, sizeof number, optima));
    *optimum = (unsigned)strtoul(number, NULL, 10);
    return true;
}

/* `hardest`: only boards of so many moves or fewer. Returns the positions expanded. */
static uint64_t check_file(void **state, const char *boards_name, const char *optima_name, unsigned hardest) {
    FILE *boards = data_open(boards_name);
    FILE *optima = data_open(optima_name);
    bw_flood_board board;
    unsigned optimum = 0;
    unsigned solved = 0;
    uint64_t nodes = 0;
    while (data_next(boards, optima, &board, &optimum)) {
        bw_flood_solution solution;
        if (optimum > hardest) continue;
        assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
        assert_int_equal(solution.count, optimum);
        assert_int_equal(solution.lower, optimum);
        assert_true(solution.proven);
        assert_true(bw_flood_replay(&board, solution.moves, solution.count));
        nodes += solution.nodes;
        solved++;
    }
    assert_true(solved >= 20);
    fclose(boards);
    fclose(optima);
    return nodes;
}

static void proves_10x10_of_6(void **state) { check_file(state, "n10c6.txt", "n10c6.opt", 99); }

static void proves_14x14_of_6(void **state) { check_file(state, "n14c6.txt", "n14c6.opt", 99); }

static void proves_20x20_of_4(void **state) { check_file(state, "n20c4.txt", "n20c4.opt", 99); }

/* With many colours, some are finished long before the end. That each of them takes a move of its own then halves the
 * positions (785,705 without). */
static void proves_boards_of_many_colors(void **state) {
    assert_in_range(check_file(state, "many.txt", "many.opt", 99), 1, 500000);
}

static void proves_the_public_boards(void **state) { check_file(state, "p99.txt", "p99.opt", 22); }

static void every_kernel_does_the_same(void **state) {
    static const struct {
        uint8_t rows, cols, colors;
        uint32_t nodes;
    } shapes[] = {{9, 9, 5, 0},     {14, 14, 6, 3000}, {20, 20, 8, 3000},
                  {31, 29, 6, 600}, {50, 64, 10, 150}, {3, 40, 4, 3000}};
    uint64_t seed = 7;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        bw_flood_board board;
        bw_flood_solution want;
        board_random(&board, shapes[shape].rows, shapes[shape].cols, shapes[shape].colors, &seed);
        bw_flood_limits limits = {.max_nodes = shapes[shape].nodes, .kernel = BW_FLOOD_KERNEL_BASE};
        assert_int_equal(solve(state, &board, &limits, &want), BW_FLOOD_OK);
        for (int kernel = BW_FLOOD_KERNEL_AUTO; kernel <= BW_FLOOD_KERNEL_AVX2; kernel++) {
            bw_flood_solution got;
            limits.kernel = (bw_flood_kernel)kernel;
            if (!bw_flood_kernel_available(limits.kernel)) {
                assert_int_equal(solve(state, &board, &limits, &got), BW_FLOOD_E_KERNEL);
                continue;
            }
            assert_int_equal(solve(state, &board, &limits, &got), BW_FLOOD_OK);
            assert_int_equal(got.count, want.count);
            assert_int_equal(got.lower, want.lower);
            assert_int_equal(got.nodes, want.nodes);
            assert_memory_equal(got.moves, want.moves, want.count);
        }
    }
}

static void degenerate_boards(void **state) {
    static bw_flood_board board;
    static bw_flood_solution solution;
    uint64_t seed = 3;
    board_random(&board, 1, 1, 1, &seed);
    board.cells[0] = 31;
    assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
    assert_int_equal(solution.count, 0);
    assert_true(solution.proven);
    board_random(&board, 64, 64, 1, &seed);
    assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
    assert_int_equal(solution.count, 0);
    assert_true(solution.proven);
    /* A row: from one end, every cell takes a move. */
    board_random(&board, 1, 64, 1, &seed);
    for (unsigned i = 0; i < 64; i++) board.cells[i] = (uint8_t)(i % 32);
    assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
    assert_int_equal(solution.count, 63);
    assert_true(solution.proven);
    board.origin_col = 32;
    assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
    assert_in_range(solution.count, 47, 63);
    /* Checkerboard: the maximum number of components. */
    board_random(&board, 64, 64, 1, &seed);
    for (unsigned i = 0; i < 4096; i++) board.cells[i] = (uint8_t)((i + i / 64) & 1);
    assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
    assert_int_equal(solution.count, 126);
    assert_true(solution.proven);
    /* A winding path of 2 colours: more layers than any random board. */
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned col = 0; col < 64; col++) {
            const unsigned along = row / 2 * 65 + (row / 2 % 2 == 0 ? col : 63 - col);
            const bool bridge = row % 2 == 1 && col == (row / 2 % 2 == 0 ? 63u : 0u);
            board.cells[row * 64 + col] = row % 2 == 0 ? (uint8_t)(along & 1)
                                          : bridge     ? (uint8_t)(row / 2 * 65 + 64) & 1
                                                       : 2;
        }
    }
    const bw_flood_limits few = {.max_nodes = 50, .beam_width = 2};
    assert_int_equal(solve(state, &board, &few, &solution), BW_FLOOD_OK);
    assert_true(bw_flood_replay(&board, solution.moves, solution.count));
    /* Every colour, on the largest board. */
    board_random(&board, 64, 64, 32, &seed);
    assert_int_equal(solve(state, &board, &few, &solution), BW_FLOOD_OK);
    assert_false(solution.proven);
    assert_in_range(solution.lower, 32, solution.count);
    assert_true(bw_flood_replay(&board, solution.moves, solution.count));
}

static void refuses_bad_boards(void **state) {
    static const bw_flood_board bad[] = {
        {.rows = 0, .cols = 5},
        {.rows = 5, .cols = 0},
        {.rows = 65, .cols = 5},
        {.rows = 5, .cols = 65},
        {.rows = 2, .cols = 2, .origin_row = 2},
        {.rows = 2, .cols = 2, .origin_col = 2},
        {.rows = 2, .cols = 2, .cells = {0, 1, 2, 32}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bw_flood_solution solution;
        memset(&solution, 0xA5, sizeof solution);
        bw_flood_solution untouched = solution;
        assert_int_equal(solve(state, &bad[i], NULL, &solution), BW_FLOOD_E_BOARD);
        assert_memory_equal(&solution, &untouched, sizeof solution);
    }
}

/* The same board rotated, with the origin in the matching corner, needs the same number of moves. */
static void origin_may_be_anywhere(void **state) {
    uint64_t seed = 11;
    for (int i = 0; i < 24; i++) {
        bw_flood_board board;
        bw_flood_board turned;
        const unsigned rows = i < 12 ? 8 : 13; /* small, but large enough for pair tables */
        const unsigned cols = i < 12 ? 11 : 14;
        bw_flood_solution solution;
        bw_flood_solution mirror;
        board_random(&board, rows, cols, i < 12 ? 5 : 7, &seed);
        turned = board;
        for (unsigned cell = 0; cell < rows * cols; cell++) {
            turned.cells[rows * cols - 1 - cell] = board.cells[cell];
        }
        turned.origin_row = (uint8_t)(rows - 1);
        turned.origin_col = (uint8_t)(cols - 1);
        assert_int_equal(solve(state, &board, NULL, &solution), BW_FLOOD_OK);
        assert_int_equal(solve(state, &turned, NULL, &mirror), BW_FLOOD_OK);
        assert_true(solution.proven && mirror.proven);
        assert_int_equal(solution.count, mirror.count);
    }
}

static void little_memory_gives_the_best_so_far(void **state) {
    uint64_t seed = 5;
    bw_flood_board board;
    bw_flood_solution solution;
    bw_flood_solution full;
    board_random(&board, 16, 16, 8, &seed);
    assert_int_equal(solve(state, &board, NULL, &full), BW_FLOOD_OK);
    assert_true(full.proven);
    const size_t least = bw_flood_arena_least(16, 16);
    assert_int_equal(bw_flood_solve(&board, NULL, *state, 0, &solution), BW_FLOOD_E_ARENA);
    assert_int_equal(bw_flood_solve(&board, NULL, *state, least / 2, &solution), BW_FLOOD_E_ARENA);
    assert_int_equal(bw_flood_solve(&board, NULL, NULL, least, &solution), BW_FLOOD_E_ARENA);
    for (size_t bytes = least; bytes < least + 400000; bytes += bytes / 7 + 1) {
        /* Memory of its own, so that a sanitizer sees any access past its end. */
        unsigned char *memory = malloc(bytes);
        assert_non_null(memory);
        assert_int_equal(bw_flood_solve(&board, NULL, memory, bytes, &solution), BW_FLOOD_OK);
        free(memory);
        assert_true(bw_flood_replay(&board, solution.moves, solution.count));
        assert_true(solution.bytes <= bytes);
        assert_in_range(full.count, solution.lower, solution.count);
        assert_int_equal(solution.proven, solution.lower == solution.count);
    }
    /* Any board fits in bw_flood_arena_least. */
    board_random(&board, 64, 64, 32, &seed);
    const size_t large = bw_flood_arena_least(64, 64);
    assert_int_equal(bw_flood_solve(&board, NULL, (char *)*state + 1, large, &solution), BW_FLOOD_OK);
    assert_true(bw_flood_replay(&board, solution.moves, solution.count));
}

typedef struct {
    unsigned calls;
    unsigned calls_allowed;
    bw_flood_progress last;
} patience;

static bool wait_on(void *user, const bw_flood_progress *progress) {
    patience *p = user;
    assert_true(progress->nodes >= p->last.nodes);
    assert_true(progress->lower >= p->last.lower || p->last.lower == 0);
    assert_true(progress->lower <= progress->best);
    p->last = *progress;
    return ++p->calls < p->calls_allowed;
}

static void can_be_stopped(void **state) {
    uint64_t seed = 9;
    bw_flood_board board;
    board_random(&board, 24, 24, 8, &seed);
    for (unsigned calls = 1; calls < 12; calls += 5) {
        bw_flood_solution solution;
        patience p = {.calls_allowed = calls};
        const bw_flood_limits limits = {.keep_going = wait_on, .user = &p};
        assert_int_equal(solve(state, &board, &limits, &solution), BW_FLOOD_OK);
        assert_true(solution.stopped);
        assert_false(solution.proven);
        assert_int_equal(p.calls, calls);
        assert_true(bw_flood_replay(&board, solution.moves, solution.count));
    }
}

static void a_result_within_a_budget_is_repeatable(void **state) {
    const bw_flood_limits limits = {.max_nodes = 50000};
    uint64_t seed = 13;
    for (int i = 0; i < 4; i++) {
        bw_flood_board board;
        bw_flood_solution once;
        bw_flood_solution twice;
        board_random(&board, 18, 18, (unsigned)(3 + 2 * i), &seed);
        assert_int_equal(bw_flood_solve(&board, &limits, *state, BW_FLOOD_BEST_KNOWN_ARENA, &once), BW_FLOOD_OK);
        assert_int_equal(bw_flood_solve(&board, &limits, *state, BW_FLOOD_BEST_KNOWN_ARENA, &twice), BW_FLOOD_OK);
        assert_int_equal(once.count, twice.count);
        assert_int_equal(once.nodes, twice.nodes);
        assert_int_equal(once.proven, twice.proven);
    }
}

static void a_good_beam_is_close(void **state) {
    FILE *boards = data_open("n14c6.txt");
    FILE *optima = data_open("n14c6.opt");
    bw_flood_board board;
    unsigned optimum = 0;
    unsigned best = 0;
    unsigned found = 0;
    const bw_flood_limits limits = {.beam_width = 100, .beam_only = true};
    while (data_next(boards, optima, &board, &optimum)) {
        bw_flood_solution solution;
        assert_int_equal(solve(state, &board, &limits, &solution), BW_FLOOD_OK);
        assert_true(solution.count >= optimum);
        best += optimum;
        found += solution.count;
    }
    fclose(boards);
    fclose(optima);
    assert_true(1000 * found <= 1002 * best); /* within 0.2 % */
}

static void replay_is_strict(void **state) {
    (void)state;
    const bw_flood_board board = {.rows = 2, .cols = 2, .cells = {0, 1, 2, 1}};
    assert_true(bw_flood_replay(&board, (const uint8_t[]){1, 2}, 2));
    assert_true(bw_flood_replay(&board, (const uint8_t[]){2, 1}, 2));
    assert_false(bw_flood_replay(&board, (const uint8_t[]){1}, 1));
    assert_false(bw_flood_replay(&board, NULL, 0));
    assert_false(bw_flood_replay(&board, (const uint8_t[]){0, 1, 2}, 3)); /* the colour it already has */
}

static int make_arena(void **state) {
    *state = malloc(ARENA_BYTES);
    return *state == NULL;
}

static int free_arena(void **state) {
    free(*state);
    return 0;
}

/* As threads might: the one that asked comes last, or the others find nothing left. */
static void in_turns(void *user, void (*work)(void *job, unsigned worker), void *job, unsigned most) {
    unsigned *turn = user;
    const bool first = ++*turn % 3 == 0;
    if (first) work(job, 0);
    for (unsigned i = most; i-- > 1;) work(job, i);
    if (!first) work(job, 0);
}

static void workers_change_nothing(void **state) {
    static const unsigned workers[] = {1, 2, 7, BW_FLOOD_WORKERS_MAX, 1000};
    uint64_t seed = 30;
    for (int i = 0; i < 10; i++) {
        bw_flood_board board;
        bw_flood_solution alone, helped;
        unsigned turn = 0;
        board_random(&board, 15, 17, 7, &seed);
        assert_int_equal(solve(state, &board, NULL, &alone), BW_FLOOD_OK);
        for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
            const bw_flood_limits limits = {.together = in_turns, .workers = workers[k], .user = &turn};
            assert_int_equal(solve(state, &board, &limits, &helped), BW_FLOOD_OK);
            assert_int_equal(helped.count, alone.count);
            assert_int_equal(helped.nodes, alone.nodes);
            assert_memory_equal(helped.moves, alone.moves, alone.count);
            assert_true(workers[k] == 1 || turn > 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_is_strict),         cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(proves_10x10_of_6),        cmocka_unit_test(proves_14x14_of_6),
        cmocka_unit_test(proves_20x20_of_4),        cmocka_unit_test(proves_boards_of_many_colors),
        cmocka_unit_test(proves_the_public_boards), cmocka_unit_test(every_kernel_does_the_same),
        cmocka_unit_test(degenerate_boards),        cmocka_unit_test(refuses_bad_boards),
        cmocka_unit_test(origin_may_be_anywhere),   cmocka_unit_test(little_memory_gives_the_best_so_far),
        cmocka_unit_test(can_be_stopped),           cmocka_unit_test(a_result_within_a_budget_is_repeatable),
        cmocka_unit_test(a_good_beam_is_close),     cmocka_unit_test(workers_change_nothing),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
