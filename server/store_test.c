/* The database file: which ones are opened, what the others are refused with, and how an older one is upgraded. */
#include "server/journal_test_help.h"
#include "server/schema.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static bool refuses_to_open(fixture *f, const char *expected) {
    bw_store_problem problem = {{0}};
    bw_journal *journal = bw_journal_open(
        &(bw_journal_options){.path = f->path, .log = &f->log, .wake = on_wake, .release = on_release, .user = f},
        &problem);
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
    assert_true(refuses_to_open(f, "is damaged, or not a database"));
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

    /* Versions that have no step, and one whose step finds what it should make: the sentence says what is wrong. */
    static const struct {
        const char *sql, *expected;
    } versions[] = {
        {"PRAGMA user_version = -1", "is damaged, or not a database"},
        {"PRAGMA user_version = -2147483648", "is damaged, or not a database"},
        {"PRAGMA user_version = 0", "already exists"},
        {"DROP TABLE snapshot", "no such table: snapshot"},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        open_journal(f, 0);
        close_journal(f);
        assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
        assert_int_equal(sqlite3_exec(other, versions[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(other);
        assert_true(refuses_to_open(f, versions[i].expected));
        drop_files(f);
    }

    char folder[64];
    memcpy(folder, f->path, sizeof folder);
    snprintf(f->path, sizeof f->path, "%s/none/b.db", f->folder);
    assert_true(refuses_to_open(f, "its folder does not exist"));
    snprintf(f->path, sizeof f->path, "%s", f->folder);
    assert_true(refuses_to_open(f, "it is a folder"));
    memcpy(f->path, folder, sizeof folder);
}

/* Pages overwritten in the middle: opening or reading reports it; nothing crashes, nothing is invented. */
static void test_damaged_pages(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    static char text[2000];
    memset(text, 'y', sizeof text - 1);
    for (uint32_t i = 1; i <= 50; i++) append(f, BW_ENTRY_RECORD, "AAAA", i, 'a', 1, text);
    settle(f);
    close_journal(f);
    struct stat before;
    assert_int_equal(stat(f->path, &before), 0);
    unsigned char noise[4096];
    memset(noise, 0xd5, sizeof noise);
    for (long page = 12; page < before.st_size / 4096; page++) {
        write_file(f->path, noise, sizeof noise, page * 4096);
    }
    bw_store_problem problem = {{0}};
    f->journal = bw_journal_open(
        &(bw_journal_options){.path = f->path, .log = &f->log, .wake = on_wake, .release = on_release, .user = f},
        &problem);
    if (!f->journal) {
        assert_non_null(strstr(problem.text, "damaged"));
        return;
    }
    load(f, "AAAA");
    assert_false(f->found);
    assert_string_equal(f->failed, "The server's database is damaged.");
}

/* As user nobody, in a folder that nobody may write. (Root may write anything.) */
static void test_read_only(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    close_journal(f);
    chmod(f->path, 0444);
    chmod(f->folder, 0555);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(3);
        _exit(refuses_to_open(f, "read-only") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    chmod(f->folder, 0700);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_migration(void **state) {
    fixture *f = *state;
    static const char *const steps[] = {"CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (5);",
                                        "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;",
                                        "CREATE TABLE b (z INTEGER); SELECT nonsense FROM nowhere;"};
    sqlite3 *db;
    bw_store_problem problem;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(bw_schema_migrate(db, steps, 1, f->path, &problem), SQLITE_OK);
    assert_int_equal(bw_schema_migrate(db, steps, 2, f->path, &problem), SQLITE_OK);
    assert_int_equal(bw_schema_migrate(db, steps, 2, f->path, &problem), SQLITE_OK); /* nothing to do */
    /* A step that fails leaves the previous version intact. */
    assert_int_not_equal(bw_schema_migrate(db, steps, 3, f->path, &problem), SQLITE_OK);
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT y, (SELECT count(*) FROM sqlite_schema WHERE name = 'b'),"
                                        " (SELECT user_version FROM pragma_user_version) FROM a",
                                        -1, &query, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(query, 0), 6);
    assert_int_equal(sqlite3_column_int(query, 1), 0);
    assert_int_equal(sqlite3_column_int(query, 2), 2);
    sqlite3_finalize(query);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void run_sql(fixture *f, const char *sql) {
    sqlite3 *db;
    char *problem = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &problem) != SQLITE_OK) fail_msg("%s", problem);
    sqlite3_close(db);
}

/* A room's records are found one from the other, however many there are of other rooms. */
static void test_records_are_found(void **state) {
    fixture *f = *state;
    sqlite3 *db;
    sqlite3_stmt *plan;
    open_journal(f, 0);
    close_journal(f);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "EXPLAIN QUERY PLAN " BW_STORE_CHAIN "SELECT number, bytes FROM chain", -1, &plan, NULL),
        SQLITE_OK);
    int searches = 0;
    while (sqlite3_step(plan) == SQLITE_ROW) {
        const char *step = (const char *)sqlite3_column_text(plan, 3);
        assert_null(strstr(step, "SCAN record"));
        searches += strcmp(step, "SEARCH record USING INTEGER PRIMARY KEY (rowid=?)") == 0;
    }
    assert_int_equal(searches, 2);
    sqlite3_finalize(plan);
    sqlite3_close(db);
}

