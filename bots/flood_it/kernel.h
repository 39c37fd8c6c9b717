/* The searches for one width of bit sets (FLOOD_WORDS, set by kernel_WORDS.c) and one instruction set
 * (FLOOD_ISA): compiled once for each pair. Defines flood_kernel_ISA_WORDS and nothing else. */
#ifndef BW_FLOOD_IT_KERNEL_H
#define BW_FLOOD_IT_KERNEL_H

#include "astar.h"

#ifndef FLOOD_ISA
#define FLOOD_ISA base
#endif
#define FLOOD_JOIN_(a, b, c) a##b##_##c
#define FLOOD_JOIN(a, b, c) FLOOD_JOIN_(a, b, c)

_Static_assert(sizeof(search) <= FLOOD_SEARCH_SETS * sizeof(set) + 192, "bw_flood_arena_least is too small");

/* Takes the colour with most components in the border until the board is one colour. */
static void greedy_run(search *s) {
    const graph *g = &s->g;
    set origin = set_none();
    set_add(&origin, 0);
    position p = position_of(g, origin);
    unsigned count = 0;
    while (set_any(p.border)) {
        unsigned best = 0;
        unsigned most = 0;
        for (unsigned color = 0; color < g->colors; color++) {
            const set taken = set_and(p.border, g->color[color]);
            const unsigned size = set_count(&taken, g->words);
            if (size > most) {
                most = size;
                best = color;
            }
        }
        s->best_moves[count++] = (uint8_t)best;
        position_play(g, &p, best);
    }
    s->best = count;
}

/* Pair tables cost time and memory, so they come when the search turns out to be long: few at first,
 * more later, each time chosen on positions that held the search up. */
static const struct {
    uint64_t nodes; /* to expand before the next stage; 0: no end */
    unsigned pairs_per_color;
} stages[] = {{2000, 0}, {20000, 2}, {0, 5}};

enum { FLOOD_PAIRS_COMPONENTS = 1024 /* beyond that the tables would fill the arena */ };

static void prove(search *s) {
    flood_arena *arena = &s->task->arena;
    const size_t mark = arena->used;
    const unsigned last = sizeof stages / sizeof stages[0] - 1;
    set *samples = flood_arena_take(arena, FLOOD_SAMPLES_MAX * sizeof *samples);
    pair_tables *tables = flood_arena_take(arena, sizeof *tables);
    unsigned sample_count = 0;
    if (samples == NULL || tables == NULL) {
        arena->used = mark;
        return;
    }
    const size_t before_tables = arena->used;
    tables->count = 0;
    for (unsigned stage = 0; stage <= last; stage++) {
        arena->used = before_tables;
        if (stages[stage].pairs_per_color != 0) {
            pair_tables_make(tables, &s->g, samples, sample_count, stages[stage].pairs_per_color, arena);
        }
        const bool large = s->g.count > FLOOD_PAIRS_COMPONENTS;
        if (!astar_run(s, tables, large ? 0 : stages[stage].nodes, samples, &sample_count) || large) {
            break;
        }
    }
    arena->used = mark;
}

int FLOOD_JOIN(flood_kernel_, FLOOD_ISA, FLOOD_WORDS)(flood_task *task) {
    bw_flood_solution *out = task->solution;
    search *s = flood_arena_take(&task->arena, sizeof *s);
    if (s == NULL) {
        return BW_FLOOD_E_ARENA;
    }
    memset(s, 0, sizeof *s);
    s->task = task;
    s->best_moves = out->moves;
    if (!graph_build(&s->g, task->components, &task->arena)) {
        return BW_FLOOD_E_ARENA;
    }
    s->lower = start_bound(s);
    greedy_run(s);
    beam_run(s, task->limits->beam_width != 0 ? task->limits->beam_width : 4);
    if (!task->limits->beam_only) {
        prove(s);
    }
    out->count = s->best;
    out->lower = s->lower < s->best ? s->lower : s->best;
    out->nodes = s->nodes;
    out->stopped = s->stopped;
    return BW_FLOOD_OK;
}

#endif
