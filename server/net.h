/* The seam between the server and its sockets.
 *
 * A bw_net calls a bw_net_handler: a request came, a WebSocket was opened, a message is whole, it is gone. The handler
 * answers by bw_net_reply, bw_net_send, bw_net_ping, bw_net_close: at once or later, by number. Two implementations:
 * net_ev.h (libev) and tests/support/net_memory.h (no sockets at all).
 *
 * Every request and every WebSocket has a number that is never used again; what is sent to a number that is gone is
 * silently dropped. The functions below never call the handler before they return.
 *
 * What an implementation guarantees to the handler:
 *   - a message is one whole text message of at most BW_NET_MESSAGE_MAX bytes; a longer one is told by
 *     `too_large` and nothing of it is kept; beyond BW_NET_MESSAGE_FAR, and for binary ones, it closes
 *     (1009, 1003) by itself;
 *   - `closed` comes exactly once for each `opened`, and nothing after it;
 *   - a request is one that RFC 9112 allows, its path and query are those that the URL standard allows, its
 *     Host is one and a host, its body is at most BW_NET_MESSAGE_MAX bytes (a file to BW_NET_FILE_PATH or
 *     BW_NET_RUNNING_PATH at most BW_SHARED_FILE_MAX, and no more than BW_NET_LARGE_BODIES of those at once), a
 *     handshake is one that RFC 6455 allows: else it is refused without asking the handler;
 *   - the requests of a connection are asked one after the other, the next one when the answer to the last has
 *     left: whoever does not read is not read either;
 *   - no more than BW_NET_QUEUE_MAX bytes wait for a slow reader: then the connection is cut;
 *   - answers that wait for slow readers hold at most BW_NET_ANSWERS_MAX bytes, a body counted once for all
 *     who read the same: then the slowest reader is cut;
 *   - a request that is not complete within BW_NET_REQUEST_SECONDS is cut. Time in which the loop itself stood
 *     still counts against nobody. */
#ifndef BW_NET_H
#define BW_NET_H

#include "rooms/hall.h"

enum {
    BW_NET_MESSAGE_MAX = 4 * 1024,
    BW_NET_MESSAGE_FAR = 64 * 1024,
    BW_NET_LARGE_BODIES = 8,             /* read at once */
    BW_NET_LARGE_BODIES_PER_ADDRESS = 2, /* of those */
    BW_NET_QUEUE_MAX = 256 * 1024,
    BW_NET_ANSWERS_MAX = 64 * 1024 * 1024,
    BW_NET_REQUEST_SECONDS = 10, /* from the first byte (or the accept) to the last */
    BW_NET_LARGE_SECONDS = 40,   /* the same, where the body may be long */
    BW_NET_IDLE_SECONDS = 30,    /* between two requests of a connection */
    BW_NET_ANSWER_SECONDS = 60,  /* from the request to the last byte of its answer */
    BW_NET_HEADERS_MAX = 20,
};

/* The two addresses that take long bodies. */
#define BW_NET_FILE_PATH "/api/replays"
#define BW_NET_RUNNING_PATH "/api/games/running"

typedef enum bw_method { BW_GET, BW_HEAD, BW_POST, BW_OPTIONS, BW_METHOD_OTHER } bw_method;

/* Texts are "" where the request has none; they live as long as the call. */
typedef struct bw_request {
    bw_method method;
    const char *path;  /* decoded, begins with '/' */
    const char *query; /* "a=b&c=d", percent-encoded as it came: see bw_query_value in target.h */
    const char *host;  /* a host, and perhaps a port; "" only in HTTP/1.0 */
    const char *origin;
    const char *accept_encoding, *if_none_match;
    const char *address; /* whose limits count */
    bool mistyped;       /* a browser opens an address that is not valid: `path` is "/" then, `query` "" */
    const char *body;
    size_t length;
} bw_request;

typedef struct bw_header {
    const char *name; /* lower case */
    const char *value;
} bw_header;

typedef struct bw_response {
    int status;
    bw_header headers[BW_NET_HEADERS_MAX];
    int header_count;
    const void *body; /* lives as long as `owner`, or, where that is NULL, as the net itself */
    size_t length;
    bw_bytes *owner; /* taken over by bw_net_reply; may be NULL */
    bool close;      /* the connection after it */
} bw_response;

/* Names and values live until bw_net_reply returns. Too many: the last ones are dropped. */
void bw_response_header(bw_response *response, const char *name, const char *value);

typedef struct bw_net_handler {
    void *user;
    /* To be answered by bw_net_reply(conn), now or later. */
    void (*request)(void *user, uint64_t conn, const bw_request *request);
    /* Before a request or a handshake is answered: does somebody else have to be asked first? true: it waits until it is
     * told to go on, is answered, or is taken (net_ev.h). `passed`: another node has passed it on. NULL: never. */
    bool (*route)(void *user, uint64_t conn, const bw_request *request, bool socket, bool passed);
    /* May this become a WebSocket? false: `refusal` (without owner) is sent instead. */
    bool (*upgrade)(void *user, const bw_request *request, bw_response *refusal);
    void (*opened)(void *user, uint64_t conn, const bw_request *request);
    void (*message)(void *user, uint64_t conn, const char *bytes, size_t length);
    /* The other side is gone, and its last messages follow. Told only of what another node passes on. May be NULL. */
    void (*leaving)(void *user, uint64_t conn);
    void (*too_large)(void *user, uint64_t conn);
    void (*pong)(void *user, uint64_t conn);
    void (*closed)(void *user, uint64_t conn);
} bw_net_handler;

typedef struct bw_net_figures {
    uint64_t sockets;      /* WebSockets open */
    uint64_t connections;  /* of TCP, WebSockets among them */
    uint64_t requests;     /* under way: asked, and the answer not yet written */
    uint64_t queued_bytes; /* for all readers of WebSockets */
    uint64_t answer_bytes; /* for all readers of HTTP */
    uint64_t slow_readers_total, timeouts_total, refused_total, bad_requests_total;
} bw_net_figures;

typedef struct bw_net bw_net;

typedef struct bw_net_ops {
    void (*reply)(bw_net *net, uint64_t conn, const bw_response *response);
    void (*send)(bw_net *net, uint64_t conn, bw_bytes *bytes);
    void (*ping)(bw_net *net, uint64_t conn);
    void (*close)(bw_net *net, uint64_t conn, int code, const char *reason);
    const bw_request *(*pending)(bw_net *net, uint64_t conn);
    void (*figures)(bw_net *net, bw_net_figures *figures);
} bw_net_ops;

/* First member of every implementation. */
struct bw_net {
    const bw_net_ops *ops;
};

static inline void bw_net_reply(bw_net *net, uint64_t conn, const bw_response *response) {
    net->ops->reply(net, conn, response);
}
/* The request of that number, as long as it is not answered; NULL: it is gone. */
static inline const bw_request *bw_net_pending(bw_net *net, uint64_t conn) { return net->ops->pending(net, conn); }
/* A text frame; takes over one reference to `bytes`. */
static inline void bw_net_send(bw_net *net, uint64_t conn, bw_bytes *bytes) { net->ops->send(net, conn, bytes); }
static inline void bw_net_ping(bw_net *net, uint64_t conn) { net->ops->ping(net, conn); }
/* What was sent before it still goes out, if the reader takes it soon. */
static inline void bw_net_close(bw_net *net, uint64_t conn, int code, const char *reason) {
    net->ops->close(net, conn, code, reason);
}
static inline void bw_net_figures_of(bw_net *net, bw_net_figures *figures) { net->ops->figures(net, figures); }

#endif
