/* A WebSocket client (RFC 6455) over plain TCP or TLS, non-blocking: for `play --join` and `load`.
 *
 *   ws_open(&ws, &url, "/ws/K7QX2M", &why);
 *   loop: poll(ws.fd, ws_wants(&ws)); ws_pump(&ws, on_text, user);   ws_send(&ws, text, length);
 *
 * Pings are answered. Limits: a message 4 MiB, text frames only; no compression. */
#ifndef BW_CLI_WS_H
#define BW_CLI_WS_H

#include "engine/json.h"
#include "server/frames.h"

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_url {
    char host[256];
    char port[8];
    char path[512];
    bool tls;
    void *context; /* of TLS */
} ws_url;

/* http, https, ws or wss; host:port without a scheme means http. False with an error text. */
bool ws_url_parse(ws_url *url, const char *text, bw_error_text *why);
void ws_url_free(ws_url *url);
/* Addresses of the host; free them with freeaddrinfo. NULL with an error text. Blocks as long as DNS does. */
struct addrinfo *ws_resolve(const ws_url *url, bw_error_text *why);

typedef struct ws_buffer {
    char *at;
    size_t length, cap, done; /* done: bytes already sent or read */
} ws_buffer;

typedef enum ws_status { WS_CONNECTING, WS_HANDSHAKE, WS_OPEN, WS_CLOSED } ws_status;

typedef struct ws {
    int fd;
    ws_status status;
    void *tls; /* SSL *, or NULL */
    bool tls_wants_write;
    uint64_t mask; /* source of masking keys */
    ws_buffer in, out;
    bw_frames frames;
    char accept[BW_ACCEPT_LENGTH + 1]; /* the expected answer to our key */
    int close_code;                    /* of the server's close frame; 0: none */
    char close_reason[124];
} ws;

/* Starts to connect. False with an error text; otherwise call ws_free in the end. */
bool ws_open(ws *w, ws_url *url, const struct addrinfo *address, const char *path, bw_error_text *why);
/* POLLIN and POLLOUT, if it wants them. */
short ws_wants(const ws *w);
/* Reads and writes what it can. `on_text` gets each complete message, not NUL-terminated. False: it is closed;
 * `why` says what is wrong. */
bool ws_pump(ws *w, void (*on_text)(void *user, const char *text, size_t length), void *user, bw_error_text *why);
/* Queues a text message, and sends what it can. */
void ws_send(ws *w, const char *text, size_t length);
/* Queues a close frame. */
void ws_close(ws *w);
void ws_free(ws *w);

#endif
