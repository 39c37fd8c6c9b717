/* The searches for one width of bit sets (FLOOD_WORDS) and one instruction set (FLOOD_ISA): this
 * file is compiled once for each. */
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
    greedy_run(s);
    beam_run(s, task->limits->beam_width != 0 ? task->limits->beam_width : 4);
    if (!task->limits->beam_only) {
        astar_run(s);
    }
    out->count = s->best;
    out->lower = s->lower < s->best ? s->lower : s->best;
    out->nodes = s->nodes;
    out->stopped = s->stopped;
    return BW_FLOOD_OK;
}
