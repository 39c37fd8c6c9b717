/* The front of the solver: checks, choice of the kernel, and the independent replay at the end. */
#include "internal.h"

bool bw_flood_kernel_available(bw_flood_kernel kernel) {
    switch (kernel) {
    case BW_FLOOD_KERNEL_AUTO:
    case BW_FLOOD_KERNEL_BASE: return true;
#if defined(FLOOD_X86)
    case BW_FLOOD_KERNEL_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    case BW_FLOOD_KERNEL_AVX2:
#endif
    default: return false;
    }
}

#define FLOOD_PICK(isa, words)               \
    if (count <= 64 * (words)) {             \
        return flood_kernel_##isa##_##words; \
    }

static flood_kernel_run pick_kernel(bw_flood_kernel kernel, unsigned count) {
#if defined(FLOOD_X86)
    if (kernel == BW_FLOOD_KERNEL_AVX2) {
        FLOOD_KERNELS(FLOOD_PICK, avx2)
    }
#endif
    (void)kernel;
    FLOOD_KERNELS(FLOOD_PICK, base)
    return NULL;
}

size_t bw_flood_arena_least(unsigned rows, unsigned cols) {
    const size_t cells = (size_t)rows * cols;
    const size_t words = cells <= 256 ? 4 : cells <= 512 ? 8 : cells <= 1024 ? 16 : 64;
    return 64 + flood_round_up(sizeof(flood_components)) + flood_round_up(cells * words * 8) +
           FLOOD_SEARCH_SETS * words * 8 + 256;
}

int bw_flood_solve(const bw_flood_board *board, const bw_flood_limits *limits, void *arena, size_t arena_bytes,
                   bw_flood_solution *solution) {
    flood_task task;
    const bw_flood_limits defaults = {0};
    const uintptr_t start = (uintptr_t)arena;
    const size_t skip = (size_t)(flood_round_up(start & 63) - (start & 63));
    bw_flood_solution result;
    if (arena == NULL || arena_bytes < skip) return BW_FLOOD_E_ARENA;
    task.arena.base = (unsigned char *)arena + skip;
    task.arena.size = (arena_bytes - skip) & ~(size_t)63;
    task.arena.used = 0;
    task.arena.peak = 0;
    task.limits = limits != NULL ? limits : &defaults;
    task.solution = &result;
    bw_flood_kernel kernel = task.limits->kernel;
    if (!bw_flood_kernel_available(kernel)) return BW_FLOOD_E_KERNEL;
    if (kernel == BW_FLOOD_KERNEL_AUTO) {
        kernel = bw_flood_kernel_available(BW_FLOOD_KERNEL_AVX2) ? BW_FLOOD_KERNEL_AVX2 : BW_FLOOD_KERNEL_BASE;
    }
    flood_components *components = flood_arena_take(&task.arena, sizeof *components);
    if (components == NULL) return BW_FLOOD_E_ARENA;
    if (!flood_components_build(board, components)) return BW_FLOOD_E_BOARD;
    task.components = components;
    const int error = pick_kernel(kernel, components->count)(&task);
    if (error != BW_FLOOD_OK) return error;
    result.proven = result.lower == result.count;
    result.bytes = task.arena.peak;
    for (uint32_t i = 0; i < result.count; i++) {
        result.moves[i] = components->palette[result.moves[i]];
    }
    if (!bw_flood_replay(board, result.moves, result.count)) return BW_FLOOD_E_REPLAY;
    memcpy(solution, &result, offsetof(bw_flood_solution, moves) + result.count);
    return BW_FLOOD_OK;
}
