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

static void graph_join(graph *g, unsigned here, unsigned there) {
    if (here == there) return;
    set_add(&g->adjacent[here], there);
    set_add(&g->adjacent[there], here);
}

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
            const unsigned at = row * c->cols + col;
            if (col + 1 < c->cols) graph_join(g, c->label[at], c->label[at + 1]);
            if (row + 1 < c->rows) graph_join(g, c->label[at], c->label[at + c->cols]);
        }
    }
    return true;
}

/* All neighbours of the members of s; may contain members of s. *colors becomes the members' colours. */
FLOOD_INLINE set graph_around_and_colors(const graph *g, const set *s, uint32_t *colors) {
    set r = set_none();
    const unsigned words = g->words;
    *colors = 0;
    FOR_BITS(i, s, words) {
        set_join(&r, &g->adjacent[i]);
        *colors |= (uint32_t)1 << g->color_of[i];
    }
    return r;
}

FLOOD_INLINE set graph_around(const graph *g, const set *s) {
    uint32_t colors;
    return graph_around_and_colors(g, s, &colors);
}

typedef struct {
    set territory;
    set border;
} position;

FLOOD_INLINE position position_of(const graph *g, set territory) {
    position p;
    p.territory = territory;
    p.border = set_minus(graph_around(g, &territory), territory);
    return p;
}

