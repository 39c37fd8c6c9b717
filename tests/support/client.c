#include "tests/support/client.h"

#include "server/frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool client_connect(client *c, int port) {
    *c = (client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    c->buffer = malloc(CLIENT_BUFFER + 1);
    int on = 1; /* each write leaves at once: a second one does not wait for the first one's ACK */
    if (c->fd >= 0) setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (c->fd >= 0 && c->buffer && connect(c->fd, (struct sockaddr *)&at, sizeof at) == 0) {
        return true;
    }
    client_close(c);
    return false;
}

void client_close(client *c) {
    if (c->fd >= 0) close(c->fd);
    free(c->buffer);
    free(c->text);
    *c = (client){.fd = -1};
}

bool client_write(client *c, const void *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t sent = send(c->fd, (const char *)bytes + done, length - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        done += (size_t)sent;
    }
    return true;
}

int client_read_more(client *c, int wait_ms) {
    struct pollfd waiting = {.fd = c->fd, .events = POLLIN};
    if (c->length == CLIENT_BUFFER) return 0;
    int ready = poll(&waiting, 1, wait_ms);
    if (ready <= 0) return -1;
    ssize_t got = recv(c->fd, c->buffer + c->length, CLIENT_BUFFER - c->length, 0);
    if (got <= 0) return 0;
    c->length += (size_t)got;
    c->buffer[c->length] = '\0';
    return (int)got;
}

static void drop(client *c, size_t length) {
    memmove(c->buffer, c->buffer + length, c->length - length);
    c->length -= length;
    c->buffer[c->length] = '\0';
}

/* ---- HTTP ---- */

static size_t content_length(const char *head, const char *end) {
    for (const char *line = head; line && line < end; line = strstr(line, "\r\n"), line = line ? line + 2 : NULL) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            return (size_t)strtoul(line + 15, NULL, 10);
        }
    }
    return 0;
}

/* Bytes of the head including the empty line, or 0. */
static size_t read_head(client *c, int wait_ms) {
    int64_t until = now_ms() + wait_ms;
    for (;;) {
        c->buffer[c->length] = '\0';
        const char *end = c->length ? strstr(c->buffer, "\r\n\r\n") : NULL;
        if (end) return (size_t)(end - c->buffer) + 4;
        int64_t left = until - now_ms();
        if (left <= 0 || client_read_more(c, (int)left) <= 0) return 0;
    }
}

int client_http(client *c, const char *request, const char **head, const char **body, size_t *body_length) {
    c->length = 0;
    if (!client_write(c, request, strlen(request))) return -1;
    size_t end = read_head(c, CLIENT_WAIT_MS);
    if (!end) return -1;
    int status = (int)strtol(c->buffer + strcspn(c->buffer, " "), NULL, 10);
    size_t wanted = strncmp(request, "HEAD", 4) == 0 ? 0 : content_length(c->buffer, c->buffer + end);
    while (c->length < end + wanted) {
        if (client_read_more(c, CLIENT_WAIT_MS) <= 0) return -1;
    }
    if (head) *head = c->buffer;
    if (body) *body = c->buffer + end;
    if (body_length) *body_length = wanted;
    return status;
}

int client_request(int port, const char *method, const char *path, const char *headers, const char *body,
                   char **head_out, char **body_out) {
    client c;
    if (head_out) *head_out = NULL;
    if (body_out) *body_out = NULL;
    if (!client_connect(&c, port)) return -1;
    size_t cap = strlen(path) + strlen(headers) + (body ? strlen(body) : 0) + 200;
    char *text = malloc(cap), length[48] = "";
    if (body) snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body));
    snprintf(text, cap, "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n%s%s\r\n%s", method, path, port, headers, length,
             body ? body : "");
    const char *head = NULL, *answer = NULL;
    size_t answer_length = 0;
    int status = client_http(&c, text, &head, &answer, &answer_length);
    if (status > 0 && head_out) *head_out = strndup(head, (size_t)(answer - head));
    if (status > 0 && body_out) {
        *body_out = malloc(answer_length + 1);
        memcpy(*body_out, answer, answer_length);
        (*body_out)[answer_length] = '\0';
    }
    free(text);
    client_close(&c);
    return status;
}

/* ---- WebSocket ---- */

int client_upgrade(client *c, int port, const char *path, const char *headers) {
    char request[2048];
    if (!client_connect(c, port)) return -1;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             path, port, headers);
    size_t end = client_write(c, request, strlen(request)) ? read_head(c, CLIENT_WAIT_MS) : 0;
    if (!end) return -1;
    int status = strncmp(c->buffer, "HTTP/1.1 ", 9) == 0 ? (int)strtol(c->buffer + 9, NULL, 10) : -1;
    drop(c, end);
    return status;
}

bool client_send_frame(client *c, int opcode, bool final, const void *bytes, size_t length) {
    static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};
    char *frame = malloc(BW_FRAME_HEAD_MAX + length);
    size_t head = bw_frame_head((uint8_t *)frame, opcode, length, mask);
    if (!final) frame[0] &= 0x7f;
    if (length) memcpy(frame + head, bytes, length);
    bw_frame_mask(frame + head, length, mask, 0);
    bool sent = client_write(c, frame, head + length);
    free(frame);
    return sent;
}

bool client_send(client *c, const char *text) { return client_send_frame(c, CLIENT_TEXT, true, text, strlen(text)); }

/* The first frame of the buffer: its total bytes, or 0 if it is incomplete. */
static size_t whole_frame(const client *c, size_t *payload_at, size_t *payload) {
    const unsigned char *b = (const unsigned char *)c->buffer;
    if (c->length < 2) return 0;
    size_t length = b[1] & 127, at = 2;
    if (length == 126) {
        if (c->length < 4) return 0;
        length = (size_t)b[2] << 8 | b[3];
        at = 4;
    } else if (length == 127) {
        if (c->length < 10) return 0;
        length = 0;
        for (int i = 0; i < 8; i++) length = length << 8 | b[2 + i];
        at = 10;
    }
    *payload_at = at;
    *payload = length;
    return c->length >= at + length ? at + length : 0;
}

int client_receive(client *c, int wait_ms) {
    int64_t until = now_ms() + wait_ms;
    for (;;) {
        size_t at, length, total = whole_frame(c, &at, &length);
        if (!total) {
            int64_t left = until - now_ms();
            int got = client_read_more(c, left > 0 ? (int)left : 0);
            if (got <= 0) return got == 0 ? -1 : 0;
            continue;
        }
        c->opcode = c->buffer[0] & 15;
        free(c->text);
        c->text = malloc(length + 1);
        memcpy(c->text, c->buffer + at, length);
        c->text[length] = '\0';
        c->text_length = length;
        c->close_code =
            c->opcode == CLIENT_CLOSE && length >= 2 ? (unsigned char)c->text[0] << 8 | (unsigned char)c->text[1] : 0;
        drop(c, total);
        if (c->opcode != CLIENT_PING) return c->opcode;
        if (c->no_pong) continue;
        if (!client_send_frame(c, CLIENT_PONG, true, c->text, c->text_length)) return -1;
    }
}
