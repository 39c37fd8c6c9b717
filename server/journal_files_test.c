/* Somebody removes, moves or replaces a file of the database while the server runs. The process would then write to
 * files that the next start does not find. So each test checks what a start after a crash would find under the
 * files' names. */
#include "server/journal_test_help.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* Normally the wait ends within half a second; under an instrument, on a busy machine, within 20. */
enum { WAITS = 400, WAIT_NS = 50000000 };

static void sh(const fixture *f, const char *format) {
    char command[900];
    const char *p = f->path;
    snprintf(command, sizeof command, format, p, p, p, p, p, p);
    assert_int_equal(system(command), 0);
}

/* Waits for the journal to notice by itself, which it does a few times per second. */
static bool notices(fixture *f, bool detached) {
    for (int i = 0; i < WAITS; i++) {
        bw_journal_figures figures;
        bw_journal_figures_of(f->journal, &figures);
        if (figures.detached == detached) return true;
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
    return false;
}

static void record(fixture *f, uint32_t index, const char *text) {
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", index, 'a', index, text);
    settle(f);
}

static void expect_after_a_crash(const fixture *f, const char *bytes) {
    fixture after;
    load_after_a_crash(f, "AAAA", &after);
    assert_string_equal(after.bytes, bytes);
}

/* How often the journal has logged that it rewrote the write-ahead log. */
static int rewritten(const fixture *f) {
    static char said[1 << 16];
    ssize_t length = pread(f->log.fd, said, sizeof said - 1, 0);
    int count = 0;
    assert_true(length >= 0 && length < (ssize_t)sizeof said - 1);
    said[length] = '\0';
    for (const char *at = said; (at = strstr(at, "database_log_rewritten")); at++) count++;
    return count;
}

/* The write-ahead log, its index, or both: removed, moved, emptied in another file, replaced by rubbish or by a log
 * that was right a moment ago. Nothing is refused or lost, whether a commit notices it or not. */
static void test_logs(void **state) {
    fixture *f = *state;
    static const char *const ways[] = {
        "rm %s-wal",
        "rm %s-shm",
        "rm %s-wal %s-shm",
        "mv %s-wal %s-gone",
        "cp %s-wal %s-old && rm %s-wal && mv %s-old %s-wal",
        "rm %s-wal && head -c 5000 /dev/urandom > %s-wal",
        "rm %s-wal && : > %s-wal",
        "rm %s-wal && mkdir %s-wal && rmdir %s-wal",
    };
    char expected[256] = "";
    uint32_t index = 0;
    f->log.fd = memfd_create("log", 0);
    assert_true(f->log.fd >= 0);
    open_journal(f, 0);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char text[3][8];
        for (int k = 0; k < 3; k++) {
            snprintf(text[k], sizeof text[k], "%zu%c,", i, 'a' + k);
            strcat(expected, text[k]);
        }
        record(f, ++index, text[0]);
        sh(f, ways[i]);
        record(f, ++index, text[1]); /* at once */
        assert_int_equal(f->failures, 0);
        load(f, "AAAA");
        assert_memory_equal(f->bytes, expected, f->length);
        record(f, ++index, text[2]);
        assert_int_equal(f->failures, 0);
        expect_after_a_crash(f, expected);

        if (i % 3 != 0) continue; /* each wait costs time */
        int before = rewritten(f);
        sh(f, ways[i]); /* and without any moves */
        for (int k = 0; k < WAITS && rewritten(f) == before; k++) {
            nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
        }
        expect_after_a_crash(f, expected);
        bw_journal_figures figures;
        bw_journal_figures_of(f->journal, &figures);
        assert_false(figures.detached || figures.failing);
    }
    sh(f, "rm -f %s-gone %s-old");
    close_journal(f);
    expect_after_a_crash(f, expected);
    close(f->log.fd);
    f->log.fd = -1;
}

/* The log emptied or cut in place: its content is in no other file. From then on nothing is acknowledged, whether a
 * commit notices it or not, and the next start finds the complete database as it was before. */
static void test_log_cut(void **state) {
    fixture *f = *state;
    static const char *const ways[] = {": > %s-wal", "truncate -s 100 %s-wal", "truncate -s -1 %s-wal"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (int waits = 0; waits < 2; waits++) {
            open_journal(f, 0);
            record(f, 1, "kept,");
            close_journal(f);
            open_journal(f, 0);
            record(f, 2, "lost with the log,");
            if (waits) nanosleep(&(struct timespec){.tv_nsec = 10 * WAIT_NS}, NULL);
            record(f, 3, "as well,");
            sh(f, ways[i]);
            if (waits) assert_true(notices(f, true));
            for (int again = 0; again < 2; again++) {
                record(f, 4, "refused");
                assert_int_equal(f->failures, 1);
                assert_non_null(strstr(f->reason, "was emptied while the server ran"));
            }
            assert_true(notices(f, true));
            close_journal(f);
            fixture after;
            load_after_a_crash(f, "AAAA", &after);
            assert_memory_equal(after.bytes, "kept,", 5); /* and the complete part of the log */
            sh(f, "rm -f %s %s-wal %s-shm");
        }
    }
}

/* The log is taken away and put back, at every moment of the repair that this causes: also between opening the new
 * log and checking its name. After one more move, everything acknowledged is where the next start looks. */
