#include "wasm/hint.h"

#include "wasm/memory.h"

/* As much as can be had: most boards need a few MiB, a hard one is proven with more. */
static void *arena(size_t least, size_t *bytes) {
    for (*bytes = (size_t)256 << 20; *bytes >= least && *bytes >= (size_t)1 << 20; *bytes /= 2) {
        void *at = memory_take_raw(*bytes);
        if (at) return at;
    }
    *bytes = least;
    return memory_take_raw(least);
}

bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, bw_hint *found, bw_error_text *why) {
    const bw_solver *solver = bw_solver_find(match->game);
    if (!solver || !solver->hint) return bw_fail(why, "This game has no solver that gives hints.", NULL);
    void *view = memory_take(match->game->view->size);
    bw_thinking thinking = {.effort = effort};
    if (!view) return bw_fail(why, "There is not enough memory.", NULL);
    match->game->view_of(match->state, seat, view);
    thinking.arena = arena(solver->hint_arena(view), &thinking.arena_bytes);
    if (!thinking.arena) return bw_fail(why, "There is not enough memory for the solver.", NULL);
    const char *trouble = solver->hint(view, &thinking, action, found);
    return trouble ? bw_fail(why, trouble, NULL) : true;
}
