/* The journal on disk: what is told durable is there, in order, whatever happens to the process. */
#include "server/journal_test_help.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

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

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Moves of many that overlap share commits: no more than one in three milliseconds, on a disk that needs no time too.
 * All are stored all the same. */
static void test_overlapping_moves_share_commits(void **state) {
    fixture *f = *state;
    if (access("/dev/shm", W_OK) == 0) snprintf(f->path, sizeof f->path, "/dev/shm/%s", strrchr(f->folder, '/') + 1);
    open_journal(f, 0);
    double started = seconds_now();
    for (uint32_t i = 1; i <= 600; i++) {
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', 10, "move,");
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    settle(f);
    double elapsed = seconds_now() - started;
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.entries_total, 600);
    assert_true((double)figures.commits.count <= elapsed / 0.003 + 40); /* 40: until it is known that they overlap */
    load(f, "AAAA");
    assert_int_equal(f->count, 600);
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
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', today, "somebody was here today");
    settle(f);
    close_journal(f);
    open_journal(f, 0); /* old ones go when it starts */
    append(f, BW_ENTRY_TOUCH, "none", 0, 'w', 1, "");
    settle(f);
    bool old = true;
    for (int i = 0; i < 100 && old; i++) {
        int before = f->answers;
        assert_true(bw_journal_read_replay(f->journal, "old", 77));
        while (f->answers == before) pump(f);
        old = f->found;
        if (old) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_false(old);
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, "young", 77));
    while (f->answers == before) pump(f);
    assert_true(f->found);
    assert_int_equal(f->length, 10);
    assert_memory_equal(f->bytes, "game again", 10);
}

/* The clock is far ahead of the newest record: nothing goes, neither replays nor rooms. */
static void test_clock_ahead(void **state) {
    fixture *f = *state;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t today = now.tv_sec * 1000, day = 86400000, then = today - 40 * day; /* when it was last right */
    /* Without a journal, whose own cleaning would look at the clock of today. */
    bw_store_problem problem;
    bw_store *store = bw_store_open(f->path, 0, &problem);
    const bw_entry entries[] = {
        {.kind = BW_ENTRY_REPLAY,
         .replay_id = "new",
         .changed_at = then - 1000,
         .bytes = (const uint8_t *)"x",
         .length = 1},
        {.kind = BW_ENTRY_RECORD, .room = "AAAA", .index = 1, .status = 'w', .changed_at = then},
        {.kind = BW_ENTRY_RECORD, .room = "BBBB", .index = 1, .status = 'e', .changed_at = then},
        {.kind = BW_ENTRY_RECORD, .room = "CCCC", .index = 1, .status = 'w', .changed_at = then - day},
    };
    assert_int_equal(bw_store_begin(store), SQLITE_OK);
    for (size_t i = 0; i < 4; i++) assert_int_equal(bw_store_put(store, &entries[i]), SQLITE_OK);
    assert_int_equal(bw_store_commit(store), SQLITE_OK);
    bw_store_close(store);
    open_journal(f, 0);
    append(f, BW_ENTRY_TOUCH, "none", 0, 'w', 1, "");
    settle(f);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, "new", 77));
    assert_true(bw_journal_sweep(f->journal, today - 5 * 60000, today - 3600000));
    while (f->answers < before + 2) pump(f);
    assert_true(f->found);
    assert_int_equal(f->swept_count, 1);
    assert_string_equal(f->swept[0], "CCCC"); /* as if the clock had stood still */
}

static bool was_swept(const fixture *f, const char *room) {
    for (size_t i = 0; i < f->swept_count; i++) {
        if (strcmp(f->swept[i], room) == 0) return true;
    }
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
    while (f->answers == 0) pump(f);
    assert_int_equal(f->swept_count, 3);
    assert_true(was_swept(f, "WAIT") && was_swept(f, "CONF") && was_swept(f, "OVER"));
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
                if (f->ticket % 7 == 0) settle(f); /* each ticket is an index more than what was stored */
                if (f->failures) {
                    print_error("%s\n", f->reason);
                    _exit(1);
                }
                uint32_t seen = stored + (uint32_t)f->committed;
                if (write(tell[1], &seen, sizeof seen) != sizeof seen) _exit(1);
            }
        }
        close(tell[1]);
        uint32_t seen = stored, told;
        int wanted = 20 + round * 37;
        for (int i = 0; i < wanted && read(tell[0], &told, sizeof told) == sizeof told; i++) {
            seen = told;
        }
        kill(child, SIGKILL);
        while (read(tell[0], &told, sizeof told) == sizeof told) seen = told; /* what it had said before it died */
        close(tell[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));

        f->committed = f->ticket = 0;
        open_journal(f, 0);
        load(f, "AAAA"); /* on_loaded checks that the numbers have no gap */
        if (f->count < seen) {
            fail_msg("round %d: %u were told, %u are there", round, seen, f->count);
        }
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

/* As docs/OPERATING.md says: VACUUM INTO beside a running server. */
static void test_backup_while_running(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    for (uint32_t i = 1; i <= 200; i++) append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', i, "move,");
    settle(f);
    char copy[128], command[300];
    snprintf(copy, sizeof copy, "%s/copy.db", f->folder);
    snprintf(command, sizeof command, "VACUUM INTO '%s'", copy);
    for (uint32_t i = 201; i <= 2000; i++) append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', i, "move,");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip),
        TEST(test_in_memory),
        TEST(test_replays),
        TEST(test_clock_ahead),
        TEST(test_sweep),
        TEST(test_kills),
        TEST(test_many_rooms),
        TEST(test_backup_while_running),
        TEST(test_overlapping_moves_share_commits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
