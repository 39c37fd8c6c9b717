/* The next move of the best line that the game's solver knows. So far Flood-It has one. */
#ifndef BW_WASM_HINT_H
#define BW_WASM_HINT_H

#include "engine/json.h"
#include "engine/match.h"

typedef struct hint {
    uint32_t moves_left; /* this one included */
    bool proven;         /* no line is shorter */
    bool hopeless;       /* no line fits into the moves that the limit leaves: proven */
} hint;

/* Fills `action` (game->actions->size bytes). It always ends, for it counts its work: an `effort` of 100 takes a few
 * milliseconds on everyday boards, and whatever the board a second at the most, or two where the browser has no
 * vector instructions. The best line found by then is the answer, and `proven` is false. It runs in a worker, so a page
 * never waits for it. False with a complaint: there is no solver, nothing is left to play, or no memory. Takes
 * memory (memory.h). */
bool hint_find(const bw_match *match, int seat, uint32_t effort, void *action, hint *found, bw_complaint *complaint);

#endif
