/* Batches: positions of one bucket, opened together; by several threads, where the caller lends them (solver.h).
 *
 * A position leads only to positions with more moves made, which lie in later buckets. So what opening it takes does not
 * change while its bucket is opened: its territory, how far its pairs are, and the tables. The threads take positions as they
 * come and write what these lead to, each to its own place; one thread enters all that afterwards, in order. So what is
 * entered, and when, depends neither on the threads nor on their pace.
 */
#ifndef BW_FLOOD_IT_BATCH_H
#define BW_FLOOD_IT_BATCH_H

#include "beam.h"
#include "choices.h"
#include "fronts.h"
#include "nearer.h"
#include "pairs.h"

#include <stdatomic.h>

/* A position, followed in memory by its territory and a byte for each pair table: the moves that
 * the pair still needs. */
typedef struct {
    uint32_t parent;
    uint32_t next;    /* in the same bucket; until it is entered: its bound */
    uint16_t todo;    /* colours to try, a bit each; those from 15 on share one, which only tries more moves */
    uint16_t allowed; /* colours tried or to be tried */
    uint16_t cost;    /* moves made */
    uint8_t color;    /* the move that led here; forced ones follow from it */
    uint8_t stale;    /* reached again by fewer moves; until it is entered: it floods the board */
} record;

enum { FLOOD_ALL_MOVES = 0xFFFF };

FLOOD_INLINE uint64_t *record_words(record *r) { return (uint64_t *)(void *)(r + 1); }

typedef struct {
    unsigned count;
    uint32_t *index; /* of the positions, the largest territory first */
    uint16_t *todo;
    uint16_t *size;       /* of the territory */
    uint16_t *larger;     /* how many before it are larger */
    uint8_t *led;         /* to how many positions; or FLOOD_WITHIN */
    set *territory;       /* of each */
    unsigned char *after; /* records of what they lead to, `colors` for each */
    uint64_t *hashes;     /* of those */
} batch;

enum {
    FLOOD_WITHIN = 0xFF,               /* part of another position, so that it is not opened */
    FLOOD_BATCH = 4096 / FLOOD_WORDS,  /* a few milliseconds, so that threads seldom wait for one another */
    FLOOD_CHUNK = 8,                   /* what a thread takes at a time */
    FLOOD_WORTHWHILE = 8 * FLOOD_CHUNK /* fewer are opened by one thread */
};

/* What the threads share; they change only their own layers, the batch at hand, and `next`. */
typedef struct {
    const graph *g;
    const pair_tables *pairs;
    balls balls;
    fronts fronts;
    unsigned char *records;
    size_t stride;
    unsigned f, best; /* when the batch began */
    unsigned workers;
    layers *layers; /* of each thread */
    unsigned room;  /* positions in a batch */
    batch batches[2];
    batch *now;
    atomic_uint next; /* position of the batch to be opened */
} opening;

FLOOD_INLINE record *opening_record(const opening *o, uint32_t index) {
    return (record *)(void *)(o->records + (size_t)index * o->stride);
}

FLOOD_INLINE uint8_t *opening_pairs(const opening *o, record *r) { return (uint8_t *)(record_words(r) + o->g->words); }

FLOOD_INLINE set opening_territory(const opening *o, record *r) {
    set t = set_none();
    memcpy(&t, record_words(r), o->g->words * sizeof(uint64_t));
    return t;
}

FLOOD_INLINE record *batch_after(const opening *o, const batch *b, unsigned i) {
    return (record *)(void *)(b->after + (size_t)i * o->stride);
}

static bool batch_make(batch *b, unsigned room, const opening *o, flood_arena *arena) {
    const size_t after = (size_t)room * o->g->colors;
    b->count = 0;
    b->index = flood_arena_take(arena, room * sizeof *b->index);
    b->todo = flood_arena_take(arena, room * sizeof *b->todo);
    b->size = flood_arena_take(arena, room * sizeof *b->size);
    b->larger = flood_arena_take(arena, room * sizeof *b->larger);
    b->led = flood_arena_take(arena, room);
    b->territory = flood_arena_take(arena, room * sizeof *b->territory);
    b->after = flood_arena_take(arena, after * o->stride);
    b->hashes = flood_arena_take(arena, after * sizeof *b->hashes);
    return b->index != NULL && b->todo != NULL && b->size != NULL && b->larger != NULL && b->led != NULL &&
           b->territory != NULL && b->after != NULL && b->hashes != NULL;
}

/* `g`, `pairs` and `stride` are set. False if memory is full. */
static bool opening_make(opening *o, unsigned workers, const layers *own, flood_arena *arena) {
    const size_t each = sizeof(set) + 64 + o->g->colors * (o->stride + sizeof(uint64_t));
    const size_t room = (arena->size - arena->used) / 16 / each;
    o->room = room < 1 ? 1 : room < FLOOD_BATCH ? (unsigned)room : FLOOD_BATCH;
    o->workers = workers;
    o->layers = flood_arena_take(arena, workers * sizeof *o->layers);
    if (o->layers == NULL) return false;
    o->layers[0] = *own;
    for (unsigned i = 1; i < workers; i++) {
        if (!layers_make(&o->layers[i], o->g, arena)) return false;
    }
    return batch_make(&o->batches[0], o->room, o, arena) && batch_make(&o->batches[1], o->room, o, arena);
}

