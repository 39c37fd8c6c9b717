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

enum { FLOOD_PAIRS_MAX = 64 };

typedef struct {
    unsigned count;
    unsigned levels[FLOOD_PAIRS_MAX]; /* rows kept for each x: levels 0..levels-1 */
    uint8_t color[FLOOD_PAIRS_MAX];
    set *rows[FLOOD_PAIRS_MAX];
} pair_tables;

/* Working memory of the searches over pairs, a row for each component. */
typedef struct {
    set *row;  /* pairs within the level */
    set *fresh; /* reached by this level */
    set *any;  /* around(row) */
    set *same; /* around(row and the colour of x) */
} pair_work;

static bool pair_work_make(pair_work *w, const graph *g, flood_arena *arena) {
    w->row = flood_arena_take(arena, g->count * sizeof(set));
    w->fresh = flood_arena_take(arena, g->count * sizeof(set));
    w->any = flood_arena_take(arena, g->count * sizeof(set));
    w->same = flood_arena_take(arena, g->count * sizeof(set));
    return w->row != NULL && w->fresh != NULL && w->any != NULL && w->same != NULL;
}

static void pair_work_clear(pair_work *w, const graph *g) {
    for (unsigned x = 0; x < g->count; x++) {
        w->row[x] = w->any[x] = w->same[x] = set_none();
    }
}

/* Adds the fresh pairs of row x. */
FLOOD_INLINE void pair_row_add(pair_work *w, const graph *g, unsigned x, const set *fresh) {
    const unsigned words = g->words;
    set any = w->any[x];
    w->row[x] = set_or(w->row[x], *fresh);
    FOR_BITS(y, fresh, words) {
        any = set_or(any, g->adjacent[y]);
    }
    w->any[x] = any;
}

/* Fills the table of the pair u, v down to the level at which the origin reaches both. */
static bool pair_table_build(pair_tables *tables, pair_work *w, const graph *g, unsigned u, unsigned v,
                             unsigned levels, flood_arena *arena) {
    const unsigned index = tables->count;
    set *rows = flood_arena_take(arena, (size_t)g->count * levels * sizeof(set));
    if (rows == NULL || index == FLOOD_PAIRS_MAX) {
        return false;
    }
    pair_work_clear(w, g);
    for (unsigned x = 0; x < g->count; x++) {
        w->fresh[x] = set_none();
    }
    set_add(&w->fresh[u], v);
    set_add(&w->fresh[v], u);
    for (unsigned level = 0; level < levels; level++) {
        for (unsigned x = 0; x < g->count; x++) {
            if (set_any(w->fresh[x])) {
                pair_row_add(w, g, x, &w->fresh[x]);
                const set own = set_and(w->fresh[x], g->color[g->color_of[x]]);
                w->same[x] = set_or(w->same[x], set_or(w->fresh[x], graph_around(g, &own)));
            }
            rows[(size_t)x * levels + level] = w->row[x];
        }
        for (unsigned x = 0; x < g->count; x++) {
            set reach = w->any[x];
            FOR_BITS(next, &g->adjacent[x], g->words) {
                reach = set_or(reach, w->same[next]);
            }
            w->fresh[x] = set_minus(reach, w->row[x]);
        }
    }
    tables->levels[index] = levels;
    tables->color[index] = g->color_of[u];
    tables->rows[index] = rows;
    tables->count++;
    return true;
}

/* Members of a set, as a list. */
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

/* The fewest moves (at most `from`) for the pair, when `added` has just joined `territory`, which
 * needed `from` without it. */
FLOOD_INLINE unsigned pair_value(const pair_tables *tables, unsigned pair, unsigned from, const members *added,
                                 const set *territory) {
    const unsigned levels = tables->levels[pair];
    const set *rows = tables->rows[pair];
    while (from > 0) {
        set near = set_none();
        for (unsigned i = 0; i < added->count; i++) {
            near = set_or(near, rows[added->member[i] * levels + from - 1]);
        }
        if (!set_meets(near, *territory)) {
            break;
        }
        from--;
    }
    return from;
}

