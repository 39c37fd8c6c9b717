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
    position p = position_start(g);
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

/* The lower bound of the start. */
static unsigned start_bound(search *s) {
    position p = position_start(&s->g);
    const unsigned forced = position_force(&s->g, &p, NULL);
    return forced + position_bound(&s->g, &p, BW_FLOOD_MOVES_MAX);
}

/* Wide beams and pair tables cost time and memory, so they are used when the search turns out to be long, and chosen on
 * positions at which it got stuck. */
typedef struct {
    unsigned beam_width; /* of the beam before the search; 0: none */
    uint64_t nodes;      /* positions to expand before the next stage; 0: no limit */
    unsigned pairs_per_color;
    unsigned samples; /* positions on which the next stage's pairs are chosen */
} stage;
static const stage usual_stages[] = {{6, 4000, 0, 4}, {0, 6000, 3, 32}, {48, 100000, 8, 48}, {200, 0, 8, 0}};
/* With more components nearly every search is long. */
static const stage wide_stages[] = {{10, 500, 0, 10}, {16, 100000, 8, 48}, {200, 0, 8, 0}};
/* On small boards, and with few colours, the layers are a sharp bound: tables pay off later. */
static const stage easy_stages[] = {{4, 2400, 0, 4}, {16, 6000, 2, 4}, {48, 20000, 3, 32}, {200, 0, 6, 0}};
/* With many colours, that each takes a move to end says more than tables. */
static const stage many_stages[] = {{8, 3000, 0, 0}, {100, 0, 0, 0}};
static const stage large_stages[] = {{1, 1, 0, 0}, {4, 1, 0, 0}, {80, 0, 0, 0}};
#define FLOOD_COUNT(array) (sizeof(array) / sizeof(array)[0])

enum {
    FLOOD_LARGE = 1024, /* components; with more, tables would fill the arena */
    FLOOD_WIDE = 200,
    FLOOD_SMALL = 100,
    FLOOD_FEW_COLORS = 4,
    FLOOD_WIDEST_BEAM = 6400
};

static void prove(search *s, const stage *stages, unsigned count) {
    flood_arena *arena = &s->task->arena;
    const size_t mark = arena->used;
    set *samples = flood_arena_take(arena, FLOOD_SAMPLES_MAX * sizeof *samples);
    pair_tables *tables = flood_arena_take(arena, sizeof *tables);
    if (samples == NULL || tables == NULL) {
        arena->used = mark;
        return;
    }
    const size_t before_tables = arena->used;
    tables->count = 0;
    for (unsigned i = 0; i < count; i++) {
        arena->used = before_tables;
        beam_run(s, stages[i].beam_width);
        if (s->lower >= s->best || !search_may_go_on(s)) break;
        if (stages[i].pairs_per_color != 0) {
            pair_tables_make(tables, &s->g, samples, stages[i - 1].samples, stages[i].pairs_per_color, arena);
        }
        if (!astar_run(s, tables, stages[i].nodes, samples, stages[i].samples)) break;
    }
    arena->used = mark;
}

int FLOOD_JOIN(flood_kernel_, FLOOD_ISA, FLOOD_WORDS)(flood_task *task) {
    bw_flood_solution *out = task->solution;
    search *s = flood_arena_take(&task->arena, sizeof *s);
    if (s == NULL) return BW_FLOOD_E_ARENA;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->best_moves = out->moves;
    if (!graph_build(&s->g, task->components, &task->arena)) return BW_FLOOD_E_ARENA;
    s->lower = s->g.colors - 1;
    greedy_run(s);
    const bool room = layers_make(&s->layers, &s->g, &task->arena);
    if (room) s->lower = start_bound(s);
    if (room && task->limits->beam_width != 0) beam_run(s, task->limits->beam_width);
    if (room && !task->limits->beam_only) {
        if (s->g.count > FLOOD_LARGE) {
            prove(s, large_stages, FLOOD_COUNT(large_stages));
        } else if (s->g.colors > FLOOD_MANY_COLORS) {
            prove(s, many_stages, FLOOD_COUNT(many_stages));
        } else if (s->g.count <= FLOOD_SMALL || s->g.colors <= FLOOD_FEW_COLORS) {
            prove(s, easy_stages, FLOOD_COUNT(easy_stages));
        } else if (s->g.count > FLOOD_WIDE) {
            prove(s, wide_stages, FLOOD_COUNT(wide_stages));
        } else {
            prove(s, usual_stages, FLOOD_COUNT(usual_stages));
        }
        /* Out of memory without a proof: the remaining effort looks for better lines. */
        for (unsigned width = 800; s->lower < s->best && width <= FLOOD_WIDEST_BEAM && search_may_go_on(s);
             width *= 2) {
            beam_run(s, width);
        }
    }
    out->count = s->best;
    out->lower = s->lower < s->best ? s->lower : s->best;
    out->nodes = s->nodes;
    out->stopped = s->stopped;
    return BW_FLOOD_OK;
}

#endif
