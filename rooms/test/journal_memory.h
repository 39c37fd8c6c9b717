/* The journal's twin in memory, for tests and the simulated universe: it stores what the durable one stores,
 * and fails on command.
 *
 * Entries are given in, complete when told to, and can be lost in every way in which a disk loses them:
 *
 *   bw_memory_journal_append(journal, &entry);               // copied; waits
 *   done = bw_memory_journal_commit(journal, count);         // the first `count` that wait are durable
 *   bw_memory_journal_crash(journal, torn);                  // those that wait are gone, but for the first `torn`
 *   bw_memory_journal_doubt(journal);                        // they were refused, and yet may come back in a crash
 *
 * `torn`: a write that was under way when the process died may have been stored whole batches at a time, without
 * anybody having been told. Where `full` or `broken` is set, commit stores nothing. */
#ifndef BW_JOURNAL_MEMORY_H
#define BW_JOURNAL_MEMORY_H

#include "rooms/journal.h"

typedef struct bw_memory_journal bw_memory_journal;

bw_memory_journal *bw_memory_journal_new(void);
void bw_memory_journal_free(bw_memory_journal *journal);

void bw_memory_journal_append(bw_memory_journal *journal, const bw_entry *entry);
size_t bw_memory_journal_waiting(const bw_memory_journal *journal);
/* Stores up to `count` waiting entries; returns the ticket of the last one, 0: none. */
uint64_t bw_memory_journal_commit(bw_memory_journal *journal, size_t count);
/* Drops what waits. */
void bw_memory_journal_drop(bw_memory_journal *journal);
void bw_memory_journal_crash(bw_memory_journal *journal, size_t torn);
/* What waits is in doubt (in place of what was): nothing of it is stored, until a crash shows that it was. The next
 * commit of anything settles it: it is gone. */
void bw_memory_journal_doubt(bw_memory_journal *journal);
size_t bw_memory_journal_doubtful(const bw_memory_journal *journal); /* entries */
/* After a crash: the first `count` of them are there. */
void bw_memory_journal_come_back(bw_memory_journal *journal, size_t count);

/* The stored room, or NULL. Valid until the next call. */
const bw_stored_room *bw_memory_journal_load(bw_memory_journal *journal, const char *room);
/* A kept replay, or NULL. */
const uint8_t *bw_memory_journal_replay(const bw_memory_journal *journal, const char *id, size_t *length);
/* Rooms to forget, as the sweep asks for them; at most `cap`. */
size_t bw_memory_journal_sweep(const bw_memory_journal *journal, int64_t ended_before, int64_t unstarted_before,
                               char (*rooms)[BW_ROOM_ID_MAX + 1], size_t cap);
size_t bw_memory_journal_rooms(const bw_memory_journal *journal);
size_t bw_memory_journal_replays(const bw_memory_journal *journal);
/* The i-th stored room's id, to walk over all. */
const char *bw_memory_journal_room_at(const bw_memory_journal *journal, size_t index);
/* How many entries did not fit what was stored before (an index out of order, a record of no room): 0, always. */
size_t bw_memory_journal_faults(const bw_memory_journal *journal);

#endif
