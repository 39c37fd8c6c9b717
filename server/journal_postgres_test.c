/* The journal on PostgreSQL: what every journal promises, and how it deals with a server that dies, hangs, changes
 * or lies. */
#include "server/journal_conformance.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "server/postgres.h"
#include "tests/support/database.h"

static database primary, standby;

static void run_in(const char *sql, char *value, size_t cap) {
    assert_true(database_run(&primary, "boardwalk", sql, value, cap));
}

/* The tables are created again for each test. */
static int set_up_database(void **state) {
    if (set_up(state) != 0) return -1;
    fixture *f = *state;
    database_address(&primary, NULL, "boardwalk", f->address, sizeof f->address);
    return database_run(&primary, "boardwalk", "DROP SCHEMA IF EXISTS boardwalk CASCADE", NULL, 0) ? 0 : -1;
}
#define ON_POSTGRES(test) cmocka_unit_test_setup_teardown(test, set_up_database, tear_down)

/* ---- problems at the start ---- */

static bool refuses(const char *address, const char *expected) {
    static const bw_log quiet = {.fd = -1};
    bw_store_problem problem = {{0}};
    bw_journal *journal = bw_journal_open(
        &(bw_journal_options){.path = address, .lease_ms = 300, .log = &quiet, .wake = on_wake, .release = on_release},
        &problem);
    bw_journal_close(journal);
    if (!journal && strstr(problem.text, expected) && !strstr(problem.text, "hunter2")) return true;
    print_error("%s: %s\n", address, journal ? "it opened" : problem.text);
    return false;
}

/* Each problem of a database has its own sentence, and none repeats a password. */
static void test_sentences(void **state) {
    fixture *f = *state;
    char address[300];
    const char *name = "boardwalk";
    assert_true(refuses("postgresql://a:hunter2@h:x/y", "The address is not one of PostgreSQL"));
    assert_true(refuses("postgresql://a:hunter2@h/y?colour=red", "The address is not one of PostgreSQL"));
    assert_true(refuses("postgresql://a:hunter2@/y?host=/nowhere", "cannot be reached"));
    assert_true(refuses("postgresql://a:hunter2@127.0.0.1:1/y", "cannot be reached"));
    assert_true(
        refuses(database_address(&primary, NULL, "none", address, sizeof address), "Create it first (createdb)"));
    assert_true(refuses(database_address(&primary, "none", name, address, sizeof address), "has no such user"));
    run_in("CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE shut LOGIN; CREATE ROLE guest LOGIN", NULL, 0);
    assert_true(
        refuses(database_address(&primary, "guarded:hunter2", name, address, sizeof address), "refuses the password"));
    assert_true(refuses(database_address(&primary, "guarded", name, address, sizeof address), "refuses the password"));
    assert_true(
        refuses(database_address(&primary, "shut", name, address, sizeof address), "does not let this user in"));
    assert_true(
        refuses(database_address(&primary, "guest", name, address, sizeof address), "GRANT CREATE ON DATABASE"));
    assert_true(database_run(&primary, "postgres",
                             "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
                             NULL, 0));
    assert_true(refuses(database_address(&primary, NULL, "latin", address, sizeof address), "has the encoding LATIN1"));
    run_in("CREATE SCHEMA boardwalk; CREATE TABLE boardwalk.bookmarks (url text)", NULL, 0);
    assert_true(refuses(f->address, "of another program"));
    run_in("DROP SCHEMA boardwalk CASCADE", NULL, 0);
    open_journal(f, 0);
    assert_true(refuses(f->address, "in use by another Boardwalk server"));
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "still works");
    settle(f);
    assert_int_equal(f->failures, 0);
    close_journal(f);
    run_in("UPDATE boardwalk.version SET number = 999", NULL, 0);
    assert_true(refuses(f->address, "written by a newer Boardwalk (schema 999"));
    run_in("UPDATE boardwalk.version SET number = 2; DROP TABLE boardwalk.replay", NULL, 0);
    assert_true(refuses(f->address, "not as they should be"));
    run_in("ALTER DATABASE boardwalk SET default_transaction_read_only = on", NULL, 0);
    assert_true(refuses(f->address, "default_transaction_read_only is on"));
    assert_true(
        database_run(&primary, "postgres", "ALTER DATABASE boardwalk RESET default_transaction_read_only", NULL, 0));
}

