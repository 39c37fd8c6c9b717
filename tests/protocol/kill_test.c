/* kill_test PROGRAM [KILLS] [SEED] [postgres | cluster]: see kill.h. */
#include "tests/protocol/kill.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/database.h"
#include "tests/support/folder.h"

process kill_nodes[KILL_NODES];

static struct {
    const char *program;
    char folder[64], database[300], log[96];
    bool on_postgres, cluster;
    int dead, fenced; /* dead: the node that clients avoid, or -1 */
    int cluster_ports[KILL_NODES];
    struct database postgres;
    int database_kills;
    double downtime_max;
} test;

void kill_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("FAILED: ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n(the database and the server's log are in %s)\n", test.folder);
    for (int i = 0; i < KILL_NODES; i++) {
        if (kill_nodes[i].pid > 0) kill(kill_nodes[i].pid, SIGKILL);
    }
    exit(1);
}

double kill_patience(void) { return 20; }
double kill_rest(void) { return 0.06; }
bool kill_is_cluster(void) { return test.cluster; }

int kill_port(void) {
    if (!test.cluster) return kill_nodes[0].port;
    int index;
    do {
        index = (int)kill_roll(KILL_NODES);
    } while (index == test.dead);
    return kill_nodes[index].port;
}

/* As a machine that was suspended or is busy: rounds are due in the meantime, more than one in each room. */
static void stall(void) {
    kill(kill_nodes[0].pid, SIGSTOP);
    nanosleep(&(struct timespec){.tv_nsec = 900000000}, NULL);
    kill(kill_nodes[0].pid, SIGCONT);
    kill_play_for(0.5);
}

/* ---- kills ---- */

/* Ports for traffic between the nodes, below the system's range for outgoing connections: nobody takes one before
 * its node does, or while that node is down. */
static void choose_ports(void) {
    int port = 20000 + getpid() * 16 % 10000, last = port + 2000;
    for (int i = 0; i < KILL_NODES && port < last; port++) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        at.sin_port = htons((uint16_t)port);
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(fd, (struct sockaddr *)&at, sizeof at) == 0) test.cluster_ports[i++] = port;
        close(fd);
    }
    if (!test.cluster_ports[KILL_NODES - 1]) kill_fail("no port is free");
}

static void start_node(int index) {
    char listen[40];
    snprintf(listen, sizeof listen, "127.0.0.1:%d", test.cluster_ports[index]);
    const char *const arguments[] = {"--port", "0", "--database", test.database, "--max-sockets-per-address", "0",
                                     "--max-rooms-per-address-per-minute", "0", "--seat-grace-seconds", "600",
                                     "--log-level", "warn", "--hibernate-seconds", "0", "--away-seconds", "0",
                                     /* a single node needs none */
                                     test.cluster ? "--cluster-listen" : NULL, listen, "--cluster-secret",
                                     "sixteen-or-more-of-them", "--lease-seconds", "1", NULL};
    if (!process_start(&kill_nodes[index], test.program, arguments, test.log)) kill_fail("the server did not start");
}

static void cut_off(kill_player *p) {
    client_close(&p->c);
    p->connected = p->seated = false;
}

/* At every other table a player is disconnected, and the others continue if the game lets them: so a returning
 * player has missed something, however fast the machine is. Whoever is left alone asks for a bot. */
static void cut_some_off(void) {
    kill_player *away[KILL_TABLES] = {NULL};
    for (int t = 0; t < kill_table_count; t++) {
        kill_player *p = &kill_tables[t].players[kill_roll((uint32_t)kill_tables[t].count)];
        if (!p->connected || kill_roll(2)) continue;
        cut_off(p);
        away[t] = p->seat >= 0 ? p : NULL;
    }
    kill_play_for(0.05); /* the server notices */
    for (int t = 0; t < kill_table_count; t++) {
        for (int i = 0; away[t] && i < kill_tables[t].count; i++) {
            kill_player *other = &kill_tables[t].players[i];
            if (other->seat >= 0 && other->room == away[t]->room) kill_ask_stand_in(other, away[t]->seat);
        }
    }
    kill_play_for(0.1);
}

/* At some tables everybody leaves: their rooms leave the server's memory, and are perhaps just doing so. */
static void let_some_sleep(void) {
    for (int t = (int)kill_roll(3); t < kill_table_count; t += 3) {
        for (int i = 0; i < kill_tables[t].count; i++) {
            if (kill_tables[t].players[i].connected) cut_off(&kill_tables[t].players[i]);
        }
    }
    kill_play_for(kill_roll(60) / 1000.0);
}

