/* net.h on libev: HTTP/1.1 and WebSocket on one port, in one thread, the loop's.
 *
 *   http.c    reads a request (http-parser)           frames.c  reads a message
 *   net_ev_http.c    answers requests                 net_ev_socket.c  sends messages
 *   net_ev.c  listening, numbers, deadlines, and what an event does
 *
 * No TLS: a proxy in front does that, see docs/OPERATING.md. Where the peer is this machine itself and a proxy
 * says X-Forwarded-For, its last entry is the address whose limits count. */
#ifndef BW_NET_EV_H
#define BW_NET_EV_H

#include <ev.h>
#include <sys/socket.h>

#include "server/log.h"
#include "server/net.h"

enum { BW_NET_ADDRESS_MAX = 64 };

typedef struct bw_net_ev_options {
    struct ev_loop *loop;
    const char *address;          /* address to listen on; NULL: do not listen, connections are adopted */
    int port;                     /* 0: any free one */
    uint32_t sockets_per_address; /* 0: no limit */
    int patience_percent;         /* percent of the times in net.h; 0: 100. For tests. */
    const bw_log *log;
    bw_net_handler handler;
} bw_net_ev_options;

/* NULL: `problem` is a sentence. When it returns, it listens. */
bw_net *bw_net_ev_open(const bw_net_ev_options *options, char *problem, size_t cap);
int bw_net_ev_port(const bw_net *net);
/* An IP address for the system; 0: it is none. */
socklen_t bw_net_ev_address(const char *address, int port, struct sockaddr_storage *at);
/* Listens there; -1: errno says why. */
int bw_net_ev_listen(const struct sockaddr_storage *at, socklen_t length);
/* Watches `io` for just that. */
void bw_net_ev_watch(struct ev_loop *loop, ev_io *io, bool reads, bool writes);
/* After accept: are there no more descriptors? The listening socket stays readable; without a rest the loop spins. */
bool bw_net_ev_is_out(int error);

/* Takes ownership of a connected, non-blocking socket. false: out of memory, and it is closed. */
bool bw_net_ev_adopt(bw_net *net, int fd, const char *peer);
/* The same for a connection from another node: `address` is the client's. */
bool bw_net_ev_adopt_passed(bw_net *net, int fd, const char *address);

/* Continues with a routed request as if it had not been routed. */
void bw_net_ev_go_on(bw_net *net, uint64_t conn);

/* A connection whose request was routed: a copy of its socket (to be closed), and the request to send to another
 * node, including the bytes after it. */
typedef struct bw_net_taken {
    int fd;
    char *bytes; /* to be freed */
    size_t length;
    char address[BW_NET_ADDRESS_MAX]; /* the client's */
} bw_net_taken;

/* Takes it out of the net. false: it is gone, or out of memory, and then it is cut. */
bool bw_net_ev_take(bw_net *net, uint64_t conn, bw_net_taken *taken);

/* Every WebSocket is closed, and nothing more goes to it; requests that are not answered are cut. */
void bw_net_ev_hang_up(bw_net *net, int code, const char *reason);

/* HTTP connections end after their answer, so that what a proxy keeps open is used no more. New ones are still accepted. */
void bw_net_ev_end_after_answers(bw_net *net);
/* The same, and accepts no new connections. */
void bw_net_ev_stop_listening(bw_net *net);
/* Cuts what is still open (calls `closed`) and frees everything. */
void bw_net_ev_close(bw_net *net);

#endif
