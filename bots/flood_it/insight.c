/* Flood-It for whoever looks back at a game: the moves that the solver still needs. */
#include "bots/flood_it/players.h"
#include "bots/flood_it/puzzle.h"

enum { VIEW = (sizeof(bw_floodit_view) + 63) / 64 * 64 };

static bool look(void *arena, const bw_game *game, const void *state, int seat, bw_worth *worth, void *best) {
    bw_floodit_view *view = arena;
    bw_hint hint;
    /* The same memory on every machine: what a solver proves may hang on it. */
    bw_thinking thinking = {.effort = 100, .arena = (char *)arena + VIEW, .arena_bytes = BW_FLOOD_BEST_KNOWN_ARENA};
    game->view_of(state, seat, view);
    if (bw_floodit_solver.hint(view, &thinking, best, &hint)) { /* flooded */
        *worth = (bw_worth){.value = 0, .exact = true};
        return false;
    }
    *worth = (bw_worth){.value = (int32_t)hint.moves_left, .exact = hint.proven};
    return true;
}

const bw_insight bw_floodit_insight = {
    .game = "flood_it",
    .arena_bytes = VIEW + BW_FLOOD_BEST_KNOWN_ARENA,
    .few = ~0u,
    .counting = ~0u,
    .apart = true,
    .look = look,
};
