#include "cli/ws.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MESSAGE_MAX = 4 << 20, CHUNK = 16384 };

bool ws_url_parse(ws_url *url, const char *text, bw_error_text *why) {
    static const char host_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:%";
    static const struct scheme {
        const char *prefix;
        bool tls;
    } schemes[] = {{"http://", false}, {"https://", true}, {"ws://", false}, {"wss://", true}};
    memset(url, 0, sizeof *url);
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (strncmp(text, schemes[i].prefix, strlen(schemes[i].prefix)) == 0) {
            text += strlen(schemes[i].prefix);
            url->tls = schemes[i].tls;
            break;
        }
    }
    const char *end = text + strcspn(text, "/?#");
    const char *host = text, *host_end, *port = NULL;
    if (*text == '[') { /* an IPv6 address */
        host = text + 1;
        host_end = memchr(text, ']', (size_t)(end - text));
        if (host_end && host_end[1] == ':') port = host_end + 2;
    } else {
        host_end = memchr(text, ':', (size_t)(end - text));
        if (host_end) port = host_end + 1;
        else host_end = end;
    }
    size_t length = host_end ? (size_t)(host_end - host) : 0;
    if (length == 0 || length >= sizeof url->host || strspn(host, host_bytes) < length ||
        strlen(end) >= sizeof url->path || strstr(text, "://") != NULL) {
        return bw_fail(why, "\"", text, "\" is no address of a server; it looks like http://localhost:8000", NULL);
    }
    memcpy(url->host, host, length);
    int64_t number = url->tls ? 443 : 80;
    char digits[8] = "";
    if (port) {
        size_t n = (size_t)(end - port);
        if (n < sizeof digits) memcpy(digits, port, n);
        if (!cli_whole(digits, 1, 65535, &number)) {
            return bw_fail(why, "the port of \"", text, "\" must be a number from 1 to 65535", NULL);
        }
    }
    snprintf(url->port, sizeof url->port, "%d", (int)number);
    snprintf(url->path, sizeof url->path, "%s", end);
    return true;
}

struct addrinfo *ws_resolve(const ws_url *url, bw_error_text *why) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG}, *found = NULL;
    int error = getaddrinfo(url->host, url->port, &hints, &found);
    if (error == EAI_NONAME || error == EAI_ADDRFAMILY) { /* a machine with only a loopback interface */
        hints.ai_flags = 0;
        error = getaddrinfo(url->host, url->port, &hints, &found);
    }
    if (error == 0) return found;
    bw_fail(why, "the host \"", url->host, "\" cannot be found: ", gai_strerror(error), NULL);
    return NULL;
}

/* ---- buffers ---- */

static char *reserve(ws_buffer *b, size_t bytes) {
    if (b->done && b->done == b->length) b->done = b->length = 0;
    if (b->length + bytes > b->cap) {
        b->cap = (b->length + bytes) * 3 / 2;
        b->at = cli_more(b->at, b->cap);
    }
    return b->at + b->length;
}

static void append(ws_buffer *b, const void *bytes, size_t length) {
    if (!length) return;
    memcpy(reserve(b, length), bytes, length);
    b->length += length;
}

/* ---- the socket, plain or not ---- */

