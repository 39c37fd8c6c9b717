/* What net_ev.c (listening, numbers, deadlines, events), net_ev_http.c and net_ev_socket.c share.
 *
 * Only an event of the loop frees a connection. The handler may call the net from within a callback; such a call only
 * marks the connection (`cut`) and feeds an event that frees it. */
#ifndef BW_NET_EV_PRIVATE_H
#define BW_NET_EV_PRIVATE_H

#include <sys/uio.h>

#include "server/addresses.h"
#include "server/frames.h"
#include "server/http.h"
#include "server/net_ev.h"

enum {
    BW_READ_AT_ONCE = 16 * 1024,     /* then others have their turn */
    BW_WRITE_AT_ONCE = 256 * 1024,   /* of an HTTP answer */
    BW_REQUESTS_AT_ONCE = 16,        /* of those that came together */
    BW_CLOSE_SECONDS = 5,            /* for the last bytes and the other side's agreement */
    BW_LINGER_MAX = 4 * 1024 * 1024, /* bytes read and dropped behind a refusal, so that it can be read */
    BW_SHARED_BODY_MIN = 16 * 1024,  /* smaller ones are not worth a look for their like */
};

/* The body of answers that wait for their readers; one for all who read the same. */
typedef struct bw_body {
    bw_bytes *bytes;
    uint32_t readers;
    struct bw_body *next;
} bw_body;

/* A request under way, and its answer. */
typedef struct bw_exchange {
    bw_http *http;
    bool asked, answered, close;
    bool large; /* it is one of those whose long body is read */
    char *head;
    size_t head_length;
    const char *answer;
    size_t answer_length, sent; /* of head and answer together */
    bw_bytes *owner;
    bw_body *body;    /* where the owner is counted among those that wait */
    int64_t progress; /* when the reader took something last */
} bw_exchange;

/* What a WebSocket has beside. */
typedef struct bw_socket {
    bw_frames frames;
    /* The frame that is being written; no opcode: plain bytes. */
    bw_bytes *current;
    size_t written;
    int current_opcode;
    bw_bytes **queue; /* a ring of texts behind it */
    uint32_t queue_first, queue_count, queue_cap;
    size_t queue_bytes;
    bw_bytes *pong, *farewell; /* not yet written */
    bool wants_ping;
    bool closing;     /* nothing more but what is queued, and the farewell */
    bool said, heard; /* a farewell, by us, by them */
} bw_socket;

typedef struct bw_net_ev bw_net_ev;

/* A connection of TCP: first HTTP, then perhaps a WebSocket. */
typedef struct bw_conn {
    ev_io io;
    bw_net_ev *net;
    uint64_t number; /* of the request under way or of the WebSocket; low bits are its place */
    uint32_t place;
    bool cut;       /* an event that frees it is under way */
    bool told_open; /* `closed` is owed */
    bool blocked;   /* the kernel takes no more; or it waits for its turn */
    bool in_event;  /* what is to be done next is done at its end */
    bool ended;     /* the other side says no more */
    bool passed;    /* by another node, which has said whose it is */
    bool lingering; /* all is said: what still comes is dropped */
    uint32_t dropped;
    char peer[BW_ADDRESS_MAX];    /* counted among connections */
    char address[BW_ADDRESS_MAX]; /* counted among sockets */
    int64_t deadline;             /* monotonic seconds; 0: none, and not in the list */
    struct bw_conn *earlier, *later;
    char *held; /* bytes that came behind a request that is not answered yet */
    size_t held_length;
    bw_exchange *exchange;
    bw_socket *socket;
} bw_conn;

struct bw_net_ev {
    bw_net net;
    bw_net_ev_options options;
    int listen_fd, port;
    bool leaving; /* stopped listening */
    ev_io accepting;
    ev_timer sweeping, resting;         /* resting: after accept ran out of descriptors */
    int64_t swept;                      /* when */
    bw_addresses peers, sockets, files; /* files: whose long bodies are read */
    uint32_t file_count;
    bw_conn **places;
    uint32_t place_cap, *free_places, free_count;
    uint64_t numbers; /* given out */
    bw_conn *deadlines;
    bw_conn *newest; /* adopted last; for that moment alone */
    bw_body *bodies;
    bw_net_figures figures;
    char scratch[BW_READ_AT_ONCE];
};

int64_t bw_ev_seconds(void);
/* Seconds from now, or 0: no deadline. */
void bw_ev_set_deadline(bw_conn *conn, int64_t seconds);
void bw_ev_new_number(bw_conn *conn);
/* Ends it without a word, soon. */
void bw_ev_cut(bw_conn *conn);
/* Its turn comes again, without waiting for its socket. */
void bw_ev_again(bw_conn *conn);
/* Bytes written, 0: `blocked` is set, -1: it is cut. */
ssize_t bw_ev_write(bw_conn *conn, struct iovec *parts, int count);
/* Nothing more goes out; what comes is dropped until the other side ends it too, or time is up. */
void bw_ev_linger(bw_conn *conn);

/* net_ev_http.c: takes requests from the bytes, until one waits for its answer. Returns how many were used. */
size_t bw_ev_http_received(bw_conn *conn, const char *bytes, size_t length);
/* Answers the request that the handler had routed. */
void bw_ev_http_go_on(bw_conn *conn);
/* The request, written again; NULL: out of memory. */
char *bw_ev_http_again(const bw_conn *conn, size_t *length);
void bw_ev_http_reply(bw_conn *conn, const bw_response *response);
/* Goes on writing the answer. */
void bw_ev_http_write(bw_conn *conn);
void bw_ev_exchange_free(bw_conn *conn);

/* net_ev_socket.c */
bool bw_ev_socket_open(bw_conn *conn, bw_http *http);
void bw_ev_socket_received(bw_conn *conn, char *bytes, size_t length);
void bw_ev_socket_write(bw_conn *conn);
void bw_ev_socket_send(bw_conn *conn, bw_bytes *bytes);
void bw_ev_socket_close(bw_conn *conn, int code, const char *reason);
/* Tells `closed`, once, and drops what waits. */
void bw_ev_socket_gone(bw_conn *conn);
void bw_ev_socket_free(bw_conn *conn);

#endif
