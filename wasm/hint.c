#include "wasm/hint.h"

#include "wasm/memory.h"

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

bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, bw_hint *found,
               bw_complaint *complaint) {
    const bw_solver *solver = bw_solver_find(match->game);
    if (!solver || !solver->hint) return fail(complaint, "This game has no solver that gives hints.");
    void *view = memory_take(match->game->view->size);
    bw_thinking thinking = {.effort = effort};
    if (!view) return fail(complaint, "There is not enough memory.");
    match->game->view_of(match->state, seat, view);
    thinking.arena = arena(solver->hint_arena(view), &thinking.arena_bytes);
    if (!thinking.arena) return fail(complaint, "There is not enough memory for the solver.");
    const char *trouble = solver->hint(view, &thinking, action, found);
    return trouble ? fail(complaint, trouble) : true;
}
