/* The journal of `:memory:`: no file and no thread. Everything is done on the loop, within dispatch: what was appended is
 * stored, and the next read is answered. `max_bytes` limits it as it limits a file: the oldest replays go first, then
 * abandoned games; an eighth above it nothing more is stored.
 *
 * The whole is gone with the process. */
#include "rooms/journal_memory.h"

#include <stdlib.h>
#include <string.h>

#include "server/journal_private.h"

typedef struct memory_journal {
    bw_journal base;
    bw_memory_journal *stored;
} memory_journal;

/* `base` is the first member, so pointers can be converted both ways. */
static memory_journal *own(bw_journal *journal) { return (memory_journal *)(void *)journal; }

enum { DROPS = 1000 }; /* replays that one commit removes at most: the loop waits for it */

static void keep_within_bounds(memory_journal *j) {
    const bw_journal_options *options = &j->base.options;
    int64_t max = options->max_bytes;
    int left = DROPS;
    if (options->replay_days > 0) {
        int64_t now = bw_journal_believed_now(&j->base, bw_journal_wall_ms());
        int64_t before = now - options->replay_days * 86400000;
        while (left > 0 && bw_memory_journal_drop_replay(j->stored, before)) left--;
    }
    int64_t bytes = (int64_t)bw_memory_journal_bytes(j->stored);
    while (left-- > 0 && max > 0 && bytes > max && bw_memory_journal_drop_replay(j->stored, INT64_MAX)) {
        bytes = (int64_t)bw_memory_journal_bytes(j->stored);
    }
    j->base.figures.bytes = bytes;
    j->base.figures.full = max > 0 && bytes > max;
}

/* Deleting is never refused. */
static bool fits(const memory_journal *j, const bw_waiting *batch) {
    int64_t max = j->base.options.max_bytes;
    if (max <= 0 || j->base.figures.bytes <= max + max / 8) return true;
    for (; batch; batch = batch->next) {
        if (batch->entry.kind == BW_ENTRY_RECORD || batch->entry.kind == BW_ENTRY_REPLAY) return false;
    }
    return true;
}

static void commit(memory_journal *j) {
    uint64_t count, last;
    double started = bw_journal_seconds();
    bw_waiting_queue batch = bw_journal_take(&j->base, SIZE_MAX, started, &count, &last);
    if (!fits(j, batch.first)) {
        bw_journal_refused(&j->base, &batch, "The server's database is full.", false);
        return;
    }
    for (const bw_waiting *n = batch.first; n; n = n->next) bw_memory_journal_append(j->stored, &n->entry);
    bw_memory_journal_commit(j->stored, SIZE_MAX);
    keep_within_bounds(j);
    bw_journal_committed(&j->base, &batch, count, last, bw_journal_seconds() - started);
}

static void carry_out(memory_journal *j, bw_reading *r) {
    switch (r->kind) {
    case BW_READ_ROOM: {
        const bw_stored_room *room = bw_memory_journal_load(j->stored, r->id);
        r->found = room != NULL;
        if (room) r->loaded.room = *room; /* valid until the next read, which is answered after this one */
        break;
    }
    case BW_READ_REPLAY: {
        const uint8_t *bytes = bw_memory_journal_replay(j->stored, r->id, &r->length);
        r->bytes = bytes ? malloc(r->length + 1) : NULL;
        r->found = r->bytes != NULL;
        if (r->found && r->length) memcpy(r->bytes, bytes, r->length);
        break;
    }
    case BW_READ_SWEEP:
        r->rooms = calloc(BW_STORE_SWEEP_MAX, sizeof *r->rooms);
        if (!r->rooms) break;
        r->found = (int)bw_memory_journal_sweep(j->stored, r->ended_before, r->unstarted_before, r->rooms,
                                                BW_STORE_SWEEP_MAX - BW_JOURNAL_ABANDONED);
        if (r->abandoned_before) {
            r->found += (int)bw_memory_journal_abandoned(j->stored, r->abandoned_before, r->rooms + r->found,
                                                         BW_JOURNAL_ABANDONED);
        }
        break;
    case BW_READ_CLAIM:
    case BW_READ_HAND: break; /* it is alone */
    }
}

static void work(bw_journal *journal) {
    if (journal->waiting.first && !journal->failure) commit(own(journal));
    bw_reading *reading = bw_journal_next_read(journal);
    if (!reading) return;
    carry_out(own(journal), reading);
    bw_journal_answered(journal, reading);
    if (bw_journal_may_read(journal)) journal->options.wake(journal->options.user);
}

static bool open_memory(bw_journal *journal, bw_store_problem *problem) {
    (void)problem;
    bw_age_start(&journal->age, 0, bw_journal_wall_ms(), bw_journal_elapsed_ms());
    own(journal)->stored = bw_memory_journal_new();
    return own(journal)->stored != NULL;
}

static void close_memory(bw_journal *journal) { bw_memory_journal_free(own(journal)->stored); }

const bw_journal_engine bw_journal_in_memory = {
    .size = sizeof(memory_journal), .open = open_memory, .close = close_memory, .work = work};
