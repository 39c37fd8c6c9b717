/* The journal on a disk that is full, that another program has locked, or that writes and cannot flush: what is
 * refused, and what happens to it. */
#include "server/journal_test_help.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

/* A disk that fills up: writes are refused with a reason, reads still work, and it recovers. */
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
        if (!f->failures) good = f->ticket;
        assert_true(index < 100);
    }
    assert_string_equal(f->reason, "The server's disk is full.");
    assert_int_equal(f->last_good, good);
    assert_int_equal(f->released, (int)f->ticket); /* the dropped ones, too */
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.waiting, 0);

    load(f, "AAAA");
    assert_int_equal(f->count, index - 2); /* all but the refused one */
    f->failures = 0;
    append(f, BW_ENTRY_FORGET, "AAAA", 0, 'a', 3, ""); /* there is space again */
    settle(f);
    assert_int_equal(f->failures, 0);
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'a', 4, large);
    settle(f);
    assert_int_equal(f->failures, 0);
    bw_journal_figures_of(f->journal, &figures);
    assert_false(figures.failing);
}

/* The same with the system's own limit on file sizes. */
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

/* Another program has locked the database: a reason, and recovery by itself. */
static void test_locked(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "kept");
    settle(f);
    sqlite3 *other;
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    sqlite3_busy_timeout(other, 5000); /* the journal's thread may still be busy */
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 2, "refused");
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_string_equal(f->reason, "The server's database is locked by another program.");
    load(f, "AAAA"); /* reads still work */
    assert_string_equal(f->bytes, "kept");
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    bw_journal_figures figures;
    for (int i = 0; i < 600; i++) { /* the journal notices by itself */
        bw_journal_figures_of(f->journal, &figures);
        if (!figures.failing) break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    assert_false(figures.failing);
}

/* ---- a disk that writes and cannot flush ---- */

/* The functions of the write-ahead log's file, with flushes and writes that fail on command. */
static struct {
    sqlite3_vfs vfs, *real;
    sqlite3_io_methods methods;
    const sqlite3_io_methods *own;
    atomic_int fail_flushes; /* how many more succeed */
    atomic_bool fail_writes; /* from the next failing flush on */
    atomic_bool writes_fail;
} bad_disk;

static int bad_sync(sqlite3_file *file, int flags) {
    if (bad_disk.fail_flushes == 0) return bad_disk.own->xSync(file, flags);
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

static void refuse(fixture *f, const char *text) {
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 2, text);
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_string_equal(f->reason, "The server's disk is failing.");
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
    /* One flush fails: what was refused is overwritten at once, so it is gone for good. */
    bad_disk.fail_flushes = 1;
    refuse(f, "refused");
    assert_false(f->in_doubt);
    sqlite3_vfs_unregister(&bad_disk.vfs); /* the copy's disk works */
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, "kept,");
    /* The disk keeps failing: what was refused comes back after a crash, and the refusal said that it might. */
    bad_disk.fail_writes = true;
    bad_disk.fail_flushes = 1;
    refuse(f, "in doubt");
    assert_true(f->in_doubt);
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, "kept,in doubt");
    refuse(f, "in doubt"); /* while nothing can be written, every refusal is in doubt */
    assert_true(f->in_doubt);
    /* It works again: the next commit settles it. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_full),
        TEST(test_file_limit),
        TEST(test_locked),
        TEST(test_flush_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
