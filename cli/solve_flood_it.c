/* boardwalk solve flood_it: the fewest moves for boards given as text.
 *
 * Each thread takes the next board of the input, solves it and lays the answer in a ring, from which answers are
 * printed in the order of the input. The ring bounds the memory: a thread that is too far ahead of the oldest unsolved
 * board waits. A thread that finds no more boards helps with those that others are still busy with. */
#include "cli/crew.h"
#include "cli/pool.h"
#include "cli/solve_answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RING = 4096, LEAST_MEBIBYTES = 16 };

typedef struct run run;

typedef struct seat { /* a thread */
    run *run;
    int index; /* of the board at hand; 0: none */
    double started, deadline;
    bw_flood_progress at;
} seat;

struct run {
    pool pool;
    crew crew;
    pthread_mutex_t reading; /* guards input and over; never held together with pool.lock */
    boards input;
    bool over; /* no more boards */
    answers known;
    const char *file;
    int64_t beam;
    double seconds; /* for each board; 0: no limit */
    size_t bytes;   /* for each thread */
    bool json;
    seat *seats;
    int seated, solvers;     /* threads that solve boards; of those, that are not done */
    int threads, at_once;    /* threads; boards at once */
    char *ring[RING];        /* answers to be printed, by index */
    int taken, printed, cut; /* boards; `cut` were interrupted */
    int error, error_index;  /* of the solver */
    bool false_answer;
    progress *shown;
};

/* ---- one board ---- */

static bool keep_going(void *user, const bw_flood_progress *at) {
    seat *s = user;
    pthread_mutex_lock(&s->run->pool.lock);
    s->at = *at;
    pthread_mutex_unlock(&s->run->pool.lock);
    return !pool_ends(&s->run->pool) && (s->deadline == 0 || cli_clock() < s->deadline);
}

static void together(void *user, void (*part)(void *job, unsigned worker), void *job, unsigned most) {
    seat *s = user;
    crew_together(&s->run->crew, part, job, most);
}

static uint32_t mebibytes(const run *r) { return (uint32_t)(r->bytes >> 20); }

/* Would solving it again tell more? */
static bool is_final(const run *r, const answer *a) {
    if (a->lower == a->moves) return true;
    if (a->stopped) return r->seconds > 0 && (double)a->microseconds >= r->seconds * 1e6;
    return a->mebibytes >= mebibytes(r);
}

/* False: the stored sequence does not flood the board. */
static bool recall(const answer *a, const board_read *asked, bw_flood_solution *solution) {
    *solution = (bw_flood_solution){
        .count = a->moves, .lower = a->lower, .proven = a->lower == a->moves, .nodes = a->positions};
    for (uint32_t i = 0; i < solution->count; i++) {
        const char *color = memchr(asked->palette, a->sequence[i], sizeof asked->palette);
        if (!color) return false;
        solution->moves[i] = (uint8_t)(color - asked->palette);
    }
    return bw_flood_replay(&asked->board, solution->moves, solution->count);
}

static char *line_of(const run *r, const board_read *asked, const bw_flood_solution *solution, double seconds) {
    const size_t cap = solution->count + 256;
    char *line = cli_memory(cap);
    static const char *const formats[] = {"%d\t%" PRIu32 "\t%s\t",
                                          "{\"index\":%d,\"moves\":%" PRIu32 ",\"result\":\"%s\",\"sequence\":\""};
    size_t at = (size_t)snprintf(line, cap, formats[r->json], asked->index, solution->count,
                                 solution->proven ? "optimal" : "best");
    for (uint32_t i = 0; i < solution->count; i++) line[at++] = asked->palette[solution->moves[i]];
    if (r->json) {
        snprintf(line + at, cap - at,
                 "\",\"proven\":%s,\"lower\":%" PRIu32 ",\"positions\":%" PRIu64 ",\"milliseconds\":%.3f}\n",
                 solution->proven ? "true" : "false", solution->lower, solution->nodes, seconds * 1e3);
    } else {
        snprintf(line + at, cap - at, "\t%.3f\n", seconds * 1e3);
    }
    return line;
}

/* ---- all boards ---- */

