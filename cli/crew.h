/* Threads that have nothing of their own to do and help others with theirs.
 *
 *   crew_together(&c, work, job, most)   calls work(job, 0) here and work(job, i), i from 1 to most - 1, on threads that are
 *                                        free by then, each i once at most; returns when all have returned
 *   crew_help(&c)                        lends this thread until crew_close
 *
 * Whoever comes when the work is done finds nothing to do, so that nobody waits for a thread that the system has not
 * woken yet: `work` returns when no piece is left to be taken. */
#ifndef BW_CLI_CREW_H
#define BW_CLI_CREW_H

#include <pthread.h>
#include <stdbool.h>

typedef struct crew_offer crew_offer;

typedef struct crew {
    pthread_mutex_t lock;
    pthread_cond_t offered, left;
    crew_offer *offers; /* that want more threads */
    unsigned idle;
    bool closed;
} crew;

void crew_open(crew *c);
void crew_together(crew *c, void (*work)(void *job, unsigned worker), void *job, unsigned most);
void crew_help(crew *c);
void crew_close(crew *c); /* those who help go */
void crew_end(crew *c);   /* they are gone */

#endif
