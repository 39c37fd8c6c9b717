#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net_ev_private.h"

enum { PLAIN = -1, RING_AT_FIRST = 4, RING_KEPT = 16, FRAMES_AT_ONCE = 16 };

static bw_bytes *bytes_of(const void *at, size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length);
    if (!bytes) return NULL;
    *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
    if (length) memcpy(bytes->at, at, length);
    return bytes;
}

static void drop(bw_bytes **bytes) {
    if (*bytes) bw_bytes_release(*bytes);
    *bytes = NULL;
}

/* ---- the queue ---- */

static bool enqueue(bw_conn *conn, bw_bytes *bytes) {
    bw_socket *s = conn->socket;
    if (s->queue_count == s->queue_cap) {
        uint32_t cap = s->queue_cap ? s->queue_cap * 2 : RING_AT_FIRST;
        bw_bytes **queue = malloc(cap * sizeof *queue);
        if (!queue) return false;
        for (uint32_t i = 0; i < s->queue_count; i++) {
            queue[i] = s->queue[(s->queue_first + i) % s->queue_cap];
        }
        free(s->queue);
        s->queue = queue;
        s->queue_first = 0;
        s->queue_cap = cap;
    }
    s->queue[(s->queue_first + s->queue_count++) % s->queue_cap] = bytes;
    s->queue_bytes += bytes->length;
    conn->net->figures.queued_bytes += bytes->length;
    return true;
}

static bw_bytes *dequeue(bw_conn *conn) {
    bw_socket *s = conn->socket;
    bw_bytes *bytes = s->queue[s->queue_first];
    s->queue_first = (s->queue_first + 1) % s->queue_cap;
    s->queue_count--;
    s->queue_bytes -= bytes->length;
    conn->net->figures.queued_bytes -= bytes->length;
    return bytes;
}

static void empty_queue(bw_conn *conn) {
    while (conn->socket->queue_count) bw_bytes_release(dequeue(conn));
}

/* ---- out ---- */

static void begin_frame(bw_socket *s, int opcode, bw_bytes *bytes) {
    s->current = bytes;
    s->current_opcode = opcode;
    s->written = 0;
}

/* Between two frames: chooses what to send next. Pongs and pings overtake messages. */
static bool next_frame(bw_conn *conn) {
    bw_socket *s = conn->socket;
    if (s->said) return false;
    if (s->pong) {
        begin_frame(s, BW_OPCODE_PONG, s->pong);
        s->pong = NULL;
    } else if (s->wants_ping) {
        s->wants_ping = false;
        begin_frame(s, BW_OPCODE_PING, bytes_of("", 0));
    } else if (s->queue_count) {
        begin_frame(s, BW_OPCODE_TEXT, dequeue(conn));
    } else if (s->farewell) {
        begin_frame(s, BW_OPCODE_CLOSE, s->farewell);
        s->farewell = NULL;
    }
    return s->current != NULL;
}

static void end_frame(bw_conn *conn) {
    bw_socket *s = conn->socket;
    s->said |= s->current_opcode == BW_OPCODE_CLOSE;
    drop(&s->current);
    if (s->queue_count == 0 && s->queue_cap > RING_KEPT) { /* after a burst */
        free(s->queue);
        s->queue = NULL;
        s->queue_cap = 0;
    }
}

/* Adds a frame to the current write, except for the bytes that are already sent. Returns the bytes left. */
static size_t add_frame(struct iovec parts[2], uint8_t head[BW_FRAME_HEAD_MAX], int opcode, bw_bytes *bytes,
                        size_t written) {
    size_t head_length = opcode == PLAIN ? 0 : bw_frame_head(head, opcode, bytes->length, NULL);
    size_t skip = written < head_length ? written : head_length, done = written - skip;
    parts[0] = (struct iovec){head + skip, head_length - skip};
    parts[1] = (struct iovec){bytes->at + done, bytes->length - done};
    return parts[0].iov_len + parts[1].iov_len;
}