static bool may_wait(void *user) { return !pool_ends(&((run *)user)->pool); }

/* The next board; false: there is none. Called without the lock. */
static bool take(run *r, board_read *asked) {
    pthread_mutex_lock(&r->reading);
    const bool got = !r->over && boards_next(&r->input, asked) > 0;
    r->over = !got;
    pthread_mutex_unlock(&r->reading);
    return got;
}

/* Called with the lock, which it releases while it waits. False: all are asked to stop. */
static bool wait_for_room(run *r, int index) {
    while (index - r->printed > RING && !pool_ends(&r->pool)) {
        pthread_mutex_unlock(&r->pool.lock);
        usleep(5000);
        pthread_mutex_lock(&r->pool.lock);
    }
    return !pool_ends(&r->pool);
}

/* Prints all answers up to the first board that has none yet. */
static void print_ready(run *r) {
    if (!r->ring[r->printed % RING]) return;
    if (r->shown) progress_clear(r->shown);
    for (char *line; (line = r->ring[r->printed % RING]) != NULL; r->printed++) {
        fputs(line, stdout);
        free(line);
        r->ring[r->printed % RING] = NULL;
    }
    fflush(stdout);
}

/* Called with the lock, which it releases while it solves. */
static void answer_board(run *r, seat *s, const board_read *asked, void *arena, bw_flood_solution *solution) {
    const answer *known = answers_find(&r->known, asked);
    double seconds = known ? (double)known->microseconds / 1e6 : 0;
    const bool again = !known || !is_final(r, known);
    int error = BW_FLOOD_OK;
    s->started = cli_clock();
    s->deadline = r->seconds > 0 ? s->started + r->seconds : 0;
    s->at = (bw_flood_progress){0};
    s->index = asked->index;
    pthread_mutex_unlock(&r->pool.lock);
    if (again) {
        const bw_flood_limits limits = {.beam_width = (uint32_t)r->beam,
                                        .beam_only = r->beam != 0,
                                        .keep_going = keep_going,
                                        .together = together,
                                        .workers = (unsigned)r->threads,
                                        .user = s};
        error = bw_flood_solve(&asked->board, &limits, arena, r->bytes, solution);
        seconds = cli_clock() - s->started;
    }
    const bool good = again || recall(known, asked, solution);
    char *line = error || !good ? NULL : line_of(r, asked, solution, seconds);
    pthread_mutex_lock(&r->pool.lock);
    s->index = 0;
    if (!line) {
        r->error = error, r->error_index = asked->index, r->false_answer |= !good;
        pool_end(&r->pool);
        return;
    }
    const bool cut = again && solution->stopped && pool_ends(&r->pool);
    r->cut += cut;
    if (again && !cut) answers_add(&r->known, asked, solution, seconds, mebibytes(r));
    if (r->known.file.failed) pool_end(&r->pool);
    r->ring[(asked->index - 1) % RING] = line;
    print_ready(r);
}

/* The arena is mapped, so that only the pages that a board needs use memory. The pages at both ends, which every board
 * uses, are touched before the clock starts. A long search uses all pages in between, so large pages pay off. */
static void *open_arena(size_t bytes) {
    enum { ENDS = 4 << 20, TOUCHED = 256 << 10 };
    void *arena = cli_map(bytes);
    if (!arena) return NULL;
    memset(arena, 0, TOUCHED);
    memset((char *)arena + bytes - TOUCHED, 0, TOUCHED);
#ifdef MADV_HUGEPAGE
    madvise((char *)arena + ENDS, bytes - 2 * (size_t)ENDS, MADV_HUGEPAGE);
#endif
    return arena;
}

static void solve_boards(run *r, seat *s) {
    void *arena = open_arena(r->bytes);
    board_read *asked = cli_memory(sizeof *asked);
    bw_flood_solution *solution = cli_memory(sizeof *solution);
    for (bool more = arena != NULL; more && !pool_ends(&r->pool);) {
        more = take(r, asked);
        pthread_mutex_lock(&r->pool.lock);
        if (more) r->taken++;
        if (more && wait_for_room(r, asked->index)) answer_board(r, s, asked, arena, solution);
        pthread_mutex_unlock(&r->pool.lock);
    }
    free(asked);
    free(solution);
    cli_unmap(arena, r->bytes);
}

