/* The database file: which ones are opened, what is said of the others, and how an older one is brought up to date. */
#include "server/journal_test_help.h"

#include <sys/stat.h>
#include <sys/wait.h>

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

/* As nobody, in a folder that nobody may write. (Root may write anything.) */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_second_server), TEST(test_bad_files), TEST(test_damaged_pages),
        TEST(test_read_only),     TEST(test_migration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
