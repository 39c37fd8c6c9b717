/* bench_appends ADDRESS WRITERS IN_FLIGHT SECONDS: how many moves a second one PostgreSQL carries, with nodes that only
 * append. Each writer is a process with the journal of a node (server/journal_postgres.c), 1,000 rooms of its own, and
 * that many records of 150 bytes under way, as one whose players never think. Prints a line of JSON. bench/cluster calls
 * it with the pair of pkg/cluster-demo. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/journal.h"

enum { ROOMS = 1000, BYTES = 150, WRITERS_MAX = 16 };

typedef struct writer {
    bw_journal *journal;
    int wake;
    uint64_t ticket, committed;
} writer;

typedef struct result {
    uint64_t records, commits;
    double seconds, cpu;
} result;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cpu_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void on_wake(void *user) {
    uint64_t one = 1;
    ssize_t written = write(((writer *)user)->wake, &one, sizeof one);
    (void)written;
}

static void on_committed(void *user, uint64_t ticket) { ((writer *)user)->committed = ticket; }

static void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    (void)user, (void)last_good, (void)in_doubt;
    fprintf(stderr, "%s\n", reason);
    _exit(1);
}

static void append(writer *w, int number) {
    static const uint8_t bytes[BYTES] = {1};
    bw_entry entry = {.kind = BW_ENTRY_RECORD,
                      .ticket = ++w->ticket,
                      .status = 'a',
                      .bytes = bytes,
                      .length = BYTES,
                      .index = (uint32_t)((w->ticket - 1) / ROOMS + 1)};
    snprintf(entry.room, sizeof entry.room, "N%02dROOM%04d", number, (int)((w->ticket - 1) % ROOMS));
    bw_journal_append(w->journal, &entry, NULL);
}

static result write_for(writer *w, int number, int in_flight, double duration) {
    static const bw_journal_answers answers = {.committed = on_committed, .failed = on_failed};
    double start = seconds(), cpu = cpu_seconds();
    struct pollfd waiting = {.fd = w->wake, .events = POLLIN};
    uint64_t times;
    while (seconds() - start < duration) {
        while (w->ticket - w->committed < (uint64_t)in_flight) append(w, number);
        if (poll(&waiting, 1, 1000) == 1 && read(w->wake, &times, sizeof times) == sizeof times)
            bw_journal_dispatch(w->journal, &answers, w);
    }
    bw_journal_figures figures;
    bw_journal_figures_of(w->journal, &figures);
    return (result){.records = w->committed,
                    .commits = figures.commits.count,
                    .seconds = seconds() - start,
                    .cpu = cpu_seconds() - cpu};
}

/* All begin at once: when the parent closes `go`. */
static void run_writer(const char *address, int number, int in_flight, double duration, int go, int out) {
    static const bw_log quiet = {.fd = -1};
    char node[40], byte;
    bw_store_problem problem;
    writer w = {.wake = eventfd(0, EFD_CLOEXEC)};
    snprintf(node, sizeof node, "127.0.0.1:%d", 1 + number);
    w.journal = bw_journal_open(
        &(bw_journal_options){.path = address, .node = node, .log = &quiet, .wake = on_wake, .user = &w}, &problem);
    if (!w.journal) {
        fprintf(stderr, "%s\n", problem.text);
        _exit(1);
    }
    if (write(out, "r", 1) != 1 || read(go, &byte, 1) != 0) _exit(1);
    result found = write_for(&w, number, in_flight, duration);
    bool told = write(out, &found, sizeof found) == sizeof found;
    bw_journal_close(w.journal);
    _exit(told ? 0 : 1);
}

int main(int argc, char **argv) {
    int writers = argc == 5 ? (int)strtol(argv[2], NULL, 10) : 0, go[2], out[2], status, failed = 0;
    if (writers < 1 || writers > WRITERS_MAX || pipe(go) != 0 || pipe(out) != 0) {
        fprintf(stderr, "bench_appends ADDRESS WRITERS IN_FLIGHT SECONDS\n");
        return 2;
    }
    int in_flight = (int)strtol(argv[3], NULL, 10);
    for (int i = 0; i < writers; i++) {
        char byte;
        if (fork() == 0) {
            close(go[1]);
            run_writer(argv[1], i, in_flight, strtod(argv[4], NULL), go[0], out[1]);
        }
        if (read(out[0], &byte, 1) != 1) return 1;
    }
    close(go[1]);
    result all = {0}, one;
    for (int i = 0; i < writers && read(out[0], &one, sizeof one) == sizeof one; i++) {
        all.records += one.records;
        all.commits += one.commits;
        all.cpu += one.cpu;
        all.seconds = one.seconds > all.seconds ? one.seconds : all.seconds;
    }
    while (wait(&status) > 0) failed += status != 0;
    printf("{\"records\": %llu, \"commits\": %llu, \"seconds\": %.3f, \"cpu\": %.3f}\n",
           (unsigned long long)all.records, (unsigned long long)all.commits, all.seconds, all.cpu);
    return failed != 0;
}
