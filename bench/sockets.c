/* bench_sockets PROGRAM [PROGRAM ...]: the cost of a message and a connection on a real server, the programs in turn.
 *
 * CPU is that of the server's loop for a `ping` and its `pong` (30 bytes each way), over CONNECTIONS WebSockets,
 * each in its own room. Memory is the growth of the process with the second half of the connections, when everything
 * that is allocated once exists: for HTTP connections that wait for their next request, and for WebSockets with
 * their rooms. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/client.h"
#include "tests/support/process.h"

enum { CONNECTIONS = 2000, HALF = CONNECTIONS / 2, ROUNDS = 50, TURNS = 3, PAUSE_MS = 60 };

static client clients[CONNECTIONS];

static double number_in(int pid, const char *file, const char *format) {
    char path[64];
    double number = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    FILE *in = fopen(path, "r");
    if (in && fscanf(in, format, &number) != 1) number = 0;
    if (in) fclose(in);
    return number;
}
static double loop_us(int pid) { return number_in(pid, "schedstat", "%lf") / 1000; }
static double resident_kb(int pid) { return number_in(pid, "statm", "%*s %lf") * (double)sysconf(_SC_PAGESIZE) / 1024; }

static void close_all(void) {
    for (int i = 0; i < CONNECTIONS; i++) client_close(&clients[i]);
}

static double idle_http(const process *p) {
    double before = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        if (i == HALF) before = resident_kb(p->pid);
        if (!client_connect(&clients[i], p->port)) exit(1);
        client_http(&clients[i], "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", NULL, NULL, NULL);
    }
    double grown = resident_kb(p->pid) - before;
    close_all();
    return grown / HALF;
}

static double open_sockets(const process *p) {
    double before = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        if (i == HALF) before = resident_kb(p->pid);
        char path[32];
        snprintf(path, sizeof path, "/ws/BENCH%05d", i);
        if (client_upgrade(&clients[i], p->port, path, "") != 101) exit(1);
        if (client_receive(&clients[i], CLIENT_WAIT_MS) != CLIENT_TEXT) exit(1);
    }
    return (resident_kb(p->pid) - before) / HALF;
}

static double echo(const process *p) {
    double before = loop_us(p->pid);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CONNECTIONS; i++) client_send(&clients[i], "{\"type\":\"ping\",\"t\":123456}");
        for (int i = 0; i < CONNECTIONS; i++) {
            if (client_receive(&clients[i], CLIENT_WAIT_MS) != CLIENT_TEXT) exit(1);
        }
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    }
    return (loop_us(p->pid) - before) / (ROUNDS * CONNECTIONS);
}

int main(int argc, char **argv) {
    static const char *const arguments[] = {
        "--port", "0", "--database", ":memory:", "--max-sockets-per-address", "0", "--max-rooms-per-address-per-minute",
        "0",      NULL};
    struct rlimit files = {CONNECTIONS + 100, CONNECTIONS + 100};
    setrlimit(RLIMIT_NOFILE, &files);
    printf("us/message  KB/idle HTTP  KB/WebSocket and room\n");
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 1; i < argc; i++) {
            process first, second; /* two processes: memory that one kind frees would hide what the other uses */
            if (!process_start(&first, argv[i], arguments, NULL)) return 1;
            double http = idle_http(&first);
            process_end(&first, SIGKILL, 5000);
            if (!process_start(&second, argv[i], arguments, NULL)) return 1;
            double socket = open_sockets(&second);
            printf("%10.2f  %12.2f  %21.2f  %s\n", echo(&second), http, socket, argv[i]);
            fflush(stdout);
            close_all();
            process_end(&second, SIGKILL, 5000);
        }
    }
    return 0;
}
