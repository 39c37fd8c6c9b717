/* What net_lws.c (listening, numbers, deadlines), net_lws_http.c and net_lws_socket.c share. */
#ifndef BW_NET_LWS_PRIVATE_H
#define BW_NET_LWS_PRIVATE_H

#include <libwebsockets.h>

#include "server/addresses.h"
#include "server/chunked.h"
#include "server/net_lws.h"

enum {
    BW_WRITE_CHUNK = 32 * 1024, /* of an HTTP body at once */
    BW_CLOSE_SECONDS = 5,       /* for the last bytes and the other side's agreement */
    BW_REQUEST_TEXT_MAX = 6 * 1024,
};

/* A request under way, and its answer. */
typedef struct bw_exchange {
    bw_request request; /* its texts lie in `text` */
    char text[BW_REQUEST_TEXT_MAX];
    size_t text_length;
    char *body;
    size_t body_length, body_wanted;
    bool in_chunks;
    bw_chunked chunked;
    bool asked, answered, head_sent, close;
    char *head; /* LWS_PRE bytes of room before it */
    size_t head_length;
    const char *answer;
    size_t answer_length, answer_sent;
    bw_bytes *owner;
} bw_exchange;

/* A connection of TCP: first HTTP, then perhaps a WebSocket. */
typedef struct bw_conn {
    struct lws *wsi;
    uint64_t number; /* of the request under way or of the WebSocket; low bits are its place */
    uint32_t place;
    bool is_socket, told_open, message_dropped, wants_ping;
    bool closing;                 /* nothing more in or out, but for what is queued */
    bool leaving;                 /* libwebsockets says goodbye and waits for the other side's */
    char peer[BW_ADDRESS_MAX];    /* counted among connections */
    char address[BW_ADDRESS_MAX]; /* counted among sockets */
    int64_t deadline;             /* monotonic seconds; 0: none, and not in the list */
    struct bw_conn *earlier, *later;
    bw_exchange *exchange;
    /* WebSocket: what waits to be written, a ring, and a message that comes in pieces */
    bw_bytes **queue;
    uint32_t queue_first, queue_count, queue_cap;
    size_t queue_bytes;
    char *partial;
    size_t message_length;
    int close_code;
    char close_reason[64];
} bw_conn;

typedef struct bw_net_lws {
    bw_net net;
    bw_net_lws_options options;
    struct lws_context *context;
    struct lws_vhost *vhost;
    int listen_fd, port;
    ev_io accepting;
    ev_timer sweeping, resting; /* resting: after accept ran out of descriptors */
    bw_addresses peers, sockets;
    bw_conn **places;
    uint32_t place_cap, *free_places, free_count;
    uint64_t numbers; /* given out */
    bw_conn *deadlines;
    bw_net_figures figures;
    unsigned char scratch[LWS_PRE + BW_NET_QUEUE_MAX];
} bw_net_lws;

int64_t bw_lws_seconds(void);
/* Seconds from now, or 0: no deadline. */
void bw_lws_set_deadline(bw_net_lws *net, bw_conn *conn, int64_t seconds);
void bw_lws_new_number(bw_net_lws *net, bw_conn *conn);
bw_conn *bw_lws_find(bw_net_lws *net, uint64_t number);
/* Cuts it without a word: also where the other side doesn't read. */
void bw_lws_cut(bw_conn *conn);

/* net_lws_http.c. What these return is what the callback of libwebsockets returns. */
int bw_lws_http_request(bw_net_lws *net, bw_conn *conn);
int bw_lws_http_body(bw_net_lws *net, bw_conn *conn, const void *bytes, size_t length);
int bw_lws_http_body_end(bw_net_lws *net, bw_conn *conn);
int bw_lws_http_writable(bw_net_lws *net, bw_conn *conn);
int bw_lws_http_upgrade(bw_net_lws *net, bw_conn *conn, const char *protocol);
void bw_lws_http_reply(bw_net_lws *net, bw_conn *conn, const bw_response *response);
void bw_lws_exchange_free(bw_conn *conn);

/* net_lws_socket.c */
void bw_lws_socket_opened(bw_net_lws *net, bw_conn *conn);
int bw_lws_socket_received(bw_net_lws *net, bw_conn *conn, const char *bytes, size_t length);
int bw_lws_socket_writable(bw_net_lws *net, bw_conn *conn);
void bw_lws_socket_send(bw_net_lws *net, bw_conn *conn, bw_bytes *bytes);
void bw_lws_socket_gone(bw_net_lws *net, bw_conn *conn);

#endif
