/* A* over settled positions: buckets by f = moves made + bound on the moves left and by moves made, one hash table,
 * nothing kept that can't beat the best line known.
 *
 * For each f the positions are opened in order of the moves made, the largest territories first, so that a position comes
 * after those that may contain it (fronts.h). At the last f, where a line may end, only a few for each number of moves are
 * opened in a sweep, and more in the next.
 *
 * A position met again by another last move is opened for the colours that this one allows in addition (choices.h).
 */
#ifndef BW_FLOOD_IT_ASTAR_H
#define BW_FLOOD_IT_ASTAR_H

#include "beam.h"
#include "choices.h"
#include "fronts.h"
#include "nearer.h"
#include "pairs.h"

/* A position, followed in memory by its territory and a byte for each pair table: the moves that
 * the pair still needs. */
typedef struct {
    uint32_t parent;
    uint32_t next;    /* in the same bucket */
    uint16_t todo;    /* colours to try, a bit each; those from 15 on share one, which only tries more moves */
    uint16_t allowed; /* colours tried or to be tried */
    uint16_t cost;    /* moves made */
    uint8_t color;    /* the move that led here; forced ones follow from it */
    uint8_t stale;    /* reached again by fewer moves */
} record;

enum { FLOOD_INDEX_BITS = 27, FLOOD_ALL_MOVES = 0xFFFF };
#define FLOOD_NIL 0xFFFFFFFFu
#define FLOOD_INDEX_MASK (((uint32_t)1 << FLOOD_INDEX_BITS) - 1)

typedef struct {
    search *s;
    const pair_tables *pairs;
    balls balls;
    unsigned char *records;
    size_t stride;
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; /* hash table at the end of the arena, growing downwards: slots[-1 - i] */
    uint32_t mask;
    unsigned char *floor; /* records must stay below this */
    uint32_t *buckets;    /* by f and moves made */
    uint32_t *sizes;      /* the bucket at hand by size of the territory; empty in between */
    unsigned moves;       /* made in any position: fewer than this */
    unsigned f, f_first;
    fronts fronts;
    uint64_t stop; /* positions to expand in all */
    bool patient;  /* not told to stop */
} astar;

FLOOD_INLINE record *record_at(const astar *a, uint32_t index) {
    return (record *)(void *)(a->records + (size_t)index * a->stride);
}

FLOOD_INLINE uint64_t *record_words(record *r) { return (uint64_t *)(void *)(r + 1); }

FLOOD_INLINE set record_territory(const astar *a, record *r) {
    set t = set_none();
    memcpy(&t, record_words(r), a->s->g.words * sizeof(uint64_t));
    return t;
}

FLOOD_INLINE uint8_t *record_pairs(const astar *a, record *r) { return (uint8_t *)(record_words(r) + a->s->g.words); }

/* A slot holds index + 1 and, above it, bits of the hash; 0 is empty. */
FLOOD_INLINE uint32_t slot_tag(uint64_t hash) { return (uint32_t)(hash >> 32) & ~FLOOD_INDEX_MASK; }

static void table_clear(astar *a) { memset(a->slots - a->mask - 1, 0, ((size_t)a->mask + 1) * sizeof *a->slots); }

/* Doubles the table in place and rehashes it. False if it would overlap the records. */
static bool table_grow(astar *a) {
    const size_t slots = ((size_t)a->mask + 1) * 2;
    const size_t room = (size_t)((unsigned char *)a->slots - a->records);
    if (slots > ((size_t)1 << FLOOD_INDEX_BITS) * 2 ||
        slots * sizeof *a->slots + (size_t)(a->count + 1) * a->stride > room) {
        return false;
    }
    a->mask = (uint32_t)(slots - 1);
    a->floor = (unsigned char *)(a->slots - slots);
    table_clear(a);
    for (uint32_t i = 0; i < a->count; i++) {
        record *r = record_at(a, i);
        if (r->stale) continue;
        const set t = record_territory(a, r);
        const uint64_t hash = territory_hash(&t, a->s->g.words);
        uint32_t slot = (uint32_t)hash & a->mask;
        while (a->slots[-1 - (ptrdiff_t)slot] != 0) slot = (slot + 1) & a->mask;
        a->slots[-1 - (ptrdiff_t)slot] = slot_tag(hash) | (i + 1);
    }
    return true;
}

FLOOD_INLINE uint32_t *bucket_at(const astar *a, unsigned f, unsigned cost) {
    return &a->buckets[(size_t)(f - a->f_first) * a->moves + cost];
}

