/* net.h on libwebsockets 4.1 with libev.
 *
 * One thread, the loop's. HTTP/1.1 and WebSocket on one port; no TLS (a proxy in front does that, see
 * docs/OPERATING.md). Where the peer is this machine itself and a proxy says X-Forwarded-For, its last
 * entry is the address whose limits count. */
#ifndef BW_NET_LWS_H
#define BW_NET_LWS_H

#include <ev.h>

#include "server/log.h"
#include "server/net.h"

typedef struct bw_net_lws_options {
    struct ev_loop *loop;
    const char *address;          /* to listen on */
    int port;                     /* 0: any free one */
    uint32_t sockets_per_address; /* 0: no limit */
    int patience_percent;         /* of the times in net.h; 0: 100. For tests. */
    const bw_log *log;
    bw_net_handler handler;
} bw_net_lws_options;

/* NULL: `problem` is a sentence. Listens when it returns. */
bw_net *bw_net_lws_open(const bw_net_lws_options *options, char *problem, size_t cap);
int bw_net_lws_port(const bw_net *net);
/* No new connections from here on. */
void bw_net_lws_stop_listening(bw_net *net);
/* Cuts what is still open (`closed` is told) and frees everything. */
void bw_net_lws_close(bw_net *net);

#endif
