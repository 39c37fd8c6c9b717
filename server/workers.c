#include "server/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/clock.h"

enum { THREADS_MAX = 64, NICENESS = 10, ARENA_ALIGNMENT = 64 };

typedef struct job {
    struct job *next;
    bw_bot_job asked;
    bw_bytes *owner;
    int64_t deadline_ms; /* monotonic */
    uint32_t count;
    _Alignas(max_align_t) unsigned char answer[]; /* bw_bot_job_answer_bytes */
} job;

typedef struct queue {
    job *first, **last;
} queue;

struct bw_workers {
    bw_workers_options options;
    pthread_t threads[THREADS_MAX];
    int thread_count;
    pthread_mutex_t mutex; /* guards all fields below */
    pthread_cond_t work;
    queue turns, puzzles, done; /* puzzles wait until no turn is waiting */
    bool stopping;
    bw_workers_figures figures;
};

typedef struct arena {
    void *memory;
    size_t bytes;
    const void *holds;
} arena;

/* Kept by a thread between its jobs. */
typedef struct worker {
    bw_workers *workers;
    arena shared, kept; /* kept: for bots that use again what they left in it, so that nobody else writes to it */
    int64_t deadline_ms;
} worker;

static void put(queue *q, job *j) {
    j->next = NULL;
    *q->last = j;
    q->last = &j->next;
}

/* NULL: it is empty. */
static job *take(queue *q) {
    job *j = q->first;
    if (j) q->first = j->next;
    if (!q->first) q->last = &q->first;
    return j;
}

static bool keep_going(void *user) {
    worker *d = user;
    if (bw_mono_ms() >= d->deadline_ms) return false;
    pthread_mutex_lock(&d->workers->mutex);
    bool stopping = d->workers->stopping;
    pthread_mutex_unlock(&d->workers->mutex);
    return !stopping;
}

static bool make_room(arena *a, size_t bytes) {
    if (bytes <= a->bytes) return true;
    free(a->memory);
    a->holds = NULL;
    a->bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    a->memory = aligned_alloc(ARENA_ALIGNMENT, a->bytes);
    if (!a->memory) a->bytes = 0;
    return a->memory != NULL;
}

static void run_job(worker *d, job *j) {
    const bw_bot_job *t = &j->asked;
    arena *a = t->bot && t->bot->keeps ? &d->kept : &d->shared;
    if (!make_room(a, bw_bot_job_arena_bytes(t))) return; /* no answer: the hall does something else */
    d->deadline_ms = j->deadline_ms;
    bw_thinking thinking = {.seed = t->seed,
                            .effort = 100,
                            .keep_going = keep_going,
                            .user = d,
                            .arena = a->memory,
                            .arena_bytes = a->bytes,
                            .holds = t->bot && t->bot->keeps ? &a->holds : NULL};
    j->count = bw_bot_job_run(t, &thinking, j->answer);
}

static void *run(void *argument) {
    worker d = {.workers = argument};
    bw_workers *w = argument;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS); /* of this thread alone, on Linux */
    pthread_mutex_lock(&w->mutex);
    while (!w->stopping) {
        job *j = take(&w->turns);
        if (!j) j = take(&w->puzzles);
        if (!j) {
            pthread_cond_wait(&w->work, &w->mutex);
            continue;
        }
        w->figures.waiting--;
        w->figures.thinking++;
        pthread_mutex_unlock(&w->mutex);
        run_job(&d, j);
        bool late = bw_mono_ms() > j->deadline_ms;
        pthread_mutex_lock(&w->mutex);
        w->figures.thinking--;
        w->figures.turns_total += j->asked.bot != NULL;
        w->figures.late_total += j->asked.bot && late;
        put(&w->done, j);
        w->options.wake(w->options.user);
    }
    pthread_mutex_unlock(&w->mutex);
    free(d.shared.memory);
    free(d.kept.memory);
    return NULL;
}

bw_workers *bw_workers_open(const bw_workers_options *options) {
    bw_workers *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->options = *options;
    w->turns.last = &w->turns.first;
    w->puzzles.last = &w->puzzles.first;
    w->done.last = &w->done.first;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, NULL);
    long threads = options->threads ? options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads < 2 && !options->threads ? 2 : threads > THREADS_MAX ? THREADS_MAX : threads;
    for (; w->thread_count < threads; w->thread_count++) {
        if (pthread_create(&w->threads[w->thread_count], NULL, run, w) != 0) break;
    }
    if (w->thread_count > 0) return w;
    bw_workers_close(w);
    return NULL;
}

static void free_jobs(job *j) {
    for (job *next; j; j = next) {
        next = j->next;
        bw_bytes_release(j->owner);
        free(j);
    }
}

void bw_workers_close(bw_workers *w) {
    if (!w) return;
    pthread_mutex_lock(&w->mutex);
    w->stopping = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->mutex);
    for (int i = 0; i < w->thread_count; i++) pthread_join(w->threads[i], NULL);
    free_jobs(w->turns.first);
    free_jobs(w->puzzles.first);
    free_jobs(w->done.first);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

bool bw_workers_run(bw_workers *w, const bw_bot_job *what, bw_bytes *owner) {
    job *j = malloc(sizeof *j + bw_bot_job_answer_bytes(what));
    if (!j) return false;
    *j = (job){.asked = *what, .owner = owner, .deadline_ms = bw_mono_ms() + what->budget_ms};
    pthread_mutex_lock(&w->mutex);
    put(what->bot ? &w->turns : &w->puzzles, j);
    w->figures.waiting++;
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->mutex);
    return true;
}

void bw_workers_dispatch(bw_workers *w, void (*answered)(void *user, uint64_t work, const void *answer, uint32_t count),
                         void *user) {
    pthread_mutex_lock(&w->mutex);
    job *done = w->done.first;
    w->done = (queue){.last = &w->done.first};
    pthread_mutex_unlock(&w->mutex);
    for (const job *j = done; j; j = j->next) answered(user, j->asked.work, j->answer, j->count);
    free_jobs(done);
}

void bw_workers_figures_of(bw_workers *w, bw_workers_figures *figures) {
    pthread_mutex_lock(&w->mutex);
    *figures = w->figures;
    pthread_mutex_unlock(&w->mutex);
}