/* Stops the server; then all clients send something that it has not read. */
static void act_unread(const process *server) {
    kill_player *p;
    kill(server->pid, SIGSTOP);
    for (int i = 0; (p = kill_player_at(i)); i++) { /* nobody waits after the last move; otherwise all of them might */
        p->rests_until = 0;
    }
    kill_everybody_acts();
}

/* Every other kill meets messages that have arrived but are unread, however fast the machine is; the rest come at
 * any moment. */
static void kill_and_return(bool unread) {
    kill_player *p;
    if (unread) {
        cut_some_off();
        act_unread(&kill_nodes[0]);
    } else {
        let_some_sleep();
    }
    kill(kill_nodes[0].pid, SIGKILL);
    double start = kill_seconds();
    process_wait(&kill_nodes[0], 5000);
    for (int i = 0; (p = kill_player_at(i)); i++) { /* reads what had left the server */
        while (p->connected) kill_listen(p);
    }
    start_node(0);
    kill_compare_all();
    for (int i = 0; (p = kill_player_at(i)); i++) kill_connect(p);
    for (int i = 0; (p = kill_player_at(i)); i++) {
        if (!kill_wait_for(kill_is_back, p)) {
            kill_fail("room %s: %s cannot get the seat back", p->room->id, kill_role(p));
        }
        kill_send_again(p);
    }
    double downtime = kill_seconds() - start;
    if (downtime > test.downtime_max) test.downtime_max = downtime;
}

/* The database dies while the server runs. No client is disconnected; pending messages wait, or are refused and sent
 * again. */
static void kill_database(double away) {
    kill_player *p;
    double start = kill_seconds();
    kill_everybody_acts();
    database_kill(&test.postgres);
    kill_play_for(away);
    for (int i = 0; (p = kill_player_at(i)); i++) {
        if (!p->connected) kill_fail("room %s: %s was disconnected with the database", p->room->id, kill_role(p));
    }
    if (!database_restart(&test.postgres)) kill_fail("the database did not start");
    /* If it is down for longer than messages wait, rounds are refused too: then the clock of their room restarts. */
    for (int i = 0; kill_seconds() - start > 3 && (p = kill_player_at(i)); i++) p->clock_known = false;
    long before = kill_did.acked;
    for (double until = kill_seconds() + 20; kill_did.acked == before;) {
        if (kill_seconds() > until) kill_fail("nothing is stored any longer");
        kill_play_for(0.05);
    }
    double downtime = kill_seconds() - start;
    if (downtime > test.downtime_max) test.downtime_max = downtime;
    kill_compare_all();
    test.database_kills++;
}

static void leave_and_come_back(bool all) {
    kill_player *p;
    for (int i = 0; (p = kill_player_at(i)); i++) {
        kill_listen(p);
        if (p->connected && !all && kill_roll(2)) continue;
        if (p->connected) client_close(&p->c);
        p->connected = p->seated = false;
        kill_come_back(p);
    }
    double until = kill_seconds() + 30;
    for (int i = 0; (p = kill_player_at(i)); i++) {
        while (!kill_is_back(p)) {
            if (kill_seconds() > until) {
                kill_fail("room %s: %s cannot get the seat back", p->room->id, kill_role(p));
            }
            kill_poll(20);
        }
    }
}

/* One of several nodes dies, or is stopped for longer than its lease and continues. */
static void kill_a_node(bool sleeps) {
    int index = (int)kill_roll(KILL_NODES);
    process *victim = &kill_nodes[index];
    bool returns_late = sleeps || kill_roll(2);
    double start = kill_seconds();
    act_unread(victim);
    test.dead = index;
    if (!sleeps) {
        kill(victim->pid, SIGKILL);
        process_wait(victim, 5000);
    }
    for (int i = 0; i < 5; i++) kill_poll(20); /* reads what had left it */
    if (!returns_late) start_node(index);
    kill_compare_all();
    leave_and_come_back(sleeps);
    double downtime = kill_seconds() - start;
    if (downtime > test.downtime_max) test.downtime_max = downtime;
    kill_play_for(0.2);
    if (sleeps) {
        kill(victim->pid, SIGCONT);
        test.fenced += process_wait(victim, 3000) == 1; /* otherwise it owned no room, and is killed now */
    }
    if (returns_late) start_node(index);
    test.dead = -1;
}