/* The records that are stored of a room: from which number, and their texts. */
static void assert_records(fixture *f, const char *room, uint32_t snapshot, uint32_t first, const char *texts) {
    load(f, room);
    assert_true(f->found);
    assert_int_equal(f->snapshot_index, snapshot);
    assert_int_equal(f->first, first);
    assert_string_equal(f->bytes, texts);
}

/* A chain that leads into another room, forward or to itself ends there; what is before that is found. */
static void test_damaged_chain(void **state) {
    fixture *f = *state;
    static const char *const damage[] = {"2", "3", "5", "77"}; /* the first is of another room */
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char sql[80];
        open_journal(f, 0);
        for (uint32_t n = 1; n <= 3; n++) {
            append(f, BW_ENTRY_RECORD, "AAAA", n, 'a', 1, "a");
            append(f, BW_ENTRY_RECORD, "BBBB", n, 'a', 1, "b");
        }
        settle(f);
        close_journal(f);
        snprintf(sql, sizeof sql, "UPDATE record SET previous = %s WHERE seq = 3", damage[i]);
        run_sql(f, sql);
        open_journal(f, 0);
        assert_records(f, "AAAA", 0, 2, "aa");
        assert_records(f, "BBBB", 0, 1, "bbb");
        close_journal(f);
        drop_files(f);
    }
    open_journal(f, 0);
}

/* A database of version 1, whose records were found by an index. */
static void test_upgrade_to_chains(void **state) {
    fixture *f = *state;
    run_sql(f,
            "CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, status INTEGER NOT NULL,"
            " changed_at INTEGER NOT NULL);"
            "CREATE INDEX room_to_sweep ON room (status, changed_at) WHERE status <> 97;"
            "CREATE TABLE record (seq INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL,"
            " bytes BLOB NOT NULL);"
            "CREATE UNIQUE INDEX record_of_room ON record (room, number);"
            "CREATE TABLE snapshot (room INTEGER PRIMARY KEY, number INTEGER NOT NULL, bytes BLOB NOT NULL);"
            "CREATE TABLE replay (id TEXT PRIMARY KEY, made_at INTEGER NOT NULL, bytes BLOB NOT NULL);"
            "CREATE INDEX replay_by_age ON replay (made_at);"
            "CREATE TABLE probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
            "INSERT INTO probe VALUES (1, 0);"
            "INSERT INTO room VALUES (1, 'AAAA', 97, 5), (2, 'BBBB', 97, 5), (3, 'CCCC', 119, 5);"
            "INSERT INTO record VALUES (1, 1, 1, 'p'), (2, 2, 8, 'x'), (3, 1, 2, 'q'), (7, 2, 9, 'y'), (9, 1, 3, 'r');"
            "INSERT INTO snapshot VALUES (2, 7, 'S');"
            "PRAGMA application_id = 1113028449; PRAGMA user_version = 1");
    open_journal(f, 0);
    assert_records(f, "AAAA", 0, 1, "pqr");
    assert_records(f, "BBBB", 7, 8, "xy");
    assert_records(f, "CCCC", 0, 0, "");
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 6, "s");
    append(f, BW_ENTRY_RECORD, "CCCC", 1, 'a', 6, "t");
    append(f, BW_ENTRY_SNAPSHOT, "BBBB", 9, 'a', 6, "T");
    settle(f);
    assert_records(f, "AAAA", 0, 1, "pqrs");
    assert_records(f, "BBBB", 9, 0, "");
    assert_records(f, "CCCC", 0, 1, "t");
}

/* ---- the limit of the database ---- */

enum { BOUND = 2 << 20 };

static bool reaches(fixture *f, bool full, int64_t bytes) {
    bw_journal_figures figures;
    for (int tries = 0; tries < 1500; tries++) {
        bw_journal_figures_of(f->journal, &figures);
        if (figures.full == full && figures.bytes > 0 && figures.bytes <= bytes) return true;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    print_error("%lld bytes, full %d\n", (long long)figures.bytes, figures.full);
    return false;
}

static bool has_replay(fixture *f, const char *id) {
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, id, 77));
    while (f->answers == before) pump(f);
    return f->found;
}

