/* Pair tables: a sharper bound on when a colour can be finished.
 *
 * For two components u and v of one colour, a table holds for all components x and y the fewest
 * moves that lead from x to u and, by the same moves, from y to v (a breadth-first search backwards
 * over pairs; at every move each of the two steps to a neighbour of the move's colour or waits).
 * The territory T needs at least the minimum over x, y in T to absorb both, and the colour of u and
 * v is not finished before. Rows are bit sets by level: bit y of row (x, k) says "k moves do".
 *
 * Which pairs are worth a table is found on a sample of positions: there, a search forwards over
 * pairs gives the distance of every pair at once.
 */
#ifndef BW_FLOOD_IT_PAIRS_H
#define BW_FLOOD_IT_PAIRS_H

#include "position.h"

enum { FLOOD_PAIRS_MAX = 64, FLOOD_LEVELS_MAX = 250 };

typedef struct {
    unsigned count;
    size_t stride;                    /* rows per level */
    unsigned levels[FLOOD_PAIRS_MAX]; /* an upper bound of the origin's moves; rows stay below it */
    uint8_t color[FLOOD_PAIRS_MAX];
    set *rows[FLOOD_PAIRS_MAX];
} pair_tables;

/* Working memory of the searches over pairs: a row per component. */
typedef struct {
    set *row;        /* pairs within the level */
    set *fresh;      /* reached by this level */
    set *any;        /* around(row) */
    set *same;       /* around(row and the colour of x) */
    set full;        /* rows that hold everything */
    uint16_t *first; /* neighbours of x: neighbour[first[x]..first[x + 1]) */
    uint16_t *neighbour;
} pair_work;

static bool pair_work_make(pair_work *w, const graph *g, flood_arena *arena) {
    w->row = flood_arena_take(arena, g->count * sizeof(set));
    w->fresh = flood_arena_take(arena, g->count * sizeof(set));
    w->any = flood_arena_take(arena, g->count * sizeof(set));
    w->same = flood_arena_take(arena, g->count * sizeof(set));
    w->first = flood_arena_take(arena, (g->count + 1) * sizeof *w->first);
    unsigned count = 0;
    for (unsigned x = 0; x < g->count; x++) count += set_count(&g->adjacent[x], g->words);
    w->neighbour = flood_arena_take(arena, count * sizeof *w->neighbour);
    if (w->row == NULL || w->fresh == NULL || w->any == NULL || w->same == NULL || w->first == NULL ||
        w->neighbour == NULL) {
        return false;
    }
    count = 0;
    for (unsigned x = 0; x < g->count; x++) {
        w->first[x] = (uint16_t)count;
        FOR_BITS(y, &g->adjacent[x], g->words) {
            w->neighbour[count++] = (uint16_t)y;
        }
    }
    w->first[g->count] = (uint16_t)count;
    return true;
}

static void pair_work_clear(pair_work *w, const graph *g) {
    w->full = set_none();
    for (unsigned x = 0; x < g->count; x++) {
        w->row[x] = w->any[x] = w->same[x] = w->fresh[x] = set_none();
    }
}

/* Adds the new pairs of row x. */
FLOOD_INLINE void pair_row_add(pair_work *w, const graph *g, unsigned x, const set *fresh) {
    const unsigned words = g->words;
    set any = w->any[x];
    set_join(&w->row[x], fresh);
    FOR_BITS(y, fresh, words) {
        set_join(&any, &g->adjacent[y]);
    }
    w->any[x] = any;
    if (!set_any(set_minus(g->all, w->row[x]))) set_add(&w->full, x);
}

/* The rows that a level can change: those with new pairs, and their neighbours. */
FLOOD_INLINE set pair_rows_touched(const pair_work *w, const graph *g, const set *changed) {
    return set_minus(set_or(*changed, graph_around(g, changed)), w->full);
}

/* Fills the table of the pair u, v up to the level at which the origin reaches both. False if memory is full. */
static bool pair_table_build(pair_tables *tables, pair_work *w, const graph *g, unsigned u, unsigned v,
                             flood_arena *arena) {
    const unsigned index = tables->count;
    const unsigned words = g->words;
    set *rows = NULL;
    set changed = set_none();
    unsigned level = 0;
    pair_work_clear(w, g);
    set_add(&w->fresh[u], v);
    set_add(&w->fresh[v], u);
    set_add(&changed, u);
    set_add(&changed, v);
    while (level < FLOOD_LEVELS_MAX && !set_has(&w->row[0], 0)) {
        set *next_rows = flood_arena_take(arena, tables->stride * sizeof(set));
        if (next_rows == NULL) return false;
        rows = level == 0 ? next_rows : rows;
        FOR_BITS(x, &changed, words) {
            pair_row_add(w, g, x, &w->fresh[x]);
            const set own = set_and(w->fresh[x], g->color[g->color_of[x]]);
            w->same[x] = set_or(w->same[x], set_or(w->fresh[x], graph_around(g, &own)));
        }
        memcpy(next_rows, w->row, g->count * sizeof(set));
        level++;
        const set touched = pair_rows_touched(w, g, &changed);
        changed = set_none();
        FOR_BITS(x, &touched, words) {
            set reach = w->any[x];
            for (unsigned i = w->first[x]; i < w->first[x + 1]; i++) {
                set_join(&reach, &w->same[w->neighbour[i]]);
            }
            w->fresh[x] = set_minus(reach, w->row[x]);
            if (set_any(w->fresh[x])) set_add(&changed, x);
        }
    }
    tables->levels[index] = level - 1;
    tables->color[index] = g->color_of[u];
    tables->rows[index] = rows;
    tables->count++;
    return true;
}