/* Nodes that start at the same moment on an empty database: the tables are created once, and all nodes find them. */
static void test_tables_made_at_once(void **state) {
    fixture *f = *state;
    enum { NODES = 4 };
    pid_t nodes[NODES];
    for (int i = 0; i < NODES; i++) {
        if ((nodes[i] = fork()) != 0) continue;
        bw_store_problem problem;
        bool away;
        bw_postgres *pg = bw_postgres_open(f->address, 0, 30000, &away, &problem);
        bool good = pg && bw_postgres_migrate(pg, &problem) && bw_postgres_prepare(pg) == BW_OUTCOME_DONE;
        bw_postgres_close(pg);
        if (!good) print_error("%s\n", problem.text);
        _exit(good ? 0 : 1);
    }
    for (int i = 0; i < NODES; i++) {
        int status;
        waitpid(nodes[i], &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* ---- a server that dies, hangs, lies ---- */

static void append_some(fixture *f, uint32_t count) {
    char text[16];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)f->ticket + 1; /* all entries of these tests are records of one room */
        snprintf(text, sizeof text, "%u,", index);
        append(f, BW_ENTRY_RECORD, "AAAA", index, 'a', index, text);
        settle(f);
    }
}

/* Each record once, in order. */
static void has_all(fixture *f, uint32_t count) {
    char expected[4096];
    size_t length = 0;
    load(f, "AAAA");
    for (uint32_t i = 1; i <= count; i++)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%u,", i);
    assert_int_equal(f->count, count);
    assert_string_equal(f->bytes, expected);
}

/* Killed and restarted while records arrive: they wait, none is refused, lost or stored twice. */
static void test_killed_and_back(void **state) {
    fixture *f = *state;
    f->patience_ms = 60000;
    open_journal(f, 0);
    append_some(f, 20);
    for (int round = 0; round < 2; round++) {
        static char text[] = "21,";
        snprintf(text, sizeof text, "%u,", (uint32_t)f->ticket + 1);
        append(f, BW_ENTRY_RECORD, "AAAA", (uint32_t)f->ticket + 1, 'a', 1, text); /* in flight, or not yet */
        database_kill(&primary);
        assert_true(database_restart(&primary));
        settle(f);
        append_some(f, 5);
    }
    assert_int_equal(f->failures, 0);
    has_all(f, 32);
}

static void wait_until_it_works(fixture *f) {
    bw_journal_figures figures = {.failing = true};
    for (int i = 0; i < 3000 && figures.failing; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        bw_journal_figures_of(f->journal, &figures);
    }
    assert_false(figures.failing);
}

/* Down for longer than entries wait: new entries are refused with a reason, reads too; later everything works by
 * itself. */
static void test_away(void **state) {
    fixture *f = *state;
    f->patience_ms = 1500;
    open_journal(f, 0);
    append_some(f, 3);
    database_kill(&primary);
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 1, "refused");
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_int_equal(f->last_good, 3);
    assert_string_equal(f->reason, "The server's database does not answer.");
    load(f, "AAAA");
    assert_false(f->found);
    assert_string_equal(f->failed, "The server's database does not answer.");
    assert_true(database_restart(&primary));
    wait_until_it_works(f);
    f->failures = 0;
    f->ticket = 3; /* the refused number again */
    append_some(f, 2);
    assert_int_equal(f->failures, 0);
    has_all(f, 5);
}

/* The server hangs and continues later: what was refused in doubt is either there or not, and that does not change
 * afterwards, even though the server finds the old message when it wakes. */
static void test_hangs(void **state) {
    fixture *f = *state;
    f->patience_ms = 1500;
    open_journal(f, 0);
    append_some(f, 3);
    database_signal(&primary, SIGSTOP);
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 1, "in doubt");
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_true(f->in_doubt);
    database_signal(&primary, SIGCONT);
    wait_until_it_works(f);
    load(f, "AAAA");
    uint32_t count = f->count;
    assert_in_range(count, 3, 4);
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", count + 1, 'a', 1, "after");
    settle(f);
    assert_int_equal(f->failures, 0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    load(f, "AAAA");
    assert_int_equal(f->count, count + 1);
}

static const char backend_waits[] = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'boardwalk'"
                                    " AND datname = current_database() AND wait_event = 'SyncRep'";