static void kill_something(int index) {
    if (test.cluster) {
        kill_a_node(index == 0 || kill_roll(3) == 0); /* at first each node owns rooms */
        return;
    }
    int what = test.on_postgres ? index % 3 : 0; /* the server, the database, both, in turn */
    if (what == 1) {
        kill_database(0.02 + kill_roll(200) / 1000.0);
        return;
    }
    if (what == 2) {
        database_kill(&test.postgres);
        if (!database_restart(&test.postgres)) kill_fail("the database did not start");
        test.database_kills++;
    }
    kill_and_return(what == 0 && index % 2 == 0);
}

/* ---- the test ---- */

static void remove_folder(void) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    char path[320];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", test.database, tails[i]);
        unlink(path);
    }
    unlink(test.log);
    rmdir(test.folder);
    if (test.on_postgres) database_end(&test.postgres);
}

static void proves_enough(int kills) {
    const kill_figures *did = &kill_did;
    if (did->updates < kills * 20 || did->resent < kills / 2 || did->over < kills / 5 || did->rematches < kills / 5 ||
        did->orders < kills / 2 || did->drafts < kills || did->stand_ins < kills / 10 || did->rounds < kills / 2 ||
        did->missed < kills / 10 || did->left_out < kills / 25) {
        kill_fail("too little happened to prove anything");
    }
}

int main(int argc, char **argv) {
    int kills = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 50;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 20260131;
    kill_player *p;
    if (argc < 2) return 2;
    test.program = argv[1];
    if (!make_folder(test.folder, sizeof test.folder, "kill")) return 1;
    snprintf(test.database, sizeof test.database, "%s/b.db", test.folder);
    snprintf(test.log, sizeof test.log, "%s/log", test.folder);
    test.cluster = argc > 4 && strcmp(argv[4], "cluster") == 0;
    test.on_postgres = test.cluster || (argc > 4 && strcmp(argv[4], "postgres") == 0);
    if (test.on_postgres) {
        if (!database_start(&test.postgres)) return 1;
        database_address(&test.postgres, NULL, "boardwalk", test.database, sizeof test.database);
    }
    signal(SIGPIPE, SIG_IGN);
    printf("%d tables, %d kills, seed %llu\n", KILL_TABLES, kills, (unsigned long long)seed);
    kill_seed(seed);
    test.dead = -1;
    if (test.cluster) choose_ports();
    for (int i = 0; test.cluster && i < KILL_NODES; i++) start_node(i);
    if (!test.cluster) start_node(0);
    for (int i = 0; i < KILL_TABLES; i++) kill_open_table(i);
    for (int i = 0; i < kills; i++) {
        kill_play_for(i % 5 == 4 ? 0.9 : 0.02 + kill_roll(350) / 1000.0); /* sometimes long enough for rounds */
        if (i % 20 == 14 && !test.cluster) stall();
        kill_something(i);
    }
    if (test.on_postgres && !test.cluster) kill_database(4.5); /* longer than messages wait: new ones are refused */
    kill_play_for(0.3);
    kill_rooms_check_replays();
    for (int i = 0; (p = kill_player_at(i)); i++) kill_leave(p);
    int status = process_end(&kill_nodes[0], SIGTERM, 5000);
    if (status != 0) kill_fail("the server exited with %d", status);
    const kill_figures *did = &kill_did;
    printf(
        "%ld rooms, %ld games over, %ld seats in a rematch, %ld left behind; %ld updates seen, %ld acknowledged, %ld sent again after a kill,\n"
        "%ld missed updates sent again, %ld lines of logs, %ld rounds on time, %ld skipped in stalls, %ld drafts restored, %ld orders executed, %ld bots stood in; back within %.2f s\n",
        did->games, did->over, did->rematches, did->behind, did->updates, did->acked, did->resent, did->missed,
        did->lines, did->rounds, did->left_out, did->drafts, did->orders, did->stand_ins, test.downtime_max);
    for (int i = 1; test.cluster && i < KILL_NODES; i++) process_end(&kill_nodes[i], SIGTERM, 5000);
    if (test.cluster) {
        printf("%d nodes had been stopped too long and exited\n", test.fenced);
        if (test.fenced == 0) kill_fail("no node was fenced");
    } else if (test.on_postgres) {
        printf("%d kills of the database, %ld messages refused and sent again\n", test.database_kills, did->refused);
        if (test.database_kills < kills / 3 || did->refused == 0) kill_fail("the database was hardly killed");
    }
    proves_enough(test.on_postgres ? kills / 2 : kills);
    kill_rooms_free();
    remove_folder();
    return 0;
}
