/* The journal on disk: everything reported as durable is there, in order, whatever happens to the process. */
#include "server/journal_conformance.h"

#include <time.h>

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void on_an_instant_disk(fixture *f) {
    if (access("/dev/shm", W_OK) == 0) snprintf(f->path, sizeof f->path, "/dev/shm/%s.db", strrchr(f->folder, '/') + 1);
    open_journal(f, 0);
}

/* The i-th move of two rooms that play in turns; i begins at 1. */
static void append_in_turns(fixture *f, uint32_t i) {
    append(f, BW_ENTRY_RECORD, i % 2 ? "AAAA" : "BBBB", (i + 1) / 2, 'a', 10, "move,");
}

/* Appends so many moves, `at_once` of them every `pause_us`, on an instant disk. There is no more than a commit in each
 * `apart` seconds, but for a few until it is known that moves overlap. All are stored. */
static void check_pace(fixture *f, uint32_t moves, uint32_t at_once, long pause_us, double apart) {
    enum { UNPACED = 40 };
    f->rests = true;
    on_an_instant_disk(f);
    double started = seconds_now();
    for (uint32_t i = 1; i <= moves; i++) {
        append_in_turns(f, i);
        if (i % at_once > 0) continue;
        if (bw_journal_rest(f->journal, 0)) bw_journal_dispatch(f->journal, &answers, f);
        nanosleep(&(struct timespec){.tv_nsec = pause_us * 1000}, NULL);
    }
    settle(f);
    double elapsed = seconds_now() - started;
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.entries_total, moves);
    if ((double)figures.commits.count > elapsed / apart + UNPACED) {
        fail_msg("%llu commits in %.2f s", (unsigned long long)figures.commits.count, elapsed);
    }
    load(f, "AAAA");
    assert_int_equal(f->count, moves / 2);
}

/* Overlapping moves of many players share commits, on a busy machine too. */
static void test_overlapping_moves_share_commits(void **state) { check_pace(*state, 600, 6, 600, 0.003); }

/* If only a few overlap, a commit waits longer for more of them. */
static void test_a_few_overlapping_moves_wait_longer(void **state) { check_pace(*state, 2000, 2, 1200, 0.006); }

/* One room's moves wait for nobody, however quickly they follow one another. */
static void test_moves_of_one_room_do_not_wait(void **state) {
    fixture *f = *state;
    double least = 1;
    on_an_instant_disk(f);
    for (uint32_t i = 1; i <= 400; i++) {
        double started = seconds_now();
        append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', 10, "move,");
        append(f, BW_ENTRY_RECORD, "AAAA", ++i, 'a', 10, "move,");
        settle(f);
        double took = seconds_now() - started;
        if (i > 200 && took < least) least = took;
    }
    if (least > 0.002) fail_msg("the quickest took %.1f ms", least * 1e3);
}

/* A loop that rests: what it appends is written when its turn is over. While moves overlap, it waits then until shortly
 * before the next commit, or until something is to be dispatched, of which the rest itself tells. */
static void test_a_loop_rests(void **state) {
    enum { LONE = 50, TURNS = 200, AT_ONCE = 4 };
    fixture *f = *state;
    bw_journal_figures figures;
    f->rests = true;
    on_an_instant_disk(f);
    uint32_t i = 1;
    int waited = 0, told = 0;
    for (int k = 0; k < LONE; k++) { /* lone moves: there is nothing to rest for */
        append_in_turns(f, i++);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        bw_journal_figures_of(f->journal, &figures);
        waited += figures.waiting == 1; /* or the writer has looked by itself, as it does a few times a second */
        told += bw_journal_rest(f->journal, 1e18); /* only if it was written already */
        settle(f);
    }
    if (waited == 0) fail_msg("all were written before their turn was over");
    if (told > LONE / 2) fail_msg("%d of %d turns rested for a lone move", told, LONE);

    int answered = 0;
    double rested = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < AT_ONCE; k++) append_in_turns(f, i++);
        bw_journal_rest(f->journal, 0); /* not longer than it may, but it is written */
        while (f->committed < f->ticket) {
            if (poll(&(struct pollfd){.fd = f->pipe[0], .events = POLLIN}, 1, 0) == 1) pump(f);
        }
        int before = f->answers;
        double started = seconds_now();
        if (turn % 4 == 0) assert_true(bw_journal_load(f->journal, "AAAA"));
        bool ready = bw_journal_rest(f->journal, 1e18);
        bw_journal_dispatch(f->journal, &answers, f);
        if (turn % 4 != 0) rested += seconds_now() - started;
        else if (ready && f->answers > before) answered++;
        while (turn % 4 == 0 && f->answers == before) pump(f);
    }
    if (answered == 0) fail_msg("no answer ended a rest");
    if (rested < 0.1) fail_msg("%d turns rested for %.3f s", TURNS / 4 * 3, rested);
    load(f, "AAAA");
    assert_int_equal(f->count, (LONE + TURNS * AT_ONCE) / 2);
}

/* Moves that overlap, of a loop that rests. */
static void overlap(fixture *f, uint32_t *i) {
    f->rests = true;
    on_an_instant_disk(f);
    for (int turn = 0; turn < 40; turn++) {
        for (int k = 0; k < 8; k++) append_in_turns(f, (*i)++);
        bw_journal_rest(f->journal, 0);
        settle(f);
    }
}