/* The members of a set, as a list. */
typedef struct {
    unsigned count;
    uint16_t member[FLOOD_WORDS * 64];
} members;

FLOOD_INLINE void members_of(members *m, const graph *g, const set *s) {
    m->count = 0;
    FOR_BITS(x, s, g->words) {
        m->member[m->count++] = (uint16_t)x;
    }
}

/* The fewest moves for the pair (at most `from`), after `moves` moves added `added` to `territory`, which needed `from`
 * without it: a move brings the pair nearer by one at most. */
FLOOD_INLINE unsigned pair_value(const pair_tables *tables, unsigned pair, unsigned from, unsigned moves,
                                 const members *added, const set *territory) {
    const size_t stride = tables->stride;
    const set *rows = tables->rows[pair];
    for (const unsigned least = from > moves ? from - moves : 0; from > least;) {
        set near = set_none();
        for (unsigned i = 0; i < added->count; i++) {
            set_join(&near, &rows[(from - 1) * stride + added->member[i]]);
        }
        if (!set_meets(near, *territory)) break;
        from--;
    }
    return from;
}

/* The distance of every pair of one colour from a territory: distance[x * count + y]. */
static void pair_distances(pair_work *w, const graph *g, const set *territory, uint8_t *distance) {
    const unsigned words = g->words;
    set changed = *territory;
    pair_work_clear(w, g);
    memset(distance, 0, (size_t)g->count * g->count);
    FOR_BITS(x, territory, words) {
        w->fresh[x] = *territory;
    }
    for (unsigned level = 0; level < FLOOD_LEVELS_MAX && set_any(changed); level++) {
        FOR_BITS(x, &changed, words) {
            pair_row_add(w, g, x, &w->fresh[x]);
            const set own = set_and(w->fresh[x], g->color[g->color_of[x]]);
            FOR_BITS(y, &own, words) {
                distance[(size_t)x * g->count + y] = (uint8_t)level;
            }
        }
        const set touched = pair_rows_touched(w, g, &changed);
        changed = set_none();
        FOR_BITS(x, &touched, words) {
            set moved = set_none();
            set both = set_none();
            for (unsigned i = w->first[x]; i < w->first[x + 1]; i++) {
                set_join(&moved, &w->row[w->neighbour[i]]);
                set_join(&both, &w->any[w->neighbour[i]]);
            }
            both = set_and(both, g->color[g->color_of[x]]);
            w->fresh[x] = set_minus(set_or(set_or(moved, both), w->any[x]), w->row[x]);
            if (set_any(w->fresh[x])) set_add(&changed, x);
        }
    }
}

enum { FLOOD_SAMPLES_MAX = 48 };

typedef struct {
    unsigned u, v;
} component_pair;

/* The pair of one colour that adds most to `covered`, summed over the samples; raises `covered`. False if no pair
 * adds anything. */
static bool pair_choose(const graph *g, unsigned color, uint8_t *const *distance, unsigned sample_count,
                        uint8_t *covered, component_pair *chosen) {
    unsigned best = 0;
    FOR_BITS(u, &g->color[color], g->words) {
        FOR_BITS(v, &g->color[color], g->words) {
            unsigned gain = 0;
            const size_t at = (size_t)u * g->count + v;
            if (v < u) continue;
            for (unsigned i = 0; i < sample_count; i++) {
                const unsigned needed = distance[i][at];
                gain += needed > covered[i] ? needed - covered[i] : 0;
            }
            if (gain > best) {
                best = gain;
                chosen->u = u;
                chosen->v = v;
            }
        }
    }
    for (unsigned i = 0; i < sample_count && best > 0; i++) {
        const uint8_t needed = distance[i][(size_t)chosen->u * g->count + chosen->v];
        covered[i] = needed > covered[i] ? needed : covered[i];
    }
    return best > 0;
}

/* Builds up to `per_color` tables for every colour, chosen greedily on the sampled territories; fewer if memory runs
 * out. They use at most about half of the arena. */
