/* Work shared by several threads, with progress on stderr. Ctrl-C asks it to stop with what it has.
 *
 *   pool p = {.work = work, .tell = tell, .user = &plan};
 *   pool_run(&p, pool_size(wanted));
 *
 * `work` is called once on each thread, with the lock held. It takes the next task, releases p->lock while it works,
 * and returns, with the lock held, when no task is left or pool_ends. */
#ifndef BW_CLI_POOL_H
#define BW_CLI_POOL_H

#include "cli/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct pool {
    void (*work)(struct pool *p, void *user);
    void (*tell)(progress *shown, void *user); /* prints the progress; called with the lock held, when it is due */
    void *user;
    double seconds; /* seconds after which all are asked to stop; 0: no limit */
    pthread_mutex_t lock;
    atomic_bool ends;
    int working;
} pool;

/* Returns when all threads have ended. If the system refuses a thread, fewer work. */
void pool_run(pool *p, int threads);
void pool_end(pool *p); /* asks all to stop */
bool pool_ends(pool *p);

/* 0: the number of processors. */
enum { POOL_MAX = 256 };
int pool_size(int64_t wanted);

#endif
