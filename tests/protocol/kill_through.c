/* kill_through PORT TABLES SEED: tables of all games, played through a balancer, each by a process of its own, so that a
 * client that waits holds up no other table. kill_cluster.py kills what is behind the balancer, and says so on the
 * standard input:
 *
 *   killed T KIND   at that second of the monotonic clock. From now on each player always has something under way that is
 *                   always allowed
 *   compare         everything runs again. What is stored is compared with what the clients saw. The answer is a line of
 *                   JSON: for each player the longest of those waits, in seconds; the first is counted from T
 *   (the end)       replays are checked; the last line says what was played */
#include "tests/protocol/kill.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TABLES_MAX = 200, PLAYERS = KILL_SEATS + 1 };

#define PROBE_SECONDS 0.4 /* between an answer and the next probe */
#define CALM_SECONDS 300  /* in which all must be answered once everything runs again */

static int port;

/* ---- a table ---- */

void kill_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("FAILED: ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    _exit(1);
}

bool kill_is_cluster(void) { return true; }
/* Longer than kill_cluster.py waits for a database to be back: how long that takes is no affair of the clients. */
double kill_patience(void) { return 900; }
double kill_rest(void) { return 0.25; }
int kill_port(void) { return port; }

/* From a kill until everything runs again. Each player always has something under way that is always allowed. */
typedef struct outage {
    bool under_way, clocks; /* clocks: rounds may be refused, and their clock restarted */
    double since;           /* the kill */
    double sent[PLAYERS];   /* 0: nothing is under way */
    double longest[PLAYERS];
    double next[PLAYERS]; /* 0: not one yet */
} outage;

static void begin_outage(outage *o, const char *line) {
    char *end;
    double since = strtod(line, &end);
    *o = (outage){.under_way = true, .clocks = strstr(end, "db") != NULL, .since = since};
}

static void follow_outage(outage *o) {
    double now = kill_seconds();
    for (int i = 0; i < kill_tables[0].count; i++) {
        kill_player *p = &kill_tables[0].players[i];
        if (o->clocks) p->clock_known = false;
        if (o->sent[i] > 0 && kill_probe_answered(p)) {
            double took = now - o->sent[i];
            o->longest[i] = took > o->longest[i] ? took : o->longest[i];
            o->sent[i] = 0;
            o->next[i] = now + PROBE_SECONDS;
        }
        /* Who had too much under way for a probe has waited since the kill, too. */
        if (o->sent[i] <= 0 && o->under_way && now >= o->next[i] && kill_probe(p)) {
            o->sent[i] = o->next[i] > 0 ? now : o->since;
        }
    }
}

static bool waits(const outage *o) {
    bool waits = false;
    for (int i = 0; i < kill_tables[0].count; i++) {
        waits = waits || o->sent[i] > 0 || !kill_is_back(&kill_tables[0].players[i]);
    }
    return waits;
}

static void compare(outage *o, int control) {
    char text[200];
    int length = 0;
    double until = kill_seconds() + CALM_SECONDS;
    if (!o->under_way) kill_fail("nothing was killed");
    o->under_way = false;
    for (follow_outage(o); waits(o); follow_outage(o)) {
        if (kill_seconds() > until) kill_fail("room %s: nobody answers any more", kill_tables[0].players[0].room->id);
        kill_everybody_acts();
        kill_poll(20);
    }
    kill_compare_all();
    for (int i = 0; i < kill_tables[0].count; i++) {
        if (o->longest[i] > 0) length += snprintf(text + length, sizeof text - (size_t)length, "%.3f,", o->longest[i]);
    }
    text[length ? length - 1 : 0] = '\n';
    if (write(control, text, (size_t)(length ? length : 1)) < 0) _exit(1);
}

/* A command of the parent, which sends one in a packet. false: there is no more. */
static bool obey(int control, outage *o) {
    char line[80];
    ssize_t got = recv(control, line, sizeof line - 1, MSG_DONTWAIT);
    if (got == 0) return false;
    if (got < 0) return true;
    line[got] = '\0';
    if (strncmp(line, "killed ", 7) == 0) begin_outage(o, line + 7);
    else compare(o, control);
    return true;
}

static void play_table(int number, uint64_t seed, int control) {
    outage o = {0};
    kill_player *p;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    kill_seed(seed * 1000 + (uint64_t)number);
    kill_open_table(number);
    if (write(control, "\n", 1) != 1) _exit(1);
    while (obey(control, &o)) {
        kill_everybody_acts();
        kill_poll(20);
        if (o.under_way) follow_outage(&o);
    }
    kill_play_for(0.3);
    kill_rooms_check_replays();
    for (int i = 0; (p = kill_player_at(i)); i++) kill_leave(p);
    if (write(control, &kill_did, sizeof kill_did) != sizeof kill_did) _exit(1);
    kill_rooms_free();
    _exit(0);
}

/* ---- all tables ---- */

static int controls[TABLES_MAX], table_count;

static void hear(int table, void *into, size_t cap) {
    ssize_t got = recv(controls[table], into, cap, 0);
    if (got <= 0) { /* it has said why */
        printf("table %d has ended\n", table);
        fflush(stdout);
        exit(1);
    }
    if (cap > (size_t)got) ((char *)into)[got] = '\0';
}

static void tell_all(const char *line) {
    for (int i = 0; i < table_count; i++) send(controls[i], line, strlen(line), MSG_NOSIGNAL);
}

static void compare_tables(void) {
    char text[201];
    bool first = true;
    tell_all("compare");
    putchar('[');
    for (int i = 0; i < table_count; i++) {
        hear(i, text, sizeof text - 1);
        text[strcspn(text, "\n")] = '\0';
        if (!text[0]) continue;
        printf("%s%s", first ? "" : ",", text);
        first = false;
    }
    puts("]");
    fflush(stdout);
}

static void end_tables(void) {
    kill_figures all = {0}, one;
    for (int i = 0; i < table_count; i++) shutdown(controls[i], SHUT_WR);
    for (int i = 0; i < table_count; i++) {
        hear(i, &one, sizeof one);
        long *sum = (long *)(void *)&all, *add = (long *)(void *)&one;
        for (size_t k = 0; k < sizeof all / sizeof(long); k++) sum[k] += add[k];
    }
    printf(
        "%d tables: %ld rooms, %ld games over, %ld updates seen, %ld acknowledged, %ld sent again, %ld refused in an"
        " outage, %ld missed updates sent again, %ld lines of logs, %ld rounds on time, %ld drafts restored, %ld orders"
        " executed\n",
        table_count, all.games, all.over, all.updates, all.acked, all.resent, all.refused, all.missed, all.lines,
        all.rounds, all.drafts, all.orders);
}

int main(int argc, char **argv) {
    char line[80];
    if (argc != 4) return 2;
    port = (int)strtol(argv[1], NULL, 10);
    int wanted = (int)strtol(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    if (wanted < 1 || wanted > TABLES_MAX) return 2;
    signal(SIGPIPE, SIG_IGN);
    for (; table_count < wanted; table_count++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return 1;
        pid_t pid = fork();
        if (pid < 0) return 1;
        if (pid == 0) {
            for (int i = 0; i < table_count; i++) close(controls[i]);
            close(ends[0]);
            play_table(table_count, seed, ends[1]);
        }
        close(ends[1]);
        controls[table_count] = ends[0];
    }
    for (int i = 0; i < table_count; i++) hear(i, line, sizeof line - 1);
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "killed ", 7) == 0) tell_all(line);
        else compare_tables();
    }
    end_tables();
    return 0;
}
