/* A* over settled positions: buckets by f = moves made + bound on the moves left and by moves made, one hash table,
 * nothing kept that can't beat the best line known.
 *
 * For each f the positions are opened in order of the moves made, the largest territories first, so that a position comes
 * after those that may contain it (fronts.h). At the last f, where a line may end, only a few for each number of moves are
 * opened in a sweep, and more in the next.
 *
 * A position met again by another last move is opened for the colours that this one allows in addition (choices.h).
 *
 * Positions of one bucket are opened in batches (batch.h): what they lead to lies in later buckets, so that several threads
 * can open those of a batch, while one of them enters what the batch before led to.
 */
#ifndef BW_FLOOD_IT_ASTAR_H
#define BW_FLOOD_IT_ASTAR_H

#include "batch.h"

enum { FLOOD_INDEX_BITS = 27 };
#define FLOOD_NIL 0xFFFFFFFFu
#define FLOOD_INDEX_MASK (((uint32_t)1 << FLOOD_INDEX_BITS) - 1)

typedef struct {
    search *s;
    opening open;
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
    const batch *ready; /* opened, to be entered; or NULL */
    uint64_t opened;    /* positions: s->nodes and those of `ready` */
    uint64_t stop;      /* positions to expand in all */
    bool memory;        /* not full */
    bool patient;       /* not told to stop */
} astar;

FLOOD_INLINE record *record_at(const astar *a, uint32_t index) {
    return (record *)(void *)(a->records + (size_t)index * a->stride);
}

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
        const set t = opening_territory(&a->open, r);
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

