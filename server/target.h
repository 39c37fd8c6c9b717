/* The target of a request (RFC 9112, 3.2), and its Host.
 *
 * Paths are parsed only here. Everything ambiguous is refused: characters that the URL standard does not allow, `;`
 * (some servers cut a path there), `.` and `..` as segments, and all of these percent-encoded in a path. A query is
 * passed on unchanged. */
#ifndef BW_TARGET_H
#define BW_TARGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bw_target {
    const char *authority; /* of an absolute target; "" if there is none */
    const char *path;      /* decoded; begins with '/' */
    const char *query;     /* percent-encoded; "" if there is none */
} bw_target;

/* Works within `text`; the target then points into it. false: 400. */
bool bw_target_read(bw_target *target, char *text);

/* `name[:port]`, `[v6][:port]`: is it a valid Host? */
bool bw_host_is_valid(const char *host);

typedef enum bw_query_found {
    BW_QUERY_NONE,
    BW_QUERY_VALUE,
    BW_QUERY_BROKEN, /* it does not fit, or has control characters */
} bw_query_found;

/* The last value of that name in a query, decoded. */
bw_query_found bw_query_value(const char *query, const char *name, char *value, size_t cap);

#endif
