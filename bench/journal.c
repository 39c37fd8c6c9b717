/* bench_journal [FOLDER] [SECONDS]: the cost of durability on this disk.
 *
 * Writes batches of 1, 10, 100 and 1,000 records of 150 bytes, from 1,000 rooms. It compares records a second
 * through the journal (append a batch, await its completion) with SQLite alone doing the same inserts in the same
 * batches, in turn within one run, median of five. Before that it measures the disk's rate of flushes. Then it
 * measures the time from append to completion with 100, 1,000 and 10,000 records a second offered. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "server/journal.h"

enum { ROOMS = 1000, BYTES = 150, ROUNDS = 5, SAMPLES_MAX = 200000 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static uint8_t record[BYTES];
static char path[300];

static void drop_files(void) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    char full[310];
    for (int i = 0; i < 3; i++) {
        snprintf(full, sizeof full, "%s%s", path, tails[i]);
        unlink(full);
    }
}

/* Flushes a second: 4 KiB written repeatedly to an existing file. */
static double flush_rate(double duration) {
    char block[4096] = {1};
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; fd >= 0 && i < 256; i++) {
        if (write(fd, block, sizeof block) != sizeof block) return 0;
    }
    fsync(fd);
    int count = 0;
    double start = seconds();
    for (; seconds() - start < duration; count++) {
        block[0]++;
        if (pwrite(fd, block, sizeof block, count % 256 * 4096) != sizeof block || fdatasync(fd) != 0) {
            return 0;
        }
    }
    double rate = count / (seconds() - start);
    close(fd);
    unlink(path);
    return rate;
}

/* ---- SQLite alone: the same statement on the same table, nothing else ---- */

static double sqlite_rate(int batch, double duration) {
    sqlite3 *db;
    sqlite3_stmt *insert, *begin, *commit;
    drop_files();
    sqlite3_open(path, &db);
    sqlite3_exec(db,
                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;"
                 "CREATE TABLE record (seq INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL,"
                 " bytes BLOB NOT NULL, previous INTEGER NOT NULL)",
                 NULL, NULL, NULL);
    sqlite3_prepare_v2(db, "INSERT INTO record (room, number, bytes, previous) VALUES (?1, ?2, ?3, ?4)", -1, &insert,
                       NULL);
    sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, NULL);
    sqlite3_prepare_v2(db, "COMMIT", -1, &commit, NULL);
    long count = 0;
    double start = seconds();
    while (seconds() - start < duration) {
        sqlite3_step(begin);
        sqlite3_reset(begin);
        for (int i = 0; i < batch; i++, count++) {
            sqlite3_bind_int64(insert, 1, count % ROOMS);
            sqlite3_bind_int64(insert, 2, count / ROOMS + 1);
            sqlite3_bind_blob(insert, 3, record, BYTES, SQLITE_STATIC);
            sqlite3_bind_int64(insert, 4, count < ROOMS ? 0 : count + 1 - ROOMS);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_step(commit);
        sqlite3_reset(commit);
    }
    double rate = (double)count / (seconds() - start);
    sqlite3_finalize(insert), sqlite3_finalize(begin), sqlite3_finalize(commit);
    sqlite3_close(db);
    return rate;
}

/* ---- the journal ---- */

typedef struct bench {
    bw_journal *journal;
    int wake;
    uint64_t ticket, committed;
    double *sent_at; /* by ticket; NULL: not measured */
    double *latency;
} bench;

static void on_wake(void *user) {
    uint64_t one = 1;
    ssize_t written = write(((bench *)user)->wake, &one, sizeof one);
    (void)written;
}
static void on_committed(void *user, uint64_t ticket) {
    bench *b = user;
    for (double now = seconds(); b->sent_at && b->committed < ticket; b->committed++) {
        b->latency[b->committed] = now - b->sent_at[b->committed + 1];
    }
    b->committed = ticket;
}
static void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    (void)in_doubt;
    (void)user, (void)last_good;
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

static void take(bench *b, int wait_ms) {
    static const bw_journal_answers answers = {.committed = on_committed, .failed = on_failed};
    struct pollfd waiting = {.fd = b->wake, .events = POLLIN};
    uint64_t times;
    if (poll(&waiting, 1, wait_ms) == 1 && read(b->wake, &times, sizeof times) == sizeof times) {
        bw_journal_dispatch(b->journal, &answers, b);
    }
}

