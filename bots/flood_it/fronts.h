/* Fronts: for each number of moves made, territories of positions that were opened.
 *
 * A position whose territory is part of another one's after as many moves needs as many moves as that or more, so that it
 * needs no opening. On random boards that holds for two positions in three.
 *
 * Why this goes together with the order of moves (choices.h) and with settling (position.h): compare optimal lines from
 * their end, move by move, first by the size of the settled territory after the move, then by how few colours are played
 * later, then by the move's colour, where the last move of a colour counts as less than any other. Each of the rules
 * leaves out a line only for an optimal one that is greater in this order. So the greatest is found.
 */
#ifndef BW_FLOOD_IT_FRONTS_H
#define BW_FLOOD_IT_FRONTS_H

#include "position.h"

enum { FLOOD_FRONT_MAX = 1024 }; /* with more, the comparisons cost more than they save */

typedef struct {
    unsigned room;   /* territories for each number of moves; then the oldest gives way */
    set *sets;       /* `room` of them for each number of moves */
    uint32_t *added; /* by number of moves */
} fronts;

/* For fewer than `moves` moves. Without room, no position is part of another. */
static bool fronts_make(fronts *f, unsigned moves, flood_arena *arena) {
    f->added = flood_arena_take(arena, moves * sizeof *f->added);
    if (f->added == NULL) return false;
    memset(f->added, 0, moves * sizeof *f->added);
    const size_t room = (arena->size - arena->used) / 8 / (moves * sizeof(set));
    f->room = room < FLOOD_FRONT_MAX ? (unsigned)room : FLOOD_FRONT_MAX;
    f->sets = flood_arena_take(arena, (size_t)moves * f->room * sizeof(set));
    return true;
}

/* Is the territory part of a larger one that was added with as many moves? */
FLOOD_INLINE bool fronts_contain(const fronts *f, const set *territory, unsigned moves) {
    const set *front = f->sets + (size_t)moves * f->room;
    const unsigned count = f->added[moves] < f->room ? f->added[moves] : f->room;
    for (unsigned i = 0; i < count; i++) {
        if (!set_any(set_minus(*territory, front[i])) && set_any(set_minus(front[i], *territory))) return true;
    }
    return false;
}

FLOOD_INLINE void fronts_add(fronts *f, const set *territory, unsigned moves) {
    if (f->room == 0) return;
    f->sets[(size_t)moves * f->room + f->added[moves]++ % f->room] = *territory;
}

#endif
