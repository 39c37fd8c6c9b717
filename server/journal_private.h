/* Shared by the journals of both databases: queues between the loop and the journal's threads.
 *
 * journal.c has the loop's side, and what all writers do with a batch; journal_sqlite.c and journal_postgres.c have
 * the threads, journal_memory.c needs none. Each starts its own struct with a bw_journal. */
#ifndef BW_JOURNAL_PRIVATE_H
#define BW_JOURNAL_PRIVATE_H

#include <pthread.h>

#include "server/age.h"
#include "server/journal.h"

typedef struct bw_waiting {
    struct bw_waiting *next;
    bw_entry entry;
    void *owner;
} bw_waiting;

typedef struct bw_waiting_queue {
    bw_waiting *first, **last;
} bw_waiting_queue;

typedef enum bw_read_kind {
    BW_READ_ROOM,
    BW_READ_REPLAY,
    BW_READ_SWEEP,
    BW_READ_CLAIM,
    BW_READ_HAND /* a room to another node: it is no reading, but waits for what was appended before it as those do */
} bw_read_kind;

typedef struct bw_reading {
    struct bw_reading *next;
    bw_read_kind kind;
    uint64_t after; /* waits until this ticket is settled */
    char id[BW_REPLAY_ID_MAX + 1];
    uint64_t conn;
    bool creates, passed;
    char owner[64];
    int64_t round_us; /* HAND: as in hall.h */
    int64_t ended_before, unstarted_before, abandoned_before;
    /* the answer */
    int found; /* 1; 0: not found; -1: see `reason`; for a sweep the number of rooms */
    const char *reason;
    bw_loaded loaded;
    uint8_t *bytes;
    size_t length;
    char (*rooms)[BW_ROOM_ID_MAX + 1];
} bw_reading;

enum {
    BW_JOURNAL_BATCH_MAX = 8192, /* entries of a commit */
    BW_JOURNAL_ABANDONED = 256,  /* rooms listed in a sweep; there is one a minute */
};

typedef struct bw_journal_engine {
    size_t size;
    bool one_thread; /* the writer also reads */
    /* Opens the database and starts the threads. false: everything is closed again. */
    bool (*open)(bw_journal *journal, bw_store_problem *problem);
    /* `stopping` is set: waits for the threads to end and closes. */
    void (*close)(bw_journal *journal);
    /* NULL: threads write and read. Else it does so on the loop, in dispatch, with the mutex: all that was appended, and
     * one read. */
    void (*work)(bw_journal *journal);
} bw_journal_engine;

extern const bw_journal_engine bw_journal_sqlite, bw_journal_postgres, bw_journal_in_memory;

struct bw_journal {
    const bw_journal_engine *engine;
    bw_journal_options options;
    pthread_mutex_t mutex; /* guards all fields below */
    pthread_cond_t to_write, to_read, to_dispatch;
    bw_waiting_queue waiting, settled; /* settled: committed or refused; the loop releases them */
    bw_reading *reads, **reads_last, *answers, **answers_last;
    uint64_t appended, committed, told, settled_ticket;
    const char *failure; /* the writer waits until the loop has been told */
    bool failure_in_doubt;
    const char *lost; /* another server has taken over; told once */
    bool lost_told;
    bool writing; /* a batch is being written, and its result is unknown */
    int overlap;  /* of 1024: the share of recent entries that came while another room's was being written */
    char last_room[BW_ROOM_ID_MAX + 1]; /* of the last entry */
    double pace_at;                     /* no commit before this time while moves overlap */
    double taken_at;                    /* when the last batch was taken */
    double each;                        /* the time for an entry, of late */
    double rested_at;                   /* when a rest ended; 0: since then a batch was taken */
    double rest_until;                  /* until then the loop may rest; 0: it has, or may not */
    bool dozing;                        /* the writer waits for that time, and looks by itself then */
    bool unroused;      /* what a loop that rests has appended in this turn: the writer does not know of it */
    bool resting;       /* the loop waits in bw_journal_rest */
    bool news;          /* there is something to dispatch */
    int64_t tell_until; /* of bw_journal_elapsed_ms: what the rooms know may be old after it (node.h) */
    uint64_t lapses;    /* how often that was renewed after it had passed */
    bool failing, stopping;
    bool drains, drains_told; /* somebody wants this node to end */
    bw_peers peers;           /* as of the last renewal */
    bool peers_new;
    int64_t
        untold_since; /* of bw_journal_elapsed_ms: when a renewal woke the loop, which has not come since; 0: it has */
    bw_age age;
    bw_journal_figures figures;
};

/* Asks for something to be read, after what was appended by then. Called without the mutex; copies it. */
bool bw_journal_ask(bw_journal *journal, const bw_reading *what);
/* What journal.c itself begins and ends with, whatever the engine. */
bw_journal *bw_journal_new(const bw_journal_engine *engine, const bw_journal_options *options);
void bw_journal_free(bw_journal *journal);

/* For the journal's threads. All but the clocks are called with the mutex held. */

int64_t bw_journal_wall_ms(void);
int64_t bw_journal_elapsed_ms(void);
double bw_journal_seconds(void);

/* Detaches the front of the queue, which is not empty, at most `bytes` of it, so that it can be read without the
 * mutex. Sets `writing`. */
bw_waiting_queue bw_journal_take(bw_journal *journal, size_t bytes, double now, uint64_t *count, uint64_t *last_ticket);
/* May a batch be taken now? If moves overlap, it is better to wait until `until` (of bw_journal_seconds). */
bool bw_journal_may_commit(const bw_journal *journal, double now, double *wait_until);
/* For the writer: waits until a batch may be taken. false: it may now. What is appended meanwhile does not wake it. */
bool bw_journal_doze(bw_journal *journal, double now);
/* A batch is settled: committed after this many seconds, or refused with a reason. */
void bw_journal_committed(bw_journal *journal, bw_waiting_queue *batch, uint64_t count, uint64_t last_ticket,
                          double seconds);
void bw_journal_refused(bw_journal *journal, bw_waiting_queue *batch, const char *reason, bool in_doubt);
bool bw_journal_may_read(const bw_journal *journal);
/* Detaches the next read that may start; NULL: none. */
bw_reading *bw_journal_next_read(bw_journal *journal);
void bw_journal_answered(bw_journal *journal, bw_reading *reading);
/* The time for deciding what is old. */
int64_t bw_journal_believed_now(bw_journal *journal, int64_t wall);
/* For the writer: waits until then (of bw_journal_seconds), or until it is woken. */
void bw_journal_wait_until(bw_journal *journal, double when);

#endif
