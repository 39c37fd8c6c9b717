/* What a request is for: its target (RFC 9112, 3.2), and the Host that goes with it.
 *
 * A path is taken apart here and nowhere else, so whatever could be cut, joined or read in two ways is refused:
 * characters that the URL standard leaves out of addresses, `;` (some servers cut a path there), `.` and `..`
 * as segments, and in a path all of these percent-encoded too. A query is passed on as it came. */
#ifndef BW_TARGET_H
#define BW_TARGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bw_target {
    const char *authority; /* of an absolute target; "" where there is none */
    const char *path;      /* decoded; begins with '/' */
    const char *query;     /* percent-encoded; "" where there is none */
} bw_target;

/* Works within `text`, which the target then points into. false: 400. */
bool bw_target_read(bw_target *target, char *text);

/* `name[:port]`, `[v6][:port]`: what a Host may be. */
bool bw_host_is_valid(const char *host);

typedef enum bw_query_found {
    BW_QUERY_NONE,
    BW_QUERY_VALUE,
    BW_QUERY_BROKEN, /* it does not fit, or has control characters */
} bw_query_found;

/* The last value of that name in a query, decoded. */
bw_query_found bw_query_value(const char *query, const char *name, char *value, size_t cap);

#endif
