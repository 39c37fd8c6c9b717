/* flood_it_solver: solves files of square boards (one a line, one character a square) whose optima are known, and
 * reports the medians.
 *
 *   flood_it_solver [--kernel base|avx2] [--beam N] [--beam-only] [--megabytes N]
 *                   [--seconds S] [--repeat N] [--centre] [--each] NAME...
 *
 * NAME stands for NAME.txt and NAME.opt; without NAME.opt nothing is compared. --centre: the area starts in the middle, not
 * in the first corner. --seconds: a board is given up after S seconds. Time is the thread's user CPU time, the best of the
 * repeats. */
#include "bots/flood_it/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BOARDS_MAX = 10000 };

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef struct {
    bw_flood_limits limits;
    size_t bytes;
    void *arena;
    int repeat;
    double seconds; /* for each board; 0: no limit */
    bool each, centre;
} options;

typedef struct {
    double until; /* ms of the thread's time; 0: no limit */
} patience;

static bool keep_going(void *user, const bw_flood_progress *progress) {
    const patience *p = user;
    (void)progress;
    return p->until == 0 || cpu_ms() < p->until;
}

static bool board_of(const char *line, bool centre, bw_flood_board *board) {
    const size_t length = strcspn(line, "\r\n");
    unsigned side = 1;
    while ((size_t)side * side < length) side++;
    if (length == 0 || (size_t)side * side != length || side > BW_FLOOD_SIZE_MAX) return false;
    memset(board, 0, sizeof *board);
    board->rows = board->cols = (uint8_t)side;
    if (centre) board->origin_row = board->origin_col = (uint8_t)(side / 2);
    for (size_t i = 0; i < length; i++) board->cells[i] = (uint8_t)(line[i] & 31);
    return true;
}

static int bench_file(const options *o, const char *name) {
    static double times[BOARDS_MAX];
    char path[4096];
    char line[BW_FLOOD_CELLS_MAX + 8];
    unsigned count = 0, proven = 0, wrong = 0;
    unsigned long long nodes = 0, moves = 0, lower = 0, best = 0;
    size_t peak = 0;
    double total = 0;
    snprintf(path, sizeof path, "%s.txt", name);
    FILE *boards = fopen(path, "r");
    snprintf(path, sizeof path, "%s.opt", name);
    FILE *optima = fopen(path, "r");
    if (boards == NULL) {
        fprintf(stderr, "%s: needs %s.txt\n", name, name);
        return 1;
    }
    while (count < BOARDS_MAX && fgets(line, sizeof line, boards) != NULL) {
        static bw_flood_board board;
        static bw_flood_solution solution;
        unsigned optimum = 0;
        if (!board_of(line, o->centre, &board) || (optima != NULL && fscanf(optima, "%u", &optimum) != 1)) {
            fprintf(stderr, "%s: line %u is not a square board with an optimum\n", name, count + 1);
            return 1;
        }
        double ms = 1e300;
        for (int i = 0; i < o->repeat; i++) {
            const double start = cpu_ms();
            patience p = {o->seconds > 0 ? start + o->seconds * 1e3 : 0};
            bw_flood_limits limits = o->limits;
            limits.keep_going = keep_going;
            limits.user = &p;
            const int error = bw_flood_solve(&board, &limits, o->arena, o->bytes, &solution);
            const double now = cpu_ms() - start;
            if (error != BW_FLOOD_OK) {
                fprintf(stderr, "%s: board %u: error %d\n", name, count + 1, error);
                return 1;
            }
            ms = now < ms ? now : ms;
        }
        if (o->each) {
            printf("%s %u: %u moves (optimum %u, at least %u) %s %.3f ms, %llu nodes, %.1f MiB\n", name, count + 1,
                   solution.count, optimum, solution.lower, solution.proven ? "proven" : "best", ms,
                   (unsigned long long)solution.nodes, (double)solution.bytes / 1048576);
            fflush(stdout);
        }
        times[count++] = ms;
        total += ms;
        nodes += solution.nodes;
        moves += solution.count;
        lower += solution.lower;
        proven += solution.proven;
        if (optima == NULL) optimum = solution.count;
        best += optimum;
        wrong += solution.count < optimum || solution.lower > optimum || (solution.proven && solution.count != optimum);
        peak = solution.bytes > peak ? solution.bytes : peak;
    }
    fclose(boards);
    if (optima != NULL) fclose(optima);
    if (count == 0) return 1;
    qsort(times, count, sizeof times[0], ascending);
    printf("%s: %u boards, %u proven, %u wrong, moves %llu %+.3f %%, at least %llu, median %.4f ms, p95 %.3f ms, "
           "max %.1f ms, total %.3f s, %llu nodes, peak %.1f MiB\n",
           name, count, proven, wrong, moves, 100.0 * ((double)moves / (double)best - 1), lower, times[count / 2],
           times[count * 95 / 100], times[count - 1], total / 1e3, nodes, (double)peak / 1048576);
    return wrong != 0;
}

int main(int argc, char **argv) {
    options o = {.bytes = (size_t)2900 << 20, .repeat = 1};
    int status = 0;
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--each") == 0) {
            o.each = true;
        } else if (strcmp(argv[i], "--centre") == 0) {
            o.centre = true;
        } else if (strcmp(argv[i], "--beam-only") == 0) {
            o.limits.beam_only = true;
        } else if (more && strcmp(argv[i], "--beam") == 0) {
            o.limits.beam_width = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--nodes") == 0) {
            o.limits.max_nodes = strtoull(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--megabytes") == 0) {
            o.bytes = (size_t)strtoull(argv[++i], NULL, 10) << 20;
        } else if (more && strcmp(argv[i], "--seconds") == 0) {
            o.seconds = strtod(argv[++i], NULL);
        } else if (more && strcmp(argv[i], "--repeat") == 0) {
            o.repeat = (int)strtol(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--kernel") == 0) {
            const char *k = argv[++i];
            o.limits.kernel = strcmp(k, "base") == 0 ? BW_FLOOD_KERNEL_BASE : BW_FLOOD_KERNEL_AVX2;
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (i == argc || o.repeat < 1) {
        fprintf(stderr, "usage: flood_it_solver [options] NAME... (see the head of the source)\n");
        return 2;
    }
    o.arena = mmap(NULL, o.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (o.arena == MAP_FAILED) {
        fprintf(stderr, "out of memory: an arena of %zu bytes\n", o.bytes);
        return 1;
    }
#ifdef MADV_HUGEPAGE
    madvise(o.arena, o.bytes, MADV_HUGEPAGE);
#endif
    for (; i < argc; i++) status |= bench_file(&o, argv[i]);
    return status;
}