FLOOD_INLINE void bucket_push(astar *a, uint32_t *bucket, uint32_t index) {
    record_at(a, index)->next = *bucket;
    *bucket = index;
}

/* Inserts a position; false if memory is full. */
static bool astar_enter(astar *a, const set *territory, uint32_t parent, unsigned color, unsigned cost, unsigned f,
                        uint16_t allowed, const uint8_t *pairs) {
    const unsigned words = a->s->g.words;
    const uint64_t hash = territory_hash(territory, words);
    const uint32_t tag = slot_tag(hash);
    uint32_t slot = (uint32_t)hash & a->mask;
    uint32_t held;
    while ((held = a->slots[-1 - (ptrdiff_t)slot]) != 0) {
        const uint32_t index = (held & FLOOD_INDEX_MASK) - 1;
        if ((held & ~FLOOD_INDEX_MASK) == tag) {
            record *r = record_at(a, index);
            if (memcmp(record_words(r), territory, words * sizeof(uint64_t)) == 0) {
                if (cost > r->cost) return true;
                if (cost == r->cost) {
                    const uint16_t extra = (uint16_t)(allowed & ~r->allowed);
                    if (extra != 0) {
                        const bool open = r->todo != 0;
                        r->allowed |= extra;
                        r->todo |= extra;
                        if (!open) bucket_push(a, bucket_at(a, f, cost), index);
                    }
                    return true;
                }
                r->stale = 1;
                break;
            }
        }
        slot = (slot + 1) & a->mask;
    }
    if ((unsigned char *)record_at(a, a->count + 1) > a->floor || a->count >= a->capacity) {
        return false;
    }
    const uint32_t index = a->count++;
    record *r = record_at(a, index);
    r->parent = parent;
    r->todo = allowed;
    r->allowed = allowed;
    r->cost = (uint16_t)cost;
    r->color = (uint8_t)color;
    r->stale = 0;
    memcpy(record_words(r), territory, words * sizeof(uint64_t));
    memcpy(record_pairs(a, r), pairs, a->pairs->count);
    a->slots[-1 - (ptrdiff_t)slot] = tag | (index + 1);
    bucket_push(a, bucket_at(a, f, cost), index);
    if (a->count > a->mask / 2) table_grow(a);
    return true;
}

