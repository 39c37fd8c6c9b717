#include "wasm/hint.h"

#include "bots/flood_it/puzzle.h"
#include "engine/text.h"
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
    bw_flood_hint best;
    size_t bytes = 0;
    if (!view) return fail(complaint, "There is not enough memory.");
    match->game->view_of(match->state, seat, view);
    void *memory = arena(bw_flood_arena_least(view->rows, view->cols), &bytes);
    if (!memory) return fail(complaint, "There is not enough memory for the solver.");
    const char *trouble = bw_flood_hint_of(view, effort, memory, bytes, &best);
    if (trouble) return fail(complaint, trouble);
    memset(action, 0, sizeof *action);
    action->type = BW_FLOODIT_SELECT;
    action->as.select_color.color = best.color;
    found->moves_left = best.moves_left;
    found->proven = best.proven;
    found->hopeless = best.hopeless;
    return true;
}

bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, hint *found, bw_complaint *complaint) {
    if (!bw_same(match->game->id, "flood_it")) return fail(complaint, "This game has no solver that gives hints.");
    return flood_it(match, seat, effort, action, found, complaint);
}