static bool goes(fixture *f, const char *id) {
    for (int tries = 0; tries < 600 && has_replay(f, id); tries++)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return !has_replay(f, id);
}

static void put_replay(fixture *f, const char *id, int64_t at, const char *text) {
    bw_entry entry = {.kind = BW_ENTRY_REPLAY, .ticket = ++f->ticket, .changed_at = at, .room = "GAME"};
    snprintf(entry.replay_id, sizeof entry.replay_id, "%s", id);
    entry.bytes = (const uint8_t *)text;
    entry.length = strlen(text);
    bw_journal_append(f->journal, &entry, NULL);
}

static void sweep(fixture *f) {
    int before = f->answers;
    assert_true(bw_journal_sweep(f->journal, 1, 1));
    while (f->answers == before) pump(f);
}

/* When the database is full, the oldest finished games are deleted first, then games that nobody has visited for
 * long, and then nothing more is stored. The rest is intact, and storing works again as soon as there is space. */
static void test_bound(void **state) {
    fixture *f = *state;
    bw_store_problem problem;
    struct timespec clock;
    static char text[60000];
    char id[8];
    memset(text, 'y', sizeof text - 1);
    clock_gettime(CLOCK_REALTIME, &clock);
    int64_t now = clock.tv_sec * 1000, day = 86400000;
    f->journal = bw_journal_open(&(bw_journal_options){.path = f->path,
                                                       .max_bytes = BOUND,
                                                       .abandoned_ms = 7 * day,
                                                       .log = &f->log,
                                                       .wake = on_wake,
                                                       .release = on_release,
                                                       .user = f},
                                 &problem);
    assert_non_null(f->journal);
    for (int i = 0; i < 32; i++) {
        snprintf(id, sizeof id, "r%02d", i);
        put_replay(f, id, now - (i * 7 % 32) * day, text);
    }
    settle(f);
    assert_true(reaches(f, false, BOUND));
    assert_true(has_replay(f, "r00"));
    for (int i = 40; i < 44; i++) {
        snprintf(id, sizeof id, "r%02d", i);
        put_replay(f, id, now, text);
    }
    settle(f);
    assert_true(goes(f, "r09")); /* of 31 days ago */
    assert_true(reaches(f, false, BOUND));
    assert_true(has_replay(f, "r43"));
    assert_int_equal(f->failures, 0);

    /* Rooms: OLDR was left nine days ago, despite its moves with today's clock; HERE a day ago. */
    append(f, BW_ENTRY_RECORD, "HERE", 1, 'a', now - 20 * day, text);
    append(f, BW_ENTRY_TOUCH, "HERE", 1, 'a', now - day, "");
    append(f, BW_ENTRY_RECORD, "OLDR", 1, 'a', now - 20 * day, text);
    append(f, BW_ENTRY_SNAPSHOT, "OLDR", 1, 'a', now - 9 * day, text);
    settle(f);
    sweep(f);
    assert_int_equal(f->swept_count, 0); /* there is space: no room is deleted */
    for (uint32_t i = 2; i < 36; i++) {
        append(f, BW_ENTRY_RECORD, "HERE", i, 'a', now, text);
        settle(f);
    }
    assert_true(reaches(f, true, BOUND + BOUND / 8));
    assert_true(goes(f, "r43"));
    sweep(f);
    assert_int_equal(f->swept_count, 1);
    assert_string_equal(f->swept[0], "OLDR");
    uint32_t stored = 35;
    while (f->failures == 0 && stored < 60) {
        append(f, BW_ENTRY_RECORD, "HERE", stored + 1, 'a', now, text);
        settle(f);
        stored += f->failures == 0;
    }
    assert_string_equal(f->reason, "The server's disk is full.");
    assert_true(reaches(f, true, BOUND + BOUND / 8));
    load(f, "HERE");
    assert_int_equal(f->count, stored);
    append(f, BW_ENTRY_FORGET, "OLDR", 0, 'a', now, "");
    settle(f);
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "HERE", stored + 1, 'a', now, "more");
    settle(f);
    assert_int_equal(f->failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_second_server),     TEST(test_bad_files),     TEST(test_damaged_pages),
        TEST(test_read_only),         TEST(test_migration),     TEST(test_bound),
        TEST(test_records_are_found), TEST(test_damaged_chain), TEST(test_upgrade_to_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
