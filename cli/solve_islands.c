/* boardwalk solve flooded_island --all: the value of every grid, 3x3 to 10x10, for one, two and three floods.
 *
 * WxH and HxW have the same value, so 36 grids stand for 64. Small grids come first. A larger grid is worth at least
 * as much as a smaller one inside it, and more floods never make it worth more, so every result bounds others. Each
 * grid is solved on one thread, several grids at once. A file keeps a line for each finished grid, so that a later
 * run continues from there. */
#include "bots/flooded_island/solve.h"
#include "cli/pool.h"
#include "cli/results.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SIDES = BW_ISLAND_SIDE_MAX - BW_ISLAND_SIDE_MIN + 1, GRIDS = SIDES * (SIDES + 1) / 2 * BW_ISLAND_FLOODS_MAX };

/* A line of the file, and of --json. */
#define RESULT_FIELDS(F, S)                                                                                           \
    F(S, REQUIRED, INT, width, (uint8_t, 3, 10), "columns")                                                           \
    F(S, REQUIRED, INT, height, (uint8_t, 3, 10), "rows")                                                             \
    F(S, REQUIRED, INT, max_flood_count, (uint8_t, 1, 3), "floods a night")                                           \
    F(S, REQUIRED, INT, lower, (uint16_t, 1, 365), "moves that the adventurer completes at least")                    \
    F(S, REQUIRED, INT, upper, (uint16_t, 1, 365), "moves after which it is trapped at the latest; 365: it survives") \
    F(S, REQUIRED, INT, milliseconds, (uint64_t, 0, 1000000000000), "time spent on it, in the longest try")
BW_STRUCT(result, RESULT_FIELDS);
BW_SCHEMA(result, RESULT_FIELDS, "The value of a grid.");

typedef struct task {
    result at;
    bool taken, finished;
    double started;
} task;

typedef struct plan {
    task tasks[GRIDS];
    int finished;
    double seconds; /* for each grid; 0: no limit */
    size_t bytes;   /* for each thread */
    results file;
} plan;

typedef struct watch { /* of one grid */
    pool *pool;
    double started, seconds;
} watch;

/* ---- what results say about each other ---- */

static bool exact(const task *t) { return t->at.lower == t->at.upper; }

/* Can the adventurer have every game of `small` on `large`? */
static bool inside(const result *small, const result *large) {
    return small->max_flood_count >= large->max_flood_count && small->width <= large->width &&
           small->height <= large->height;
}

/* Rotations add nothing, because width <= height in all of them. */
static void share(plan *p) {
    for (int i = 0; i < GRIDS; i++) {
        for (int k = 0; k < GRIDS; k++) {
            result *small = &p->tasks[i].at, *large = &p->tasks[k].at;
            if (!inside(small, large)) continue;
            if (large->lower < small->lower) large->lower = small->lower;
            if (small->upper > large->upper) small->upper = large->upper;
        }
    }
}

static void lay_out(plan *p) {
    int count = 0;
    for (int area = 9; area <= BW_ISLAND_SQUARES; area++) {
        for (int width = BW_ISLAND_SIDE_MIN; width * width <= area; width++) {
            int height = area / width;
            if (width * height != area || height > BW_ISLAND_SIDE_MAX) continue;
            for (int floods = 1; floods <= BW_ISLAND_FLOODS_MAX; floods++) {
                p->tasks[count++].at = (result){.width = (uint8_t)width,
                                                .height = (uint8_t)height,
                                                .max_flood_count = (uint8_t)floods,
                                                .lower = 1,
                                                .upper = BW_ISLAND_DAYS};
            }
        }
    }
}

static task *task_of(plan *p, int width, int height, int floods) {
    for (int i = 0; i < GRIDS; i++) {
        const result *r = &p->tasks[i].at;
        if (r->max_flood_count == floods && r->width == (width < height ? width : height) &&
            r->height == (width < height ? height : width)) {
            return &p->tasks[i];
        }
    }
    return NULL;
}

/* ---- the file ---- */

static bool enter(void *user, const void *record, bw_error_text *why) {
    const result *r = record;
    if (r->lower > r->upper) return bw_fail(why, "lower must not be larger than upper", NULL);
    result *known = &task_of(user, r->width, r->height, r->max_flood_count)->at;
    if (r->lower > known->upper || r->upper < known->lower) {
        return bw_fail(why, "the result contradicts an earlier one of the same grid", NULL);
    }
    if (r->lower > known->lower) known->lower = r->lower;
    if (r->upper < known->upper) known->upper = r->upper;
    if (r->milliseconds > known->milliseconds) known->milliseconds = r->milliseconds;
    return true;
}

/* ---- work ---- */

static bool keep_going(void *user) {
    const watch *w = user;
    return !pool_ends(w->pool) && (w->seconds == 0 || cli_clock() - w->started < w->seconds);
}

/* The next grid to solve; NULL: none. Called with the lock held. */
static task *next_task(plan *p) {
    for (int i = 0; i < GRIDS; i++) {
        task *t = &p->tasks[i];
        if (t->taken) continue;
        t->taken = true;
        bool tried = p->seconds > 0 && (double)t->at.milliseconds >= p->seconds * 1000;
        if (exact(t) || tried) { /* by an earlier run, or by its neighbours */
            t->finished = true;
            p->finished++;
            continue;
        }
        return t;
    }
    return NULL;
}

