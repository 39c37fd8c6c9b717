/* Threads on which bots and solvers run, so that the loop never does.
 *
 * A job's time budget starts when it is queued; keep_going stops a job that has waited too long. Turns go before
 * puzzles. The threads run at a lower priority than the loop (nice 10).
 *
 *   workers = bw_workers_open(&options);
 *   bw_workers_run(workers, &job, owner);
 *   in `wake` (called on their threads): have the loop call bw_workers_dispatch soon
 *
 * All functions are for the loop's thread. */
#ifndef BW_WORKERS_H
#define BW_WORKERS_H

#include "rooms/hall.h"

typedef struct bw_workers bw_workers;

typedef struct bw_workers_options {
    int threads; /* 0: the number of processors, at least 2 */
    void (*wake)(void *user);
    void *user;
} bw_workers_options;

bw_workers *bw_workers_open(const bw_workers_options *options); /* NULL: out of memory or threads */
/* Stops all jobs and waits for them. */
void bw_workers_close(bw_workers *workers);

/* Takes ownership of `owner` (which contains view and config), unless it returns false: out of memory. */
bool bw_workers_run(bw_workers *workers, const bw_bot_job *job, bw_bytes *owner);
void bw_workers_dispatch(bw_workers *workers,
                         void (*answered)(void *user, uint64_t work, const void *answer, uint32_t count), void *user);

typedef struct bw_workers_figures {
    uint64_t waiting, thinking;       /* of bots and solvers */
    uint64_t turns_total, late_total; /* of bots; late: over budget when answered */
} bw_workers_figures;
void bw_workers_figures_of(bw_workers *workers, bw_workers_figures *figures);

#endif