/* Stores the line that ends with `color` played in position `last` as the best known. */
static void astar_accept(astar *a, uint32_t last, unsigned color, unsigned cost) {
    search *s = a->s;
    uint8_t chain[BW_FLOOD_MOVES_MAX];
    unsigned length = 0;
    chain[length++] = (uint8_t)color;
    for (uint32_t i = last; record_at(a, i)->parent != FLOOD_NIL; i = record_at(a, i)->parent) {
        chain[length++] = record_at(a, i)->color;
    }
    const graph *g = &s->g;
    position p = position_start(g);
    unsigned count = position_settle(g, &p, s->best_moves);
    while (length > 0) {
        const uint8_t move = chain[--length];
        s->best_moves[count++] = move;
        position_play(g, &p, move);
        count += position_settle(g, &p, s->best_moves + count);
    }
    s->best = cost;
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
FLOOD_INLINE bool astar_pairs(const astar *a, const pair_order *order, unsigned moves, const members *added,
                              const set *territory, const uint8_t *before, unsigned most, uint8_t *values,
                              uint16_t *finish) {
    const pair_tables *tables = a->pairs;
    const unsigned colors = a->s->g.colors;
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

/* Tries the remaining moves of a position; false if memory is full. */
static bool astar_expand(astar *a, uint32_t index) {
    search *s = a->s;
    const graph *g = &s->g;
    layers *l = &s->layers;
    record *r = record_at(a, index);
    const unsigned cost = r->cost + 1u;
    const uint32_t todo = r->todo >> 15 ? UINT32_MAX << 15 | r->todo : r->todo; /* by colour */
    const position from = position_of(g, record_territory(a, r));
    pair_order order;
    choices c;
    r->todo = 0;
    layers_find_outer(g, l, &a->balls, &from, a->f > r->cost ? a->f - r->cost : 0);
    const unsigned left = layers_bound(l, g->colors);
    const unsigned least = r->cost + left;
    if (least >= s->best) return true;
    choices_find(&c, g, &from);
    /* With a move that brings nothing nearer, as many moves are left as before it. */
    const uint32_t nearer = layers_nearer(g, l, &a->balls, c.taken, c.playable, left);
    const uint32_t tried = todo & (least + 1 < s->best ? c.playable : nearer);
    if (tried == 0) return true;
    choices_open(&c, g, &from);
    pair_order_make(&order, a->pairs, record_pairs(a, r));
    for (unsigned color = 0; color < g->colors; color++) {
        if (!(tried >> color & 1)) continue;
        unsigned f = least + !(nearer >> color & 1);
        if (f >= s->best) continue; /* there is a better line by now */
        position p;
        p.territory = set_or(from.territory, c.taken[color]);
        p.border = set_or(set_minus(from.border, c.taken[color]), c.opened[color]);
        const unsigned forced = position_force(g, &p, NULL);
        if (!set_any(p.border)) {
            if (cost + forced < s->best) astar_accept(a, index, color, cost + forced);
            continue;
        }
        uint8_t pairs[FLOOD_PAIRS_MAX];
        unsigned bound = 0;
        if (a->pairs->count != 0) {
            uint16_t finish[BW_FLOOD_COLORS_MAX] = {0};
            const set joined = set_minus(p.territory, from.territory);
            members added;
            members_of(&added, g, &joined);
            if (!astar_pairs(a, &order, 1 + forced, &added, &p.territory, record_pairs(a, record_at(a, index)),
                             s->best - 1 - cost - forced, pairs, finish)) {
                continue;
            }
            bound = finish_bound(finish, g->colors);
        } else if (g->colors > FLOOD_MANY_COLORS) { /* with fewer, or beside tables, it costs more than it saves */
            bound = position_bound(g, &p, s->best - 1 - cost - forced);
        }
        bound += cost + forced;
        f = bound > f ? bound : f;
        if (f >= s->best) continue;
        set perhaps_free = forced == 0 ? set_or(c.opened[color], graph_around(g, &c.opened[color])) : p.border;
        perhaps_free = set_and(perhaps_free, p.border);
        position_absorb(g, &p, &perhaps_free);
        const uint16_t allowed = forced == 0 ? choices_after(&c, color) : FLOOD_ALL_MOVES;
        if (allowed != 0 &&
            !astar_enter(a, &p.territory, index, color, cost + forced, f > a->f ? f : a->f, allowed, pairs)) {
            return false;
        }
    }
    return true;
}

static bool astar_begin(astar *a, search *s, const pair_tables *pairs, unsigned f) {
    flood_arena *arena = &s->task->arena;
    const size_t buckets = (size_t)(s->best - f) * (s->best + 1);
    a->stride = sizeof(record) + s->g.words * sizeof(uint64_t) + ((pairs->count + 7u) & ~7u);
    a->count = 0;
    a->capacity = ((uint32_t)1 << FLOOD_INDEX_BITS) - 2;
    a->moves = s->best + 1;
    a->f = a->f_first = f;
    a->patient = true;
    a->buckets = flood_arena_take(arena, buckets * sizeof *a->buckets);
    a->sizes = flood_arena_take(arena, (s->g.count + 1) * sizeof *a->sizes);
    if (a->buckets == NULL || a->sizes == NULL || !fronts_make(&a->fronts, a->moves, arena)) return false;
    balls_make(&a->balls, &s->g, s->layers.depth, arena);
    a->records = arena->base + arena->used;
    a->mask = 1023;
    a->slots = (uint32_t *)(void *)(arena->base + arena->size);
    if (arena->size - arena->used < ((size_t)a->mask + 1) * sizeof *a->slots + 2 * a->stride) {
        return false;
    }
    a->floor = (unsigned char *)(a->slots - a->mask - 1);
    table_clear(a);
    memset(a->buckets, 0xFF, buckets * sizeof *a->buckets);
    memset(a->sizes, 0xFF, (s->g.count + 1) * sizeof *a->sizes);
    return true;
}

/* Opens up to `most` positions of a bucket, the largest first, and leaves the rest in it. False if memory is full. */
static bool astar_open(astar *a, uint32_t *bucket, unsigned most) {
    search *s = a->s;
    unsigned largest = 0;
    for (uint32_t i = *bucket, next; i != FLOOD_NIL; i = next) {
        record *r = record_at(a, i);
        const set territory = record_territory(a, r);
        const unsigned size = set_count(&territory, s->g.words);
        next = r->next;
        bucket_push(a, &a->sizes[size], i);
        largest = size > largest ? size : largest;
    }
    *bucket = FLOOD_NIL;
    bool memory = true;
    for (unsigned size = largest; size > 0; size--) {
        while (a->sizes[size] != FLOOD_NIL) {
            const uint32_t i = a->sizes[size];
            record *r = record_at(a, i);
            a->sizes[size] = r->next;
            if (r->stale) continue;
            if (most == 0 || !memory || a->f >= s->best || s->nodes >= a->stop || !a->patient) {
                bucket_push(a, bucket, i);
                continue;
            }
            const set territory = record_territory(a, r);
            if (fronts_contain(&a->fronts, &territory, r->cost)) {
                r->todo = 0;
                r->allowed = FLOOD_ALL_MOVES; /* never again */
                continue;
            }
            fronts_add(&a->fronts, &territory, r->cost);
            most--;
            s->nodes++;
            memory = astar_expand(a, i);
            a->patient = search_may_go_on(s);
        }
    }
    return memory;
}

enum { FLOOD_SWEEP_FIRST = 1 << 5, FLOOD_SWEEP_ALL = 1 << 29 };

/* Searches until no line is shorter than the best, or memory, positions or patience are out. Raises s->lower. */
static void astar_go(astar *a) {
    search *s = a->s;
    for (; a->f < s->best; a->f++) {
        if (a->f > s->lower) s->lower = a->f;
        unsigned most = a->f + 1 < s->best ? FLOOD_SWEEP_ALL : FLOOD_SWEEP_FIRST;
        for (bool left = true; left && a->f < s->best; most *= most < FLOOD_SWEEP_ALL ? 4 : 1) {
            left = false;
            for (unsigned cost = 0; cost < a->moves; cost++) {
                uint32_t *bucket = bucket_at(a, a->f, cost);
                if (!astar_open(a, bucket, most) || s->nodes >= a->stop || !a->patient) return;
                left |= *bucket != FLOOD_NIL;
            }
        }
    }
    s->lower = s->best;
}

/* Takes `wanted` positions at which the search got stuck, evenly by age. */
static void astar_sample(const astar *a, set *samples, unsigned wanted) {
    for (unsigned i = 0; i < wanted; i++) {
        const uint32_t index = (uint32_t)((uint64_t)a->count * (2 * i + 1) / (2 * wanted));
        samples[i] = record_territory(a, record_at(a, index));
    }
}

/* Searches until the best line is proven, or memory, nodes or patience are out, or `nodes` positions
 * are expanded (0: no bound); then *samples are positions for better tables. */
static bool astar_run(search *s, const pair_tables *pairs, uint64_t nodes, set *samples, unsigned sample_count) {
    astar a;
    const size_t mark = s->task->arena.used;
    const graph *g = &s->g;
    position p = position_start(g);
    const unsigned forced = position_settle(g, &p, NULL);
    layers_find(g, &s->layers, &p, false);
    if (s->layers.depth == 0) return false; /* forced moves flood the board; a beam finds those */
    uint8_t values[FLOOD_PAIRS_MAX];
    uint8_t levels[FLOOD_PAIRS_MAX];
    uint16_t finish[BW_FLOOD_COLORS_MAX] = {0};
    members added;
    for (unsigned i = 0; i < pairs->count; i++) levels[i] = (uint8_t)pairs->levels[i];
    members_of(&added, g, &p.territory);
    pair_order order;
    pair_order_make(&order, pairs, levels);
    a.s = s;
    a.pairs = pairs;
    a.stop = nodes != 0 ? s->nodes + nodes : UINT64_MAX;
    astar_pairs(&a, &order, FLOOD_LEVELS_MAX, &added, &p.territory, levels, s->best, values, finish);
    const unsigned f = forced + layers_bound_raised(&s->layers, finish, g->colors);
    if (f > s->lower) s->lower = f;
    if (f >= s->best || !astar_begin(&a, s, pairs, f)) {
        s->task->arena.used = mark;
        return false;
    }
    astar_enter(&a, &p.territory, FLOOD_NIL, 0, forced, f, FLOOD_ALL_MOVES, values);
    astar_go(&a);
    if (s->lower < s->best) astar_sample(&a, samples, sample_count);
    const size_t used = (size_t)a.count * a.stride + ((size_t)a.mask + 1) * sizeof *a.slots;
    if (s->task->arena.used + used > s->task->arena.peak) {
        s->task->arena.peak = s->task->arena.used + used;
    }
    s->task->arena.used = mark;
    return a.patient && s->lower < s->best;
}

#endif
