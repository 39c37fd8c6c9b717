/* One server that writes to PostgreSQL, as a machine without connection, thread or clock: what it asks the database
 * next, and what an answer means. journal_postgres.c carries it out; tests/sim does the same with a virtual database.
 *
 *   want = bw_node_next(&node, now, writes, reads);     // `now`: ms of a clock that runs on while the machine sleeps
 *   ...                                                 // do it
 *   bw_node_answered(&node, now, &answer);              // after a question to the database
 *
 * **A batch** has a number, which its transaction stores in this server's row. One that was not answered may be stored. It is
 * kept; a new connection begins with REJOIN, which says the number of the last batch stored; then it counts, or is sent
 * again. After `patience_ms` it is refused, and the refusal says that it may be stored.
 *
 * **REJOIN is a barrier** (postgres.h): nothing is read or written on a connection before it. What it shows is kept. So if
 * a later one shows less, the database has lost what it had confirmed, and this server is lost.
 *
 * **The lease** is renewed by whatever this server writes, and beside that once in a fifth of it. Storing does not rest on it: an old epoch
 * stores nothing, which is the fence. *Telling* rests on it, for what is in memory is old once another node has the
 * rooms. So this server counts from before it asked, by its own clock, and tells nothing after four fifths. It is not
 * renewed while the loop hangs, though the thread that renews goes on: the players of a hanging server are better off
 * with another one.
 *
 * **Who was away** from the database for that long sees the leases of all others over, too, if it was the database that
 * was away. So it takes nobody for dead until a whole lease later. */
#ifndef BW_NODE_H
#define BW_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "rooms/planted.h"

enum {
    BW_NODE_ADDRESS_MAX = 64,
    BW_ROOMS_AT_ONCE = 32 /* of which are given or taken in one transaction */
};

/* This server's row in the database. */
typedef struct bw_node_row {
    const char *address; /* where other nodes reach it; "" alone */
    int64_t holder;      /* random, for this process */
    int id;
    int64_t epoch;
    int64_t stored; /* the number of the last batch that is stored, as of the last (re)joining */
    int64_t lease_ms;
} bw_node_row;

typedef enum bw_outcome {
    BW_OUTCOME_DONE,
    BW_OUTCOME_REFUSED, /* an error was answered: nothing of it is stored, and the connection works */
    BW_OUTCOME_FENCED,  /* this server may not write any more: somebody else has taken over */
    BW_OUTCOME_UNKNOWN, /* no answer, or one that proves nothing: it may be stored. The connection is of no use any more. */
} bw_outcome;

/* What an answer proves. `whole`: it came, and the connection lives. `error`: one was answered, and the connection goes
 * on. `warned`: with a warning, as has a commit whose wait for the standby was cancelled. */
bw_outcome bw_outcome_of(bool whole, bool error, bool fenced, bool warned);

typedef enum bw_want {
    /* for the caller itself */
    BW_WANT_WAIT,      /* until `until`, or until there is more to write or read */
    BW_WANT_BATCH,     /* detach what is to be written next */
    BW_WANT_READING,   /* detach what is to be read next: bw_node_reads says what it is */
    BW_WANT_SETTLE,    /* see `verdict`; then bw_node_settled */
    BW_WANT_TELL_LOST, /* see `lost` */
    /* questions to the database */
    BW_WANT_CONNECT, /* a new connection; nothing more comes of the old one */
    BW_WANT_REJOIN,
    BW_WANT_RENEW,
    BW_WANT_STORE, /* the batch, as number `number` */
    BW_WANT_READ,  /* the reading, if it is no claim */
    BW_WANT_LOOK,  /* a claim: whose is the room? */
    BW_WANT_ADOPT, /* the room of `owner`, which is dead; as batch `number` */
    BW_WANT_TAKE, /* a room that is not there, or is this node's: unused for long, or just given; as batch `number`. Others that
                    * were just given and are waited for, too */
    BW_WANT_HAND,  /* the rooms of the reading, which are still this node's, to others; as batch `number` */
    BW_WANT_WEIGH, /* what is done now and then */
    BW_WANT_CLEAN,
    BW_WANT_END, /* of the journal (journal_node.h) */
} bw_want;

