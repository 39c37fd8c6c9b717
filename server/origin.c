#include "server/origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static bool is_host_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
}

/* Copies the host in lower case to `host`. Returns the rest, or NULL. */
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

/* `:port` or nothing. Returns the rest, or NULL. */
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
    int port = origin->secure ? 443 : 80; /* a Host without a port means the scheme's default */
    const char *at = read_host(header, host, sizeof host);
    if (at) at = read_port(at, &port);
    return at && *at == '\0' && port == origin->port && strcmp(host, origin->host) == 0;
}

static bool same_origin(const bw_origin *a, const bw_origin *b) {
    return a->secure == b->secure && a->port == b->port && strcmp(a->host, b->host) == 0;
}

/* ---- PUBLIC_URL ---- */

static const char separators[] = " \t,";

/* The i-th entry and its length. NULL: there are no more. */
static const char *entry_at(const char *list, int i, size_t *length) {
    for (const char *at = list + strspn(list, separators); *at; at += strspn(at, separators)) {
        *length = strcspn(at, separators);
        if (i-- == 0) return at;
        at += *length;
    }
    return NULL;
}

bool bw_origin_at(bw_origin *origin, const char *public_urls, int i) {
    char text[512];
    size_t length;
    const char *at = entry_at(public_urls, i, &length);
    if (!at || length >= sizeof text) return false;
    memcpy(text, at, length);
    text[length] = '\0';
    return bw_origin_parse(origin, text);
}

bool bw_origins_are_right(const char *public_urls) {
    bw_origin origin;
    size_t length;
    if (strcmp(public_urls, "*") == 0) return true;
    for (int i = 0; entry_at(public_urls, i, &length); i++) {
        if (!bw_origin_at(&origin, public_urls, i)) return false;
    }
    return true;
}

/* ---- who may send requests ---- */

bw_origin_verdict bw_origin_judge(const char *origin, const char *host, const char *frontend_url,
                                  const char *public_urls) {
    if (!*origin) return BW_ORIGIN_NONE;
    bw_origin theirs, ours;
    if (!bw_origin_parse(&theirs, origin)) return BW_ORIGIN_FOREIGN;
    if (same_host(&theirs, host)) return BW_ORIGIN_SAME;
    for (int i = 0; bw_origin_at(&ours, public_urls, i); i++) { /* a proxy may have replaced the Host */
        if (same_origin(&ours, &theirs)) return BW_ORIGIN_SAME;
    }
    return bw_origin_parse(&ours, frontend_url) && same_origin(&ours, &theirs) ? BW_ORIGIN_FRONTEND : BW_ORIGIN_FOREIGN;
}

static bool ends_with(const char *text, const char *tail) {
    size_t length = strlen(text), end = strlen(tail);
    return length > end && strcmp(text + length - end, tail) == 0;
}

static bool is_safe_name(const char *name) {
    unsigned char bytes[16];
    return name[0] == '[' || !strchr(name, '.') || inet_pton(AF_INET, name, bytes) == 1 ||
           ends_with(name, ".localhost") || ends_with(name, ".local");
}

bool bw_host_is_ours(const char *host, const char *frontend_url, const char *public_urls) {
    char name[256];
    int port = 0;
    bw_origin ours;
    if (!*host || strcmp(public_urls, "*") == 0) return true; /* without a Host: not a browser */
    const char *at = read_host(host, name, sizeof name);
    if (at) at = read_port(at, &port);
    if (!at || *at) return false;
    size_t length = strlen(name);
    if (length > 1 && name[length - 1] == '.') name[length - 1] = '\0'; /* the dot of the DNS root */
    if (is_safe_name(name)) return true;
    for (int i = 0; bw_origin_at(&ours, public_urls, i); i++) {
        if (strcmp(ours.host, name) == 0) return true;
    }
    return bw_origin_parse(&ours, frontend_url) && strcmp(ours.host, name) == 0;
}
