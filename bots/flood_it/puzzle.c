#include "bots/flood_it/puzzle.h"

#include <string.h>

enum { WORK_AN_EFFORT = 6000000 };

void bw_flood_board_of(const bw_floodit_view *view, bw_flood_board *board) {
    memset(board, 0, sizeof *board);
    board->rows = view->rows;
    board->cols = view->cols;
    board->origin_row = view->settings.origin.row;
    board->origin_col = view->settings.origin.col;
    for (unsigned r = 0; r < view->rows; r++) {
        memcpy(board->cells + r * view->cols, view->grid[r], view->cols);
    }
}

uint64_t bw_flood_positions(unsigned rows, unsigned cols, uint32_t effort) {
    return 1 + (uint64_t)effort * WORK_AN_EFFORT / ((uint64_t)rows * cols * (rows > cols ? rows : cols));
}

/* The board before the first move comes from its word again. */
static void start_of(const bw_floodit_view *view, bw_flood_board *board) {
    bw_floodit_board start;
    memset(&start, 0, sizeof start);
    start.rows = view->rows;
    start.cols = view->cols;
    start.colors = view->settings.colors;
    bw_floodit_generate(&start, view->seed);
    bw_flood_board_of(view, board);
    for (int r = 0; r < view->rows; r++) {
        for (int c = 0; c < view->cols; c++) {
            board->cells[r * view->cols + c] = (uint8_t)bw_floodit_color_at(&start, r, c);
        }
    }
}

static bool go_on(void *user, const bw_flood_progress *progress) {
    bw_thinking *thinking = user;
    (void)progress;
    return !thinking->keep_going || thinking->keep_going(thinking->user);
}

static bool solve(const void *view_memory, bw_thinking *thinking, bw_known *known) {
    const bw_floodit_view *view = view_memory;
    bw_flood_board board;
    bw_flood_solution solution;
    bw_flood_limits limits = {.keep_going = go_on, .user = thinking};
    start_of(view, &board);
    limits.max_nodes = bw_flood_positions(board.rows, board.cols, thinking->effort);
    if (bw_flood_solve(&board, &limits, thinking->arena, thinking->arena_bytes, &solution) != BW_FLOOD_OK ||
        solution.count > BW_FLOODIT_MOVES_MAX) {
        return false;
    }
    known->moves = (uint16_t)solution.count;
    known->proven = solution.proven;
    return true;
}

const bw_solver bw_floodit_solver = {.game = "flood_it", .arena_bytes = BW_FLOOD_BEST_KNOWN_ARENA, .solve = solve};