typedef struct bw_answer {
    bw_outcome outcome;
    const char *reason;                /* REFUSED: a sentence for players, static */
    bool more;                         /* WEIGH, CLEAN: at once again */
    bool found, mine, dead, unused;    /* LOOK */
    bool given;                        /* LOOK: another node has handed it over, and it was not taken yet */
    bool ended;                        /* LOOK: dead, and not only silent: its row has no holder */
    int owner;                         /* LOOK */
    char address[BW_NODE_ADDRESS_MAX]; /* LOOK: the owner's */
    bool adopted;                      /* ADOPT */
    bool drains;                       /* RENEW: somebody wants this node to hand its rooms over and end */
} bw_answer;                           /* REJOIN sets epoch and stored in the row itself */

typedef enum bw_verdict {
    BW_VERDICT_NONE,
    BW_VERDICT_STORED,
    BW_VERDICT_REFUSED, /* the batch; see `reason`, `in_doubt` */
    BW_VERDICT_READ,    /* it is there; of a claim see `address` */
    BW_VERDICT_UNREAD,  /* see `reason` */
} bw_verdict;

typedef enum bw_node_work { BW_WORK_NONE, BW_WORK_BATCH, BW_WORK_READING } bw_node_work;
typedef enum bw_node_link { BW_LINK_AWAY, BW_LINK_OPEN /* REJOIN comes first */, BW_LINK_HELD } bw_node_link;

typedef struct bw_node {
    bw_node_row row;
    int64_t patience_ms;
    bw_node_link link;
    bw_want asked; /* the last thing that was wanted */
    int64_t begun; /* ... and since when */
    int64_t until;
    int64_t batch, answered; /* numbers: the last one given, the last one known to be stored */
    int64_t told_until;      /* by its own clock */
    int64_t renew_at, retry_at, away_since, weigh_at, clean_at;
    bool failing; /* the last attempt to write failed, or the database is away for longer than patience */
    const char *lost;
    bool lost_told;
    bool drains;
    bool hangs;          /* the loop has not come round for a lease. The caller sets it */
    int64_t spare_until; /* until then nobody counts as dead because its lease is over */
    /* the work in hand */
    bw_node_work work;
    int64_t number;
    bool in_doubt;
    bool creates;
    bw_want step; /* of a reading */
    int tries, reads_left;
    int owner;
    bool adopted;
    char address[BW_NODE_ADDRESS_MAX];
    bw_verdict verdict;
    const char *reason;
} bw_node;

/* The row was just joined; `begun` is when that was asked. */
void bw_node_start(bw_node *node, const bw_node_row *row, int64_t patience_ms, int64_t begun);
/* `writes`, `reads`: there is something. */
bw_want bw_node_next(bw_node *node, int64_t now, bool writes, bool reads);
void bw_node_answered(bw_node *node, int64_t now, const bw_answer *answer);
/* What was detached for READING: READ, LOOK or HAND is the first step; `creates`: of LOOK. */
void bw_node_reads(bw_node *node, bw_want step, bool creates);
void bw_node_settled(bw_node *node);
/* Until when what is in memory may be told, by the same clock. INT64_MAX: always, for it is alone. */
int64_t bw_node_may_tell_until(const bw_node *node);

/* A room was claimed for a connection: it goes on here, or is passed on to its owner, or is refused. One that another node
 * has passed on goes no further: the room has just changed hands, and the client comes again. */
typedef enum bw_route { BW_ROUTE_HERE, BW_ROUTE_PASS, BW_ROUTE_REFUSE } bw_route;
bw_route bw_node_route(bool failed, bool others, bool passed);

#endif
