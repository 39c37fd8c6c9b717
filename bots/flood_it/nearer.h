/* Which moves lower the bound of the distance layers, without finding the layers after each.
 *
 * A ball around component y holds what is within k moves of y. The territory comes nearer to y by a move if what it takes
 * meets the ball of one move less than y is away. Balls are made when they are asked for first; without room for one, a
 * move counts as coming nearer. */
#ifndef BW_FLOOD_IT_NEARER_H
#define BW_FLOOD_IT_NEARER_H

#include "position.h"

typedef struct {
    unsigned levels; /* k from 0 to levels - 1 */
    unsigned used, room;
    set *sets;       /* levels sets for each ball */
    uint16_t *first; /* by component: ball + 1, or 0 */
} balls;

static bool balls_make(balls *b, const graph *g, unsigned depth, flood_arena *arena) {
    b->levels = depth;
    b->used = 0;
    b->first = flood_arena_take(arena, g->count * sizeof *b->first);
    if (b->first == NULL) return false;
    memset(b->first, 0, g->count * sizeof *b->first);
    const size_t each = depth * sizeof(set);
    const size_t room = (arena->size - arena->used) / 8 / each;
    b->room = room < g->count ? (unsigned)room : g->count;
    b->sets = flood_arena_take(arena, b->room * each);
    return b->sets != NULL;
}

/* What is within k moves of y, or NULL. */
FLOOD_INLINE const set *balls_around(balls *b, const graph *g, unsigned y, unsigned k) {
    if (b->first[y] == 0) {
        if (b->used == b->room) return NULL;
        set *within = b->sets + (size_t)b->used * b->levels;
        set here = set_none();
        set seen = set_none();
        set_add(&here, y);
        for (unsigned i = 0; i < b->levels; i++) {
            seen = set_or(seen, here);
            within[i] = seen;
            here = set_minus(graph_around(g, &here), seen);
        }
        b->first[y] = (uint16_t)++b->used;
    }
    return &b->sets[(size_t)(b->first[y] - 1) * b->levels + k];
}

/* The moves that bring all components nearer that finish `color` last. */
FLOOD_INLINE uint32_t color_nearer(const graph *g, const layers *l, balls *b, const set *taken, uint32_t moves,
                                   unsigned color) {
    const unsigned words = g->words;
    const unsigned distance = l->finish[color];
    const set last = set_minus(g->color[color], l->within[distance - 1]);
    FOR_BITS(y, &last, words) {
        const set *ball = balls_around(b, g, y, distance - 1);
        uint32_t good = 0;
        if (ball == NULL) continue;
        for (uint32_t rest = moves; rest != 0; rest &= rest - 1) {
            const unsigned move = (unsigned)__builtin_ctz(rest);
            good |= (uint32_t)set_meets(taken[move], *ball) << move;
        }
        moves &= good;
    }
    return moves;
}

/* The moves after which finish_bound is less by one. The bound is the largest d - 1 + k, if k colours finish at d or
 * later: at each d where that is as large, one of the colours that finish at d has to come nearer. */
FLOOD_INLINE uint32_t layers_nearer(const graph *g, const layers *l, balls *b, const set *taken, uint32_t moves) {
    const unsigned bound = finish_bound(l->finish, g->colors);
    uint32_t done = 0;
    for (unsigned color = 0; color < g->colors && moves != 0; color++) {
        const unsigned d = l->finish[color];
        unsigned later = 0;
        uint32_t same = 0;
        if (d == 0 || (done >> color & 1)) continue;
        for (unsigned other = 0; other < g->colors; other++) {
            later += l->finish[other] >= d;
            same |= (uint32_t)(l->finish[other] == d) << other;
        }
        done |= same;
        if (d - 1 + later < bound) continue;
        uint32_t good = 0;
        for (; same != 0; same &= same - 1) {
            good |= color_nearer(g, l, b, taken, moves, (unsigned)__builtin_ctz(same));
        }
        moves &= good;
    }
    return moves;
}

#endif
