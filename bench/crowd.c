/* bench_crowd PROGRAM [CONNECTIONS [SERVERS]]: a crowd of idle WebSockets, each watching its own room, on one server or
 * on each of several at once.
 *
 * Prints how much of the server's memory a connection takes with its room, and how long the first, the middle and the
 * last connection wait for a `pong` once all are open: the median, in microseconds, of PINGS pings, which a connection
 * may send at once. If the limit of open files is lower than CONNECTIONS, it opens as many as that allows; `ulimit -Hn`
 * shows the limit. With several servers it prints how much of the machine's memory all of it takes, too: servers,
 * clients and the kernel's sockets. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/client.h"
#include "tests/support/process.h"

enum { PINGS = 15, SPARE_FILES = 100, BETWEEN_LOOKS = 500 };

static double resident_kb(int pid) {
    char path[64];
    double pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *in = fopen(path, "r");
    if (in && fscanf(in, "%*s %lf", &pages) != 1) pages = 0;
    if (in) fclose(in);
    return pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double pong_us(client *c) {
    double took[PINGS];
    for (int i = 0; i < PINGS; i++) {
        double start = now_us();
        if (!client_send(c, "{\"type\":\"ping\",\"t\":1}") || client_receive(c, CLIENT_WAIT_MS) != CLIENT_TEXT) {
            fputs("A connection was lost.\n", stderr);
            exit(1);
        }
        took[i] = now_us() - start;
    }
    qsort(took, PINGS, sizeof *took, by_size);
    return took[PINGS / 2];
}

/* Answers the server's own pings while a client waits for a frame. */
static void answer_pings(client *clients, long count) {
    for (long i = 0; i < count; i++) {
        int frame = client_receive(&clients[i], 0);
        if (frame < 0 || frame == CLIENT_CLOSE) {
            fprintf(stderr, "Connection %ld was closed (%d).\n", i + 1, clients[i].close_code);
            exit(1);
        }
    }
}

static long allowed(long wanted) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    long most = (long)files.rlim_max - SPARE_FILES;
    return wanted < most ? wanted : most;
}

/* Of the machine, without what the kernel can give back. */
static double available_mb(void) {
    char line[128];
    double kb = 0;
    FILE *in = fopen("/proc/meminfo", "r");
    while (in && kb == 0 && fgets(line, sizeof line, in)) {
        if (sscanf(line, "MemAvailable: %lf", &kb) != 1) kb = 0;
    }
    if (in) fclose(in);
    return kb / 1024;
}

static bool open_all(const process *server, client *clients, long count) {
    for (long i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, "/ws/CROWD%06ld", i);
        if (client_upgrade(&clients[i], server->port, path, "") != 101 ||
            client_receive(&clients[i], CLIENT_WAIT_MS) != CLIENT_TEXT) {
            fprintf(stderr, "Connection %ld is refused.\n", i + 1);
            return false;
        }
        if (i % BETWEEN_LOOKS == 0) answer_pings(clients, i);
    }
    return true;
}

/* Opens a crowd, says so, and measures it as soon as all the others are open, too. */
static int crowd(const char *program, long count, int opened, int all_open) {
    static const char *const arguments[] = {"--port",
                                            "0",
                                            "--database",
                                            ":memory:",
                                            "--max-sockets-per-address",
                                            "0",
                                            "--max-rooms-per-address-per-minute",
                                            "0",
                                            "--max-misses-per-address-per-minute",
                                            "0",
                                            "--max-stored-mb-per-address-per-hour",
                                            "0",
                                            "--max-work-seconds-per-address-per-minute",
                                            "0",
                                            NULL};
    client *clients = count > 0 ? calloc((size_t)count, sizeof *clients) : NULL;
    process server;
    char byte = 0;
    if (!clients || !process_start(&server, program, arguments, NULL)) return 1;
    double before = resident_kb(server.pid), began = now_us();
    if (!open_all(&server, clients, count)) return 1;
    double seconds = (now_us() - began) / 1e6, kb = (resident_kb(server.pid) - before) / (double)count;
    if (write(opened, &byte, 1) != 1 || read(all_open, &byte, 1) != 1) return 1;
    answer_pings(clients, count);
    printf("%ld connections in %.1f s, %.2f KiB each with its room\n", count, seconds, kb);
    printf("us to a pong: first %.0f, middle %.0f, last %.0f\n", pong_us(&clients[0]), pong_us(&clients[count / 2]),
           pong_us(&clients[count - 1]));
    fflush(stdout);
    for (long i = 0; i < count; i++) client_close(&clients[i]);
    free(clients);
    process_end(&server, SIGTERM, 20000);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return fputs("usage: bench_crowd PROGRAM [CONNECTIONS [SERVERS]]\n", stderr), 2;
    long count = allowed(argc > 2 ? strtol(argv[2], NULL, 10) : 100000);
    long servers = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
    int opened[2], all_open[2], failed = 0;
    char byte = 0;
    if (pipe(opened) < 0 || pipe(all_open) < 0) return 1;
    double before = available_mb();
    for (long i = 0; i < servers; i++) {
        if (fork() > 0) continue;
        close(opened[0]);
        close(all_open[1]);
        return crowd(argv[1], count, opened[1], all_open[0]);
    }
    close(opened[1]);
    close(all_open[0]);
    long open = 0;
    while (open < servers && read(opened[0], &byte, 1) == 1) open++;
    if (servers > 1) {
        printf("%ld servers with %ld idle connections in all; the machine's memory for both ends: %.0f MiB\n", open,
               open * count, before - available_mb());
        fflush(stdout);
    }
    for (long i = 0; i < open; i++) failed += write(all_open[1], &byte, 1) != 1;
    close(all_open[1]);
    for (int status; wait(&status) > 0;) failed += status != 0;
    return failed || open < servers;
}