static void test_put_back_while_repairing(void **state) {
    fixture *f = *state;
    char expected[4096] = "", text[16], wal[200], away[200];
    uint32_t index = 0;
    open_journal(f, 0);
    snprintf(wal, sizeof wal, "%s-wal", f->path);
    snprintf(away, sizeof away, "%s-away", f->path);
    for (int round = 0; round < 60; round++) {
        if (rename(wal, away) != 0) continue;
        pid_t other = fork();
        assert_true(other >= 0);
        if (other == 0) {
            nanosleep(&(struct timespec){.tv_nsec = round % 60 * 100000}, NULL);
            _exit(rename(away, wal) != 0);
        }
        for (int more = 0; more < 2; more++) {
            snprintf(text, sizeof text, "%d%c,", round, 'a' + more);
            strcat(expected, text);
            record(f, ++index, text);
            if (more == 0) assert_int_equal(waitpid(other, NULL, 0), other);
        }
        if (round % 4 == 3) expect_after_a_crash(f, expected);
    }
    assert_int_equal(f->failures, 0);
    expect_after_a_crash(f, expected);
}

/* The database itself: nothing is acknowledged that the next start would not find. */
static void test_database(void **state) {
    fixture *f = *state;
    static const char *const ways[] = {
        "rm %s",
        "mv %s %s-away",
        "cp %s %s-copy && mv %s %s-away && mv %s-copy %s",
        "mv %s %s-away && : > %s",
        "mv %s %s-away && mkdir %s",
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (int waits = 0; waits < 2; waits++) {
            open_journal(f, 0);
            record(f, 1, "kept,");
            sh(f, ways[i]);
            if (waits) assert_true(notices(f, true)); /* also by itself */
            record(f, 2, "refused");
            assert_int_equal(f->failures, 1);
            assert_false(f->in_doubt);
            assert_non_null(strstr(f->reason, "was removed or replaced while the server ran"));
            assert_true(notices(f, true));
            load(f, "AAAA"); /* reading goes on */
            assert_string_equal(f->bytes, "kept,");
            record(f, 2, "refused");
            assert_int_equal(f->failures, 1);
            close_journal(f);
            f->failures = 0;
            f->committed = f->ticket = 0;
            sh(f, "rm -rf %s %s-*");
        }
    }
}

/* It comes back: the game goes on with everything acknowledged before, even if a foreign log is beside it. */
static void test_back(void **state) {
    fixture *f = *state;
    static const char *const ways[] = {"mv %s %s-away", "mv %s %s-away && rm %s-wal && printf theirs > %s-wal"};
    char expected[64] = "kept,";
    open_journal(f, 0);
    record(f, 1, "kept,");
    for (uint32_t i = 0; i < 2; i++) {
        const char *text = i ? "two," : "one,";
        sh(f, ways[i]);
        record(f, 2 + i, "refused");
        assert_int_equal(f->failures, 1);
        sh(f, "mv %s-away %s");
        assert_true(notices(f, false));
        load(f, "AAAA");
        assert_string_equal(f->bytes, expected);
        record(f, 2 + i, text);
        assert_int_equal(f->failures, 0);
        strcat(expected, text);
        expect_after_a_crash(f, expected);
    }
}

/* What an operator can still save: the complete database, from the file that the server holds open. Files that
 * belong to the new database's own server are left alone at the end. */
static void test_rescue(void **state) {
    fixture *f = *state;
    char copied[400];
    struct stat about;
    open_journal(f, 0);
    record(f, 1, "kept,");
    sh(f, "rm %s");
    assert_true(notices(f, true));
    snprintf(copied, sizeof copied,
             "for fd in /proc/%d/fd/*; do case $(readlink $fd) in *'b.db (deleted)') cp $fd %s; break;; esac; done",
             (int)getpid(), f->path);
    assert_int_equal(system(copied), 0);
    sh(f, "printf theirs > %s-wal; printf theirs > %s-shm");
    close_journal(f);
    assert_int_equal(stat(f->path, &about), 0);
    sh(f, "test \"$(cat %s-wal)\" = theirs && test \"$(cat %s-shm)\" = theirs && rm %s-wal %s-shm");
    expect_after_a_crash(f, "kept,");
}

/* The log's file is made longer now and then, not by each commit; what is ahead of use does no harm after a crash. */
static void test_log_grows_in_steps(void **state) {
    fixture *f = *state, after;
    enum { MOVES = 300 };
    char log[128];
    struct stat about;
    off_t size = 0;
    int grown = 0;
    open_journal(f, 0);
    snprintf(log, sizeof log, "%s-wal", f->path);
    for (uint32_t i = 1; i <= MOVES; i++) {
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', i, "move,");
        settle(f);
        assert_int_equal(stat(log, &about), 0);
        grown += about.st_size != size;
        size = about.st_size;
    }
    assert_in_range(grown, 2, MOVES / 4);
    load_after_a_crash(f, "AAAA", &after);
    assert_int_equal(after.count, MOVES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_logs), TEST(test_log_cut), TEST(test_put_back_while_repairing), TEST(test_database),
        TEST(test_back), TEST(test_rescue),  TEST(test_log_grows_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