/* One context for all connections to a server; created when first needed. */
static SSL_CTX *tls_context(ws_url *url) {
    if (!url->context && (url->context = SSL_CTX_new(TLS_client_method()))) {
        SSL_CTX_set_default_verify_paths(url->context);
        SSL_CTX_set_verify(url->context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_mode(url->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    }
    return url->context;
}

void ws_url_free(ws_url *url) {
    if (url->context) SSL_CTX_free(url->context);
    url->context = NULL;
}

/* Like recv and send: errno is EAGAIN if it would block. */
static ssize_t tls_result(ws *w, int n) {
    int error = SSL_get_error(w->tls, n);
    if (n > 0) return n;
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    w->tls_wants_write = error == SSL_ERROR_WANT_WRITE;
    errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? EAGAIN : EPROTO;
    return -1;
}

static ssize_t receive(ws *w, char *at, size_t cap) {
    if (!w->tls) return recv(w->fd, at, cap, 0);
    w->tls_wants_write = false;
    return tls_result(w, SSL_read(w->tls, at, (int)cap));
}

static ssize_t transmit(ws *w, const char *at, size_t length) {
    if (!w->tls) return send(w->fd, at, length, MSG_NOSIGNAL);
    w->tls_wants_write = false;
    return tls_result(w, SSL_write(w->tls, at, (int)length));
}

/* False: the connection is broken. */
static bool flush(ws *w) {
    while (w->out.done < w->out.length) {
        ssize_t n = transmit(w, w->out.at + w->out.done, w->out.length - w->out.done);
        if (n > 0) w->out.done += (size_t)n;
        else return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return true;
}

/* ---- opening ---- */

bool ws_open(ws *w, ws_url *url, const struct addrinfo *address, const char *path, bw_error_text *why) {
    memset(w, 0, sizeof *w);
    int error = 0;
    for (w->fd = -1; address && w->fd < 0; address = address->ai_next) {
        w->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (w->fd >= 0 && connect(w->fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS) {
            error = errno;
            close(w->fd);
            w->fd = -1;
        } else if (w->fd >= 0 && address->ai_next) {
            /* Waits for this address, so that the next one can be tried (IPv4 after IPv6). */
            struct pollfd p = {.fd = w->fd, .events = POLLOUT};
            socklen_t size = sizeof error;
            poll(&p, 1, 3000);
            if (getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0 && p.revents) {
                break;
            }
            close(w->fd);
            w->fd = -1;
        } else if (w->fd < 0) {
            error = errno;
        }
    }
    if (w->fd < 0) {
        return bw_fail(why, "no connection to ", url->host, ":", url->port, ": ", strerror(error), NULL);
    }
    int one = 1;
    setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    uint8_t key[16];
    char text[32];
    if (getrandom(key, sizeof key, 0) != sizeof key || getrandom(&w->mask, sizeof w->mask, 0) != sizeof w->mask) {
        bw_fail(why, "the system's random source cannot be read", NULL);
        close(w->fd);
        return false;
    }
    if (url->tls) {
        w->tls = tls_context(url) ? SSL_new(url->context) : NULL;
        if (!w->tls || !SSL_set_fd(w->tls, w->fd) || !SSL_set_tlsext_host_name(w->tls, url->host) ||
            !SSL_set1_host(w->tls, url->host)) {
            bw_fail(why, "TLS could not be set up", NULL);
            ws_free(w);
            return false;
        }
        SSL_set_connect_state(w->tls);
    }
    EVP_EncodeBlock((unsigned char *)text, key, sizeof key);
    bw_frame_accept(text, w->accept);
    w->frames = (bw_frames){.from_server = true, .message_max = MESSAGE_MAX, .message_far = MESSAGE_MAX};
    char request[1400];
    bool six = strchr(url->host, ':') != NULL; /* an IPv6 address is in brackets before its port */
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: %s%s%s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                          path, six ? "[" : "", url->host, six ? "]" : "", url->port, text);
    append(&w->out, request, (size_t)length);
    w->status = WS_CONNECTING;
    return true;
}

short ws_wants(const ws *w) {
    if (w->status == WS_CLOSED) return 0;
    bool out = w->out.done < w->out.length || w->tls_wants_write;
    return (short)(w->status == WS_CONNECTING ? POLLOUT : POLLIN | (out ? POLLOUT : 0));
}

/* ---- frames ---- */

static void frame(ws *w, int opcode, const char *bytes, size_t length) {
    uint8_t head[BW_FRAME_HEAD_MAX], mask[4];
    bw_fast fast = {w->mask};
    uint64_t drawn = bw_fast_next(&fast);
    w->mask = fast.state;
    memcpy(mask, &drawn, sizeof mask);
    append(&w->out, head, bw_frame_head(head, opcode, length, mask));
    append(&w->out, bytes, length);
    bw_frame_mask(w->out.at + w->out.length - length, length, mask, 0);
}

void ws_send(ws *w, const char *text, size_t length) {
    if (w->status == WS_CLOSED) return;
    frame(w, BW_OPCODE_TEXT, text, length);
    if (w->status == WS_OPEN) flush(w); /* the next pump notices an error */
}

void ws_close(ws *w) {
    if (w->status != WS_OPEN) return;
    frame(w, BW_OPCODE_CLOSE, "\x03\xe8", 2);
    flush(w);
}

/* Reads one message; 0: incomplete, -1: it was the last. */
static int take_frame(ws *w, void (*on_text)(void *, const char *, size_t), void *user, bw_error_text *why) {
    char *at = w->in.at + w->in.done;
    bw_frame got;
    bw_frame_kind kind = bw_frames_read(&w->frames, &at, w->in.at + w->in.length, &got);
    w->in.done = (size_t)(at - w->in.at);
    switch (kind) {
    case BW_FRAME_MORE: return 0;
    case BW_FRAME_TEXT: on_text(user, got.bytes, got.length); return 1;
    case BW_FRAME_PING: frame(w, BW_OPCODE_PONG, got.bytes, got.length); return 1;
    case BW_FRAME_PONG: return 1;
    case BW_FRAME_CLOSE:
        w->close_code = got.code == 1005 ? 0 : got.code;
        snprintf(w->close_reason, sizeof w->close_reason, "%.*s", (int)got.length, got.bytes);
        bw_fail(why, "the server closed the connection", got.length ? ": " : "", w->close_reason, NULL);
        return -1;
    case BW_FRAME_TOO_LARGE:
    case BW_FRAME_BROKEN: break;
    }
    bw_fail(why, "the server sent an invalid frame", NULL);
    return -1;
}

/* Does the head have a line with that name (lower case, with colon) and value? */
static bool head_says(const char *head, const char *end, const char *name, const char *value, bool any_case) {
    size_t length = strlen(value);
    for (const char *line = head; line < end; line = (const char *)memchr(line, '\n', (size_t)(end + 2 - line)) + 1) {
        if (strncasecmp(line, name, strlen(name)) != 0) continue;
        const char *at = line + strlen(name) + strspn(line + strlen(name), " \t");
        return strcspn(at, " \t\r") == length &&
               (any_case ? strncasecmp(at, value, length) : strncmp(at, value, length)) == 0;
    }
    return false;
}

/* Does it contain what only a WebSocket server that has read our key can send? */
static bool is_accepted(const ws *w, const char *head, const char *end) {
    return head_says(head, end, "upgrade:", "websocket", true) &&
           head_says(head, end, "sec-websocket-accept:", w->accept, false);
}

/* Reads the server's answer to the upgrade; 0: incomplete, -1: refused. */
static int take_answer(ws *w, bw_error_text *why) {
    char *end = w->in.length ? memmem(w->in.at, w->in.length, "\r\n\r\n", 4) : NULL;
    if (!end) return w->in.length > 16384 ? -1 : 0;
    char line[128];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(w->in.at, "\r"), w->in.at);
    if (strncmp(line, "HTTP/1.1 101", 12) != 0) {
        bw_fail(why, "the server refused: ", line, NULL);
        return -1;
    }
    if (!is_accepted(w, w->in.at, end)) {
        bw_fail(why, "the server there is not a WebSocket server", NULL);
        return -1;
    }
    w->in.done = (size_t)(end - w->in.at) + 4;
    w->status = WS_OPEN;
    return 1;
}

static bool closed(ws *w, bw_error_text *why, const char *reason) {
    if (reason) bw_fail(why, reason, NULL);
    w->status = WS_CLOSED;
    return false;
}

bool ws_pump(ws *w, void (*on_text)(void *user, const char *text, size_t length), void *user, bw_error_text *why) {
    if (w->status == WS_CLOSED) return false;
    if (w->status == WS_CONNECTING) {
        int error = 0;
        socklen_t size = sizeof error;
        if (getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error) {
            return closed(w, why,
                          error == ECONNREFUSED ? "nobody answers there; is the server running?" : strerror(error));
        }
        w->status = WS_HANDSHAKE;
    }
    if (!flush(w)) return closed(w, why, "the connection broke");
    for (;;) {
        ssize_t n = receive(w, reserve(&w->in, CHUNK), CHUNK);
        if (n == 0) return closed(w, why, "the server closed the connection");
        if (n < 0) {
            if (errno == EAGAIN || errno == EINTR) break;
            return closed(w, why, w->tls ? "the connection broke, or its certificate is not valid" : strerror(errno));
        }
        w->in.length += (size_t)n;
        int taken = 1;
        while (taken > 0) {
            if (w->status == WS_HANDSHAKE) taken = take_answer(w, why);
            else taken = take_frame(w, on_text, user, why);
        }
        if (taken < 0) return closed(w, why, NULL);
        if (w->in.done && w->in.done < w->in.length) {
            memmove(w->in.at, w->in.at + w->in.done, w->in.length - w->in.done);
            w->in.length -= w->in.done;
            w->in.done = 0;
        }
        if ((size_t)n < CHUNK && !w->tls) break;
    }
    if (!flush(w)) return closed(w, why, "the connection broke");
    return true;
}

void ws_free(ws *w) {
    if (w->tls) SSL_free(w->tls);
    if (w->fd >= 0) close(w->fd);
    free(w->in.at);
    free(w->out.at);
    bw_frames_release(&w->frames);
    memset(w, 0, sizeof *w);
    w->fd = -1;
}