static void work(pool *p, void *user) {
    run *r = user;
    const bool solves = r->seated < r->at_once;
    seat *s = solves ? &r->seats[r->seated++] : NULL;
    r->solvers += solves;
    pthread_mutex_unlock(&p->lock);
    if (solves) solve_boards(r, s);
    pthread_mutex_lock(&p->lock);
    r->solvers -= solves;
    const bool last = r->solvers == 0;
    pthread_mutex_unlock(&p->lock);
    if (last) crew_close(&r->crew);
    crew_help(&r->crew);
    pthread_mutex_lock(&p->lock);
}

/* How much is done, and the board that has taken longest so far. */
static void tell(progress *shown, void *user) {
    run *r = user;
    const seat *oldest = NULL;
    double share = PROGRESS_UNKNOWN;
    int busy = 0;
    r->shown = shown;
    for (int i = 0; i < r->seated; i++) {
        const seat *s = &r->seats[i];
        busy += s->index > 0;
        if (s->index && (!oldest || s->started < oldest->started)) oldest = s;
    }
    if (pthread_mutex_trylock(&r->reading) == 0) { /* a thread may be waiting for input there */
        if (r->input.size && r->taken) {
            share = (double)r->input.used / (double)r->input.size * (r->taken - busy) / r->taken;
        }
        pthread_mutex_unlock(&r->reading);
    }
    if (oldest && oldest->at.best) {
        progress_tell(shown, share, "%d solved; board %d: %" PRIu32 " to %" PRIu32 " moves, %.0f s, %zu MiB",
                      r->taken - busy, oldest->index, oldest->at.lower, oldest->at.best, cli_clock() - oldest->started,
                      oldest->at.bytes >> 20);
    } else {
        progress_tell(shown, share, "%d solved%s", r->taken - busy, oldest ? "" : "; waiting for boards");
    }
}

static int status_of(run *r, bool stored, int64_t megabytes) {
    if (!stored) return cli_failed("%s could not be written: the results there are incomplete.", r->file);
    if (r->false_answer) {
        return cli_failed("%s: the solution of board %d does not flood it. Use a file of results, or a new file.",
                          r->file, r->error_index);
    }
    if (r->error) {
        return cli_failed("board %d cannot be solved here (error %d); --memory may help.", r->error_index, r->error);
    }
    if (pool_ends(&r->pool)) {
        return cli_failed("interrupted after %d board%s, %d of them incomplete%s.", r->printed,
                          r->printed == 1 ? "" : "s", r->cut, r->file ? "; the same command continues from there" : "");
    }
    if (r->input.error[0]) return cli_wrong("%s.", r->input.error);
    if (r->over) return CLI_OK;
    return cli_failed("cannot allocate %" PRId64 " MiB; use a smaller --memory.", megabytes);
}

static int solve_all(run *r, int64_t megabytes) {
    if (!answers_open(&r->known, r->file)) return CLI_USAGE;
    r->seats = cli_memory((size_t)r->at_once * sizeof *r->seats);
    for (int i = 0; i < r->at_once; i++) r->seats[i].run = r;
    r->bytes = ((size_t)megabytes << 20) / (size_t)r->at_once / 64 * 64;
    crew_open(&r->crew);
    r->pool = (pool){.work = work, .tell = tell, .user = r};
    r->input.may_wait = may_wait, r->input.user = r;
    pthread_mutex_init(&r->reading, NULL);
    pool_run(&r->pool, r->threads);
    pthread_mutex_destroy(&r->reading);
    crew_end(&r->crew);
    for (int i = 0; i < RING; i++) free(r->ring[i]);
    free(r->seats);
    return status_of(r, answers_close(&r->known), megabytes);
}

/* "R,C", both from 0. */
static bool read_origin(const char *text, int64_t *row, int64_t *col) {
    char first[8];
    const char *comma = strchr(text, ',');
    if (!comma || (size_t)(comma - text) >= sizeof first) return false;
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = '\0';
    return cli_whole(first, 0, BW_FLOOD_SIZE_MAX - 1, row) && cli_whole(comma + 1, 0, BW_FLOOD_SIZE_MAX - 1, col);
}

