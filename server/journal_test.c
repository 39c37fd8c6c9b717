/* The journal on disk: what is told durable is there, in order, whatever happens to disk and process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/journal_sqlite.h"

/* ---- a loop in small: a pipe that wake writes to ---- */

typedef struct fixture {
    char folder[64], path[96];
    int pipe[2];
    bw_journal *journal;
    bw_log log;
    uint64_t ticket;       /* last given out */
    uint64_t committed, last_good;
    int failures, answers; /* told */
    bool in_doubt;
    char reason[128];
    /* the last read */
    bool found;
    char failed[128];
    char bytes[4096];
    size_t length, snapshot_length;
    uint32_t first, count, snapshot_index;
    char swept[16][BW_ROOM_ID_MAX + 1];
    size_t swept_count;
    int released;
} fixture;

static void on_wake(void *user) {
    fixture *f = user;
    ssize_t written = write(f->pipe[1], "", 1);
    (void)written;
}
static int released; /* owners are the address of this */
static void on_release(void *owner) { ++*(int *)owner; }

static void on_committed(void *user, uint64_t ticket) { ((fixture *)user)->committed = ticket; }
static void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    fixture *f = user;
    f->in_doubt = in_doubt;
    f->failures++;
    f->last_good = last_good;
    snprintf(f->reason, sizeof f->reason, "%s", reason);
}
static void on_loaded(void *user, const char *room, const bw_stored_room *stored, const char *failed) {
    fixture *f = user;
    f->answers++;
    f->found = stored != NULL;
    snprintf(f->failed, sizeof f->failed, "%s", failed ? failed : "");
    f->length = f->count = f->first = f->snapshot_index = 0;
    f->snapshot_length = 0;
    f->bytes[0] = '\0';
    if (!stored)
        return;
    assert_string_equal(stored->room, room);
    f->snapshot_index = stored->snapshot_index;
    f->snapshot_length = stored->snapshot ? stored->snapshot_length : 0;
    f->count = (uint32_t)stored->record_count;
    f->first = f->count ? stored->records[0].index : 0;
    for (uint32_t i = 0; i < f->count; i++) {
        assert_int_equal(stored->records[i].index, f->first + i);
        if (f->length + stored->records[i].length < sizeof f->bytes) {
            memcpy(f->bytes + f->length, stored->records[i].bytes, stored->records[i].length);
            f->length += stored->records[i].length;
        }
    }
    f->bytes[f->length] = '\0';
}
static void on_replay(void *user, uint64_t conn, const uint8_t *bytes, size_t length) {
    fixture *f = user;
    assert_int_equal(conn, 77);
    f->answers++;
    f->found = bytes != NULL;
    f->length = length < sizeof f->bytes ? length : sizeof f->bytes;
    if (bytes)
        memcpy(f->bytes, bytes, f->length);
}
static void on_swept(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    fixture *f = user;
    f->answers++;
    f->swept_count = count;
    for (size_t i = 0; i < count && i < 16; i++)
        memcpy(f->swept[i], rooms[i], sizeof f->swept[i]);
}
static const bw_journal_answers answers = {on_committed, on_failed, on_loaded, on_replay, on_swept};

static void pump(fixture *f) {
    struct pollfd waiting = {.fd = f->pipe[0], .events = POLLIN};
    assert_int_equal(poll(&waiting, 1, 10000), 1); /* a journal that never answers fails the test */
    char drop[512];
    assert_true(read(f->pipe[0], drop, sizeof drop) > 0);
    bw_journal_dispatch(f->journal, &answers, f);
}

static void open_journal(fixture *f, int max_pages) {
    bw_store_problem problem;
    f->journal = bw_journal_open(
        &(bw_journal_options){
            .path = f->path, .replay_days = 30, .max_pages = max_pages, .log = &f->log, .wake = on_wake, .release = on_release, .user = f},
        &problem);
    if (!f->journal)
        fail_msg("%s", problem.text);
}

static void close_journal(fixture *f) {
    bw_journal_close(f->journal);
    f->journal = NULL;
}

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/boardwalk-journal-XXXXXX");
    f->log.fd = -1;
    released = 0;
    if (!mkdtemp(f->folder) || pipe2(f->pipe, O_NONBLOCK | O_CLOEXEC) != 0)
        return -1;
    snprintf(f->path, sizeof f->path, "%s/b.db", f->folder);
    *state = f;
    return 0;
}

