#include "wasm/hint.h"

#include "bots/flood_it/puzzle.h"
#include "wasm/memory.h"

#include <string.h>

static bool fail(bw_complaint *complaint, const char *sentence) {
    bw_complain(complaint, sentence, NULL);
    return false;
}

/* As much as can be had: most boards need a few MiB, a hard one is proven with more. */
static void *arena(size_t least, size_t *bytes) {
    for (*bytes = (size_t)256 << 20; *bytes >= least && *bytes >= (size_t)1 << 20; *bytes /= 2) {
        void *at = memory_take_raw(*bytes);
        if (at) return at;
    }
    *bytes = least;
    return memory_take_raw(least);
}

static bool flood_it(const bw_match *match, int seat, uint32_t effort, bw_floodit_action *action, hint *found,
                     bw_complaint *complaint) {
    bw_floodit_view *view = memory_take(sizeof *view);
    bw_flood_board *board = memory_take(sizeof *board);
    bw_flood_solution *solution = memory_take(sizeof *solution);
    size_t bytes = 0;
    if (!view || !board || !solution) return fail(complaint, "There is not enough memory.");
    match->game->view_of(match->state, seat, view);
    bw_flood_board_of(view, board);
    if (view->controlled_count == view->rows * view->cols) {
        return fail(complaint, "The board is flooded already: there is nothing left to play.");
    }
    void *memory = arena(bw_flood_arena_least(view->rows, view->cols), &bytes);
    if (!memory) return fail(complaint, "There is not enough memory for the solver.");
    bw_flood_limits limits = {.max_nodes = bw_flood_positions(view->rows, view->cols, effort)};
    if (bw_flood_solve(board, &limits, memory, bytes, solution) != BW_FLOOD_OK || solution->count == 0) {
        return fail(complaint, "The solver has no line for this board.");
    }
    memset(action, 0, sizeof *action);
    action->type = BW_FLOODIT_SELECT;
    action->as.select_color.color = view->colors[solution->moves[0]];
    found->moves_left = solution->count;
    found->proven = solution->proven;
    uint32_t left = view->move_limit > view->move_count ? (uint32_t)(view->move_limit - view->move_count) : 0;
    found->hopeless = view->move_limit && solution->lower > left;
    return true;
}

bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, hint *found, bw_complaint *complaint) {
    static const char id[] = "flood_it";
    for (size_t i = 0; i < sizeof id; i++) {
        if (match->game->id[i] != id[i]) {
            return fail(complaint, "This game has no solver that gives hints.");
        }
    }
    return flood_it(match, seat, effort, action, found, complaint);
}
