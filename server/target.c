#include "server/target.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define ALPHANUMERIC "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Code points that the URL standard allows in an address, without `;`. */
static const char path_characters[] = ALPHANUMERIC "!$'()*+,-./:=@_~%";
static const char query_characters[] = ALPHANUMERIC "!$'()*+,-./:=@_~%&?";
/* What else a decoded path may contain: characters that separate nothing anywhere. */
static const char decoded_characters[] = " \"<>[]^`{|}";

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The byte encoded by `%41`; -1: none. */
static int escaped(const char *at) {
    int high = hex(at[1]), low = high < 0 ? -1 : hex(at[2]);
    return low < 0 ? -1 : high * 16 + low;
}

static bool is_control(int byte) { return byte < 0x20 || byte == 0x7f; }

static bool may_be_decoded(int byte) {
    if (byte >= 0x80) return true;
    return !is_control(byte) && byte != '/' && byte != '%' &&
           (strchr(path_characters, byte) || strchr(decoded_characters, byte));
}

static bool has_dot_segment(const char *path) {
    for (const char *at = path; at; at = strchr(at, '/')) {
        at++;
        size_t length = strcspn(at, "/");
        if ((length == 1 && at[0] == '.') || (length == 2 && at[0] == '.' && at[1] == '.')) return true;
    }
    return false;
}

static bool decode_path(char *path) {
    if (path[strspn(path, path_characters)]) return false;
    char *to = path;
    for (const char *at = path; *at; at++) {
        if (*at != '%') {
            *to++ = *at;
            continue;
        }
        int byte = escaped(at);
        if (byte < 0 || !may_be_decoded(byte)) return false;
        *to++ = (char)byte;
        at += 2;
    }
    *to = '\0';
    return !has_dot_segment(path);
}

/* Encoded line ends are allowed, because people paste boards of several lines; other control characters are not. */
static bool query_is_valid(const char *query) {
    if (query[strspn(query, query_characters)]) return false;
    for (const char *at = strchr(query, '%'); at; at = strchr(at + 1, '%')) {
        int byte = escaped(at);
        if (byte < 0 || (is_control(byte) && byte != '\t' && byte != '\n' && byte != '\r')) return false;
    }
    return true;
}

bool bw_target_read(bw_target *target, char *text) {
    *target = (bw_target){.authority = "", .query = ""};
    char *query = strchr(text, '?');
    if (query) *query++ = '\0';
    if (query && !query_is_valid(query)) return false;
    if (query) target->query = query;
    if (text[0] != '/') {
        size_t scheme = strncasecmp(text, "http://", 7) == 0 ? 7 : strncasecmp(text, "https://", 8) == 0 ? 8 : 0;
        if (!scheme) return false;
        char *path = strchr(text + scheme, '/');
        /* Moves the authority over the slashes to make room for its NUL. */
        size_t length = path ? (size_t)(path - text) - scheme : strlen(text + scheme);
        memmove(text, text + scheme, length);
        text[length] = '\0';
        target->authority = text;
        if (!bw_host_is_valid(text)) return false;
        if (!path) {
            target->path = "/";
            return true;
        }
        text = path;
    }
    target->path = text;
    return decode_path(text);
}

bool bw_host_is_valid(const char *host) {
    size_t length = strspn(host, ALPHANUMERIC "-._~");
    if (host[0] == '[') {
        char address[INET6_ADDRSTRLEN];
        unsigned char bytes[16];
        size_t inside = strcspn(host + 1, "]");
        if (inside >= sizeof address || host[1 + inside] != ']') return false;
        memcpy(address, host + 1, inside);
        address[inside] = '\0';
        if (inet_pton(AF_INET6, address, bytes) != 1) return false;
        length = inside + 2;
    }
    if (length == 0 || length > 255) return false;
    const char *at = host + length;
    if (*at == '\0') return true;
    long port = 0;
    size_t digits = strspn(++at, "0123456789");
    for (size_t i = 0; i < digits && port <= 65535; i++) port = port * 10 + (at[i] - '0');
    return at[-1] == ':' && at[digits] == '\0' && port <= 65535;
}

static bool decode_value(const char *at, size_t length, char *value, size_t cap) {
    size_t to = 0;
    for (size_t i = 0; i < length; i++) {
        int byte = (unsigned char)at[i];
        if (byte == '+') byte = ' ';
        if (byte == '%') {
            byte = i + 2 < length ? escaped(at + i) : -1;
            i += 2;
        }
        if (byte < 0 || is_control(byte) || to + 1 >= cap) return false;
        value[to++] = (char)byte;
    }
    value[to] = '\0';
    return true;
}

bw_query_found bw_query_value(const char *query, const char *name, char *value, size_t cap) {
    size_t name_length = strlen(name);
    bw_query_found found = BW_QUERY_NONE;
    for (const char *at = query; at; at = strchr(at, '&')) {
        at += *at == '&';
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            const char *from = at + name_length + 1;
            found = decode_value(from, strcspn(from, "&"), value, cap) ? BW_QUERY_VALUE : BW_QUERY_BROKEN;
        }
    }
    return found;
}
