/* The exact Flood-It solver: the fewest moves that flood a board, with proof.
 *
 * How to use it: fill a bw_flood_board, hand bw_flood_solve() a piece of memory (the arena) and
 * limits, read the bw_flood_solution. A hint is the same call on the board as it stands now: the
 * territory is the component of the origin.
 *
 * What it does: cells of one colour that touch are merged into components; a beam search gives a
 * good line, then A* over sets of absorbed components proves it or finds a better one. Every
 * sequence is replayed cell by cell by bw_flood_replay(), which shares no code with the search, before
 * it is returned.
 *
 * Limits: 1..64 rows and columns, 1..32 colours, any origin. No allocation, no global state, no
 * clock, no libc beyond memcpy, memset, memmove and memcmp. The same board, limits and arena size
 * give the same answer, node for node, on every machine, with every vector width and any number of threads (with more
 * threads it runs out of memory slightly earlier).
 */
#ifndef BW_FLOOD_IT_SOLVER_H
#define BW_FLOOD_IT_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BW_FLOOD_SIZE_MAX = 64,
    BW_FLOOD_CELLS_MAX = BW_FLOOD_SIZE_MAX * BW_FLOOD_SIZE_MAX,
    BW_FLOOD_COLORS_MAX = 32,
    BW_FLOOD_MOVES_MAX = BW_FLOOD_CELLS_MAX /* every move absorbs at least one component */
};

/* Errors are negative; the solution is then unchanged. */
enum {
    BW_FLOOD_OK = 0,
    BW_FLOOD_E_BOARD = -1,  /* size, origin or a colour out of range */
    BW_FLOOD_E_ARENA = -2,  /* less memory than bw_flood_arena_least() */
    BW_FLOOD_E_KERNEL = -3, /* this machine lacks the requested vectors */
    BW_FLOOD_E_REPLAY = -4  /* the line found does not flood the board: a bug in the solver */
};

/* Which vectors to use. AUTO takes the widest that the machine has at run time. */
typedef enum {
    BW_FLOOD_KERNEL_AUTO,
    BW_FLOOD_KERNEL_BASE, /* portable; WebAssembly SIMD128 where it is compiled in */
    BW_FLOOD_KERNEL_AVX2
} bw_flood_kernel;

typedef struct {
    uint8_t rows, cols;                /* 1..64 */
    uint8_t origin_row, origin_col;    /* < rows, < cols */
    uint8_t cells[BW_FLOOD_CELLS_MAX]; /* row by row; colours 0..31, no gaps needed */
} bw_flood_board;

/* The progress of a search: the answer is in lower..best (moves). */
typedef struct {
    uint64_t nodes; /* positions expanded so far */
    uint32_t best;
    uint32_t lower;
    size_t bytes; /* of the arena in use */
} bw_flood_progress;

enum { BW_FLOOD_WORKERS_MAX = 64 };

/* Zero means the default. */
typedef struct {
    uint32_t beam_width; /* width of the first beam; default: by the size of the board */
    uint64_t max_nodes;  /* positions expanded by beams and A* together; default: no bound */
    bool beam_only;      /* stop after one beam of beam_width: the quick answer */
    bw_flood_kernel kernel;
    /* Called every few milliseconds; false stops the search with the best line so far. */
    bool (*keep_going)(void *user, const bw_flood_progress *progress);
    /* Several threads for one board, which changes nothing but the time: calls work(job, 0) on this thread and, meanwhile,
     * work(job, i) on others, for any of the numbers i from 1 to most - 1, each once at most; returns when all have. */
    void (*together)(void *user, void (*work)(void *job, unsigned worker), void *job, unsigned most);
    unsigned workers; /* with `together`: threads in all, of which BW_FLOOD_WORKERS_MAX are used */
    void *user;
} bw_flood_limits;

typedef struct {
    uint32_t count;                    /* length of moves */
    uint32_t lower;                    /* no line is shorter than this: proven */
    bool proven;                       /* count == lower */
    bool stopped;                      /* by keep_going */
    uint64_t nodes;                    /* positions expanded */
    size_t bytes;                      /* of the arena, the most in use */
    uint8_t moves[BW_FLOOD_MOVES_MAX]; /* colours as in the board */
} bw_flood_solution;

/* The smallest arena for a board of this size; with more, bw_flood_solve() can prove more. A few MiB prove everyday
 * boards; hard 20x20 boards with 8 colours need a GiB. */
size_t bw_flood_arena_least(unsigned rows, unsigned cols);

/* Solves the board. The arena may have any alignment; its content is undefined afterwards. Returns BW_FLOOD_OK or an
 * error above. */
int bw_flood_solve(const bw_flood_board *board, const bw_flood_limits *limits, void *arena, size_t arena_bytes,
                   bw_flood_solution *solution);

enum { BW_FLOOD_BEST_KNOWN_ARENA = 24 << 20 }; /* enough for the hints and results of a game */

/* Plays the moves on the plain board. True if all cells have one colour at the end and no move names the territory's
 * current colour. */
bool bw_flood_replay(const bw_flood_board *board, const uint8_t *moves, uint32_t count);

/* True if this machine can run the kernel. */
bool bw_flood_kernel_available(bw_flood_kernel kernel);

#endif