static void rest(fixture *f) {
    while (bw_journal_rest(f->journal, 1e18)) bw_journal_dispatch(f->journal, &answers, f);
}

static uint64_t commits(fixture *f) {
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    return figures.commits.count;
}

/* Regression: a commit that ended while the loop was at work was told only after the next rest. */
static void test_no_rest_before_what_is_committed_is_told(void **state) {
    enum { TURNS = 40 };
    fixture *f = *state;
    uint32_t i = 1;
    int at_once = 0;
    overlap(f, &i);
    for (int turn = 0; turn < TURNS; turn++) {
        rest(f);
        uint64_t before = commits(f);
        for (int k = 0; k < 8; k++) append_in_turns(f, i++);
        bw_journal_rest(f->journal, 0);
        while (commits(f) == before) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        double started = seconds_now();
        assert_true(bw_journal_rest(f->journal, 1e18));
        at_once += seconds_now() - started < 0.001;
        settle(f);
    }
    if (at_once < TURNS / 2) fail_msg("%d of %d were told at once", at_once, TURNS);
}

/* Regression: a commit began in the middle of the turn that follows a rest, and half of its moves waited for the next. */
static void test_a_commit_waits_for_the_turns_end(void **state) {
    enum { TURNS = 60 };
    fixture *f = *state;
    uint32_t i = 1;
    int whole = 0;
    overlap(f, &i);
    for (int turn = 0; turn < TURNS; turn++) {
        rest(f);
        uint64_t before = commits(f);
        for (int k = 0; k < 4; k++) {
            append_in_turns(f, i++);
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
        bw_journal_rest(f->journal, 0);
        settle(f);
        whole += commits(f) == before + 1;
    }
    if (whole < TURNS / 2) fail_msg("%d of %d turns were committed whole", whole, TURNS);
}

/* In memory there is nothing to rest for: what is appended is stored in the next dispatch. */
static void test_memory_does_not_rest(void **state) {
    fixture *f = *state;
    f->rests = true;
    open_journal(f, 0);
    for (uint32_t i = 1; i <= 100; i++) append_in_turns(f, i);
    settle(f);
    assert_false(bw_journal_rest(f->journal, 1e18));
}

/* Above the limit the oldest replays go, then games that nobody plays; above that nothing is stored, and memory stays
 * bounded. What is deleted makes room. */
static void test_memory_is_bounded(void **state) {
    static char kilobyte[1001];
    fixture *f = *state;
    memset(kilobyte, 'x', sizeof kilobyte - 1);
    f->max_bytes = 100000;
    f->replay_days = 0;
    open_journal(f, 0);
    char id[BW_ROOM_ID_MAX + 1];
    for (int i = 0; i < 200; i++) {
        snprintf(id, sizeof id, "R%d", i);
        append(f, BW_ENTRY_REPLAY, id, 0, 'e', 1000 + i, kilobyte);
        settle(f);
    }
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_in_range(figures.bytes, 50000, 100000);
    assert_false(figures.full);
    read_replay(f, "R0");
    assert_false(f->found);
    read_replay(f, "R199");
    assert_true(f->found);

    uint32_t stored = 0;
    while (!f->failures && stored < 1000) {
        append(f, BW_ENTRY_RECORD, "LONG", ++stored, 'a', 1000, kilobyte);
        settle(f);
    }
    assert_in_range(stored, 90, 120);
    assert_string_equal(f->reason, "The server's database is full.");
    assert_false(f->in_doubt);
    load(f, "LONG");
    assert_int_equal(f->count, stored - 1);
    bw_journal_figures_of(f->journal, &figures);
    assert_true(figures.full && figures.failing);
    int before = f->answers;
    assert_true(bw_journal_sweep(f->journal, 1, 1));
    while (f->answers == before) pump(f);
    assert_int_equal(f->swept_count, 1);
    assert_string_equal(f->swept[0], "LONG");
    f->failures = 0;
    append(f, BW_ENTRY_FORGET, "LONG", 0, 'a', 1000, "");
    append(f, BW_ENTRY_RECORD, "NEXT", 1, 'a', 1000, kilobyte);
    settle(f);
    assert_int_equal(f->failures, 1); /* the record came with it, and is refused too */
    f->failures = 0;
    append(f, BW_ENTRY_FORGET, "LONG", 0, 'a', 1000, "");
    settle(f);
    append(f, BW_ENTRY_RECORD, "NEXT", 1, 'a', 1000, kilobyte);
    settle(f);
    assert_int_equal(f->failures, 0);
    bw_journal_figures_of(f->journal, &figures);
    assert_false(figures.full || figures.failing);
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
    assert_in_range(f->count, 200, 2000); /* on_loaded checks that there are no gaps */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CONFORMANCE(TEST),
        CONFORMANCE_IN_MEMORY(TEST_IN_MEMORY),
        TEST_IN_MEMORY(test_memory_is_bounded),
        TEST(test_backup_while_running),
        TEST(test_overlapping_moves_share_commits),
        TEST(test_a_few_overlapping_moves_wait_longer),
        TEST(test_moves_of_one_room_do_not_wait),
        TEST(test_a_loop_rests),
        TEST(test_no_rest_before_what_is_committed_is_told),
        TEST(test_a_commit_waits_for_the_turns_end),
        TEST_IN_MEMORY(test_memory_does_not_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
