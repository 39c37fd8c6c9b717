/* What bench/flood_it_wasm.mjs calls: the solver as a module of its own. */
#include "bots/flood_it/solver.h"

#define EXPORT(name) __attribute__((export_name(name)))

enum { ARENA = 256 << 20 };

static bw_flood_board board;
static bw_flood_solution solution;
static unsigned char arena[ARENA] __attribute__((aligned(64)));

EXPORT("cells") uint8_t *bench_cells(void);
EXPORT("solve") int bench_solve(unsigned side, unsigned beam);
EXPORT("moves") unsigned bench_moves(void);

uint8_t *bench_cells(void) { return board.cells; }

/* 1: proven, 0: not, negative: an error. A beam width of 0 solves. */
int bench_solve(unsigned side, unsigned beam) {
    const bw_flood_limits limits = {.beam_width = beam, .beam_only = beam != 0};
    board.rows = board.cols = (uint8_t)side;
    const int error = bw_flood_solve(&board, &limits, arena, sizeof arena, &solution);
    return error != BW_FLOOD_OK ? error : solution.proven;
}

unsigned bench_moves(void) { return solution.count; }
