/* The nodes that share a PostgreSQL database, for an operator: looked at without joining them.
 *
 *   nodes = bw_nodes_open("postgresql://...", problem, sizeof problem);      // NULL: `problem` is a sentence
 *   count = bw_nodes_list(nodes, seen, CAP);                                 // -1: see bw_nodes_problem
 *   bw_nodes_ask_to_drain(nodes, seen[0].id);
 *   bw_nodes_close(nodes); */
#ifndef BW_NODES_H
#define BW_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bw_nodes bw_nodes;

typedef enum bw_node_state {
    BW_NODE_LIVES,
    BW_NODE_SILENT, /* its lease is over, and nobody has taken its rooms yet */
    BW_NODE_ENDED,
} bw_node_state;

typedef struct bw_seen_node {
    int id;
    char address[64]; /* "": a server alone */
    bw_node_state state;
    bool drains;                    /* it hands its rooms over, or is asked to */
    int64_t lease_ms;               /* left */
    int64_t active, waiting, ended; /* rooms; `waiting`: not started */
} bw_seen_node;

bool bw_nodes_is_address(const char *database);
bw_nodes *bw_nodes_open(const char *database, char *problem, size_t cap);
void bw_nodes_close(bw_nodes *nodes); /* NULL: nothing */
/* A sentence about the last failure. */
const char *bw_nodes_problem(const bw_nodes *nodes);

int bw_nodes_list(bw_nodes *nodes, bw_seen_node *seen, int cap);
/* `status`: 'a'ctive, 'e'nded, else it waits. */
bool bw_nodes_rooms(bw_nodes *nodes, int id, void (*each)(void *user, const char *room, char status), void *user);
/* If it lives, it notices within a fifth of its lease, hands its rooms over, and ends. */
bool bw_nodes_ask_to_drain(bw_nodes *nodes, int id);

#endif
