/* Work shared by several threads, with progress on stderr. Ctrl-C asks it to stop with what it has.
 *
 *   crew c = {.work = work, .tell = tell, .user = &plan};
 *   crew_run(&c, crew_size(wanted));
 *
 * `work` is called once on each thread, with the lock held. It takes the next task, releases c->lock while it works,
 * and returns, with the lock held, when no task is left or crew_ends. */
#ifndef BW_CLI_CREW_H
#define BW_CLI_CREW_H

#include "cli/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct crew {
    void (*work)(struct crew *c, void *user);
    void (*tell)(progress *shown, void *user); /* prints the progress; called with the lock held, when it is due */
    void *user;
    double seconds; /* seconds after which all are asked to stop; 0: no limit */
    pthread_mutex_t lock;
    atomic_bool ends;
    int working;
} crew;

/* Returns when all threads have ended. If the system refuses a thread, fewer work. */
void crew_run(crew *c, int threads);
void crew_end(crew *c); /* asks all to stop */
bool crew_ends(crew *c);

/* 0: the number of processors. */
enum { CREW_MAX = 256 };
int crew_size(int64_t wanted);

#endif
