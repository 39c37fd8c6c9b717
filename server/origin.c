#include "server/origin.h"

#include <string.h>
#include <strings.h>

static bool is_host_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
}

/* The host, lower-cased into `host`. Returns what stands behind it, or NULL. */
static const char *read_host(const char *at, char *host, size_t cap) {
    size_t length = 0;
    bool brackets = *at == '[';
    do {
        char c = *at;
        bool fits = brackets
                        ? c == '[' || c == ']' || c == ':' || c == '.' || (c && strchr("0123456789abcdefABCDEF", c))
                        : is_host_char(c);
        if (!fits) break;
        if (length + 1 >= cap) return NULL;
        host[length++] = (char)(c >= 'A' && c <= 'Z' ? c + 0x20 : c);
        at++;
    } while (!(brackets && at[-1] == ']'));
    host[length] = '\0';
    return length && (!brackets || (length > 2 && host[length - 1] == ']')) ? at : NULL;
}

/* `:port` or nothing. Returns what stands behind it, or NULL. */
static const char *read_port(const char *at, int *port) {
    if (*at != ':') return at;
    int value = 0, digits = 0;
    for (at++; *at >= '0' && *at <= '9' && digits < 6; at++, digits++) {
        value = value * 10 + (*at - '0');
    }
    *port = value;
    return digits && value > 0 && value <= 65535 ? at : NULL;
}

bool bw_origin_parse(bw_origin *origin, const char *text) {
    memset(origin, 0, sizeof *origin);
    if (strncasecmp(text, "http://", 7) == 0) {
        text += 7;
    } else if (strncasecmp(text, "https://", 8) == 0) {
        text += 8;
        origin->secure = true;
    } else {
        return false;
    }
    origin->port = origin->secure ? 443 : 80;
    const char *at = read_host(text, origin->host, sizeof origin->host);
    if (at) at = read_port(at, &origin->port);
    if (at && *at == '/') at++;
    return at && *at == '\0';
}

static bool same_host(const bw_origin *origin, const char *header) {
    char host[256];
    int port = origin->secure ? 443 : 80; /* a Host without a port means the scheme's own */
    const char *at = read_host(header, host, sizeof host);
    if (at) at = read_port(at, &port);
    return at && *at == '\0' && port == origin->port && strcmp(host, origin->host) == 0;
}

bw_origin_verdict bw_origin_judge(const char *origin, const char *host, const char *frontend_url) {
    if (!*origin) return BW_ORIGIN_NONE;
    bw_origin theirs, frontend;
    if (!bw_origin_parse(&theirs, origin)) return BW_ORIGIN_FOREIGN;
    if (same_host(&theirs, host)) return BW_ORIGIN_SAME;
    if (bw_origin_parse(&frontend, frontend_url) && frontend.secure == theirs.secure && frontend.port == theirs.port &&
        strcmp(frontend.host, theirs.host) == 0) {
        return BW_ORIGIN_FRONTEND;
    }
    return BW_ORIGIN_FOREIGN;
}
