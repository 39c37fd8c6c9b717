/* The durable journal: rooms/journal.h on SQLite, with one writer thread and one reader thread.
 *
 * The writer commits in groups: whatever has gathered while the last commit ran is the next one, so that
 * a lone move costs one flush of the disk and a flood of them costs no more flushes than a few. While moves overlap,
 * commits start three milliseconds apart at least: each takes more of them, and a move costs less.
 *
 *   journal = bw_journal_open(&options, &problem);
 *   bw_journal_append(journal, &entry, owner);       // copies the entry, not its bytes
 *   bw_journal_load(journal, "K3VQ7T");              // reads what was appended before it, too
 *   in `wake` (called on the journal's threads): have the loop call bw_journal_dispatch soon
 *   bw_journal_dispatch(journal, &answers, user);    // on the loop: answers, in order
 *   bw_journal_close(journal);                       // what was appended is committed first
 *
 * A commit that fails stops the writer until dispatch has told `failed`: everything appended up to that
 * call and not committed is dropped, as journal.h promises. After that every new entry is a new attempt,
 * and the journal tries by itself once a second whether the disk works again.
 *
 * A COMMIT that could not be flushed lies whole in the write-ahead log: this process does not see it any more,
 * but after a crash it would be read. The next commit is written over it. So after such a failure the writer
 * commits something that means nothing at once; where that works, what failed is gone for good. Where it does
 * not, `failed` is told in doubt, and so is every later failure until a commit has worked.
 *
 * The names of the files are watched (before each commit, and a few times a second): the next start opens what
 * has the name, not what this process holds open.
 *   - The log or its index was removed or replaced: its content is copied into the database, and both connections
 *     open it anew. Nothing is lost, and nobody notices.
 *   - The database was removed, moved away or replaced: what is in the log is copied into the file that is still
 *     open, so that an operator can copy it from /proc; entries are refused (`detached`) until the file is back.
 *
 * `max_bytes` bounds the database. Beyond it the oldest replays go first; where there are none left, games under way
 * that nobody has visited for `abandoned_ms` (the sweep lists them, and the hall forgets those that are not in memory);
 * where there are none of those either, the database is `full`: the hall makes no new rooms, and games that are under
 * way have an eighth more to be played in, behind which writing fails as on a full disk.
 *
 * All functions are for one thread, the loop's, except where `wake` says otherwise.
 * Limits: a database is used by one server at a time (a lock on the file); the queue is bounded only by
 * what the rooms give out, who wait for completion. */
#ifndef BW_JOURNAL_SQLITE_H
#define BW_JOURNAL_SQLITE_H

#include "rooms/journal.h"
#include "server/histogram.h"
#include "server/log.h"
#include "server/store.h"

typedef struct bw_journal bw_journal;

typedef struct bw_journal_options {
    const char *path;    /* or ":memory:" */
    int64_t replay_days; /* 0: for ever */
    int64_t max_bytes;   /* of the database; 0: no limit */
    int64_t abandoned_ms;
    int max_pages; /* 0: no limit; for tests */
    const bw_log *log;
    void (*wake)(void *user);     /* from other threads */
    void (*release)(void *owner); /* of an entry, on the loop's thread; may be NULL */
    void *user;
} bw_journal_options;

typedef struct bw_journal_answers {
    void (*committed)(void *user, uint64_t ticket);
    void (*failed)(void *user, uint64_t last_good, const char *reason, bool in_doubt); /* as bw_hall_journal_failed */
    void (*loaded)(void *user, const char *room, const bw_stored_room *stored, const char *failed);
    void (*replay)(void *user, uint64_t conn, const uint8_t *bytes, size_t length); /* NULL: none */
    void (*swept)(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count);
} bw_journal_answers;

/* NULL: see the problem. */
bw_journal *bw_journal_open(const bw_journal_options *options, bw_store_problem *problem);
void bw_journal_close(bw_journal *journal);

/* Takes `owner` over (released when the entry is settled). false: out of memory, and then `failed` follows. */
void bw_journal_append(bw_journal *journal, const bw_entry *entry, void *owner);
/* false: out of memory. A sweep's times are taken back by what the clock is ahead of what is believed (age.h). */
bool bw_journal_load(bw_journal *journal, const char *room);
bool bw_journal_read_replay(bw_journal *journal, const char *replay_id, uint64_t conn);
bool bw_journal_sweep(bw_journal *journal, int64_t ended_before, int64_t unstarted_before);

void bw_journal_dispatch(bw_journal *journal, const bw_journal_answers *answers, void *user);

typedef struct bw_journal_figures {
    bw_histogram commits;
    uint64_t entries_total;
    uint64_t waiting; /* appended and not settled */
    uint64_t reads_waiting;
    bool failing;  /* the last attempt to write failed */
    int64_t bytes; /* of the database, in use */
    bool full;     /* more than allowed, and nothing is left that may go */
    bool detached; /* the database's name leads to another file, or to none: what is stored would be lost */
} bw_journal_figures;
void bw_journal_figures_of(bw_journal *journal, bw_journal_figures *figures);

#endif
