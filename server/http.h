/* One request of HTTP/1 (RFC 9112): bytes in, a bw_request out. No sockets in here.
 *
 *   bw_http *http = bw_http_new();
 *   status = bw_http_read(http, bytes, length, &used);   // until it is no longer BW_HTTP_MORE
 *   bw_http_free(http);
 *
 * Bytes after the end of the request are not consumed: they belong to the next one, and to the next bw_http.
 *
 * Debian's http-parser does the parsing and shows nowhere else. It is not built in strict mode, so it is given only
 * complete lines that were checked first: a head of at most BW_HTTP_HEAD_MAX bytes, the size lines of chunks, trailers.
 * Whatever two readers could understand differently is refused: bare CR or LF, control characters, folded lines, a name
 * with a space, two Hosts, two lengths, a length beside a Transfer-Encoding. */
#ifndef BW_HTTP_H
#define BW_HTTP_H

#include "server/net.h"

enum {
    BW_HTTP_HEAD_MAX = 8 * 1024,
    BW_HTTP_LINES_MAX = 100,         /* of a head */
    BW_HTTP_CHUNK_LINE_MAX = 256,    /* including the extension and both line ends; the same for a trailer's line */
    BW_HTTP_FRAMING_MAX = 32 * 1024, /* bytes around the chunks of a body, including trailers */
};

typedef enum bw_http_status {
    BW_HTTP_MORE,
    BW_HTTP_CONTINUE, /* the client waits for "100 Continue"; continue reading after it */
    BW_HTTP_WHOLE,
    BW_HTTP_REFUSED, /* see `refusal`; nothing more of this connection is read */
} bw_http_status;

typedef struct bw_http {
    bw_request request;        /* the caller sets `address` */
    const char *forwarded_for; /* the last X-Forwarded-For; "" if there is none */
    const char *key;           /* of a valid handshake; NULL: not a WebSocket */
    bool keep_alive;
    bool one_zero; /* HTTP/1.0 */
    bool large;    /* its body may have more than BW_NET_MESSAGE_MAX bytes; only a few of those are read at once */
    int refusal;   /* 400, 413, 414, 417, 426, 431, 501 or 505 */
    const char *sentence;
} bw_http;

/* NULL: out of memory. */
bw_http *bw_http_new(void);
void bw_http_free(bw_http *http);
bw_http_status bw_http_read(bw_http *http, const char *bytes, size_t length, size_t *used);

#endif