static void drop_files(fixture *f) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", f->path, tails[i]);
        unlink(path);
    }
}

static int tear_down(void **state) {
    fixture *f = *state;
    if (f->journal)
        close_journal(f);
    drop_files(f);
    rmdir(f->folder);
    close(f->pipe[0]);
    close(f->pipe[1]);
    free(f);
    return 0;
}

static uint64_t append(fixture *f, bw_entry_kind kind, const char *room, uint32_t index, char status,
                       int64_t changed_at, const char *text) {
    bw_entry entry = {.kind = kind,
                      .ticket = ++f->ticket,
                      .index = index,
                      .status = (uint8_t)status,
                      .changed_at = changed_at,
                      .bytes = (const uint8_t *)text,
                      .length = strlen(text)};
    if (kind == BW_ENTRY_REPLAY)
        snprintf(entry.replay_id, sizeof entry.replay_id, "%s", room);
    else
        snprintf(entry.room, sizeof entry.room, "%s", room);
    bw_journal_append(f->journal, &entry, &released);
    return entry.ticket;
}

static void settle(fixture *f) {
    while (f->committed < f->ticket && !f->failures)
        pump(f);
}

static void load(fixture *f, const char *room) {
    int before = f->answers;
    assert_true(bw_journal_load(f->journal, room));
    while (f->answers == before)
        pump(f);
}

/* ---- tests ---- */

static void test_round_trip_of(fixture *f) {
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', 10, "one,");
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'w', 11, "other");
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 12, "two,");
    append(f, BW_ENTRY_RECORD, "AAAA", 3, 'a', 13, "");
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 14, "four");
    load(f, "AAAA"); /* reads what was appended before it, committed or not yet */
    assert_true(f->found);
    assert_string_equal(f->bytes, "one,two,four");
    assert_int_equal(f->count, 4);
    assert_int_equal(f->snapshot_length, 0);
    load(f, "CCCC");
    assert_false(f->found);
    assert_string_equal(f->failed, "");

    append(f, BW_ENTRY_SNAPSHOT, "AAAA", 3, 'a', 15, "snap");
    load(f, "AAAA");
    assert_int_equal(f->snapshot_length, 4);
    assert_int_equal(f->snapshot_index, 3);
    assert_int_equal(f->first, 4);
    assert_string_equal(f->bytes, "four");

    append(f, BW_ENTRY_FORGET, "AAAA", 0, 'a', 16, "");
    load(f, "AAAA");
    assert_false(f->found);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', 17, "anew");
    load(f, "AAAA");
    assert_string_equal(f->bytes, "anew");
    settle(f);
    assert_int_equal(released, (int)f->ticket);
}

static void test_round_trip(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    test_round_trip_of(f);
    close_journal(f);
    f->committed = 0;
    open_journal(f, 0); /* another process later */
    load(f, "AAAA");
    assert_string_equal(f->bytes, "anew");
    load(f, "BBBB");
    assert_string_equal(f->bytes, "other");
}

static void test_in_memory(void **state) {
    fixture *f = *state;
    snprintf(f->path, sizeof f->path, ":memory:");
    open_journal(f, 0);
    test_round_trip_of(f);
}

static void test_replays(void **state) {
    fixture *f = *state;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t today = now.tv_sec * 1000, day = 86400000;
    open_journal(f, 0);
    append(f, BW_ENTRY_REPLAY, "young", 0, 'e', today - 29 * day, "game");
    append(f, BW_ENTRY_REPLAY, "young", 0, 'e', today - 29 * day, "game again");
    append(f, BW_ENTRY_REPLAY, "old", 0, 'e', today - 31 * day, "long ago");
    settle(f);
    close_journal(f);
    open_journal(f, 0); /* old ones go when it starts */
    append(f, BW_ENTRY_TOUCH, "none", 0, 'w', 1, "");
    settle(f);
    bool old = true;
    for (int i = 0; i < 100 && old; i++) {
        int before = f->answers;
        assert_true(bw_journal_read_replay(f->journal, "old", 77));
        while (f->answers == before)
            pump(f);
        old = f->found;
        if (old)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_false(old);
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, "young", 77));
    while (f->answers == before)
        pump(f);
    assert_true(f->found);
    assert_int_equal(f->length, 10);
    assert_memory_equal(f->bytes, "game again", 10);
}