static void wait_for_standby_wait(void) {
    char value[8] = "";
    for (int i = 0; i < 1000 && value[0] != '1'; i++) {
        run_in(backend_waits, value, sizeof value);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_string_equal(value, "1");
}

static void set_standbys(const char *names) {
    char sql[100], shown[40] = "?";
    snprintf(sql, sizeof sql, "ALTER SYSTEM SET synchronous_standby_names = '%s'", names);
    assert_true(database_run(&primary, "postgres", sql, NULL, 0));
    assert_true(database_run(&primary, "postgres", "SELECT pg_reload_conf()", NULL, 0));
    for (int i = 0; i < 500 && strcmp(shown, names) != 0; i++) {
        assert_true(database_run(&primary, "postgres", "SHOW synchronous_standby_names", shown, sizeof shown));
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

/* The standby is down. If somebody cancels the wait for it, or ends the session, the server gives a wrong answer:
 * nothing is reported as durable before the standby has it, and then it is there once. */
static void test_cancelled_wait(void **state) {
    static const char *const ways[] = {"pg_cancel_backend", "pg_terminate_backend"};
    fixture *f = *state;
    char sql[200];
    f->patience_ms = 60000;
    open_journal(f, 0);
    append_some(f, 3);
    for (int i = 0; i < 2; i++) {
        uint64_t good = f->ticket;
        set_standbys("ghost");
        append(f, BW_ENTRY_RECORD, "AAAA", (uint32_t)good + 1, 'a', 1, i == 0 ? "4," : "5,");
        wait_for_standby_wait();
        snprintf(sql, sizeof sql,
                 "SELECT %s(pid) FROM pg_stat_activity WHERE application_name = 'boardwalk' AND"
                 " datname = current_database()",
                 ways[i]);
        run_in(sql, NULL, 0);
        struct pollfd waiting = {.fd = f->pipe[0], .events = POLLIN};
        while (poll(&waiting, 1, 300) == 1) pump(f);
        assert_int_equal(f->committed, good);
        assert_int_equal(f->failures, 0);
        set_standbys("");
        settle(f);
    }
    assert_int_equal(f->failures, 0);
    has_all(f, 5);
}

/* Another program wrote to the room: the entry is refused, and nothing more of it is stored. */
static void test_written_by_another(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append_some(f, 2);
    run_in("INSERT INTO boardwalk.record VALUES ('AAAA', 3, 'x')", NULL, 0);
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'a', 1, "with it");
    append(f, BW_ENTRY_RECORD, "AAAA", 3, 'a', 1, "refused");
    settle(f);
    assert_int_equal(f->failures, 1);
    assert_false(f->in_doubt);
    assert_string_equal(f->reason, "Another server has written to this room.");
    load(f, "AAAA");
    assert_string_equal(f->bytes, "1,2,x");
    f->failures = 0;
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 1, ",4");
    settle(f);
    assert_int_equal(f->failures, 0);
}

static void wait_until_lost(fixture *f, const char *why) {
    while (!f->lost[0]) pump(f);
    assert_string_equal(f->lost, why);
}

/* Taken over by another server, which it learns from a record, from a renewal, or on a new connection: it stores
 * nothing any more, and says so. */
static void test_taken_over(void **state) {
    static const char *const how[] = {"", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                                          " application_name = 'boardwalk' AND datname = current_database()"};
    fixture *f = *state;
    for (int way = 0; way < 3; way++) {
        f->committed = f->ticket = 0;
        f->lost[0] = '\0';
        f->failures = 0;
        open_journal(f, 0);
        run_in("UPDATE boardwalk.node SET epoch = epoch + 1, holder = 7", NULL, 0);
        if (way == 2) run_in(how[1], NULL, 0);
        if (way == 0) {
            append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "late");
            settle(f);
            assert_int_equal(f->failures, 1);
            assert_false(f->in_doubt);
        }
        wait_until_lost(f, "Another server has taken over what this one had in the database.");
        f->failures = 0;
        append(f, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "later still");
        settle(f);
        assert_int_equal(f->failures, 1);
        close_journal(f);
        run_in("UPDATE boardwalk.node SET lease_until = '-infinity'", NULL, 0);
    }
    char count[8];
    run_in("SELECT count(*) FROM boardwalk.record", count, sizeof count);
    assert_string_equal(count, "0");
}

