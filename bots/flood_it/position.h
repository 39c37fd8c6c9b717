/* Positions of the search: which components are absorbed, and what follows from it.
 *
 * territory: absorbed components. border: those that touch it. The rest lies outside.
 *
 * Two things cost nothing to decide and are done at once ("settling" a position):
 * - forced elimination: when all that is left of a colour lies in the border, playing it now is
 *   optimal, for it must be played once, and playing it earlier never hurts;
 * - free absorption: a border component all of whose neighbours lie in territory and border opens
 *   nothing; its colour is played later anyway (else it were forced), so it counts as absorbed.
 */
#ifndef BW_FLOOD_IT_POSITION_H
#define BW_FLOOD_IT_POSITION_H

#include "set.h"

typedef struct {
    unsigned count, colors, words;
    const uint8_t *color_of;
    set all;
    set color[BW_FLOOD_COLORS_MAX];
    set *adjacent; /* by component */
} graph;

typedef struct {
    set territory;
    set border;
} position;

static bool graph_build(graph *g, const flood_components *c, flood_arena *arena) {
    g->count = c->count;
    g->colors = c->colors;
    g->words = (c->count + 63) / 64;
    g->color_of = c->color_of;
    g->adjacent = flood_arena_take(arena, c->count * sizeof(set));
    if (g->adjacent == NULL) return false;
    g->all = set_none();
    for (unsigned i = 0; i < c->colors; i++) g->color[i] = set_none();
    for (unsigned i = 0; i < c->count; i++) {
        g->adjacent[i] = set_none();
        set_add(&g->all, i);
        set_add(&g->color[c->color_of[i]], i);
    }
    for (unsigned row = 0; row < c->rows; row++) {
        for (unsigned col = 0; col < c->cols; col++) {
            const unsigned here = c->label[row * c->cols + col];
            if (col + 1 < c->cols) {
                const unsigned right = c->label[row * c->cols + col + 1];
                if (right != here) {
                    set_add(&g->adjacent[here], right);
                    set_add(&g->adjacent[right], here);
                }
            }
            if (row + 1 < c->rows) {
                const unsigned below = c->label[(row + 1) * c->cols + col];
                if (below != here) {
                    set_add(&g->adjacent[here], below);
                    set_add(&g->adjacent[below], here);
                }
            }
        }
    }
    return true;
}

/* All neighbours of the members of s; may contain members of s. */
FLOOD_INLINE set graph_around(const graph *g, const set *s) {
    set r = set_none();
    const unsigned words = g->words;
    FOR_BITS(i, s, words) {
        set_join(&r, &g->adjacent[i]);
    }
    return r;
}

FLOOD_INLINE position position_of(const graph *g, set territory) {
    position p;
    p.territory = territory;
    p.border = set_minus(graph_around(g, &territory), territory);
    return p;
}

/* Absorbs the border components of one colour. */
FLOOD_INLINE void position_play(const graph *g, position *p, unsigned color) {
    const set taken = set_and(p->border, g->color[color]);
    p->territory = set_or(p->territory, taken);
    p->border = set_minus(set_or(p->border, graph_around(g, &taken)), p->territory);
}

FLOOD_INLINE bool position_forced(const graph *g, const set *outside, const position *p, unsigned color) {
    return !set_meets(*outside, g->color[color]) && set_meets(p->border, g->color[color]);
}

/* Plays all forced colours; returns how many, and writes them to moves (if not NULL). */
static unsigned position_force(const graph *g, position *p, uint8_t *moves) {
    unsigned count = 0;
    bool again = true;
    while (again) {
        again = false;
        for (unsigned color = 0; color < g->colors; color++) {
            const set outside = set_minus(g->all, set_or(p->territory, p->border));
            if (position_forced(g, &outside, p, color)) {
                position_play(g, p, color);
                if (moves != NULL) moves[count] = (uint8_t)color;
                count++;
                again = true;
            }
        }
    }
    return count;
}

typedef struct {
    unsigned bound;                       /* lower bound of the moves left */
    unsigned distance;                    /* sum of the distances of all components left */
    uint16_t finish[BW_FLOOD_COLORS_MAX]; /* by colour: lower bound of the moves until its last component */
} outlook;