static position position_start(const graph *g) {
    set origin = set_none();
    set_add(&origin, 0);
    return position_of(g, origin);
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

/* Absorbs those of the candidates that are free; no colour is forced. */
FLOOD_INLINE void position_absorb(const graph *g, position *p, const set *candidates) {
    const unsigned words = g->words;
    const set known = set_or(p->territory, p->border);
    set taken = set_none();
    FOR_BITS(i, candidates, words) {
        taken.w[i >> 6] |= (uint64_t)!set_any(set_minus(g->adjacent[i], known)) << (i & 63);
    }
    p->territory = set_or(p->territory, taken);
    p->border = set_minus(p->border, taken);
}

/* Plays what is forced and absorbs what is free; returns and writes as position_force. */
static unsigned position_settle(const graph *g, position *p, uint8_t *moves) {
    const unsigned count = position_force(g, p, moves);
    const set candidates = p->border;
    position_absorb(g, p, &candidates);
    return count;
}

/* The distance layers: how many moves a component takes at least. */
typedef struct {
    set *within;       /* within[k]: components that k moves reach; 0 .. depth */
    uint32_t *colors;  /* colors[k]: of the components that take k moves; 1 .. depth */
    unsigned first;    /* layers before this one are unknown; 0, or see layers_find_outer */
    unsigned depth;    /* of the last layer */
    unsigned distance; /* sum of the distances of all components left */
} layers;

/* Room for the layers of the start, and so for those of every later position. False if memory is full. */
static bool layers_make(layers *l, const graph *g, flood_arena *arena) {
    set seen = set_none();
    set here = set_none();
    unsigned count = 0;
    for (set_add(&here, 0); set_any(here); count++) {
        seen = set_or(seen, here);
        here = set_minus(graph_around(g, &here), seen);
    }
    l->within = flood_arena_take(arena, (count + 1) * sizeof(set)); /* position_start may have an empty border */
    l->colors = flood_arena_take(arena, (count + 1) * sizeof *l->colors);
    return l->within != NULL && l->colors != NULL;
}

/* Finds the layers above layer `first`, which is the last of `within`; `here` is the next. sum: find `distance` too. */
FLOOD_INLINE void layers_go_on(const graph *g, layers *l, unsigned first, set within, set here, bool sum) {
    unsigned depth = first;
    l->first = first;
    l->distance = 0;
    l->within[first] = within;
    while (set_any(here)) {
        l->within[depth + 1] = set_or(l->within[depth], here);
        depth++;
        if (sum) l->distance += depth * set_count(&here, g->words);
        here = set_minus(graph_around_and_colors(g, &here, &l->colors[depth]), l->within[depth]);
    }
    l->depth = depth;
}

FLOOD_INLINE void layers_find(const graph *g, layers *l, const position *p, bool sum) {
    layers_go_on(g, l, 0, p->territory, p->border, sum);
}

/* The moves needed at least: the last of each colour takes a move of its own, so that if k colours end at layer d or
 * later, d - 1 + k. */
FLOOD_INLINE unsigned layers_bound(const layers *l, unsigned colors) {
    uint32_t later = 0;
    unsigned bound = 0;
    for (unsigned d = l->depth; d > l->first && d - 1 + colors > bound; d--) {
        later |= l->colors[d];
        const unsigned moves = d - 1 + (unsigned)__builtin_popcount(later);
        bound = moves > bound ? moves : bound;
    }
    return bound;
}

/* Absorbs what is free in the position of these layers; colours may be forced. */
FLOOD_INLINE void layers_absorb(const graph *g, const layers *l, position *p) {
    if (l->depth < 2) return;
    const set outer = set_minus(l->within[2], l->within[1]);
    set free = set_minus(p->border, graph_around(g, &outer));
    uint32_t later = 0;
    for (unsigned d = l->depth; d > 1; d--) later |= l->colors[d];
    for (uint32_t forced = l->colors[1] & ~later; forced != 0; forced &= forced - 1) {
        free = set_minus(free, g->color[__builtin_ctz(forced)]);
    }
    p->territory = set_or(p->territory, free);
    p->border = set_minus(p->border, free);
}

/* The moves needed if colour c is finished by move finish[c] at the earliest (0: already finished), and no two by
 * the same move: if k colours finish at d or later, d - 1 + k. */
FLOOD_INLINE unsigned finish_bound(const uint16_t *finish, unsigned colors) {
    uint8_t count[BW_FLOOD_COLORS_MAX] = {0};
    unsigned last = 0;
    unsigned bound = 0;
    unsigned later = 0;
    for (unsigned color = 0; color < colors; color++) last = finish[color] > last ? finish[color] : last;
    for (unsigned color = 0; color < colors; color++) {
        if (finish[color] != 0 && last - finish[color] < colors) count[last - finish[color]]++;
    }
    for (unsigned i = 0; i < colors && i < last; i++) {
        later += count[i];
        if (last - i - 1 + later > bound) bound = last - i - 1 + later;
    }
    return bound;
}

enum { FLOOD_MANY_COLORS = 9 }; /* with more, some end long before the others */

/* A lower bound of the moves left, at least as sharp as that of the distance layers: where all that is left of colours
 * lies in the border, these are played, a move each, which is optimal; else one move takes the whole border, which is no
 * worse than any real move. It sees that a colour takes a move of its own wherever it ends, where finish_bound sees only
 * those that end late. It stops above `most`. */
FLOOD_INLINE unsigned position_bound(const graph *g, const position *p, unsigned most) {
    set territory = p->territory;
    set border = p->border;
    unsigned moves = 0;
    uint32_t left = 0;
    for (unsigned color = 0; color < g->colors; color++) {
        left |= (uint32_t)set_any(set_minus(g->color[color], territory)) << color;
    }
    while (left != 0 && moves + (unsigned)__builtin_popcount(left) <= most) {
        const set known = set_or(territory, border);
        set taken = set_none();
        uint32_t ended = 0;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const unsigned color = (unsigned)__builtin_ctz(rest);
            if (set_any(set_minus(g->color[color], known))) continue;
            ended |= (uint32_t)1 << color;
            set_join(&taken, &g->color[color]);
        }
        moves += ended != 0 ? (unsigned)__builtin_popcount(ended) : 1;
        left &= ~ended;
        taken = ended != 0 ? set_and(taken, border) : border;
        territory = set_or(territory, taken);
        border = set_minus(set_or(border, graph_around(g, &taken)), territory);
    }
    return moves + (unsigned)__builtin_popcount(left);
}

/* finish_bound of the layers, where other methods show that colours finish no earlier than finish[], which it raises. */
FLOOD_INLINE unsigned layers_bound_raised(const layers *l, uint16_t *finish, unsigned colors) {
    for (unsigned d = 1; d <= l->depth; d++) {
        for (uint32_t here = l->colors[d]; here != 0; here &= here - 1) {
            uint16_t *color = &finish[__builtin_ctz(here)];
            *color = *color < d ? (uint16_t)d : *color;
        }
    }
    return finish_bound(finish, colors);
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