static void append(bench *b) {
    bw_entry entry = {.kind = BW_ENTRY_RECORD,
                      .ticket = ++b->ticket,
                      .status = 'a',
                      .bytes = record,
                      .length = BYTES,
                      .index = (uint32_t)((b->ticket - 1) / ROOMS + 1)};
    snprintf(entry.room, sizeof entry.room, "ROOM%04d", (int)((b->ticket - 1) % ROOMS));
    if (b->sent_at) b->sent_at[b->ticket] = seconds();
    bw_journal_append(b->journal, &entry, NULL);
}

static void open_journal(bench *b) {
    static const bw_log quiet = {.fd = -1};
    bw_store_problem problem;
    drop_files();
    *b = (bench){.wake = eventfd(0, EFD_CLOEXEC)};
    b->journal =
        bw_journal_open(&(bw_journal_options){.path = path, .log = &quiet, .wake = on_wake, .user = b}, &problem);
    if (!b->journal) {
        fprintf(stderr, "%s\n", problem.text);
        exit(1);
    }
}

static void close_journal(bench *b) {
    bw_journal_close(b->journal);
    close(b->wake);
}

static double journal_rate(int batch, double duration) {
    bench b;
    open_journal(&b);
    double start = seconds();
    while (seconds() - start < duration) {
        for (int i = 0; i < batch; i++) append(&b);
        while (b.committed < b.ticket) take(&b, 1000);
    }
    double rate = (double)b.ticket / (seconds() - start);
    close_journal(&b);
    return rate;
}

static void latency(int offered, double duration) {
    bench b;
    open_journal(&b);
    b.sent_at = calloc(SAMPLES_MAX + 1, sizeof *b.sent_at);
    b.latency = calloc(SAMPLES_MAX + 1, sizeof *b.latency);
    double start = seconds();
    while (seconds() - start < duration && b.ticket < SAMPLES_MAX) {
        while ((double)b.ticket < (seconds() - start) * offered && b.ticket < SAMPLES_MAX) {
            append(&b);
        }
        take(&b, 1);
    }
    while (b.committed < b.ticket) take(&b, 1000);
    bw_journal_figures figures;
    bw_journal_figures_of(b.journal, &figures);
    close_journal(&b);
    qsort(b.latency, b.ticket, sizeof *b.latency, by_value);
    printf("%6d offered/s   p50 %6.2f ms   p99 %6.2f ms   %.1f records a commit\n", offered,
           b.latency[b.ticket / 2] * 1e3, b.latency[b.ticket * 99 / 100] * 1e3,
           (double)figures.entries_total / (double)figures.commits.count);
    free(b.sent_at);
    free(b.latency);
}

int main(int argc, char **argv) {
    double duration = argc > 2 ? strtod(argv[2], NULL) : 1;
    char folder[256];
    snprintf(folder, sizeof folder, "%s/boardwalk-bench-XXXXXX", argc > 1 ? argv[1] : ".");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "cannot create a folder in %s\n", folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/b.db", folder);
    memset(record, 'r', sizeof record);
    printf("flushes of 4 KiB   %8.0f /s\n\nbatch      SQLite alone        journal     ratio (median of %d)\n",
           flush_rate(duration), ROUNDS);
    for (int batch = 1; batch <= 1000; batch *= 10) {
        double alone[ROUNDS], through[ROUNDS], ratio[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            alone[i] = sqlite_rate(batch, duration);
            through[i] = journal_rate(batch, duration);
            ratio[i] = through[i] / alone[i];
        }
        qsort(alone, ROUNDS, sizeof *alone, by_value);
        qsort(through, ROUNDS, sizeof *through, by_value);
        qsort(ratio, ROUNDS, sizeof *ratio, by_value);
        printf("%5d   %12.0f /s  %11.0f /s     %5.0f %%\n", batch, alone[ROUNDS / 2], through[ROUNDS / 2],
               ratio[ROUNDS / 2] * 100);
    }
    printf("\nfrom append to completion\n");
    for (int offered = 100; offered <= 10000; offered *= 10) latency(offered, 2 * duration);
    drop_files();
    rmdir(folder);
    return 0;
}