static void take_value(task *t, const bw_island_value *value) {
    if (value->lower > t->at.lower) t->at.lower = (uint16_t)value->lower;
    if (value->decided && value->upper < t->at.upper) t->at.upper = (uint16_t)value->upper;
    uint64_t milliseconds = (uint64_t)((cli_clock() - t->started) * 1000);
    if (milliseconds > t->at.milliseconds) t->at.milliseconds = milliseconds;
}

static void work(pool *workers, void *user) {
    plan *p = user;
    task *t;
    void *memory = cli_map(p->bytes);
    while (memory && !pool_ends(workers) && (t = next_task(p)) != NULL) {
        watch one = {.pool = workers, .started = t->started = cli_clock(), .seconds = p->seconds};
        bw_island_config config = {
            .width = t->at.width, .height = t->at.height, .max_flood_count = t->at.max_flood_count};
        bw_island_watch watching = {.keep_going = keep_going, .user = &one, .at_least = t->at.lower};
        bw_island_value value;
        pthread_mutex_unlock(&workers->lock);
        bw_island_solve(&config, memory, p->bytes, &watching, &value);
        pthread_mutex_lock(&workers->lock);
        take_value(t, &value);
        share(p);
        if (exact(t) || !pool_ends(workers)) {
            t->finished = true;
            p->finished++;
        }
        results_add(&p->file, &t->at); /* also an unfinished one, for its bounds */
        if (p->file.failed) pool_end(workers);
    }
    cli_unmap(memory, p->bytes);
}

static void tell(progress *shown, void *user) {
    const plan *p = user;
    char at[128] = "";
    size_t length = 0;
    for (int i = 0; i < GRIDS && length < sizeof at; i++) {
        const task *t = &p->tasks[i];
        if (!t->taken || t->finished) continue;
        int more = snprintf(at + length, sizeof at - length, "%s%dx%d with %d (%.0f s)", length ? ", " : "; now ",
                            t->at.width, t->at.height, t->at.max_flood_count, cli_clock() - t->started);
        length += (size_t)more;
    }
    progress_tell(shown, (double)p->finished / GRIDS, "%d of %d grids%s", p->finished, GRIDS, at);
}

/* ---- the answer ---- */

static void print_cell(const result *r) {
    char text[16] = "survives";
    if (r->lower < BW_ISLAND_DAYS && r->upper == BW_ISLAND_DAYS) {
        snprintf(text, sizeof text, "%d or more", r->lower);
    } else if (r->lower < r->upper) {
        snprintf(text, sizeof text, "%d to %d", r->lower, r->upper);
    } else if (r->upper < BW_ISLAND_DAYS) {
        snprintf(text, sizeof text, "%d", r->upper);
    }
    printf(" %-8s |", text);
}

static void print_table(plan *p, int floods) {
    printf("%sUp to %d flood%s a night:\n\n| height \\ width |", floods > 1 ? "\n" : "", floods, floods > 1 ? "s" : "");
    for (int width = BW_ISLAND_SIDE_MIN; width <= BW_ISLAND_SIDE_MAX; width++) printf(" %-8d |", width);
    printf("\n|---------------:|");
    for (int width = BW_ISLAND_SIDE_MIN; width <= BW_ISLAND_SIDE_MAX; width++) printf("---------:|");
    putchar('\n');
    for (int height = BW_ISLAND_SIDE_MIN; height <= BW_ISLAND_SIDE_MAX; height++) {
        printf("| %-14d |", height);
        for (int width = BW_ISLAND_SIDE_MIN; width <= BW_ISLAND_SIDE_MAX; width++) {
            print_cell(&task_of(p, width, height, floods)->at);
        }
        putchar('\n');
    }
}

static void print_lines(plan *p) {
    results to = {.file = stdout, .schema = &result_schema};
    for (int floods = 1; floods <= BW_ISLAND_FLOODS_MAX; floods++) {
        for (int height = BW_ISLAND_SIDE_MIN; height <= BW_ISLAND_SIDE_MAX; height++) {
            for (int width = BW_ISLAND_SIDE_MIN; width <= BW_ISLAND_SIDE_MAX; width++) {
                result r = task_of(p, width, height, floods)->at;
                r.width = (uint8_t)width;
                r.height = (uint8_t)height;
                results_add(&to, &r);
            }
        }
    }
}

static int solve(plan *p, int64_t megabytes, int threads, const char *file, bool json) {
    if (!results_open(&p->file, file, &result_schema, enter, p)) return CLI_USAGE;
    pool workers = {.work = work, .tell = tell, .user = p};
    share(p);
    pool_run(&workers, threads);
    if (json) print_lines(p);
    for (int floods = 1; !json && floods <= BW_ISLAND_FLOODS_MAX; floods++) print_table(p, floods);
    if (!results_close(&p->file)) return cli_failed("%s could not be written: the results there are incomplete.", file);
    if (p->finished == GRIDS) return CLI_OK;
    if (!pool_ends(&workers)) {
        return cli_failed("cannot allocate %" PRId64 " MiB; use a smaller --memory.", megabytes);
    }
    return cli_failed("interrupted: %d of %d grids are finished%s.", p->finished, GRIDS,
                      file ? "; the same command continues from there" : "; with --file a later run can continue");
}

int cli_solve_islands(double seconds, int64_t megabytes, int64_t threads, const char *file, bool json) {
    plan *p = cli_memory(sizeof *p);
    lay_out(p);
    p->seconds = seconds;
    p->bytes = ((size_t)megabytes << 20) / (size_t)threads / 64 * 64;
    int status = solve(p, megabytes, (int)threads, file, json);
    free(p);
    return status;
}