static bool read_seconds(const char *text, double *seconds) {
    char *end;
    if (!*text || strspn(text, "0123456789.") != strlen(text)) return false;
    *seconds = strtod(text, &end);
    return *end == '\0' && *seconds <= 1e6;
}

int cli_solve_flood_it(int argc, char **argv) {
    board_shape told = {0};
    int64_t beam = 0, megabytes = 2900, threads = 0, at_once = 0;
    const char *origin = NULL, *time = NULL, *file = NULL;
    double seconds = 0;
    bool json = false;
    const cli_option options[] = {
        CLI_INT("--rows", &told.rows, "R", 1, BW_FLOOD_SIZE_MAX, "rows, 1 to 64; by default the board is square"),
        CLI_INT("--cols", &told.cols, "C", 1, BW_FLOOD_SIZE_MAX, "columns, 1 to 64"),
        CLI_TEXT("--origin", &origin, "R,C", "the square where the territory starts, counted from 0 (0,0)"),
        CLI_INT("--threads", &threads, "N", 1, POOL_MAX, "threads (default: the number of processors)"),
        CLI_INT("--at-once", &at_once, "N", 1, POOL_MAX,
                "boards at once; free threads help with them (default: a board a thread)"),
        CLI_TEXT("--file", &file, "FILE", "keep results there, and take those of an earlier run from there"),
        CLI_INT("--beam", &beam, "N", 1, 1000000, "only a beam search of width N: fast, rarely proven"),
        CLI_TEXT("--seconds", &time, "S", "stop a board after S seconds with the best solution found (0: never)"),
        CLI_INT("--memory", &megabytes, "MB", LEAST_MEBIBYTES, 65536,
                "maximum memory in MiB, shared by the boards at once (2900)"),
        CLI_FLAG("--json", &json, "print a JSON object per board"),
    };
    const cli_usage usage = {
        .command = "solve flood_it",
        .operands = "[BOARDS]",
        .about =
            "Finds the fewest moves that flood each board, and proves it. Boards are read from a file or stdin, one\n"
            "per line, row by row, one character per square: any letters and digits, each a colour, up to 32 colours.\n"
            "n lines of n characters are one board, one row per line. Blank lines are skipped. For each board a line\n"
            "is printed as soon as it and all before it are solved, with fields separated by tabs:\n"
            "  index  moves  optimal|best  sequence  milliseconds\n"
            "\"optimal\" is proven. Ctrl-C prints the best solutions so far and ends.",
        CLI_OPTIONS(options),
        .positionals = {0, 1},
    };
    const char *path = "-";
    const int parsed = cli_parse(&usage, argc, argv, &path);
    if (parsed < 0) return cli_exit(parsed);
    if (origin && !read_origin(origin, &told.origin_row, &told.origin_col)) {
        return cli_wrong("--origin must be a row and a column from 0 to 63, as 0,0, not \"%s\".", origin);
    }
    if (time && !read_seconds(time, &seconds)) {
        return cli_wrong("--seconds must be a number of seconds from 0 to 1000000, not \"%s\".", time);
    }
    if (beam && file) return cli_wrong("--beam proves too little to be kept: leave out --file.");
    const bool threads_told = threads != 0;
    threads = pool_size(threads);
    if (at_once == 0 || at_once > threads) at_once = threads;
    if (at_once > megabytes / LEAST_MEBIBYTES && !threads_told) at_once = megabytes / LEAST_MEBIBYTES;
    if (at_once > megabytes / LEAST_MEBIBYTES) {
        return cli_wrong("--memory must be %d MiB or more for each of %" PRId64 " boards at once.", LEAST_MEBIBYTES,
                         at_once);
    }
    run *r = cli_memory(sizeof *r);
    r->file = file, r->beam = beam, r->seconds = seconds, r->json = json;
    r->threads = (int)threads, r->at_once = (int)at_once;
    int status = CLI_USAGE;
    if (boards_open(&r->input, path, &told)) {
        status = solve_all(r, megabytes);
        boards_close(&r->input);
    }
    free(r);
    return status;
}
