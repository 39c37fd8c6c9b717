/* net.h without sockets, for tests: what the server sends is kept in lists, and a function call stands for what a
 * client does. Answers arrive when the test pumps; nothing here waits.
 *
 *   net = bw_net_memory_open();  net->handler = ...;
 *   conn = bw_net_memory_request(net, &request);   answer = bw_net_memory_answer(net, conn);
 *   conn = bw_net_memory_connect(net, &request);   text = bw_net_memory_received(net, conn, i); */
#ifndef BW_NET_MEMORY_H
#define BW_NET_MEMORY_H

#include "server/net.h"

enum { BW_NET_MEMORY_MAX = 64, BW_NET_MEMORY_FRAMES = 256, BW_NET_MEMORY_HEAD = 4096 };

typedef struct bw_net_memory_conn {
    bool is_socket, open, answered;
    bw_request request; /* its texts belong to the test */
    int status;
    char head[BW_NET_MEMORY_HEAD]; /* "name: value\n" lines */
    char *body;
    size_t body_length;
    char *frames[BW_NET_MEMORY_FRAMES]; /* NUL-terminated */
    int frame_count, pings, close_code;
} bw_net_memory_conn;

typedef struct bw_net_memory {
    bw_net net;
    bw_net_handler handler;
    bw_net_memory_conn conns[BW_NET_MEMORY_MAX]; /* number n is conns[n - 1] */
    int count;
} bw_net_memory;

bw_net_memory *bw_net_memory_open(void);
void bw_net_memory_close(bw_net_memory *net);

/* Both return the connection; a refused WebSocket has status and body set and is not open. */
bw_net_memory_conn *bw_net_memory_request(bw_net_memory *net, const bw_request *request);
bw_net_memory_conn *bw_net_memory_connect(bw_net_memory *net, const bw_request *request);
uint64_t bw_net_memory_number(const bw_net_memory *net, const bw_net_memory_conn *conn);
void bw_net_memory_say(bw_net_memory *net, bw_net_memory_conn *conn, const char *text);
void bw_net_memory_hang_up(bw_net_memory *net, bw_net_memory_conn *conn);

#endif
