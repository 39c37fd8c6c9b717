/* boardwalk solve flooded_island --all: the value of every grid, 3x3 to 10x10, for one, two and three floods.
 *
 * WxH and HxW have the same value, so 36 grids stand for 64. Small grids come first: a larger grid is worth at least as
 * much as a smaller one inside it, and at most as much with more floods, so every result bounds others. Each grid is
 * solved on one thread, several grids at once. A file keeps a line for each grid that is finished, so that a later run
 * goes on from there. */
#include "bots/flooded_island/solve.h"
#include "cli/cli.h"
#include "cli/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    pthread_mutex_t lock; /* over everything here but `stop` */
    task tasks[GRIDS];
    int finished, working;
    double seconds; /* for each grid; 0: no limit */
    size_t bytes;   /* for each thread */
    FILE *file;
    bool failed; /* the file could not be written */
    atomic_bool stop;
} plan;

typedef struct worker {
    plan *plan;
    task *task;
    pthread_t thread;
} worker;

/* ---- what results say about each other ---- */

static bool exact(const task *t) { return t->at.lower == t->at.upper; }

/* Is every game on `small` one that the adventurer can have on `large`? */
static bool inside(const result *small, const result *large) {
    return small->max_flood_count >= large->max_flood_count && small->width <= large->width &&
           small->height <= large->height;
}

/* Also turned by a right angle: width <= height in all of them, so that nothing more comes of it. */
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

static void write_result(FILE *to, const result *r) {
    char text[256];
    bw_out out = bw_out_to(text, sizeof text);
    bw_encode(&out, &result_schema, r);
    fprintf(to, "%.*s\n", (int)out.length, text);
}

/* false: the line is no result. */
static bool read_result(plan *p, const char *line, size_t length, bw_complaint *complaint) {
    bw_token tokens[64];
    bw_doc doc;
    result r;
    if (bw_doc_parse(&doc, line, length, tokens, 64, 2, complaint) < 0 ||
        bw_decode(&result_schema, &doc, 0, &r, 0, NULL, complaint) != 0) {
        return false;
    }
    if (r.lower > r.upper) return bw_complain(complaint, "lower must not be larger than upper", NULL), false;
    result *known = &task_of(p, r.width, r.height, r.max_flood_count)->at;
    if (r.lower > known->upper || r.upper < known->lower) {
        return bw_complain(complaint, "the result contradicts an earlier one of the same grid", NULL), false;
    }
    if (r.lower > known->lower) known->lower = r.lower;
    if (r.upper < known->upper) known->upper = r.upper;
    if (r.milliseconds > known->milliseconds) known->milliseconds = r.milliseconds;
    return true;
}

/* Reads what an earlier run found. A last line without its end was cut off by a crash: the file ends before it. */
static bool read_file(plan *p, const char *path) {
    size_t length;
    if (access(path, F_OK) != 0) return true;
    char *text = cli_read(path, &length);
    if (!text) return false;
    bool good = true;
    int number = 1;
    for (char *at = text, *end; good && at < text + length; at = end + 1, number++) {
        end = memchr(at, '\n', length - (size_t)(at - text));
        if (!end) {
            good = truncate(path, at - text) == 0;
            if (!good) cli_wrong("%s cannot be written: %s.", path, strerror(errno));
            break;
        }
        bw_complaint complaint = {{0}};
        good = read_result(p, at, (size_t)(end - at), &complaint);
        if (!good) {
            cli_wrong("%s, line %d: %s. Name a file of results, or a new one.", path, number, complaint.text);
        }
    }
    free(text);
    return good;
}

static bool open_file(plan *p, const char *path) {
    if (!read_file(p, path)) return false;
    p->file = fopen(path, "a");
    if (!p->file) return cli_wrong("%s cannot be written: %s.", path, strerror(errno)), false;
    return true;
}

static void keep(plan *p, const task *t) {
    if (!p->file) return;
    write_result(p->file, &t->at);
    if (fflush(p->file) != 0 || fsync(fileno(p->file)) != 0) p->failed = true;
}