/* A backup was restored, or a standby took over that did not have everything: what was reported as durable is gone. */
static void test_gone_back(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append_some(f, 3);
    run_in("UPDATE boardwalk.node SET batch = batch - 1; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
           " application_name = 'boardwalk' AND datname = current_database()",
           NULL, 0);
    wait_until_lost(f,
                    "The database has lost what it had confirmed: it was put back, or a standby took over too early.");
}

/* ---- several nodes ---- */

static const char *owner_of(fixture *f, const char *room, bool creates) {
    int before = f->answers;
    assert_true(bw_journal_claim(f->journal, room, creates, false, 1));
    while (f->answers == before) pump(f);
    assert_string_equal(f->failed, "");
    return f->owner;
}

/* A room has one owner, whichever node asks. It gets another owner only when the lease of the first is over, which
 * then stores nothing more, not even what is in flight. */
static void test_nodes(void **state) {
    fixture *a = *state, b = *a;
    a->node = "10.0.0.1:8100";
    a->lease_ms = 400;
    open_journal(a, 0);
    assert_int_equal(pipe2(b.pipe, O_NONBLOCK | O_CLOEXEC), 0);
    b.node = "10.0.0.2:8100";
    open_journal(&b, 0);
    assert_true(refuses(b.address, "in use by another Boardwalk server")); /* which would be a single server */
    assert_string_equal(owner_of(a, "AAAA", false), "");                   /* no room exists, and none was created */
    assert_string_equal(owner_of(&b, "AAAA", true), "");
    assert_string_equal(owner_of(a, "AAAA", true), "10.0.0.2:8100");
    load(a, "AAAA");
    assert_false(a->found); /* only its name is taken */
    append(&b, BW_ENTRY_RECORD, "AAAA", 1, 'a', 1, "b,");
    settle(&b);
    assert_string_equal(owner_of(a, "AAAA", true), "10.0.0.2:8100");
    load(a, "AAAA"); /* owned by another node, so not loaded here */
    assert_false(a->found);
    /* b is silent for longer than its lease, as if it had been stopped. */
    run_in("UPDATE boardwalk.node SET lease_until = now() - interval '1 s' WHERE address = '10.0.0.2:8100'", NULL, 0);
    while (strcmp(owner_of(a, "AAAA", true), "") != 0) { /* b may just have renewed its lease */
        run_in("UPDATE boardwalk.node SET lease_until = now() - interval '1 s' WHERE address = '10.0.0.2:8100'", NULL,
               0);
    }
    append(&b, BW_ENTRY_RECORD, "AAAA", 2, 'a', 1, "late");
    settle(&b);
    assert_int_equal(b.failures, 1);
    wait_until_lost(&b, "Another server has taken over what this one had in the database.");
    append(a, BW_ENTRY_RECORD, "AAAA", 2, 'a', 1, "a,");
    settle(a);
    assert_int_equal(a->failures, 0);
    load(a, "AAAA");
    assert_string_equal(a->bytes, "b,a,");
    close_journal(&b);
    /* b returns under its address, and the room belongs to a. */
    b.committed = b.ticket = 0;
    b.failures = 0;
    b.lost[0] = '\0';
    open_journal(&b, 0);
    assert_string_equal(owner_of(&b, "AAAA", true), "10.0.0.1:8100");
    close_journal(a); /* a clean shutdown: no node waits for its lease */
    assert_string_equal(owner_of(&b, "AAAA", false), "");
    close_journal(&b);
    close(b.pipe[0]);
    close(b.pipe[1]);
}

static int64_t batches_of(const char *node) {
    char sql[120], value[24] = "";
    snprintf(sql, sizeof sql, "SELECT batch FROM boardwalk.node WHERE address = '%s'", node);
    run_in(sql, value, sizeof value);
    return strtoll(value, NULL, 10);
}

