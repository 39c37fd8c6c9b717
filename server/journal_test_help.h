/* Shared by the journal's tests: a journal in a folder of its own, which keeps its answers for the test. */
#ifndef BW_JOURNAL_TEST_HELP_H
#define BW_JOURNAL_TEST_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/journal.h"
#include "server/store.h"
#include "tests/support/folder.h"

/* ---- a small loop: a pipe that wake writes to ---- */

typedef struct fixture {
    char folder[64], path[96];
    char address[300]; /* of PostgreSQL; "": the database is the file */
    int pipe[2];
    int64_t replay_days, max_bytes;
    bool rests;
    const char *node; /* with other nodes; NULL: alone */
    int patience_ms, lease_ms;
    bw_journal *journal;
    bw_log log;
    uint64_t ticket; /* the last ticket */
    int released;    /* owners are the address of this field */
    uint64_t committed, last_good;
    int failures, answers; /* last reported */
    bool in_doubt;
    char reason[128], lost[128], owner[64];
    /* the last read */
    bool found;
    char failed[128];
    char bytes[4096];
    size_t length, snapshot_length;
    uint32_t first, count, snapshot_index;
    char swept[16][BW_ROOM_ID_MAX + 1];
    size_t swept_count;
} fixture;

static inline void on_wake(void *user) {
    fixture *f = user;
    ssize_t written = write(f->pipe[1], "", 1);
    (void)written;
}
static inline void on_release(void *owner) { ++*(int *)owner; }

static inline void on_committed(void *user, uint64_t ticket) { ((fixture *)user)->committed = ticket; }
static inline void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    fixture *f = user;
    f->in_doubt = in_doubt;
    f->failures++;
    f->last_good = last_good;
    snprintf(f->reason, sizeof f->reason, "%s", reason);
}
static inline void on_loaded(void *user, const char *room, const bw_stored_room *stored, const char *failed) {
    fixture *f = user;
    f->answers++;
    f->found = stored != NULL;
    snprintf(f->failed, sizeof f->failed, "%s", failed ? failed : "");
    f->length = f->count = f->first = f->snapshot_index = 0;
    f->snapshot_length = 0;
    f->bytes[0] = '\0';
    if (!stored) return;
    assert_string_equal(stored->room, room);
    f->snapshot_index = stored->snapshot_index;
    f->snapshot_length = stored->snapshot ? stored->snapshot_length : 0;
    f->count = (uint32_t)stored->record_count;
    f->first = f->count ? stored->records[0].index : 0;
    for (uint32_t i = 0; i < f->count; i++) {
        assert_int_equal(stored->records[i].index, f->first + i);
        if (stored->records[i].length > 0 && f->length + stored->records[i].length < sizeof f->bytes) {
            memcpy(f->bytes + f->length, stored->records[i].bytes, stored->records[i].length);
            f->length += stored->records[i].length;
        }
    }
    f->bytes[f->length] = '\0';
}
static inline void on_replay(void *user, uint64_t conn, const uint8_t *bytes, size_t length) {
    fixture *f = user;
    assert_int_equal(conn, 77);
    f->answers++;
    f->found = bytes != NULL;
    f->length = length < sizeof f->bytes ? length : sizeof f->bytes;
    if (bytes) memcpy(f->bytes, bytes, f->length);
}
static inline void on_swept(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    fixture *f = user;
    f->answers++;
    f->swept_count = count;
    for (size_t i = 0; i < count && i < 16; i++) memcpy(f->swept[i], rooms[i], sizeof f->swept[i]);
}
static inline void on_claimed(void *user, uint64_t conn, const char *owner, bool passed, const char *failed) {
    fixture *f = user;
    (void)conn, (void)passed;
    f->answers++;
    snprintf(f->owner, sizeof f->owner, "%s", owner ? owner : "");
    snprintf(f->failed, sizeof f->failed, "%s", failed ? failed : "");
}
static inline void on_handed(void *user, const char *room) {
    (void)room;
    ((fixture *)user)->answers++;
}
static inline void on_lost(void *user, const char *why) {
    fixture *f = user;
    snprintf(f->lost, sizeof f->lost, "%s", why);
}
static const bw_journal_answers answers = {.committed = on_committed,
                                           .failed = on_failed,
                                           .loaded = on_loaded,
                                           .replay = on_replay,
                                           .swept = on_swept,
                                           .claimed = on_claimed,
                                           .lost = on_lost,
                                           .handed = on_handed};

