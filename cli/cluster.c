/* boardwalk cluster: the nodes of a database, and one of them handing its rooms over. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/progress.h"
#include "server/nodes.h"
#include "server/settings.h"

enum {
    NODES_MAX = 256,
    STUCK_SECONDS = 60, /* in which no room has left */
    LOOKS_SHARE = 4,    /* times as long as a look took, the database has rest: it counts all rooms */
};

typedef struct cluster {
    bw_nodes *database;
    bw_seen_node nodes[NODES_MAX];
    int count;
    bool json, rooms;
    bw_settings settings;
    bw_settings_problem wrong;
} cluster;

static const char *state_of(const bw_seen_node *node) {
    static const char *const names[] = {"lives", "silent", "ended"};
    return node->state == BW_NODE_LIVES && node->drains ? "draining" : names[node->state];
}

static int64_t rooms_of(const bw_seen_node *node) { return node->active + node->waiting + node->ended; }

/* ---- the database ---- */

static int open_database(cluster *c, const char *database, const char *env_file) {
    const char *flags[4];
    int count = 0;
    char problem[600];
    if (database) flags[count++] = "--database", flags[count++] = database;
    if (env_file) flags[count++] = "--env-file", flags[count++] = env_file;
    if (bw_settings_read(&c->settings, count, flags, getenv, &c->wrong) != BW_SETTINGS_READY)
        return cli_wrong("%s", c->wrong.text);
    if (!bw_nodes_is_address(c->settings.database)) {
        return cli_wrong(
            "DATABASE is not a postgresql:// address: a server with a file of its own has no other nodes. Give "
            "the address that the nodes have, by --database or in the environment.");
    }
    c->database = bw_nodes_open(c->settings.database, problem, sizeof problem);
    return c->database ? CLI_OK : cli_failed("DATABASE: %s", problem);
}

static int explain(const cluster *c) { return cli_failed("%s", bw_nodes_problem(c->database)); }

static int look(cluster *c) {
    c->count = bw_nodes_list(c->database, c->nodes, NODES_MAX);
    return c->count < 0 ? explain(c) : CLI_OK;
}

/* ---- listing ---- */

typedef struct listing {
    bool json;
    int count;
} listing;

static void list_room(void *user, const char *room, char status) {
    listing *l = user;
    const char *name = status == 'a' ? "active" : status == 'e' ? "ended" : "waiting";
    if (l->json) cli_print(stdout, "%s{\"room\":\"%s\",\"status\":\"%s\"}", l->count ? "," : "", room, name);
    else cli_print(stdout, "  %-12s %s\n", room, name);
    l->count++;
}

static bool list_rooms(const cluster *c, const bw_seen_node *node) {
    listing l = {.json = c->json};
    if (!c->rooms) return true;
    if (c->json) fputs(",\"list\":[", stdout);
    bool good = bw_nodes_rooms(c->database, node->id, list_room, &l);
    if (c->json) fputs("]", stdout);
    return good;
}

static int list_json(const cluster *c) {
    bool good = true;
    fputs("{\"nodes\":[", stdout);
    for (int i = 0; i < c->count; i++) {
        const bw_seen_node *node = &c->nodes[i];
        cli_print(stdout,
                  "%s{\"node\":\"%s\",\"id\":%d,\"state\":\"%s\",\"lease_seconds\":%.1f,\"rooms\":{\"active\":%lld,"
                  "\"waiting\":%lld,\"ended\":%lld}",
                  i ? "," : "", node->address, node->id, state_of(node),
                  node->state == BW_NODE_LIVES ? (double)node->lease_ms / 1000 : 0., (long long)node->active,
                  (long long)node->waiting, (long long)node->ended);
        good = list_rooms(c, node) && good;
        fputs("}", stdout);
    }
    fputs("]}\n", stdout);
    return good ? CLI_OK : explain(c);
}

static int list(cluster *c) {
    int status = look(c);
    if (status != CLI_OK) return status;
    if (c->json) return list_json(c);
    if (c->count == 0) {
        puts("No node has ever used this database.");
        return CLI_OK;
    }
    printf("%-22s %-9s %7s %7s %7s %7s\n", "node", "state", "lease", "active", "waiting", "ended");
    for (int i = 0; i < c->count; i++) {
        const bw_seen_node *node = &c->nodes[i];
        char lease[16] = "over";
        if (node->state == BW_NODE_LIVES) snprintf(lease, sizeof lease, "%.1f s", (double)node->lease_ms / 1000);
        cli_print(stdout, "%-22s %-9s %7s %7lld %7lld %7lld\n", node->address[0] ? node->address : "(alone)",
                  state_of(node), lease, (long long)node->active, (long long)node->waiting, (long long)node->ended);
        if (!list_rooms(c, node)) return explain(c);
    }
    return CLI_OK;
}

/* ---- draining ---- */

static bw_seen_node *find(cluster *c, const char *name) {
    for (int i = 0; i < c->count; i++) {
        if (c->nodes[i].address[0] && strcmp(c->nodes[i].address, name) == 0) return &c->nodes[i];
    }
    return NULL;
}

static int no_such_node(const cluster *c, const char *name) {
    const char *names[NODES_MAX];
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        if (c->nodes[i].address[0]) names[count++] = c->nodes[i].address;
    }
    return cli_no_such("there is no node", name, names, count,
                       "`boardwalk cluster` lists them, by the address that they advertise");
}

static bool has_heir(const cluster *c, const bw_seen_node *node) {
    for (int i = 0; i < c->count; i++) {
        const bw_seen_node *other = &c->nodes[i];
        if (other->id != node->id && other->state == BW_NODE_LIVES && !other->drains) return true;
    }
    return false;
}

