/* The journal's queues (journal_private.h) and the machine that empties them into PostgreSQL (node.h), put together, still
 * without a thread or a connection: journal_postgres.c and tests/sim each carry out what it wants. Called with the mutex. */
#ifndef BW_JOURNAL_NODE_H
#define BW_JOURNAL_NODE_H

#include "server/journal_private.h"
#include "server/node.h"

typedef struct bw_node_journal {
    bw_journal base;
    bw_node node;
    bw_waiting_queue batch; /* detached: STORE */
    uint64_t batch_count, batch_last;
    int64_t batch_since;
    bw_reading *reading; /* detached: READ, LOOK, ADOPT, TAKE; HAND: a list of at most BW_ROOMS_AT_ONCE */
    char awaited[BW_ROOMS_AT_ONCE][BW_ROOM_ID_MAX + 1]; /* TAKE: rooms that are claimed next */
    int awaited_count;
    bool silent;   /* its lease is over, and the loop was woken for it */
    int64_t grown; /* bytes since the database was last weighed */
} bw_node_journal;

/* What is to be done: WAIT (until node.until), END, or a question to the database. `now` as in node.h; `seconds` as
 * bw_journal_seconds. */
bw_want bw_node_journal_next(bw_node_journal *journal, int64_t now, double seconds);
void bw_node_journal_answered(bw_node_journal *journal, int64_t now, const bw_answer *answer);

#endif