/* The current frame and, unless something goes before them, the texts after it, in one system call. */
static void write_frames(bw_conn *conn) {
    bw_socket *s = conn->socket;
    uint8_t heads[FRAMES_AT_ONCE][BW_FRAME_HEAD_MAX];
    struct iovec parts[2 * FRAMES_AT_ONCE];
    size_t left[FRAMES_AT_ONCE];
    uint32_t count = 1, texts = s->pong || s->wants_ping ? 0 : s->queue_count;
    left[0] = add_frame(parts, heads[0], s->current_opcode, s->current, s->written);
    for (uint32_t i = 0; i < texts && count < FRAMES_AT_ONCE; i++, count++) {
        bw_bytes *text = s->queue[(s->queue_first + i) % s->queue_cap];
        left[count] = add_frame(parts + 2 * count, heads[count], BW_OPCODE_TEXT, text, 0);
    }
    ssize_t written = bw_ev_write(conn, parts, 2 * (int)count);
    if (written < 0) return;
    size_t out = (size_t)written;
    for (uint32_t i = 0; i < count && out >= left[i]; i++) {
        out -= left[i];
        end_frame(conn);
        if (i + 1 < count) next_frame(conn);
    }
    if (s->current) s->written += out;
}

void bw_ev_socket_write(bw_conn *conn) {
    bw_socket *s = conn->socket;
    while (!conn->cut && !conn->blocked && (s->current || next_frame(conn))) write_frames(conn);
    if (!conn->cut && s->said && s->heard) bw_ev_linger(conn);
}

/* Sent at the end of the current event, together with anything else for that reader. */
void bw_ev_socket_send(bw_conn *conn, bw_bytes *bytes) {
    bw_socket *s = conn->socket;
    if (s->queue_bytes + bytes->length > BW_NET_QUEUE_MAX && !conn->blocked) bw_ev_socket_write(conn);
    if (s->queue_bytes + bytes->length > BW_NET_QUEUE_MAX) {
        conn->net->figures.slow_readers_total++;
        bw_bytes_release(bytes);
        bw_ev_cut(conn);
    } else if (!s->current && !s->queue_count) {
        begin_frame(s, BW_OPCODE_TEXT, bytes);
        if (!conn->blocked) bw_ev_again(conn);
    } else if (!enqueue(conn, bytes)) {
        bw_bytes_release(bytes);
        bw_ev_cut(conn);
    }
}

static void say_farewell(bw_conn *conn, int code, const char *reason) {
    bw_socket *s = conn->socket;
    char text[2 + BW_CONTROL_MAX];
    int length = code ? 2 + snprintf(text + 2, BW_CONTROL_MAX - 2, "%s", reason) : 0;
    if (length > BW_CONTROL_MAX) length = BW_CONTROL_MAX;
    text[0] = (char)(code >> 8);
    text[1] = (char)(code & 255);
    s->closing = true;
    drop(&s->farewell);
    s->farewell = bytes_of(text, (size_t)length);
    bw_ev_set_deadline(conn, BW_CLOSE_SECONDS);
    if (!s->farewell) bw_ev_cut(conn);
    else bw_ev_socket_write(conn);
}

void bw_ev_socket_close(bw_conn *conn, int code, const char *reason) {
    say_farewell(conn, code, reason ? reason : "");
    bw_ev_again(conn);
}

/* ---- in ---- */

static void answer_ping(bw_conn *conn, const bw_frame *frame) {
    bw_socket *s = conn->socket;
    if (s->closing) return;
    drop(&s->pong); /* only the last ping needs an answer (RFC 6455, 5.5.3) */
    s->pong = bytes_of(frame->bytes, frame->length);
    bw_ev_socket_write(conn);
}

