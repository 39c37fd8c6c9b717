/* Balls: what is within k moves of a component.
 *
 * They give the outer distance layers of a position without those before. And they say which moves lower the bound of the
 * layers, without finding the layers after each: the territory comes nearer to component y by a move if what it takes meets
 * the ball of one move less than y is away. Without room for balls, each move counts as coming nearer. */
#ifndef BW_FLOOD_IT_NEARER_H
#define BW_FLOOD_IT_NEARER_H

#include "position.h"

typedef struct {
    unsigned levels; /* k from 0 to levels - 1 */
    set *sets;       /* `levels` of them for each component; or NULL */
} balls;

FLOOD_INLINE set *balls_around(const balls *b, unsigned y, unsigned k) { return &b->sets[(size_t)y * b->levels + k]; }

static void balls_make(balls *b, const graph *g, unsigned depth, flood_arena *arena) {
    const size_t bytes = (size_t)g->count * depth * sizeof(set);
    b->levels = depth;
    b->sets = bytes <= (arena->size - arena->used) / 8 ? flood_arena_take(arena, bytes) : NULL;
    for (unsigned k = 0; b->sets != NULL && k < depth; k++) {
        for (unsigned y = 0; y < g->count; y++) {
            set *ball = balls_around(b, y, k);
            *ball = set_none();
            set_add(ball, y);
            FOR_BITS(z, &g->adjacent[y], k > 0 ? g->words : 0) {
                set_join(ball, balls_around(b, z, k - 1));
            }
        }
    }
}

/* Finds only the layers that can make layers_bound `moves` or more. The colours that end at layer d make it d - 1 and one for
 * each colour at most, so the first layers can't. */
FLOOD_INLINE void layers_find_outer(const graph *g, layers *l, const balls *b, const position *p, unsigned moves) {
    const unsigned words = g->words;
    unsigned first = moves > g->colors ? moves - g->colors : 0;
    first = first < b->levels ? first : b->levels - 1;
    if (first < 2 || b->sets == NULL) {
        layers_find(g, l, p, false);
        return;
    }
    set within = p->territory;
    set next = set_none();
    FOR_BITS(y, &p->border, words) {
        const set *ball = balls_around(b, y, first);
        set_join(&within, &ball[-1]);
        set_join(&next, ball);
    }
    layers_go_on(g, l, first, within, set_minus(next, within), false);
}

/* The moves that bring all components nearer that finish `color` last, at `distance`. */
FLOOD_INLINE uint32_t color_nearer(const graph *g, const layers *l, const balls *b, const set *taken, uint32_t moves,
                                   unsigned color, unsigned distance) {
    const unsigned words = g->words;
    const set last = set_minus(g->color[color], l->within[distance - 1]);
    FOR_BITS(y, &last, words) {
        const set *ball = balls_around(b, y, distance - 1);
        uint32_t good = 0;
        for (uint32_t rest = moves; rest != 0; rest &= rest - 1) {
            const unsigned move = (unsigned)__builtin_ctz(rest);
            good |= (uint32_t)set_meets(taken[move], *ball) << move;
        }
        moves &= good;
    }
    return moves;
}

/* The moves after which the bound of the layers, which is `bound` now, is less by one: at each layer that it comes from, one
 * of the colours that end there has to come nearer. */
FLOOD_INLINE uint32_t layers_nearer(const graph *g, const layers *l, const balls *b, const set *taken, uint32_t moves,
                                    unsigned bound) {
    uint32_t later = 0;
    if (b->sets == NULL) return moves;
    for (unsigned d = l->depth; d > l->first && d - 1 + g->colors >= bound && moves != 0; d--) {
        uint32_t ending = l->colors[d] & ~later;
        uint32_t good = 0;
        later |= ending;
        if (d - 1 + (unsigned)__builtin_popcount(later) < bound) continue;
        for (; ending != 0; ending &= ending - 1) {
            good |= color_nearer(g, l, b, taken, moves, (unsigned)__builtin_ctz(ending), d);
        }
        moves &= good;
    }
    return moves;
}

#endif
