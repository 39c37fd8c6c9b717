/* The next move of the best line that the game's solver knows. */
#ifndef BW_WASM_HINT_H
#define BW_WASM_HINT_H

#include "bots/bots.h"
#include "engine/json.h"
#include "engine/match.h"

/* Fills `action` (game->actions->size bytes), as bw_solver.hint does. It always ends, since it counts its work, and runs
 * in a worker, so a page never waits for it. False with an error text: there is no solver, nothing is left to play, or no
 * memory. Takes memory (memory.h). */
bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, bw_hint *found, bw_error_text *why);

#endif