static double look_again(cluster *c, int *status) {
    double began = cli_clock();
    *status = look(c);
    return 0.1 + LOOKS_SHARE * (cli_clock() - began);
}

/* `left` are the node's rooms. Those that nobody is in stay with it to the end. */
static int wait_for_end(cluster *c, const char *name, progress *p, int64_t *left, bool *ended) {
    int status = CLI_OK, id = find(c, name)->id;
    const int64_t rooms = *left;
    double moved = cli_clock(), rest = 0.1;
    while (!progress_interrupted() && cli_clock() - moved < STUCK_SECONDS) {
        nanosleep(&(struct timespec){.tv_sec = (time_t)rest, .tv_nsec = (long)((rest - (double)(time_t)rest) * 1e9)},
                  NULL);
        rest = look_again(c, &status);
        const bw_seen_node *node = status == CLI_OK ? find(c, name) : NULL;
        if (!node || node->id != id) return status;
        if (rooms_of(node) < *left) moved = cli_clock();
        *left = rooms_of(node);
        *ended = node->state == BW_NODE_ENDED;
        if (node->state != BW_NODE_LIVES) return status;
        if (progress_due(p) && rooms > 0) {
            int64_t gone = rooms > *left ? rooms - *left : 0;
            progress_tell(p, (double)gone / (double)rooms, "%lld of %lld rooms handed over", (long long)gone,
                          (long long)rooms);
        }
    }
    return status;
}

static int drain(cluster *c, const char *name) {
    int status = look(c);
    if (status != CLI_OK) return status;
    const bw_seen_node *node = find(c, name);
    if (!node) return no_such_node(c, name);
    if (node->state != BW_NODE_LIVES) {
        return cli_failed(
            "%s does not run, so it cannot hand its rooms over. Each goes to the node where it is visited next.", name);
    }
    if (!has_heir(c, node)) {
        return cli_failed(
            "No other node runs that could take the rooms of %s. Start one first, or end this one with SIGTERM: its "
            "rooms then wait for the next node.",
            name);
    }
    int64_t rooms = rooms_of(node), left = rooms;
    double began = cli_clock();
    if (!bw_nodes_ask_to_drain(c->database, node->id)) return explain(c);
    progress p = progress_begin();
    bool interrupted = false, ended = false;
    status = wait_for_end(c, name, &p, &left, &ended);
    interrupted = progress_interrupted();
    progress_end(&p);
    if (status != CLI_OK) return status;
    double took = cli_clock() - began;
    if (interrupted && !ended) {
        return cli_failed(
            "%s goes on without being watched: %lld of its %lld rooms were handed over so far. `boardwalk "
            "cluster` shows it.",
            name, (long long)(rooms > left ? rooms - left : 0), (long long)rooms);
    }
    if (c->json) {
        cli_print(stdout, "{\"node\":\"%s\",\"ended\":%s,\"seconds\":%.1f,\"handed_over\":%lld,\"left\":%lld}\n", name,
                  ended ? "true" : "false", took, (long long)(rooms - left), (long long)left);
    } else if (ended) {
        cli_print(stdout,
                  "%s has ended after %.1f s. %lld rooms were handed over. %lld empty rooms wait for their next "
                  "visitor.\n",
                  name, took, (long long)(rooms > left ? rooms - left : 0), (long long)left);
    }
    if (ended) return CLI_OK;
    return c->json ? CLI_NO
                   : cli_failed(
                         "%s was asked to drain, but has not ended after %.0f s, and %lld rooms are left. Its log says "
                         "what it waits for.",
                         name, took, (long long)left);
}

int cli_cluster(int argc, char **argv) {
    cluster *c = cli_memory(sizeof *c);
    const char *database = NULL, *env_file = NULL, *words[2];
    const cli_option options[] = {
        CLI_TEXT("--database", &database, "ADDRESS",
                 "the nodes' postgresql:// address (default: DATABASE, as for serve)"),
        CLI_TEXT("--env-file", &env_file, "FILE", "another file than .env"),
        CLI_FLAG("--rooms", &c->rooms, "list the rooms of each node, too"),
        CLI_FLAG("--json", &c->json,
                 "{\"nodes\": [{\"node\", \"id\", \"state\", \"lease_seconds\", \"rooms\"}]}, or of "
                 "drain {\"node\", \"ended\", \"seconds\", \"handed_over\", \"left\"}"),
    };
    const cli_usage usage = {
        .command = "cluster",
        .operands = "[drain NODE]",
        .about = "Lists the nodes that share a PostgreSQL database: whether each lives, for how long its lease\n"
                 "still runs, and how many rooms it has. `drain NODE` has that node hand its rooms over to the\n"
                 "others, a few at a time, while people play; then it ends, as by SIGTERM, and this command\n"
                 "with it. Ctrl-C ends the command alone. NODE is the address that `boardwalk cluster` shows.\n"
                 "Exit status 0: done; 1: the database or the node does not do it; 2: wrong usage.",
        CLI_OPTIONS(options),
        .positionals = {0, 2},
    };
    int given = cli_parse(&usage, argc, argv, words), status;
    if (given < 0) {
        status = cli_exit(given);
    } else if (given > 0 && strcmp(words[0], "drain") != 0) {
        status = cli_wrong("cluster knows no \"%s\"; usage: boardwalk cluster [drain NODE]", words[0]);
    } else if (given == 1) {
        status = cli_wrong("drain requires a node: boardwalk cluster drain NODE. `boardwalk cluster` lists them.");
    } else if ((status = open_database(c, database, env_file)) == CLI_OK) {
        status = given == 0 ? list(c) : drain(c, words[1]);
    }
    bw_nodes_close(c->database);
    free(c);
    return status;
}
