/* Which web pages may talk to this server: those of its own host, and those of FRONTEND_URL.
 * A request without an Origin comes from a program and passes. */
#ifndef BW_ORIGIN_H
#define BW_ORIGIN_H

#include <stdbool.h>

typedef struct bw_origin {
    bool secure;    /* https */
    char host[256]; /* lower case; an IPv6 address with its brackets */
    int port;
} bw_origin;

/* `http://host[:port]`, a slash at the end allowed. false: it is none. */
bool bw_origin_parse(bw_origin *origin, const char *text);

typedef enum bw_origin_verdict {
    BW_ORIGIN_NONE,     /* no Origin: a program */
    BW_ORIGIN_SAME,     /* a page of this host */
    BW_ORIGIN_FRONTEND, /* a page of FRONTEND_URL: answer with CORS headers */
    BW_ORIGIN_FOREIGN,  /* 403 */
} bw_origin_verdict;

/* `origin` and `host` are the request's headers, "" where absent. Behind a proxy that ends TLS, an
 * https page of the same host and port is the same host. */
bw_origin_verdict bw_origin_judge(const char *origin, const char *host, const char *frontend_url);

#endif