static bool was_swept(const fixture *f, const char *room) {
    for (size_t i = 0; i < f->swept_count; i++)
        if (strcmp(f->swept[i], room) == 0)
            return true;
    return false;
}

static void test_sweep(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "WAIT", 1, 'w', 100, "x");
    append(f, BW_ENTRY_RECORD, "CONF", 1, 'c', 100, "x");
    append(f, BW_ENTRY_RECORD, "LATE", 1, 'w', 900, "x");
    append(f, BW_ENTRY_RECORD, "PLAY", 1, 'a', 100, "x");
    append(f, BW_ENTRY_RECORD, "OVER", 1, 'a', 100, "x");
    append(f, BW_ENTRY_RECORD, "OVER", 2, 'e', 300, "x");
    append(f, BW_ENTRY_RECORD, "NEW", 1, 'e', 600, "x");
    append(f, BW_ENTRY_RECORD, "BACK", 1, 'w', 100, "x");
    append(f, BW_ENTRY_TOUCH, "BACK", 0, 'w', 950, "");
    assert_true(bw_journal_sweep(f->journal, 500, 800));
    while (f->answers == 0)
        pump(f);
    assert_int_equal(f->swept_count, 3);
    assert_true(was_swept(f, "WAIT") && was_swept(f, "CONF") && was_swept(f, "OVER"));
}

/* A disk that fills up: refused with a reason, reads go on, and it recovers. */
static void test_full(void **state) {
    fixture *f = *state;
    static char large[4000];
    memset(large, 'x', sizeof large - 1);
    open_journal(f, 40); /* pages */
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "kept");
    settle(f);
    uint64_t good = f->ticket;
    uint32_t index = 2;
    while (!f->failures) {
        append(f, BW_ENTRY_RECORD, "AAAA", index++, 'a', 2, large);
        settle(f);
        if (!f->failures)
            good = f->ticket;
        assert_true(index < 100);
    }
    assert_string_equal(f->reason, "The server's disk is full.");
    assert_int_equal(f->last_good, good);
    assert_int_equal(released, (int)f->ticket); /* the dropped ones, too */
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.waiting, 0);

    load(f, "AAAA");
    assert_int_equal(f->count, index - 2); /* all but the refused one */
    f->failures = 0;
    append(f, BW_ENTRY_FORGET, "AAAA", 0, 'a', 3, ""); /* room again */
    settle(f);
    assert_int_equal(f->failures, 0);
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'a', 4, large);
    settle(f);
    assert_int_equal(f->failures, 0);
    bw_journal_figures_of(f->journal, &figures);
    assert_false(figures.failing);
}

/* The same by the system's own limit on the size of files. */
static void test_file_limit(void **state) {
    fixture *f = *state;
    signal(SIGXFSZ, SIG_IGN);
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "kept");
    settle(f);
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100 * 1024;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    static char large[4000];
    memset(large, 'x', sizeof large - 1);
    uint32_t index = 2;
    while (!f->failures && index < 200) {
        append(f, BW_ENTRY_RECORD, "AAAA", index++, 'a', 2, large);
        settle(f);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(f->failures, 1);
    assert_string_equal(f->reason, "The server's disk is full.");
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", index - 1, 'a', 3, "after"); /* the refused number again */
    settle(f);
    assert_int_equal(f->failures, 0);
    load(f, "AAAA");
    assert_int_equal(f->count, index - 1);
}

/* Another program holds the database: a reason, and recovery by itself. */
static void test_locked(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "kept");
    settle(f);
    sqlite3 *other;
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    sqlite3_busy_timeout(other, 5000); /* the journal's thread may still be at its own work */
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 2, "refused");
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_string_equal(f->reason, "The server's database is locked by another program.");
    load(f, "AAAA"); /* reads go on */
    assert_string_equal(f->bytes, "kept");
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    bw_journal_figures figures;
    for (int i = 0; i < 100; i++) { /* the journal finds out by itself */
        bw_journal_figures_of(f->journal, &figures);
        if (!figures.failing)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    assert_false(figures.failing);
}