/* The other side closes, or sent something invalid: nothing more is read. */
static void end_reading(bw_conn *conn, int code, const char *reason) {
    conn->socket->heard = true;
    if (!conn->blocked) bw_ev_socket_write(conn); /* answers to earlier messages */
    if (!conn->socket->closing) {
        empty_queue(conn);
        say_farewell(conn, code, reason);
    }
    bw_ev_socket_gone(conn);
    if (conn->socket->said && !conn->cut) bw_ev_linger(conn);
}

static const char *reason_of(int code) {
    switch (code) {
    case 1003: return "Messages must be JSON text, not binary.";
    case 1007: return "Text must be UTF-8.";
    case 1009: return "A message may have at most 4096 bytes.";
    default: return "This is not a valid WebSocket frame (RFC 6455).";
    }
}

static void take_frame(bw_conn *conn, bw_frame_kind kind, const bw_frame *frame) {
    const bw_net_handler *handler = &conn->net->options.handler;
    bool closing = conn->socket->closing; /* then only the other side's close is awaited */
    switch (kind) {
    case BW_FRAME_TEXT:
        if (!closing) handler->message(handler->user, conn->number, frame->bytes, frame->length);
        break;
    case BW_FRAME_TOO_LARGE:
        if (!closing) handler->too_large(handler->user, conn->number);
        break;
    case BW_FRAME_PING: answer_ping(conn, frame); break;
    case BW_FRAME_PONG:
        if (!closing) handler->pong(handler->user, conn->number);
        break;
    case BW_FRAME_CLOSE: end_reading(conn, frame->code == 1005 ? 0 : frame->code, ""); break;
    case BW_FRAME_BROKEN: end_reading(conn, frame->code, reason_of(frame->code)); break;
    case BW_FRAME_MORE: break;
    }
}

void bw_ev_socket_received(bw_conn *conn, char *bytes, size_t length) {
    char *at = bytes, *end = bytes + length;
    while (!conn->cut && !conn->socket->heard) {
        bw_frame frame;
        bw_frame_kind kind = bw_frames_read(&conn->socket->frames, &at, end, &frame);
        if (kind == BW_FRAME_MORE) break;
        take_frame(conn, kind, &frame);
    }
}

/* ---- beginning and end ---- */

bool bw_ev_socket_open(bw_conn *conn, bw_http *http) {
    char head[200], accept[BW_ACCEPT_LENGTH + 1];
    bw_net_ev *net = conn->net;
    bw_frame_accept(http->key, accept);
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
                          "sec-websocket-accept: %s\r\n\r\n",
                          accept);
    bw_bytes *bytes = bytes_of(head, (size_t)length);
    conn->socket = calloc(1, sizeof *conn->socket);
    if (!conn->socket || !bytes) {
        free(bytes);
        return false;
    }
    conn->socket->frames = (bw_frames){.message_max = BW_NET_MESSAGE_MAX, .message_far = BW_NET_MESSAGE_FAR};
    conn->told_open = true;
    bw_addresses_add(&net->sockets, conn->address);
    net->figures.sockets++;
    begin_frame(conn->socket, PLAIN, bytes);
    bw_ev_socket_write(conn);
    net->options.handler.opened(net->options.handler.user, conn->number, &http->request);
    return true;
}

void bw_ev_socket_gone(bw_conn *conn) {
    if (!conn->told_open) return;
    bw_net_ev *net = conn->net;
    conn->told_open = false;
    conn->socket->closing = true;
    empty_queue(conn);
    bw_addresses_remove(&net->sockets, conn->address);
    net->figures.sockets--;
    net->options.handler.closed(net->options.handler.user, conn->number);
}

void bw_ev_socket_free(bw_conn *conn) {
    bw_socket *s = conn->socket;
    if (!s) return;
    drop(&s->current);
    drop(&s->pong);
    drop(&s->farewell);
    bw_frames_release(&s->frames);
    free(s->queue);
    free(s);
    conn->socket = NULL;
}
