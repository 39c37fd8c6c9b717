/* The journal in memory: it stores what the durable one stores, for a server without a database, and for tests and the
 * simulated universe, where it fails on request.
 *
 * Entries are appended, become durable on request, and can be lost in every way in which a disk loses them:
 *
 *   bw_memory_journal_append(journal, &entry);               // copied; pending
 *   done = bw_memory_journal_commit(journal, count);         // the first `count` pending entries are durable
 *   bw_memory_journal_crash(journal, torn);                  // pending entries are lost, except the first `torn`
 *   bw_memory_journal_doubt(journal);                        // they were refused, but may come back after a crash
 *
 * `torn`: a write that was in progress when the process died may have stored whole batches without a completion. If
 * `full` or `broken` is set, commit stores nothing. */
#ifndef BW_JOURNAL_MEMORY_H
#define BW_JOURNAL_MEMORY_H

#include "rooms/journal.h"

typedef struct bw_memory_journal bw_memory_journal;

bw_memory_journal *bw_memory_journal_new(void);
void bw_memory_journal_free(bw_memory_journal *journal);

void bw_memory_journal_append(bw_memory_journal *journal, const bw_entry *entry);
size_t bw_memory_journal_waiting(const bw_memory_journal *journal);
/* Stores up to `count` pending entries; returns the ticket of the last one; 0: none. */
uint64_t bw_memory_journal_commit(bw_memory_journal *journal, size_t count);
/* Drops the pending entries. */
void bw_memory_journal_drop(bw_memory_journal *journal);
void bw_memory_journal_crash(bw_memory_journal *journal, size_t torn);
/* Pending entries become doubtful (replacing the previous ones): they are not stored unless a crash shows that they
 * were. The next commit of anything resolves the doubt: they are lost. */
void bw_memory_journal_doubt(bw_memory_journal *journal);
size_t bw_memory_journal_doubtful(const bw_memory_journal *journal); /* entries */
/* After a crash: the first `count` doubtful entries are stored. */
void bw_memory_journal_come_back(bw_memory_journal *journal, size_t count);

/* The stored room, or NULL. Valid until the next call. */
const bw_stored_room *bw_memory_journal_load(bw_memory_journal *journal, const char *room);
/* A stored replay, or NULL. */
const uint8_t *bw_memory_journal_replay(const bw_memory_journal *journal, const char *id, size_t *length);
/* Removes the oldest replay if it was made before that. false: there is none. */
bool bw_memory_journal_drop_replay(bw_memory_journal *journal, int64_t before);
/* Rooms to forget, as the sweep requests them; at most `cap`. If there are many rooms, each call looks at the next part of
 * them. */
size_t bw_memory_journal_sweep(bw_memory_journal *journal, int64_t ended_before, int64_t unstarted_before,
                               char (*rooms)[BW_ROOM_ID_MAX + 1], size_t cap);
/* The same for unfinished games that nobody has played since. */
size_t bw_memory_journal_abandoned(bw_memory_journal *journal, int64_t before, char (*rooms)[BW_ROOM_ID_MAX + 1],
                                   size_t cap);
uint64_t bw_memory_journal_bytes(const bw_memory_journal *journal); /* of memory, in all */
size_t bw_memory_journal_rooms(const bw_memory_journal *journal);
size_t bw_memory_journal_replays(const bw_memory_journal *journal);
/* The i-th stored room's id, to iterate over all. */
const char *bw_memory_journal_room_at(const bw_memory_journal *journal, size_t index);
/* How many entries did not fit what was stored (an index out of order, a record without a room): always 0. */
size_t bw_memory_journal_faults(const bw_memory_journal *journal);

#endif
