/* Beam search: step by step, keeps the `width` most promising positions. It gives the any-time answer and the upper
 * bound of the exact search. */
#ifndef BW_FLOOD_IT_BEAM_H
#define BW_FLOOD_IT_BEAM_H

#include "position.h"

typedef struct {
    graph g;
    layers layers; /* of the position at hand */
    flood_task *task;
    uint8_t *best_moves; /* dense colours */
    unsigned best;       /* length of best_moves */
    unsigned lower;
    uint64_t nodes;
    uint64_t next_report;
    bool stopped;
} search;

/* Positions between two checks: a few milliseconds, since a position costs more on wide sets. */
enum { FLOOD_REPORT_EVERY = 4096 / FLOOD_WORDS };

/* False if the search should stop now. */
static bool search_may_go_on(search *s) {
    const bw_flood_limits *limits = s->task->limits;
    if (limits->max_nodes != 0 && s->nodes >= limits->max_nodes) return false;
    if (s->nodes >= s->next_report && limits->keep_going != NULL) {
        bw_flood_progress progress = {s->nodes, s->best, s->lower < s->best ? s->lower : s->best, s->task->arena.used};
        s->next_report = s->nodes + FLOOD_REPORT_EVERY;
        if (!limits->keep_going(limits->user, &progress)) s->stopped = true;
    }
    return !s->stopped;
}

typedef struct {
    position p;
    uint32_t parent;
    uint8_t color;
} beam_node;

typedef struct {
    uint32_t parent;
    uint8_t color;
} beam_step;

typedef struct {
    unsigned width;
    unsigned count; /* of nodes */
    unsigned candidates;
    beam_node *nodes; /* width */
    beam_node *pool;  /* width * colours */
    uint64_t *keys;   /* width * colours: score (smaller is better) << 32 | index into pool */
    uint64_t *hashes; /* power of two */
    unsigned hash_mask;
} beam;

/* Moves the `count` smallest keys to the front (quickselect). */
static void keys_select(uint64_t *keys, unsigned total, unsigned count) {
    unsigned low = 0;
    unsigned high = total;
    while (high - low > 1 && count > low && count < high) {
        const uint64_t pivot = keys[low + (high - low) / 2];
        unsigned i = low;
        unsigned j = high - 1;
        for (;;) {
            while (keys[i] < pivot) i++;
            while (keys[j] > pivot) j--;
            if (i >= j) break;
            const uint64_t t = keys[i];
            keys[i++] = keys[j];
            keys[j--] = t;
        }
        const unsigned split = j + 1;
        if (count <= split) high = split == high ? high - 1 : split;
        else low = split;
    }
}

static bool beam_is_new(beam *b, uint64_t hash) {
    unsigned slot = (unsigned)hash & b->hash_mask;
    hash |= 1;
    while (b->hashes[slot] != 0) {
        if (b->hashes[slot] == hash) return false;
        slot = (slot + 1) & b->hash_mask;
    }
    b->hashes[slot] = hash;
    return true;
}

static bool beam_make(beam *b, unsigned width, const graph *g, flood_arena *arena) {
    unsigned slots = 16;
    while (slots < 2 * width * g->colors) slots *= 2;
    b->width = width;
    b->hash_mask = slots - 1;
    b->nodes = flood_arena_take(arena, width * sizeof *b->nodes);
    b->pool = flood_arena_take(arena, (size_t)width * g->colors * sizeof *b->pool);
    b->keys = flood_arena_take(arena, (size_t)width * g->colors * sizeof *b->keys);
    b->hashes = flood_arena_take(arena, slots * sizeof *b->hashes);
    return b->nodes != NULL && b->pool != NULL && b->keys != NULL && b->hashes != NULL;
}

/* Adds the children of node `parent`. True if one of them floods the board. */
static bool beam_expand(search *s, beam *b, unsigned parent) {
    const graph *g = &s->g;
    const position from = b->nodes[parent].p;
    const set outside = set_minus(g->all, set_or(from.territory, from.border));
    unsigned first = 0;
    unsigned last = g->colors;
    for (unsigned color = 0; color < g->colors; color++) {
        if (position_forced(g, &outside, &from, color)) {
            first = color;
            last = color + 1;
            break;
        }
    }
    for (unsigned color = first; color < last; color++) {
        if (!set_meets(from.border, g->color[color])) continue;
        beam_node *child = &b->pool[b->candidates];
        layers *l = &s->layers;
        position p = from;
        position_play(g, &p, color);
        child->parent = parent;
        child->color = (uint8_t)color;
        if (!set_any(p.border)) {
            b->pool[0] = *child;
            return true;
        }
        layers_find(g, l, &p, true);
        layers_absorb(g, l, &p);
        if (beam_is_new(b, territory_hash(&p.territory, g->words))) {
            /* The sum of distances measures all that is left, the bound only the hardest part. */
            const uint32_t score = l->distance + 10 * layers_bound(l, g->colors);
            child->p = p;
            b->keys[b->candidates] = (uint64_t)score << 32 | b->candidates;
            b->candidates++;
        }
    }
    return false;
}

/* Improves s->best_moves if it can. A search that is stopped leaves it unchanged. */
static void beam_run(search *s, unsigned width) {
    flood_arena *arena = &s->task->arena;
    const size_t mark = arena->used;
    const graph *g = &s->g;
    beam b;
    b.count = 1;
    beam_step **steps = flood_arena_take(arena, s->best * sizeof *steps);
    if (width == 0 || steps == NULL || !beam_make(&b, width, g, arena)) {
        arena->used = mark;
        return;
    }
    b.nodes[0].p = position_start(g);
    for (unsigned depth = 0; depth + 1 < s->best; depth++) {
        bool won = false;
        b.candidates = 0;
        memset(b.hashes, 0, ((size_t)b.hash_mask + 1) * sizeof *b.hashes);
        for (unsigned i = 0; i < b.count && !won; i++) {
            won = beam_expand(s, &b, i);
            s->nodes++;
            if (i % 16 == 15 && !search_may_go_on(s)) break;
        }
        b.count = won ? 1 : b.candidates < width ? b.candidates : width;
        steps[depth] = flood_arena_take(arena, b.count * sizeof *steps[depth]);
        if (steps[depth] == NULL || !search_may_go_on(s)) break;
        keys_select(b.keys, b.candidates, b.count);
        for (unsigned i = 0; i < b.count; i++) {
            const beam_node *node = &b.pool[won ? 0 : b.keys[i] & 0xFFFFFFFFu];
            b.nodes[i].p = node->p;
            steps[depth][i].parent = node->parent;
            steps[depth][i].color = node->color;
        }
        if (won) {
            unsigned at = 0;
            s->best = depth + 1;
            for (unsigned d = depth + 1; d > 0; d--) {
                s->best_moves[d - 1] = steps[d - 1][at].color;
                at = steps[d - 1][at].parent;
            }
            break;
        }
    }
    arena->used = mark;
}

#endif