static void pair_tables_make(pair_tables *tables, const graph *g, const set *samples, unsigned sample_count,
                             unsigned per_color, flood_arena *arena) {
    pair_work w;
    uint8_t *distance[FLOOD_SAMPLES_MAX];
    component_pair chosen[FLOOD_PAIRS_MAX];
    unsigned count = 0;
    tables->count = 0;
    tables->stride = flood_round_up(g->count * sizeof(set)) / sizeof(set);
    if (!pair_work_make(&w, g, arena)) return;
    const size_t mark = arena->used;
    for (unsigned i = 0; i < sample_count; i++) {
        distance[i] = flood_arena_take(arena, (size_t)g->count * g->count);
        if (distance[i] == NULL) { /* fewer will do */
            sample_count = i;
            break;
        }
        pair_distances(&w, g, &samples[i], distance[i]);
    }
    for (unsigned color = 0; color < g->colors; color++) {
        uint8_t covered[FLOOD_SAMPLES_MAX] = {0};
        for (unsigned n = 0; n < per_color && count < FLOOD_PAIRS_MAX; n++) {
            if (!pair_choose(g, color, distance, sample_count, covered, &chosen[count])) break;
            count++;
        }
    }
    arena->used = mark;
    for (unsigned i = 0; i < count && arena->used < arena->size / 2; i++) {
        if (!pair_table_build(tables, &w, g, chosen[i].u, chosen[i].v, arena)) return;
    }
}

/* For a position: the colours that have tables, the one whose pairs need most moves first, and that pair. */
typedef struct {
    unsigned count;
    uint8_t color[BW_FLOOD_COLORS_MAX];
    uint8_t top[BW_FLOOD_COLORS_MAX];
    uint8_t last[BW_FLOOD_COLORS_MAX]; /* tables of that colour: first .. last - 1 */
    uint8_t first[BW_FLOOD_COLORS_MAX];
} pair_order;

static void pair_order_make(pair_order *o, const pair_tables *tables, const uint8_t *values) {
    o->count = 0;
    for (unsigned i = 0; i < tables->count;) {
        unsigned top = i, end = i;
        for (; end < tables->count && tables->color[end] == tables->color[i]; end++) {
            if (values[end] > values[top]) top = end;
        }
        unsigned at = o->count++;
        for (; at > 0 && values[o->top[at - 1]] < values[top]; at--) {
            o->color[at] = o->color[at - 1];
            o->top[at] = o->top[at - 1];
            o->first[at] = o->first[at - 1];
            o->last[at] = o->last[at - 1];
        }
        o->color[at] = tables->color[i];
        o->top[at] = (uint8_t)top;
        o->first[at] = (uint8_t)i;
        o->last[at] = (uint8_t)end;
        i = end;
    }
}

/* Is there a move of its own for the last of each colour, if `late[k]` colours need most - k moves? */
FLOOD_INLINE bool pair_fits(const uint8_t *late, unsigned colors) {
    for (unsigned k = 0, later = 0; k < colors; k++) {
        later += late[k];
        if (later > k + 1) return false;
    }
    return true;
}

/* A pair that is absorbed needs no move, so that it takes none from another colour. */
FLOOD_INLINE bool pair_counts(unsigned most, unsigned value, unsigned colors) {
    return value != 0 && most - value < colors && most - value < BW_FLOOD_COLORS_MAX;
}

/* Writes the moves each pair needs, given those it needed before `added`, and the largest by colour. Returns false
 * as soon as more than `most` moves are needed in all, without writing the rest. The pairs that needed most before
 * come first, for they say so most often. */
FLOOD_INLINE bool pair_values(const pair_tables *tables, unsigned colors, const pair_order *order, unsigned moves,
                              const members *added, const set *territory, const uint8_t *before, unsigned most,
                              uint8_t *values, uint16_t *finish) {
    uint8_t late[BW_FLOOD_COLORS_MAX + 1] = {0};
    for (unsigned k = 0; k < order->count; k++) {
        const unsigned i = order->top[k];
        const unsigned value = pair_value(tables, i, before[i], moves, added, territory);
        values[i] = (uint8_t)value;
        finish[order->color[k]] = (uint16_t)value;
        if (value > most) return false;
        if (pair_counts(most, value, colors)) {
            late[most - value]++;
            if (!pair_fits(late, colors)) return false;
        }
    }
    for (unsigned k = 0; k < order->count; k++) {
        const unsigned color = order->color[k];
        for (unsigned i = order->first[k]; i < order->last[k]; i++) {
            if (i == order->top[k]) continue;
            const unsigned value = pair_value(tables, i, before[i], moves, added, territory);
            values[i] = (uint8_t)value;
            if (value <= finish[color]) continue;
            if (value > most) return false;
            if (pair_counts(most, finish[color], colors)) late[most - finish[color]]--;
            finish[color] = (uint16_t)value;
            if (pair_counts(most, value, colors)) {
                late[most - value]++;
                if (!pair_fits(late, colors)) return false;
            }
        }
    }
    return true;
}

#endif