/* ---- a disk that writes and cannot flush ---- */

/* The write-ahead log's own functions, with a flush and a write that fail on command. */
static struct {
    sqlite3_vfs vfs, *real;
    sqlite3_io_methods methods;
    const sqlite3_io_methods *own;
    atomic_int fail_flushes;    /* how many more */
    atomic_bool fail_writes;    /* from the next failing flush on */
    atomic_bool writes_fail;
} bad_disk;

static int bad_sync(sqlite3_file *file, int flags) {
    if (bad_disk.fail_flushes == 0)
        return bad_disk.own->xSync(file, flags);
    bad_disk.fail_flushes--;
    bad_disk.writes_fail = bad_disk.fail_writes;
    return SQLITE_IOERR_FSYNC;
}
static int bad_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset) {
    return bad_disk.writes_fail ? SQLITE_IOERR_WRITE : bad_disk.own->xWrite(file, bytes, amount, offset);
}
static int bad_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    int code = bad_disk.real->xOpen(bad_disk.real, name, file, flags, out);
    if (code == SQLITE_OK && flags & SQLITE_OPEN_WAL) {
        bad_disk.own = file->pMethods;
        bad_disk.methods = *file->pMethods;
        bad_disk.methods.xSync = bad_sync;
        bad_disk.methods.xWrite = bad_write;
        file->pMethods = &bad_disk.methods;
    }
    return code;
}

/* What a server would find that starts after a crash in this moment. */
static void load_after_a_crash(const fixture *f, const char *room, fixture *after) {
    char command[500];
    *after = (fixture){.log = f->log};
    memcpy(after->pipe, f->pipe, sizeof after->pipe);
    snprintf(after->path, sizeof after->path, "%s/copy.db", f->folder);
    snprintf(command, sizeof command, "cp %s %s && cp %s-wal %s-wal", f->path, after->path, f->path, after->path);
    assert_int_equal(system(command), 0);
    open_journal(after, 0);
    load(after, room);
    close_journal(after);
    drop_files(after);
}

static void refuse(fixture *f, const char *text) {
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 2, text);
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_string_equal(f->reason, "The server's disk does not work.");
    load(f, "AAAA");
    assert_string_equal(f->bytes, "kept,");
}

static void test_flush_fails(void **state) {
    fixture *f = *state, after;
    bad_disk.real = sqlite3_vfs_find(NULL);
    bad_disk.vfs = *bad_disk.real;
    bad_disk.vfs.zName = "bad disk";
    bad_disk.vfs.xOpen = bad_open;
    assert_int_equal(sqlite3_vfs_register(&bad_disk.vfs, 1), SQLITE_OK);
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "kept,");
    settle(f);
    /* One flush fails: what was refused is written over at once, and gone whatever happens. */
    bad_disk.fail_flushes = 1;
    refuse(f, "refused");
    assert_false(f->in_doubt);
    sqlite3_vfs_unregister(&bad_disk.vfs); /* the copy's disk is a good one */
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, "kept,");
    /* The disk fails and stays bad: what was refused comes back in a crash, and the refusal had said so. */
    bad_disk.fail_writes = true;
    bad_disk.fail_flushes = 1;
    refuse(f, "in doubt");
    assert_true(f->in_doubt);
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, "kept,in doubt");
    refuse(f, "in doubt"); /* and as long as nothing can be written, every refusal does */
    assert_true(f->in_doubt);
    /* It works again: whatever is stored next settles it. */
    bad_disk.fail_writes = bad_disk.writes_fail = false;
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 2, "new");
    settle(f);
    assert_int_equal(f->failures, 0);
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, "kept,new");
    bad_disk.fail_flushes = 1;
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", 3, 'a', 3, "refused");
    settle(f);
    assert_false(f->in_doubt);
}