/* Enters a position; its bound is in `next`. Returns false if memory is full. */
static bool astar_enter(astar *a, const record *entry, uint64_t hash) {
    const unsigned words = a->s->g.words;
    const unsigned f = entry->next;
    const uint32_t tag = slot_tag(hash);
    uint32_t slot = (uint32_t)hash & a->mask;
    uint32_t held;
    while ((held = a->slots[-1 - (ptrdiff_t)slot]) != 0) {
        const uint32_t index = (held & FLOOD_INDEX_MASK) - 1;
        if ((held & ~FLOOD_INDEX_MASK) == tag) {
            record *r = record_at(a, index);
            if (memcmp(r + 1, entry + 1, words * sizeof(uint64_t)) == 0) {
                if (entry->cost > r->cost) return true;
                if (entry->cost == r->cost) {
                    const uint16_t extra = (uint16_t)(entry->allowed & ~r->allowed);
                    if (extra != 0) {
                        const bool open = r->todo != 0;
                        r->allowed |= extra;
                        r->todo |= extra;
                        if (!open) bucket_push(a, bucket_at(a, f, r->cost), index);
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
    memcpy(record_at(a, index), entry, a->stride);
    a->slots[-1 - (ptrdiff_t)slot] = tag | (index + 1);
    bucket_push(a, bucket_at(a, f, entry->cost), index);
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

/* Enters what the positions of a batch led to. Ends early if memory is full or the best line can't be beaten. */
static void astar_enter_all(astar *a, const batch *b) {
    search *s = a->s;
    for (unsigned i = 0; i < b->count && a->memory && a->f < s->best; i++) {
        if (b->led[i] == FLOOD_WITHIN) continue;
        s->nodes++;
        for (unsigned k = 0; k < b->led[i] && a->memory; k++) {
            const unsigned at = i * s->g.colors + k;
            const record *after = batch_after(&a->open, b, at);
            if (after->stale) {
                if (after->cost < s->best) astar_accept(a, after->parent, after->color, after->cost);
            } else if (after->next < s->best) {
                a->memory = astar_enter(a, after, b->hashes[at]);
            }
        }
    }
}

static bool astar_begin(astar *a, search *s, const pair_tables *pairs, unsigned f) {
    flood_arena *arena = &s->task->arena;
    const bw_flood_limits *limits = s->task->limits;
    const unsigned workers = limits->together == NULL || limits->workers == 0   ? 1
                             : limits->workers < (unsigned)BW_FLOOD_WORKERS_MAX ? limits->workers
                                                                                : (unsigned)BW_FLOOD_WORKERS_MAX;
    const size_t buckets = (size_t)(s->best - f) * (s->best + 1);
    a->stride = sizeof(record) + s->g.words * sizeof(uint64_t) + ((pairs->count + 7u) & ~7u);
    a->count = 0;
    a->capacity = ((uint32_t)1 << FLOOD_INDEX_BITS) - 2;
    a->moves = s->best + 1;
    a->f = a->f_first = f;
    a->ready = NULL;
    a->opened = s->nodes;
    a->memory = a->patient = true;
    a->buckets = flood_arena_take(arena, buckets * sizeof *a->buckets);
    a->sizes = flood_arena_take(arena, (s->g.count + 1) * sizeof *a->sizes);
    opening *o = &a->open;
    o->g = &s->g;
    o->pairs = pairs;
    o->stride = a->stride;
    if (a->buckets == NULL || a->sizes == NULL || !fronts_make(&o->fronts, a->moves, arena)) return false;
    balls_make(&o->balls, &s->g, s->layers.depth, arena);
    if (!opening_make(o, workers, &s->layers, arena)) return false;
    a->records = o->records = arena->base + arena->used;
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

/* What each thread does: one enters what the batch before led to, all open the batch at hand. */
static void astar_work(void *job, unsigned worker) {
    astar *a = job;
    if (worker == 0 && a->ready != NULL) astar_enter_all(a, a->ready);
    batch_open(&a->open, worker);
}

/* Opens a batch, while what the one before led to is entered. */
static unsigned astar_open_batch(astar *a, batch *b) {
    search *s = a->s;
    opening *o = &a->open;
    const bw_flood_limits *limits = s->task->limits;
    o->now = b;
    o->f = a->f;
    o->best = s->best;
    atomic_store_explicit(&o->next, 0, memory_order_relaxed);
    if (o->workers > 1 && b->count >= FLOOD_WORTHWHILE) {
        limits->together(limits->user, astar_work, a, o->workers);
    } else {
        astar_work(a, 0);
    }
    const unsigned opened = batch_close(o, b);
    a->opened += opened;
    a->ready = b->count != 0 ? b : NULL;
    return opened;
}

/* Sorts a bucket by the size of the territory, which empties it. Returns the largest. */
static unsigned astar_sort(astar *a, uint32_t *bucket) {
    unsigned largest = 0;
    for (uint32_t i = *bucket, next; i != FLOOD_NIL; i = next) {
        record *r = record_at(a, i);
        const set territory = opening_territory(&a->open, r);
        const unsigned size = set_count(&territory, a->s->g.words);
        next = r->next;
        bucket_push(a, &a->sizes[size], i);
        largest = size > largest ? size : largest;
    }
    *bucket = FLOOD_NIL;
    return largest;
}

/* Takes up to `most` positions into a batch, the largest first, from size `size` on. Returns the size it came to. */
static unsigned astar_gather(astar *a, batch *b, unsigned size, uint64_t most) {
    b->count = 0;
    while (size > 0 && b->count < most && b->count < a->open.room) {
        const uint32_t i = a->sizes[size];
        if (i == FLOOD_NIL) {
            size--;
            continue;
        }
        a->sizes[size] = record_at(a, i)->next;
        if (!record_at(a, i)->stale) batch_add(&a->open, b, i, size);
    }
    return size;
}

/* Opens up to `most` positions of a bucket, the largest first, and leaves the rest in it. */
static void astar_open(astar *a, uint32_t *bucket, unsigned most) {
    search *s = a->s;
    unsigned size = astar_sort(a, bucket);
    while (a->memory && a->patient && a->f < s->best) {
        const uint64_t left = a->stop > a->opened ? a->stop - a->opened : 0;
        batch *b = &a->open.batches[a->ready == &a->open.batches[0]];
        size = astar_gather(a, b, size, most < left ? most : left);
        if (b->count == 0 && a->ready == NULL) break;
        most -= astar_open_batch(a, b);
        a->patient = search_may_go_on(s);
    }
    for (; size > 0; size--) {
        while (a->sizes[size] != FLOOD_NIL) {
            const uint32_t i = a->sizes[size];
            a->sizes[size] = record_at(a, i)->next;
            if (!record_at(a, i)->stale) bucket_push(a, bucket, i);
        }
    }
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
                astar_open(a, bucket, most);
                if (!a->memory || s->nodes >= a->stop || !a->patient) return;
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
        samples[i] = opening_territory(&a->open, record_at(a, index));
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
    a.stop = nodes != 0 ? s->nodes + nodes : UINT64_MAX;
    if (s->task->limits->max_nodes != 0 && s->task->limits->max_nodes < a.stop) a.stop = s->task->limits->max_nodes;
    pair_values(pairs, g->colors, &order, FLOOD_LEVELS_MAX, &added, &p.territory, levels, s->best, values, finish);
    const unsigned f = forced + layers_bound_raised(&s->layers, finish, g->colors);
    if (f > s->lower) s->lower = f;
    if (f >= s->best || !astar_begin(&a, s, pairs, f)) {
        s->task->arena.used = mark;
        return false;
    }
    record *start = batch_after(&a.open, &a.open.batches[0], 0);
    *start = (record){
        .parent = FLOOD_NIL, .next = f, .todo = FLOOD_ALL_MOVES, .allowed = FLOOD_ALL_MOVES, .cost = (uint16_t)forced};
    memcpy(record_words(start), &p.territory, g->words * sizeof(uint64_t));
    memcpy(opening_pairs(&a.open, start), values, pairs->count);
    astar_enter(&a, start, territory_hash(&p.territory, g->words));
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