/* The distance of every pair of one colour from a territory: distance[x * count + y], x < y. */
static void pair_distances(pair_work *w, const graph *g, const set *territory, uint8_t *distance) {
    pair_work_clear(w, g);
    const unsigned words = g->words;
    bool more = true;
    for (unsigned x = 0; x < g->count; x++) {
        w->fresh[x] = set_has(territory, x) ? *territory : set_none();
    }
    for (unsigned level = 0; more && level < 255; level++) {
        more = false;
        for (unsigned x = 0; x < g->count; x++) {
            if (set_any(w->fresh[x])) {
                more = true;
                pair_row_add(w, g, x, &w->fresh[x]);
                const set own = set_and(w->fresh[x], g->color[g->color_of[x]]);
                FOR_BITS(y, &own, words) {
                    distance[(size_t)x * g->count + y] = (uint8_t)level;
                }
            }
        }
        for (unsigned x = 0; x < g->count; x++) {
            set moved = set_none();
            set both = set_none();
            FOR_BITS(next, &g->adjacent[x], words) {
                moved = set_or(moved, w->row[next]);
                both = set_or(both, w->any[next]);
            }
            both = set_and(both, g->color[g->color_of[x]]);
            w->fresh[x] = set_minus(set_or(set_or(moved, both), w->any[x]), w->row[x]);
        }
    }
}

enum { FLOOD_SAMPLES_MAX = 16 };

/* Builds `per_color` tables for every colour, chosen greedily for the largest sum of bounds over
 * the sampled territories. Returns false when memory ran out: then there are fewer. At most about
 * half of the arena is taken. */
static bool pair_tables_make(pair_tables *tables, const graph *g, const set *samples, unsigned sample_count,
                             unsigned per_color, flood_arena *arena) {
    tables->count = 0;
    pair_work w;
    uint8_t *distance[FLOOD_SAMPLES_MAX + 1];
    const size_t cells = (size_t)g->count * g->count;
    unsigned chosen[FLOOD_PAIRS_MAX][3];
    unsigned count = 0;
    if (!pair_work_make(&w, g, arena)) {
        return false;
    }
    const size_t mark = arena->used;
    set origin = set_none();
    set_add(&origin, 0);
    for (unsigned i = 0; i <= sample_count; i++) {
        distance[i] = flood_arena_take(arena, cells);
        if (distance[i] == NULL) {
            arena->used = mark;
            return false;
        }
        memset(distance[i], 0, cells);
        pair_distances(&w, g, i == 0 ? &origin : &samples[i - 1], distance[i]);
    }
    for (unsigned color = 0; color < g->colors; color++) {
        uint8_t covered[FLOOD_SAMPLES_MAX + 1] = {0};
        for (unsigned n = 0; n < per_color && count < FLOOD_PAIRS_MAX; n++) {
            unsigned best = 0;
            unsigned best_u = 0;
            unsigned best_v = 0;
            FOR_BITS(u, &g->color[color], g->words) {
                FOR_BITS(v, &g->color[color], g->words) {
                    if (v < u) {
                        continue;
                    }
                    unsigned gain = 0;
                    const size_t at = (size_t)u * g->count + v;
                    for (unsigned i = 1; i <= sample_count; i++) {
                        if (distance[i][at] > covered[i]) {
                            gain += distance[i][at] - covered[i];
                        }
                    }
                    if (gain > best) {
                        best = gain;
                        best_u = u;
                        best_v = v;
                    }
                }
            }
            if (best == 0) {
                break;
            }
            const size_t at = (size_t)best_u * g->count + best_v;
            for (unsigned i = 1; i <= sample_count; i++) {
                covered[i] = distance[i][at] > covered[i] ? distance[i][at] : covered[i];
            }
            chosen[count][0] = best_u;
            chosen[count][1] = best_v;
            chosen[count][2] = distance[0][at];
            count++;
        }
    }
    arena->used = mark;
    for (unsigned i = 0; i < count && arena->used < arena->size / 2; i++) {
        if (!pair_table_build(tables, &w, g, chosen[i][0], chosen[i][1], chosen[i][2], arena)) {
            return false;
        }
    }
    return true;
}

#endif