static bool refuses_to_open(fixture *f, const char *expected) {
    bw_store_problem problem = {{0}};
    bw_journal *journal = bw_journal_open(
        &(bw_journal_options){.path = f->path, .log = &f->log, .wake = on_wake, .release = on_release, .user = f}, &problem);
    if (journal) {
        bw_journal_close(journal);
        print_error("it opened\n");
        return false;
    }
    if (!strstr(problem.text, expected) || !strstr(problem.text, f->path)) {
        print_error("%s\n", problem.text);
        return false;
    }
    return true;
}

static void test_second_server(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    assert_true(refuses_to_open(f, "in use by another Boardwalk server"));
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "still works");
    settle(f);
    assert_int_equal(f->failures, 0);
}

static void write_file(const char *path, const void *bytes, size_t length, long at) {
    FILE *file = fopen(path, at ? "r+" : "w");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void test_bad_files(void **state) {
    fixture *f = *state;
    static const char text[] = "Dear diary, this is a text file and no database at all. It is long enough, though, "
                               "to be mistaken for one by somebody who looks at its size alone.";
    write_file(f->path, text, sizeof text, 0);
    assert_true(refuses_to_open(f, "is damaged, or no database at all"));
    drop_files(f);

    sqlite3 *other;
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "CREATE TABLE bookmarks (url TEXT)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_true(refuses_to_open(f, "is the database of another program"));
    drop_files(f);

    open_journal(f, 0);
    close_journal(f);
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "PRAGMA user_version = 999", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_true(refuses_to_open(f, "was written by a newer Boardwalk (schema 999"));
    drop_files(f);

    char folder[64];
    memcpy(folder, f->path, sizeof folder);
    snprintf(f->path, sizeof f->path, "%s/none/b.db", f->folder);
    assert_true(refuses_to_open(f, "its folder does not exist"));
    snprintf(f->path, sizeof f->path, "%s", f->folder);
    assert_true(refuses_to_open(f, "it is a folder"));
    memcpy(f->path, folder, sizeof folder);
}

/* Pages overwritten in the middle: opening or reading says so; nothing crashes, nothing is made up. */
static void test_damaged_pages(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    static char text[2000];
    memset(text, 'y', sizeof text - 1);
    for (uint32_t i = 1; i <= 50; i++)
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', 1, text);
    settle(f);
    close_journal(f);
    struct stat before;
    assert_int_equal(stat(f->path, &before), 0);
    unsigned char noise[4096];
    memset(noise, 0xd5, sizeof noise);
    for (long page = 12; page < before.st_size / 4096; page++)
        write_file(f->path, noise, sizeof noise, page * 4096);
    bw_store_problem problem = {{0}};
    f->journal = bw_journal_open(
        &(bw_journal_options){.path = f->path, .log = &f->log, .wake = on_wake, .release = on_release, .user = f}, &problem);
    if (!f->journal) {
        assert_non_null(strstr(problem.text, "damaged"));
        return;
    }
    load(f, "AAAA");
    assert_false(f->found);
    assert_string_equal(f->failed, "The server's database is damaged.");
}

/* As nobody, in a folder that nobody may write. (Root may write anything.) */
static void test_read_only(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    close_journal(f);
    chmod(f->path, 0444);
    chmod(f->folder, 0555);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(3);
        _exit(refuses_to_open(f, "read-only") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    chmod(f->folder, 0700);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Killed while it writes, again and again: what was told committed is there, whole and in order, and of
 * what was not told a prefix. */
static void test_kills(void **state) {
    fixture *f = *state;
    uint32_t stored = 0;
    for (int round = 0; round < 12; round++) {
        int tell[2];
        assert_int_equal(pipe(tell), 0);
        pid_t child = fork();
        if (child == 0) {
            close(tell[0]);
            open_journal(f, 0);
            for (uint32_t index = stored + 1;; index++) {
                static char texts[16][32]; /* at most 7 are under way */
                char *text = texts[index % 16];
                snprintf(text, sizeof texts[0], "%u,", index);
                append(f, BW_ENTRY_RECORD, "AAAA", index, 'a', index, text);
                if (f->ticket % 7 == 0)
                    settle(f); /* each ticket is an index more than what was stored */
                if (f->failures) {
                    print_error("%s\n", f->reason);
                    _exit(1);
                }
                uint32_t seen = stored + (uint32_t)f->committed;
                if (write(tell[1], &seen, sizeof seen) != sizeof seen)
                    _exit(1);
            }
        }
        close(tell[1]);
        uint32_t seen = stored, told;
        int wanted = 20 + round * 37;
        for (int i = 0; i < wanted && read(tell[0], &told, sizeof told) == sizeof told; i++)
            seen = told;
        kill(child, SIGKILL);
        while (read(tell[0], &told, sizeof told) == sizeof told)
            seen = told; /* what it had said before it died */
        close(tell[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));

        f->committed = f->ticket = 0;
        open_journal(f, 0);
        load(f, "AAAA"); /* on_loaded checks that the numbers have no gap */
        if (f->count < seen)
            fail_msg("round %d: %u were told, %u are there", round, seen, f->count);
        stored = f->count;
        assert_true(stored == 0 || f->first == 1);
        close_journal(f);
    }
    assert_true(stored > 100);
}

/* Opening does not read what is stored. */
static void test_many_rooms(void **state) {
    fixture *f = *state;
    enum { ROOMS = 100000 };
    open_journal(f, 0);
    for (uint32_t i = 0; i < ROOMS; i++) {
        char room[BW_ROOM_ID_MAX + 1];
        snprintf(room, sizeof room, "R%07u", i);
        append(f, BW_ENTRY_RECORD, room, 1, 'a', i, "a record of some forty bytes, as they come");
    }
    settle(f);
    close_journal(f);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    open_journal(f, 0);
    load(f, "R0050000");
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_int_equal(f->count, 1);
    double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) * 1e-6;
    print_message("open with %d rooms and read one: %.1f ms\n", ROOMS, ms);
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.entries_total, 0); /* nothing was written or rebuilt on the way */
}

static void test_migration(void **state) {
    fixture *f = *state;
    static const bw_migration steps[] = {{"CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (5);"},
                                         {"ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;"},
                                         {"CREATE TABLE b (z INTEGER); SELECT nonsense FROM nowhere;"}};
    sqlite3 *db;
    bw_store_problem problem;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(bw_store_migrate(db, steps, 1, f->path, &problem), SQLITE_OK);
    assert_int_equal(bw_store_migrate(db, steps, 2, f->path, &problem), SQLITE_OK);
    assert_int_equal(bw_store_migrate(db, steps, 2, f->path, &problem), SQLITE_OK); /* nothing to do */
    /* A step that fails leaves the version before it, whole. */
    assert_int_not_equal(bw_store_migrate(db, steps, 3, f->path, &problem), SQLITE_OK);
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT y, (SELECT count(*) FROM sqlite_schema WHERE name = 'b'),"
                                            " (SELECT user_version FROM pragma_user_version) FROM a", -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(query, 0), 6);
    assert_int_equal(sqlite3_column_int(query, 1), 0);
    assert_int_equal(sqlite3_column_int(query, 2), 2);
    sqlite3_finalize(query);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* As docs/OPERATING.md says: VACUUM INTO beside a running server. */
static void test_backup_while_running(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    for (uint32_t i = 1; i <= 200; i++)
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', i, "move,");
    settle(f);
    char copy[128], command[300];
    snprintf(copy, sizeof copy, "%s/copy.db", f->folder);
    snprintf(command, sizeof command, "VACUUM INTO '%s'", copy);
    for (uint32_t i = 201; i <= 2000; i++)
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', i, "move,");
    sqlite3 *other;
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    sqlite3_busy_timeout(other, 5000);
    assert_int_equal(sqlite3_exec(other, command, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    settle(f);
    assert_int_equal(f->failures, 0);
    close_journal(f);
    drop_files(f);
    assert_int_equal(rename(copy, f->path), 0);
    f->committed = 0;
    open_journal(f, 0);
    load(f, "AAAA");
    assert_in_range(f->count, 200, 2000); /* without a gap: on_loaded looks */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip), TEST(test_in_memory),     TEST(test_replays),   TEST(test_sweep), TEST(test_full),
        TEST(test_file_limit), TEST(test_locked), TEST(test_flush_fails),       TEST(test_second_server), TEST(test_bad_files),
        TEST(test_damaged_pages), TEST(test_read_only),  TEST(test_kills),     TEST(test_many_rooms),
        TEST(test_migration),  TEST(test_backup_while_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
