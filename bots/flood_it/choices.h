/* What the moves of a position do, and the order of moves.
 *
 * Where a move a opens no component of b's colour, b then a absorbs as much as a then b or more. So after a only those
 * colours are tried that a opened something for, or that are above a. Where b opens something for a and is above it, a
 * then b is tried too, though it is the worse order: what settles by itself may make them equal. fronts.h sorts that out.
 * After a forced move every colour is allowed.
 */
#ifndef BW_FLOOD_IT_CHOICES_H
#define BW_FLOOD_IT_CHOICES_H

#include "position.h"

/* What the moves at hand do. What they open is found when one of them is tried. */
typedef struct {
    set taken[BW_FLOOD_COLORS_MAX];
    set opened[BW_FLOOD_COLORS_MAX];
    uint32_t opens[BW_FLOOD_COLORS_MAX]; /* the colours of those */
    uint32_t playable;
} choices;

FLOOD_INLINE void choices_find(choices *c, const graph *g, const position *p) {
    c->playable = 0;
    for (unsigned color = 0; color < g->colors; color++) {
        c->taken[color] = set_and(p->border, g->color[color]);
        c->playable |= (uint32_t)set_any(c->taken[color]) << color;
    }
}

FLOOD_INLINE void choices_open(choices *c, const graph *g, const position *p) {
    const unsigned words = g->words;
    const set known = set_or(p->territory, p->border);
    for (unsigned color = 0; color < g->colors; color++) c->opened[color] = set_none();
    FOR_BITS(i, &p->border, words) {
        set_join(&c->opened[g->color_of[i]], &g->adjacent[i]);
    }
    for (unsigned color = 0; color < g->colors; color++) {
        c->opened[color] = set_minus(c->opened[color], known);
        c->opens[color] = 0;
        for (unsigned other = 0; other < g->colors; other++) {
            c->opens[color] |= (uint32_t)set_meets(c->opened[color], g->color[other]) << other;
        }
    }
}

/* The colours to be tried after `color`. */
FLOOD_INLINE uint16_t choices_after(const choices *c, unsigned color) {
    const uint32_t allowed = c->opens[color] | (c->playable & ~(((uint32_t)2 << color) - 1));
    return (uint16_t)((allowed & 0x7FFF) | (uint32_t)(allowed >> 15 != 0) << 15);
}

#endif
