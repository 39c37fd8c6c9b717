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

static const char *find_hint(const void *view_memory, bw_thinking *thinking, void *action_memory, bw_hint *hint) {
    const bw_floodit_view *view = view_memory;
    bw_floodit_action *action = action_memory;
    bw_flood_board board;
    bw_flood_solution solution;
    bw_flood_limits limits = {.max_nodes = bw_flood_positions(view->rows, view->cols, thinking->effort)};
    if (view->controlled_count == view->rows * view->cols) {
        return "The board is flooded already: there is nothing left to play.";
    }
    bw_flood_board_of(view, &board);
    if (bw_flood_solve(&board, &limits, thinking->arena, thinking->arena_bytes, &solution) != BW_FLOOD_OK ||
        solution.count == 0) {
        return "The solver found no line for this board.";
    }
    uint32_t left = view->move_limit > view->move_count ? (uint32_t)(view->move_limit - view->move_count) : 0;
    memset(action, 0, sizeof *action);
    action->type = BW_FLOODIT_SELECT;
    action->as.select_color.color = view->colors[solution.moves[0]];
    *hint = (bw_hint){
        .moves_left = solution.count,
        .proven = solution.proven,
        .hopeless = view->move_limit && solution.lower > left,
    };
    return NULL;
}

static size_t hint_arena(const void *view_memory) {
    const bw_floodit_view *view = view_memory;
    return bw_flood_arena_least(view->rows, view->cols);
}

/* Recreates the board before the first move, from its seed or its text. */
static void start_of(const bw_floodit_view *view, bw_flood_board *board) {
    bw_floodit_board start;
    memset(&start, 0, sizeof start);
    start.rows = view->rows;
    start.cols = view->cols;
    start.colors = view->settings.colors;
    if (!view->has_board || !bw_floodit_read(&start, view->board)) bw_floodit_generate(&start, view->seed);
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

static bool solve(const void *view_memory, bw_thinking *thinking, bw_solver_result *known) {
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

const bw_solver bw_floodit_solver = {
    .game = "flood_it",
    .arena_bytes = BW_FLOOD_BEST_KNOWN_ARENA,
    .solve = solve,
    .hint = find_hint,
    .hint_arena = hint_arena,
};