static inline void pump(fixture *f) {
    struct pollfd waiting = {.fd = f->pipe[0], .events = POLLIN};
    assert_int_equal(poll(&waiting, 1, 10000), 1); /* a journal that never answers fails the test */
    char drop[512];
    assert_true(read(f->pipe[0], drop, sizeof drop) > 0);
    bw_journal_dispatch(f->journal, &answers, f);
}

static inline void open_journal(fixture *f, int max_pages) {
    bw_store_problem problem;
    f->journal = bw_journal_open(&(bw_journal_options){.path = f->address[0] ? f->address : f->path,
                                                       .replay_days = f->replay_days,
                                                       .max_bytes = f->max_bytes,
                                                       .abandoned_ms = 1000,
                                                       .node = f->node,
                                                       .patience_ms = f->patience_ms,
                                                       .lease_ms = f->lease_ms,
                                                       .rests = f->rests,
                                                       .max_pages = max_pages,
                                                       .log = &f->log,
                                                       .wake = on_wake,
                                                       .release = on_release,
                                                       .user = f},
                                 &problem);
    if (!f->journal) fail_msg("%s", problem.text);
}

static inline void close_journal(fixture *f) {
    bw_journal_close(f->journal);
    f->journal = NULL;
}

/* In memory it stays open, or nothing would be left. */
static inline void reopen_journal(fixture *f) {
    if (strcmp(f->path, ":memory:") == 0) return;
    close_journal(f);
    f->committed = 0;
    open_journal(f, 0);
}

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->log.fd = -1;
    f->replay_days = 30;
    if (!make_folder(f->folder, sizeof f->folder, "journal") || pipe2(f->pipe, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
    snprintf(f->path, sizeof f->path, "%s/b.db", f->folder);
    *state = f;
    return 0;
}

static inline void drop_files(fixture *f) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", f->path, tails[i]);
        unlink(path);
    }
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    if (f->journal) close_journal(f);
    drop_files(f);
    rmdir(f->folder);
    close(f->pipe[0]);
    close(f->pipe[1]);
    free(f);
    return 0;
}

static inline uint64_t append(fixture *f, bw_entry_kind kind, const char *room, uint32_t index, char status,
                              int64_t changed_at, const char *text) {
    bw_entry entry = {.kind = kind,
                      .ticket = ++f->ticket,
                      .index = index,
                      .status = (uint8_t)status,
                      .changed_at = changed_at,
                      .bytes = (const uint8_t *)text,
                      .length = strlen(text)};
    if (kind == BW_ENTRY_REPLAY) snprintf(entry.replay_id, sizeof entry.replay_id, "%s", room);
    else snprintf(entry.room, sizeof entry.room, "%s", room);
    bw_journal_append(f->journal, &entry, &f->released);
    return entry.ticket;
}

static inline void settle(fixture *f) {
    while (f->committed < f->ticket && !f->failures) pump(f);
}

static inline void load(fixture *f, const char *room) {
    int before = f->answers;
    assert_true(bw_journal_load(f->journal, room));
    while (f->answers == before) pump(f);
}

static inline void read_replay(fixture *f, const char *id) {
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, id, 77));
    while (f->answers == before) pump(f);
}

/* What a server would find if it started after a crash now: only files with the right names count. */
static inline void load_after_a_crash(const fixture *f, const char *room, fixture *after) {
    char command[700];
    *after = (fixture){.log = f->log};
    memcpy(after->pipe, f->pipe, sizeof after->pipe);
    snprintf(after->path, sizeof after->path, "%s/copy.db", f->folder);
    snprintf(command, sizeof command, "cp %s %s && { ! test -e %s-wal || cp %s-wal %s-wal; }", f->path, after->path,
             f->path, f->path, after->path);
    assert_int_equal(system(command), 0);
    open_journal(after, 0);
    load(after, room);
    close_journal(after);
    drop_files(after);
}

static inline int set_up_in_memory(void **state) {
    if (set_up(state) != 0) return -1;
    fixture *f = *state;
    snprintf(f->path, sizeof f->path, ":memory:");
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define TEST_IN_MEMORY(name) cmocka_unit_test_setup_teardown(name, set_up_in_memory, tear_down)

#endif