enum { FLOOD_LAYERS_KEPT = 16 /* the last ones */ };

/* The moves needed if colour c is finished by move finish[c] at the earliest (0: already finished), and no two by
 * the same move: if k colours finish at d or later, d - 1 + k. */
FLOOD_INLINE unsigned finish_bound(const uint16_t *finish, unsigned colors, unsigned last) {
    uint8_t count[BW_FLOOD_COLORS_MAX] = {0};
    unsigned bound = 0;
    unsigned later = 0;
    for (unsigned color = 0; color < colors; color++) {
        if (finish[color] != 0 && last - finish[color] < colors) count[last - finish[color]]++;
    }
    for (unsigned i = 0; i < colors && i < last; i++) {
        later += count[i];
        if (last - i - 1 + later > bound) bound = last - i - 1 + later;
    }
    return bound;
}

/* Absorbs what is free and bounds the moves left by the distance layers: the last component of a
 * colour is absorbed no earlier than its layer, and two colours are never finished by one move.
 * settled: no colour is forced, so that nothing free is the last of its colour.
 * want_finish: fill `finish` too. */
FLOOD_INLINE outlook position_close(const graph *g, position *p, bool settled, bool want_finish) {
    set layer[FLOOD_LAYERS_KEPT];
    outlook result = {0};
    unsigned depth = 1;
    set kept = set_none();
    set seen = set_or(p->territory, p->border);
    set around = graph_around(g, &p->border);
    set next = set_minus(around, seen);
    set here = next;
    unsigned distance = set_count(&p->border, g->words);
    layer[1] = p->border;
    if (!set_any(here)) {
        if (!set_any(p->border)) return result;
    } else {
        around = graph_around(g, &here);
        if (!settled) {
            const set outside = set_minus(g->all, seen);
            for (unsigned color = 0; color < g->colors; color++) {
                if (!set_meets(outside, g->color[color])) kept = set_or(kept, g->color[color]);
            }
        }
        kept = set_or(kept, around);
        p->territory = set_or(p->territory, set_minus(p->border, kept));
        p->border = set_and(p->border, kept);
        for (;;) {
            depth++;
            layer[depth % FLOOD_LAYERS_KEPT] = here;
            distance += depth * set_count(&here, g->words);
            seen = set_or(seen, here);
            here = set_minus(around, seen);
            if (!set_any(here)) break;
            around = graph_around(g, &here);
        }
    }
    result.distance = distance;
    /* Backwards: with k colours left at distance d or more, d - 1 + k moves are needed. */
    uint32_t found = 0;
    unsigned left = 0;
    for (unsigned d = depth; d > 0 && depth - d < FLOOD_LAYERS_KEPT - 1 && left < g->colors; d--) {
        if (!want_finish && d - 1 + g->colors <= result.bound) break;
        for (unsigned color = 0; color < g->colors; color++) {
            if (!(found >> color & 1) && set_meets(layer[d % FLOOD_LAYERS_KEPT], g->color[color])) {
                found |= (uint32_t)1 << color;
                result.finish[color] = (uint16_t)d;
                left++;
            }
        }
        if (d - 1 + left > result.bound) result.bound = d - 1 + left;
    }
    return result;
}

/* The bound if other methods show that colours finish no earlier than finish[]. */
FLOOD_INLINE unsigned outlook_bound(outlook *o, const uint16_t *finish, unsigned colors) {
    unsigned last = 0;
    for (unsigned color = 0; color < colors; color++) {
        if (finish[color] > o->finish[color] && o->finish[color] != 0) {
            o->finish[color] = finish[color];
        }
        last = o->finish[color] > last ? o->finish[color] : last;
    }
    const unsigned bound = finish_bound(o->finish, colors, last);
    return bound > o->bound ? bound : o->bound;
}

FLOOD_INLINE uint64_t territory_hash(const set *territory, unsigned words) {
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (unsigned i = 0; i < words; i++) {
        h = (h ^ territory->w[i]) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
    }
    return h;
}

#endif
