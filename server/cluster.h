/* Connections between nodes: a client may come to any node, and is passed on to the one that has its room.
 *
 * What is passed on is the connection itself, before it is answered: this node writes the request again to the owner's
 * CLUSTER_LISTEN, behind a line with the secret and the client's address, and from then on copies bytes both ways until
 * both sides have said all. So the owner answers as if the client had come to it: limits count for the true address, and
 * close codes, pings and backpressure are the two ends' own. Who reads slowly is not read for: 32 KiB wait at most.
 *
 * The secret crosses the network between the nodes as it is: let nobody else be on it. */
#ifndef BW_CLUSTER_H
#define BW_CLUSTER_H

#include <ev.h>

#include "server/journal.h"
#include "server/log.h"
#include "server/net.h"

enum { BW_CLUSTER_SECRET_MIN = 16, BW_CLUSTER_SECRET_MAX = 200 };

typedef struct bw_cluster bw_cluster;

typedef struct bw_cluster_options {
    struct ev_loop *loop;
    const char *listen; /* address:port */
    const char *secret;
    bw_net *net; /* takes the connections that others pass on */
    const bw_log *log;
    uint64_t (*lapses)(void *user); /* as bw_journal_lapses: a connection relayed before the last lapse is closed */
    void *user;
} bw_cluster_options;

/* An IP address and a port, as 10.0.0.1:8100 or [fd00::1]:8100. */
bool bw_cluster_endpoint(const char *text, char *address, size_t cap, int *port);

/* NULL: `problem` is a sentence. */
bw_cluster *bw_cluster_open(const bw_cluster_options *options, char *problem, size_t cap);
void bw_cluster_close(bw_cluster *cluster);

/* Passes the request `conn` of the net on to the node at that address. Answers 503 where that node can't be reached. */
void bw_cluster_pass(bw_cluster *cluster, uint64_t conn, const char *owner);

/* The living nodes. Connections relayed to any other node are let go, because a stopped node holds its connections and
 * answers nothing. The client gets 1012 if its stream is between two frames. */
void bw_cluster_peers(bw_cluster *cluster, const bw_peers *living);
/* This node is about to end: lets that many relayed connections go, each between two frames. Returns how many still wait
 * to be told. */
uint32_t bw_cluster_let_go(bw_cluster *cluster, uint32_t count);

typedef struct bw_cluster_figures {
    uint64_t passed_on;     /* connections now */
    uint64_t passed_total;  /* since the start */
    uint64_t refused_total; /* that came without the secret */
    uint64_t let_go_total;  /* because the owner's lease was over */
} bw_cluster_figures;
void bw_cluster_figures_of(const bw_cluster *cluster, bw_cluster_figures *figures);

#endif