/* Adds a position that is at least as small as those before. */
FLOOD_INLINE void batch_add(const opening *o, batch *b, uint32_t index, unsigned size) {
    record *r = opening_record(o, index);
    const unsigned i = b->count++;
    b->index[i] = index;
    b->todo[i] = r->todo;
    b->size[i] = (uint16_t)size;
    b->larger[i] = (uint16_t)(i > 0 && b->size[i - 1] == size ? b->larger[i - 1] : i);
    b->territory[i] = opening_territory(o, r);
    r->todo = 0;
}

FLOOD_INLINE bool batch_within(const opening *o, const batch *b, unsigned i) {
    const set *territory = &b->territory[i];
    if (fronts_contain(&o->fronts, territory, opening_record(o, b->index[i])->cost)) return true;
    for (unsigned k = 0; k < b->larger[i]; k++) {
        if (!set_any(set_minus(*territory, b->territory[k]))) return true;
    }
    return false;
}

/* Tries the moves of position i of the batch. Returns how many positions worth entering these lead to. */
static unsigned batch_expand(const opening *o, layers *l, const batch *b, unsigned i) {
    const graph *g = o->g;
    record *r = opening_record(o, b->index[i]);
    const unsigned made = r->cost;
    const unsigned cost = made + 1;
    const uint32_t todo = b->todo[i] >> 15 ? UINT32_MAX << 15 | b->todo[i] : b->todo[i]; /* by colour */
    const position from = position_of(g, b->territory[i]);
    unsigned count = 0;
    pair_order order;
    choices c;
    layers_find_outer(g, l, &o->balls, &from, o->f > made ? o->f - made : 0);
    const unsigned left = layers_bound(l, g->colors);
    const unsigned least = made + left;
    if (least >= o->best) return 0;
    choices_find(&c, g, &from);
    /* With a move that brings nothing nearer, as many moves are left as before it. */
    const uint32_t nearer = layers_nearer(g, l, &o->balls, c.taken, c.playable, left);
    const uint32_t tried = todo & (least + 1 < o->best ? c.playable : nearer);
    if (tried == 0) return 0;
    choices_open(&c, g, &from);
    pair_order_make(&order, o->pairs, opening_pairs(o, r));
    for (unsigned color = 0; color < g->colors; color++) {
        if (!(tried >> color & 1)) continue;
        unsigned f = least + !(nearer >> color & 1);
        position p;
        p.territory = set_or(from.territory, c.taken[color]);
        p.border = set_or(set_minus(from.border, c.taken[color]), c.opened[color]);
        const unsigned forced = position_force(g, &p, NULL);
        record *after = batch_after(o, b, i * g->colors + count);
        after->parent = b->index[i];
        after->color = (uint8_t)color;
        after->cost = (uint16_t)(cost + forced);
        after->stale = !set_any(p.border);
        if (after->stale) {
            count += cost + forced < o->best;
            continue;
        }
        if (cost + forced >= o->best) continue;
        uint8_t *pairs = opening_pairs(o, after);
        unsigned bound = 0;
        if (o->pairs->count != 0) {
            uint16_t finish[BW_FLOOD_COLORS_MAX] = {0};
            const set joined = set_minus(p.territory, from.territory);
            members added;
            members_of(&added, g, &joined);
            if (!pair_values(o->pairs, g->colors, &order, 1 + forced, &added, &p.territory, opening_pairs(o, r),
                             o->best - 1 - cost - forced, pairs, finish)) {
                continue;
            }
            bound = finish_bound(finish, g->colors);
        } else if (g->colors > FLOOD_MANY_COLORS) { /* with fewer, or beside tables, it costs more than it saves */
            bound = position_bound(g, &p, o->best - 1 - cost - forced);
        }
        bound += cost + forced;
        f = bound > f ? bound : f;
        if (f >= o->best) continue;
        set perhaps_free = forced == 0 ? set_or(c.opened[color], graph_around(g, &c.opened[color])) : p.border;
        perhaps_free = set_and(perhaps_free, p.border);
        position_absorb(g, &p, &perhaps_free);
        after->todo = after->allowed = forced == 0 ? choices_after(&c, color) : FLOOD_ALL_MOVES;
        if (after->allowed == 0) continue;
        after->next = f > o->f ? f : o->f;
        memcpy(record_words(after), &p.territory, g->words * sizeof(uint64_t));
        b->hashes[i * g->colors + count] = territory_hash(&p.territory, g->words);
        count++;
    }
    return count;
}

static void batch_open_some(const opening *o, layers *l, const batch *b, unsigned first, unsigned last) {
    for (unsigned i = first; i < last; i++) {
        b->led[i] = batch_within(o, b, i) ? FLOOD_WITHIN : (uint8_t)batch_expand(o, l, b, i);
    }
}

/* What each thread does with the batch at hand. */
static void batch_open(opening *o, unsigned worker) {
    const batch *b = o->now;
    for (unsigned first; (first = atomic_fetch_add_explicit(&o->next, FLOOD_CHUNK, memory_order_relaxed)) < b->count;) {
        const unsigned last = first + FLOOD_CHUNK < b->count ? first + FLOOD_CHUNK : b->count;
        batch_open_some(o, &o->layers[worker], b, first, last);
    }
}

/* Once it is opened: those that are not part of another count for later batches. Returns how many. */
static unsigned batch_close(opening *o, const batch *b) {
    unsigned opened = 0;
    for (unsigned i = 0; i < b->count; i++) {
        record *r = opening_record(o, b->index[i]);
        if (b->led[i] == FLOOD_WITHIN) {
            r->allowed = FLOOD_ALL_MOVES; /* never again */
        } else {
            fronts_add(&o->fronts, &b->territory[i], r->cost);
            opened++;
        }
    }
    return opened;
}

#endif
