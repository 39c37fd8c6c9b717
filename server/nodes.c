#include "server/nodes.h"

#include <stdio.h>
#include <string.h>

#include "server/postgres_private.h"

enum { ANSWER_MS = 10000 };

struct bw_nodes {
    bw_postgres *pg;
    char problem[600];
};

bool bw_nodes_is_address(const char *database) { return bw_postgres_is_address(database); }

bw_nodes *bw_nodes_open(const char *database, char *problem, size_t cap) {
    bw_store_problem why;
    bool away;
    bw_nodes *nodes = calloc(1, sizeof *nodes);
    snprintf(problem, cap, "There is not enough memory.");
    if (!nodes) return NULL;
    nodes->pg = bw_postgres_open(database, 0, ANSWER_MS, &away, &why);
    if (nodes->pg) return nodes;
    snprintf(problem, cap, "%s", why.text);
    free(nodes);
    return NULL;
}

void bw_nodes_close(bw_nodes *nodes) {
    if (!nodes) return;
    bw_postgres_close(nodes->pg);
    free(nodes);
}

const char *bw_nodes_problem(const bw_nodes *nodes) { return nodes->problem; }

static bool ask(bw_nodes *nodes, const char *sql, PGresult **rows) {
    if (bw_postgres_run(nodes->pg, sql, rows) == BW_OUTCOME_DONE) return true;
    const char *state = nodes->pg->state;
    /* There is no such schema, table or column. */
    bool unmade = strcmp(state, "3F000") == 0 || strcmp(state, "42P01") == 0 || strcmp(state, "42703") == 0;
    if (unmade) {
        snprintf(nodes->problem, sizeof nodes->problem,
                 "This database has no tables of this version of Boardwalk. A node makes them when it starts.");
    } else {
        snprintf(nodes->problem, sizeof nodes->problem, "The database does not answer: %s.",
                 bw_postgres_error(nodes->pg));
    }
    return false;
}

int bw_nodes_list(bw_nodes *nodes, bw_seen_node *seen, int cap) {
    char sql[700];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql,
             "SELECT n.id, n.address, n.holder <> 0, n.lease_until >= now(), n.draining,"
             " (1000 * extract(epoch FROM greatest(n.lease_until, now() - interval '1 day') - now()))::bigint,"
             " count(r.name) FILTER (WHERE r.status = 97), count(r.name) FILTER (WHERE r.status IN (99, 119)),"
             " count(r.name) FILTER (WHERE r.status = 101)"
             " FROM boardwalk.node n LEFT JOIN boardwalk.room r ON r.owner = n.id GROUP BY n.id ORDER BY n.id LIMIT %d",
             cap);
    if (!ask(nodes, sql, &rows)) return -1;
    int count = PQntuples(rows);
    for (int i = 0; i < count; i++) {
        bool held = PQgetvalue(rows, i, 2)[0] == 't', runs = PQgetvalue(rows, i, 3)[0] == 't';
        seen[i] = (bw_seen_node){.id = (int)bw_postgres_number_at(rows, i, 0),
                                 .state = !held   ? BW_NODE_ENDED
                                          : !runs ? BW_NODE_SILENT
                                                  : BW_NODE_LIVES,
                                 .drains = PQgetvalue(rows, i, 4)[0] == 't',
                                 .lease_ms = bw_postgres_number_at(rows, i, 5),
                                 .active = bw_postgres_number_at(rows, i, 6),
                                 .waiting = bw_postgres_number_at(rows, i, 7),
                                 .ended = bw_postgres_number_at(rows, i, 8)};
        snprintf(seen[i].address, sizeof seen[i].address, "%s", PQgetvalue(rows, i, 1));
    }
    PQclear(rows);
    return count;
}

bool bw_nodes_rooms(bw_nodes *nodes, int id, void (*each)(void *user, const char *room, char status), void *user) {
    char sql[120];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql, "SELECT name, chr(status) FROM boardwalk.room WHERE owner = %d ORDER BY name", id);
    if (!ask(nodes, sql, &rows)) return false;
    for (int i = 0; i < PQntuples(rows); i++) each(user, PQgetvalue(rows, i, 0), PQgetvalue(rows, i, 1)[0]);
    PQclear(rows);
    return true;
}

bool bw_nodes_ask_to_drain(bw_nodes *nodes, int id) {
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE boardwalk.node SET draining = true WHERE id = %d AND holder <> 0 AND lease_until >= now()", id);
    return ask(nodes, sql, NULL);
}
