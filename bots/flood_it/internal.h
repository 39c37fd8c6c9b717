/* Shared by the parts of the Flood-It solver. Other folders include solver.h.
 *
 * solver.c checks the board, merges cells into components (components.c) and hands a flood_task to a kernel. A
 * kernel is kernel.h compiled for one width of bit sets (FLOOD_WORDS words of 64 bits) and one instruction set
 * (FLOOD_ISA); the narrowest one that holds the components is used. */
#ifndef BW_FLOOD_IT_INTERNAL_H
#define BW_FLOOD_IT_INTERNAL_H

#include "solver.h"

#include <string.h>

/* An arena: memory is handed out from the front; resetting `used` frees everything taken since. */
typedef struct {
    unsigned char *base; /* 64-byte aligned */
    size_t size;
    size_t used;
    size_t peak;
} flood_arena;

static inline size_t flood_round_up(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Returns 64-byte aligned memory, not cleared, or NULL if the arena is full. */
static inline void *flood_arena_take(flood_arena *arena, size_t bytes) {
    if (bytes > arena->size) return NULL;
    const size_t rounded = flood_round_up(bytes);
    if (rounded > arena->size - arena->used) return NULL;
    void *memory = arena->base + arena->used;
    arena->used += rounded;
    if (arena->used > arena->peak) arena->peak = arena->used;
    return memory;
}

/* The board as components: touching cells of one colour. Component 0 contains the origin; the others are numbered by
 * their distance from it, in cells. */
typedef struct {
    unsigned rows, cols;
    unsigned count;                       /* components */
    unsigned colors;                      /* different colours on the board */
    uint8_t palette[BW_FLOOD_COLORS_MAX]; /* colour of the board by colour here (dense) */
    uint8_t color_of[BW_FLOOD_CELLS_MAX]; /* dense colour of a component */
    uint16_t label[BW_FLOOD_CELLS_MAX];   /* component of a cell */
} flood_components;

/* False if the board is out of range. */
bool flood_components_build(const bw_flood_board *board, flood_components *components);

/* One run. The kernel fills count, lower, nodes, stopped and moves (dense colours). */
typedef struct {
    const flood_components *components;
    const bw_flood_limits *limits;
    flood_arena arena;
    bw_flood_solution *solution;
} flood_task;

/* Memory that a kernel needs besides the components: sets of `words` words, rounded up. */
enum { FLOOD_SEARCH_SETS = BW_FLOOD_COLORS_MAX + 8 };

typedef int (*flood_kernel_run)(flood_task *task);

/* flood_kernel_ISA_WORDS. More widths, and AVX-512, were tried: each took as long to compile and brought less than a
 * tenth. */
#define FLOOD_KERNELS(X, isa) X(isa, 4) X(isa, 8) X(isa, 16) X(isa, 64)
#define FLOOD_DECLARE_KERNEL(isa, words) int flood_kernel_##isa##_##words(flood_task *task);
FLOOD_KERNELS(FLOOD_DECLARE_KERNEL, base)
FLOOD_KERNELS(FLOOD_DECLARE_KERNEL, avx2)

#endif
