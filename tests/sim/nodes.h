/* A node of several: its part of the server, and how far it is (nodes.c, node_hall.c). */
#ifndef SIM_NODES_H
#define SIM_NODES_H

#include "postgres.h"

enum { NOTED = 8192 };

typedef struct sim_member {
    bw_node_journal *queues; /* NULL: not joined */
    int conn;                /* -1: none */
    bool asking;
    int want, txn;
    uint32_t serial;    /* of the question */
    int64_t sent_until; /* when it arrives; anything later on that connection arrives after it */
    int64_t join_until, join_begun, holder;
    int drift_ppm; /* of its clock */
    int64_t wake_at;
    bool dispatching, silent, deluded, leaving, left;
    char address[16];
    int64_t hung_renewed_us; /* while its loop hangs: when its lease was first renewed; 0: not yet */
    int64_t lapsed_us;       /* when it was back after its lease was over */
    bool saw_ended;          /* of its last LOOK */
    sim_entry noted[NOTED];  /* by ticket */
} sim_member;

static inline int sim_index_of(const sim_world *world, const sim_node *node) { return (int)(node - world->nodes); }

void sim_member_dispatch(sim_world *world, sim_node *node); /* gives the hall what its journal has answered */

#endif
