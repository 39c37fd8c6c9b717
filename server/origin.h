/* Which web pages may talk to this server: those of its own host, of its public addresses (PUBLIC_URL), and of
 * FRONTEND_URL. A request without an Origin comes from a program and passes.
 *
 * It also checks the name in Host. Another site can point a name of its own at this server (DNS rebinding); Origin and
 * Host then agree, and only the foreign name gives it away. */
#ifndef BW_ORIGIN_H
#define BW_ORIGIN_H

#include <stdbool.h>

typedef struct bw_origin {
    bool secure;    /* https */
    char host[256]; /* lower case; an IPv6 address with its brackets */
    int port;
} bw_origin;

/* `http://host[:port]`, perhaps with a slash at the end. false: not an origin. */
bool bw_origin_parse(bw_origin *origin, const char *text);

typedef enum bw_origin_verdict {
    BW_ORIGIN_NONE,     /* no Origin: a program */
    BW_ORIGIN_SAME,     /* a page of this server */
    BW_ORIGIN_FRONTEND, /* a page of FRONTEND_URL: answer with CORS headers */
    BW_ORIGIN_FOREIGN,  /* 403 */
} bw_origin_verdict;

/* The i-th origin of PUBLIC_URL, separated by blanks or commas. false: there are no more. `*` is not an origin. */
bool bw_origin_at(bw_origin *origin, const char *public_urls, int i);
/* A list of origins, or `*`, or nothing? */
bool bw_origins_are_right(const char *public_urls);

/* `origin` and `host` are the request's headers, "" if absent. Behind a proxy that terminates TLS, an https page of
 * the same host and port has the same host. */
bw_origin_verdict bw_origin_judge(const char *origin, const char *host, const char *frontend_url,
                                  const char *public_urls);

/* May a request with that Host header ("" if absent) be answered? Yes for PUBLIC_URL and FRONTEND_URL, for any Host
 * if PUBLIC_URL is `*`, and always for names that no other site can use for its pages: IP addresses, localhost,
 * names under .localhost and .local, and names without a dot. Ports do not matter. */
bool bw_host_is_ours(const char *host, const char *frontend_url, const char *public_urls);

#endif