/* Of a node with many rooms: they are given in few transactions, and taken in few by whoever is asked for them. */
static void test_rooms_move_together(void **state) {
    enum { ROOMS = 12, FEW = 4 };
    fixture *a = *state, b = *a;
    char room[8], value[24] = "";
    a->node = "10.0.0.1:8100";
    open_journal(a, 0);
    assert_int_equal(pipe2(b.pipe, O_NONBLOCK | O_CLOEXEC), 0);
    b.node = "10.0.0.2:8100";
    open_journal(&b, 0);
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "ROOM%d", i);
        assert_string_equal(owner_of(a, room, true), "");
        append(a, BW_ENTRY_RECORD, room, 1, 'a', 1, "first,");
    }
    settle(a);
    assert_string_equal(owner_of(&b, "HERE", true), "");
    int64_t before = batches_of(a->node);
    database_signal(&primary, SIGSTOP); /* what follows waits for the first, and gathers, however slow this thread is */
    append(a, BW_ENTRY_RECORD, "ROOM0", 2, 'a', 1, "last");
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "ROOM%d", i);
        assert_true(bw_journal_hand_over(a->journal, room, 0));
    }
    database_signal(&primary, SIGCONT);
    for (int so_far = a->answers; a->answers < so_far + ROOMS;) pump(a);
    assert_in_range(batches_of(a->node) - before, 2, FEW);
    run_in("SELECT count(*) FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner WHERE r.given"
           " AND n.address = '10.0.0.2:8100'",
           value, sizeof value);
    assert_string_equal(value, "12");
    before = batches_of(b.node);
    database_signal(&primary, SIGSTOP);
    append(&b, BW_ENTRY_RECORD, "HERE", 1, 'a', 1, "here");
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "ROOM%d", i);
        assert_true(bw_journal_claim(b.journal, room, false, false, 1));
    }
    database_signal(&primary, SIGCONT);
    for (int so_far = b.answers; b.answers < so_far + ROOMS;) pump(&b);
    assert_in_range(batches_of(b.node) - before, 2, FEW);
    load(&b, "ROOM0");
    assert_string_equal(b.bytes, "first,last");
    assert_string_equal(owner_of(a, "ROOM7", false), "10.0.0.2:8100");
    close_journal(a);
    close_journal(&b);
    close(b.pipe[0]);
    close(b.pipe[1]);
}

/* Two machines: the first dies, the second is promoted. Everything reported as durable is there, and what was in
 * flight is stored once. Then the first comes back and nobody tells it that it is the primary no longer: it accepts
 * connections and never confirms, and is not asked for ever though the address names it first. */
static void test_failover(void **state) {
    fixture *f = *state;
    char value[40] = "";
    const char *name = "boardwalk";
    assert_true(database_start_standby(&standby, &primary));
    assert_true(refuses(database_address(&standby, NULL, name, f->address, sizeof f->address), "it is a standby"));
    set_standbys("b");
    snprintf(f->address, sizeof f->address, "postgresql://boardwalk@/%s?host=%s,%s&port=%d,%d", name, primary.folder,
             standby.folder, primary.port, standby.port);
    f->patience_ms = 8000; /* three quarters of it is spent on a server that hangs */
    open_journal(f, 0);
    append_some(f, 20);
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_true(figures.replicated);
    append(f, BW_ENTRY_RECORD, "AAAA", 21, 'a', 1, "21,");
    database_kill(&primary);
    assert_true(database_promote(&standby));
    settle(f);
    append_some(f, 4);
    assert_int_equal(f->failures, 0);
    has_all(f, 25);
    assert_true(database_restart(&primary));
    for (uint32_t i = 0; i < 2; i++) { /* whichever server the turn begins with */
        assert_true(database_run(&standby, name,
                                 "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
                                 " 'boardwalk' AND datname = current_database()",
                                 NULL, 0));
        append_some(f, 1);
    }
    assert_int_equal(f->failures, 0);
    has_all(f, 27);
    assert_true(database_run(&standby, name, "SELECT count(*) FROM boardwalk.record", value, sizeof value));
    assert_string_equal(value, "27");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CONFORMANCE(ON_POSTGRES),
        ON_POSTGRES(test_sentences),
        ON_POSTGRES(test_tables_made_at_once),
        ON_POSTGRES(test_killed_and_back),
        ON_POSTGRES(test_away),
        ON_POSTGRES(test_hangs),
        ON_POSTGRES(test_cancelled_wait),
        ON_POSTGRES(test_written_by_another),
        ON_POSTGRES(test_taken_over),
        ON_POSTGRES(test_gone_back),
        ON_POSTGRES(test_nodes),
        ON_POSTGRES(test_rooms_move_together),
        ON_POSTGRES(test_failover), /* last: after it the first server is gone */
    };
    if (!database_start(&primary)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    database_end(&standby);
    database_end(&primary);
    return failed;
}