/* ---- work ---- */

static bool keep_going(void *user) {
    const worker *w = user;
    if (atomic_load(&w->plan->stop)) return false;
    return w->plan->seconds == 0 || cli_clock() - w->task->started < w->plan->seconds;
}

/* The next grid to work at; NULL: there is none. Called with the lock held. */
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

static void *work(void *argument) {
    worker *w = argument;
    plan *p = w->plan;
    void *memory = cli_map(p->bytes);
    pthread_mutex_lock(&p->lock);
    while (memory && !atomic_load(&p->stop) && (w->task = next_task(p)) != NULL) {
        bw_island_config config = {
            .width = w->task->at.width, .height = w->task->at.height, .max_flood_count = w->task->at.max_flood_count};
        bw_island_watch watch = {.keep_going = keep_going, .user = w, .at_least = w->task->at.lower};
        bw_island_value value;
        w->task->started = cli_clock();
        pthread_mutex_unlock(&p->lock);
        bw_island_solve(&config, memory, p->bytes, &watch, &value);
        pthread_mutex_lock(&p->lock);
        take_value(w->task, &value);
        share(p);
        if (exact(w->task) || !atomic_load(&p->stop)) {
            w->task->finished = true;
            p->finished++;
        }
        keep(p, w->task); /* an unfinished one too: its bounds */
        if (p->failed) atomic_store(&p->stop, true);
    }
    p->working--;
    pthread_mutex_unlock(&p->lock);
    cli_unmap(memory, p->bytes);
    return NULL;
}

static void tell(progress *shown, plan *p) {
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

static void run(plan *p, worker *workers, int threads) {
    progress shown = progress_begin();
    int started = 0;
    p->working = threads;
    for (; started < threads; started++) {
        workers[started].plan = p;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0) break;
    }
    pthread_mutex_lock(&p->lock);
    p->working -= threads - started;
    while (p->working > 0) {
        if (progress_interrupted()) atomic_store(&p->stop, true);
        if (progress_due(&shown)) tell(&shown, p);
        pthread_mutex_unlock(&p->lock);
        usleep(20000);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
    progress_end(&shown);
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
    for (int floods = 1; floods <= BW_ISLAND_FLOODS_MAX; floods++) {
        for (int height = BW_ISLAND_SIDE_MIN; height <= BW_ISLAND_SIDE_MAX; height++) {
            for (int width = BW_ISLAND_SIDE_MIN; width <= BW_ISLAND_SIDE_MAX; width++) {
                result r = task_of(p, width, height, floods)->at;
                r.width = (uint8_t)width;
                r.height = (uint8_t)height;
                write_result(stdout, &r);
            }
        }
    }
}

int cli_solve_islands(double seconds, int64_t megabytes, int64_t threads, const char *file, bool json) {
    plan *p = cli_memory(sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    lay_out(p);
    p->seconds = seconds;
    p->bytes = ((size_t)megabytes << 20) / (size_t)threads / 64 * 64;
    int status = CLI_OK;
    if (file && !open_file(p, file)) {
        status = CLI_USAGE;
    } else {
        share(p);
        worker *workers = cli_memory((size_t)threads * sizeof *workers);
        run(p, workers, (int)threads);
        free(workers);
        if (json) print_lines(p);
        else
            for (int floods = 1; floods <= BW_ISLAND_FLOODS_MAX; floods++) print_table(p, floods);
        if (p->file && fclose(p->file) != 0) p->failed = true;
        if (p->failed) {
            status = cli_failed("%s could not be written: the results there are not complete.", file);
        } else if (p->finished < GRIDS && atomic_load(&p->stop)) {
            status = cli_failed("interrupted: %d of %d grids are finished%s.", p->finished, GRIDS,
                                file ? "; the same command goes on from there" : "; with --file a later run goes on");
        } else if (p->finished < GRIDS) {
            status = cli_failed("there are no %" PRId64 " MiB of memory; give less with --memory.", megabytes);
        }
    }
    pthread_mutex_destroy(&p->lock);
    free(p);
    return status;
}
