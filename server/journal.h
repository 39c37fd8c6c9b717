/* The server's journal: rooms/journal.h, in one of two databases with threads of their own, or in memory.
 *
 *   journal_sqlite.c    a file beside the server: the default
 *   journal_postgres.c  a server of PostgreSQL: where the options' path is a postgresql:// address
 *   journal_memory.c    `:memory:`: nothing is durable
 *
 * A database commits in groups: whatever has gathered while the last commit ran is the next one, so that
 * a lone move costs one flush of the disk and a flood of them costs no more flushes than a few. While moves of several rooms
 * overlap, commits start three milliseconds apart at least, and up to six if few come: each takes more of them, and a move
 * costs less.
 *
 *   journal = bw_journal_open(&options, &problem);
 *   bw_journal_append(journal, &entry, owner);       // copies the entry, not its bytes
 *   bw_journal_load(journal, "K3VQ7T");              // reads what was appended before it, too
 *   in `wake` (called on the journal's threads, or in append and load): have the loop call bw_journal_dispatch soon
 *   bw_journal_dispatch(journal, &answers, user);    // on the loop: answers, in order
 *   bw_journal_close(journal);                       // what was appended is committed first
 *
 * A commit that fails stops the writer until dispatch has told `failed`: everything appended up to that
 * call and not committed is dropped, as rooms/journal.h promises. After that every new entry is a new attempt,
 * and the journal tries by itself once a second whether the database works again.
 *
 * All functions are for one thread, the loop's, except where `wake` says otherwise.
 * Limits: a database is used by one server at a time; the queue is bounded only by what the rooms give out,
 * who wait for completion. */
#ifndef BW_JOURNAL_SERVER_H
#define BW_JOURNAL_SERVER_H

#include "rooms/journal.h"
#include "server/histogram.h"
#include "server/log.h"
#include "server/stored.h"

typedef struct bw_journal bw_journal;

typedef struct bw_journal_options {
    const char *path;    /* of a file, or ":memory:", or a postgresql:// address */
    int64_t replay_days; /* 0: for ever */
    int64_t max_bytes;   /* of the database; 0: no limit */
    int64_t abandoned_ms;
    bool rests;          /* the loop calls bw_journal_rest after each turn: what it appended is written only then */
    int max_pages;       /* SQLite: 0: no limit; for tests */
    const char *node;    /* PostgreSQL: where other nodes reach this one; NULL: the only one */
    int64_t lease_ms;    /* PostgreSQL: after this much silence another server may take over; 0: 5 s */
    int64_t patience_ms; /* PostgreSQL: how long to wait for the database before pending entries are refused; 0: 4 s */
    const bw_log *log;
    void (*wake)(void *user);     /* from any thread */
    void (*release)(void *owner); /* releases an entry's owner, on the loop's thread; may be NULL */
    void *user;
} bw_journal_options;

/* The nodes whose leases run. */
enum { BW_PEERS_MAX = 64, BW_PEER_ADDRESS_MAX = 64 };
typedef struct bw_peers {
    char addresses[BW_PEERS_MAX][BW_PEER_ADDRESS_MAX];
    size_t count; /* BW_PEERS_MAX: perhaps there are more */
} bw_peers;

typedef struct bw_journal_answers {
    void (*committed)(void *user, uint64_t ticket);
    void (*failed)(void *user, uint64_t last_good, const char *reason, bool in_doubt); /* as bw_hall_journal_failed */
    void (*loaded)(void *user, const char *room, const bw_stored_room *stored, const char *failed);
    void (*replay)(void *user, uint64_t conn, const uint8_t *bytes, size_t length); /* NULL: none */
    void (*swept)(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count);
    /* Who has that room: NULL is this server (the room was free, or its owner is dead), else the address of a living
     * node. `failed`: a sentence that says why it could not be found out. May be NULL if nothing is claimed. */
    void (*claimed)(void *user, uint64_t conn, const char *owner, bool passed, const char *failed);
    /* Another server has taken over the database, or durable data is gone: the rooms in memory are invalid, and
     * nothing more is stored. May be NULL. */
    void (*lost)(void *user, const char *why);
    /* The same three may be NULL. A room was handed over, or not, as bw_hall_handed_over has it. */
    void (*handed)(void *user, const char *room);
    void (*peers)(void *user, const bw_peers *living); /* several times in a lease */
    void (*drain)(void *user);                         /* somebody wants this node to hand its rooms over, and to end */
} bw_journal_answers;

/* NULL: see `problem`. */
bw_journal *bw_journal_open(const bw_journal_options *options, bw_store_problem *problem);
void bw_journal_close(bw_journal *journal);

/* Takes ownership of `owner` (released when the entry is settled). false: out of memory; `failed` follows. */
void bw_journal_append(bw_journal *journal, const bw_entry *entry, void *owner);
/* false: out of memory. If the clock is ahead of the accepted time (age.h), a sweep's times are reduced by that. */
bool bw_journal_load(bw_journal *journal, const char *room);
bool bw_journal_read_replay(bw_journal *journal, const char *replay_id, uint64_t conn);
/* Only with other nodes: answers `claimed` with `conn` and `passed`. `creates`: a room that does not exist becomes
 * this node's, so that no other node creates it. */
bool bw_journal_claim(bw_journal *journal, const char *room, bool creates, bool passed, uint64_t conn);
/* Gives the room to another living node, behind all that was appended before; answers `handed`. */
bool bw_journal_hand_over(bw_journal *journal, const char *room, int64_t round_us);
bool bw_journal_sweep(bw_journal *journal, int64_t ended_before, int64_t unstarted_before);

/* After each turn of a loop that `rests`: what was appended in it may be written now. While moves overlap, it then waits
 * until it is time for the next commit, at most until `until` (of the monotonic clock, in seconds): whatever clients send
 * meanwhile would wait for that commit anyway, and comes in with one turn. true: something is to be
 * dispatched, and it did not wait any longer. */
bool bw_journal_rest(bw_journal *journal, double until);
void bw_journal_dispatch(bw_journal *journal, const bw_journal_answers *answers, void *user);

/* With other nodes: false once this one's lease is over by its own clock. What the rooms know may be old then. */
bool bw_journal_may_tell(bw_journal *journal);
/* How often the lease has been over so far. If the number is not what it was, this node was stopped or cut off for so long
 * that its clients may have gone to another one. */
uint64_t bw_journal_lapses(bw_journal *journal);

typedef struct bw_journal_figures {
    bw_histogram commits;
    uint64_t entries_total;
    uint64_t waiting; /* entries appended and not settled */
    uint64_t reads_waiting;
    bool failing;                         /* the last attempt to write failed */
    int64_t bytes;                        /* of the database, in use */
    bool full;                            /* over the limit, and nothing is left to delete */
    uint64_t nodes, owned, adopted_total; /* PostgreSQL: living nodes, own rooms, adopted rooms */
    uint64_t handed_total;                /* ... and rooms handed over */
    bool lost;                            /* `lost` was called, or will be */
    bool replicated;                      /* PostgreSQL: a commit is on two machines when it is acknowledged */
    bool detached;                        /* the database's file was replaced or is gone: new data would be lost */
} bw_journal_figures;
void bw_journal_figures_of(bw_journal *journal, bw_journal_figures *figures);

#endif
