/* Shared by net_ev.c (listening, ids, deadlines, events), net_ev_http.c and net_ev_socket.c.
 *
 * Only an event of the loop frees a connection. The handler may call the net from within a callback; such a call
 * only marks the connection (`cut`) and feeds an event that frees it. */
#ifndef BW_NET_EV_PRIVATE_H
#define BW_NET_EV_PRIVATE_H

#include <sys/uio.h>

#include "server/addresses.h"
#include "server/clock.h"
#include "server/frames.h"
#include "server/http.h"
#include "server/net_ev.h"

enum {
    BW_READ_AT_ONCE = 16 * 1024,     /* then others get their turn */
    BW_WRITE_AT_ONCE = 256 * 1024,   /* of an HTTP answer */
    BW_REQUESTS_AT_ONCE = 16,        /* requests received together */
    BW_CLOSE_SECONDS = 5,            /* seconds for the last bytes and the other side's close */
    BW_LINGER_MAX = 4 * 1024 * 1024, /* bytes read and dropped after a refusal, so that the client can read it */
    BW_SHARED_BODY_MIN = 16 * 1024,  /* smaller bodies are not worth looking for equal ones */
};

/* The body of queued answers; one for all who read the same. */
typedef struct bw_body {
    bw_bytes *bytes;
    uint32_t readers;
    struct bw_body *next;
} bw_body;

/* A request in progress, and its answer. */
typedef struct bw_exchange {
    bw_http *http;
    bool asked, answered, close;
    bool large; /* its long body is being read */
    char *head;
    size_t head_length;
    const char *answer;
    size_t answer_length, sent; /* bytes of head and body */
    bw_bytes *owner;
    bw_body *body;    /* the queued body that its owner is counted in */
    int64_t progress; /* when the reader last took something */
} bw_exchange;

/* The additional data of a WebSocket. */
typedef struct bw_socket {
    bw_frames frames;
    /* The frame being written; no opcode: plain bytes. */
    bw_bytes *current;
    size_t written;
    int current_opcode;
    bw_bytes **queue; /* a ring of texts after it */
    uint32_t queue_first, queue_count, queue_cap;
    size_t queue_bytes;
    bw_bytes *pong, *farewell; /* not yet written */
    bool wants_ping;
    bool closing;     /* only what is queued is still sent, and then the close frame */
    bool said, heard; /* a close frame sent, received */
} bw_socket;

typedef struct bw_net_ev bw_net_ev;

/* A TCP connection: first HTTP, then perhaps a WebSocket. */
typedef struct bw_conn {
    ev_io io;
    bw_net_ev *net;
    uint64_t number; /* id of the current request or of the WebSocket; the low bits are its place */
    uint32_t place;
    bool cut;       /* an event that frees it has been fed */
    bool told_open; /* `closed` must still be called */
    bool blocked;   /* blocked: the kernel accepts no more; or it waits for its turn */
    bool in_event;  /* an event is being handled; further work follows at its end */
    bool ended;     /* the peer has closed its sending side */
    bool passed;    /* passed on by another node, which has told the client's address */
    bool lingering; /* everything is sent: further input is dropped */
    uint32_t dropped;
    char peer[BW_ADDRESS_MAX];    /* counted among connections */
    char address[BW_ADDRESS_MAX]; /* counted among sockets */
    int64_t deadline;             /* deadline in monotonic seconds; 0: none, and not in the list */
    struct bw_conn *earlier, *later;
    char *held; /* bytes received after a request that is not yet answered */
    size_t held_length;
    bw_exchange *exchange;
    bw_socket *socket;
} bw_conn;

struct bw_net_ev {
    bw_net net;
    bw_net_ev_options options;
    int listen_fd, port;
    bool leaving; /* an answer ends its connection */
    ev_io accepting;
    ev_timer sweeping, resting;         /* resting: accept ran out of descriptors */
    int64_t swept;                      /* when the deadlines were last looked at */
    bw_addresses peers, sockets, files; /* files: long bodies being read */
    uint32_t file_count;
    bw_conn **places;
    uint32_t place_cap, *free_places, free_count;
    uint64_t numbers; /* ids given out */
    bw_conn *deadlines;
    bw_conn *newest; /* just adopted; valid only for that moment */
    bw_body *bodies;
    bw_net_figures figures;
    char scratch[BW_READ_AT_ONCE];
};

static inline int64_t bw_ev_seconds(void) { return bw_mono_us() / 1000000; }
/* Seconds from now, or 0: no deadline. */
void bw_ev_set_deadline(bw_conn *conn, int64_t seconds);
void bw_ev_new_number(bw_conn *conn);
/* Ends it soon, without sending anything. */
void bw_ev_cut(bw_conn *conn);
/* Gives it another turn without waiting for its socket. */
void bw_ev_again(bw_conn *conn);
/* Returns the bytes written; 0: `blocked` is set; -1: it is cut. */
ssize_t bw_ev_write(bw_conn *conn, struct iovec *parts, int count);
/* Sends nothing more; input is dropped until the other side closes too, or the time is up. */
void bw_ev_linger(bw_conn *conn);

/* net_ev_http.c: reads requests until one waits for its answer. Returns how many bytes were used. */
size_t bw_ev_http_received(bw_conn *conn, const char *bytes, size_t length);
/* Answers the request that the handler routed. */
void bw_ev_http_go_on(bw_conn *conn);
/* The request as text again; NULL: out of memory. */
char *bw_ev_http_again(const bw_conn *conn, size_t *length);
void bw_ev_http_reply(bw_conn *conn, const bw_response *response);
/* Continues writing the answer. */
void bw_ev_http_write(bw_conn *conn);
void bw_ev_exchange_free(bw_conn *conn);

/* net_ev_socket.c */
bool bw_ev_socket_open(bw_conn *conn, bw_http *http);
void bw_ev_socket_received(bw_conn *conn, char *bytes, size_t length);
void bw_ev_socket_write(bw_conn *conn);
void bw_ev_socket_send(bw_conn *conn, bw_bytes *bytes);
void bw_ev_socket_close(bw_conn *conn, int code, const char *reason);
/* Calls `closed`, once, and drops what is queued. */
void bw_ev_socket_gone(bw_conn *conn);
void bw_ev_socket_free(bw_conn *conn);

#endif
