#include "server/net_lws_private.h"

#include <stdlib.h>
#include <string.h>

void bw_lws_socket_opened(bw_net_lws *net, bw_conn *conn) {
    conn->is_socket = true;
    conn->told_open = true;
    bw_lws_set_deadline(net, conn, 0); /* from here on the hall's pings decide */
    bw_addresses_add(&net->sockets, conn->address);
    net->figures.sockets++;
    net->options.handler.opened(net->options.handler.user, conn->number, &conn->exchange->request);
    bw_lws_exchange_free(conn);
}

void bw_lws_socket_gone(bw_net_lws *net, bw_conn *conn) {
    if (!conn->told_open) return;
    conn->told_open = false;
    conn->closing = true;
    for (; conn->queue_count; conn->queue_count--) {
        bw_bytes_release(conn->queue[conn->queue_first]);
        conn->queue_first = (conn->queue_first + 1) % conn->queue_cap;
    }
    net->figures.queued_bytes -= conn->queue_bytes;
    conn->queue_bytes = 0;
    bw_addresses_remove(&net->sockets, conn->address);
    net->figures.sockets--;
    net->options.handler.closed(net->options.handler.user, conn->number);
}

/* ---- in ---- */

static int close_now(bw_net_lws *net, bw_conn *conn, enum lws_close_status code, const char *reason) {
    conn->closing = conn->leaving = true;
    bw_lws_set_deadline(net, conn, BW_CLOSE_SECONDS);
    lws_close_reason(conn->wsi, code, (unsigned char *)conn->close_reason,
                     (size_t)snprintf(conn->close_reason, sizeof conn->close_reason, "%s", reason));
    return -1;
}

/* A piece of a message that does not come whole. Returns the whole once it is there, or NULL. */
static const char *add_piece(bw_conn *conn, const char *bytes, size_t length, bool final) {
    size_t before = conn->message_length;
    conn->message_length += length;
    if (conn->message_length > BW_NET_MESSAGE_MAX) conn->message_dropped = true;
    if (!conn->message_dropped && !conn->partial && !(conn->partial = malloc(BW_NET_MESSAGE_MAX))) {
        conn->message_dropped = true;
    }
    if (conn->message_dropped) return NULL;
    if (length) memcpy(conn->partial + before, bytes, length);
    return final ? conn->partial : NULL;
}

int bw_lws_socket_received(bw_net_lws *net, bw_conn *conn, const char *bytes, size_t length) {
    const bw_net_handler *handler = &net->options.handler;
    if (conn->closing) return 0;
    if (lws_frame_is_binary(conn->wsi)) {
        return close_now(net, conn, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "Messages are JSON text, not binary.");
    }
    bool final = lws_is_final_fragment(conn->wsi);
    bool whole = final && conn->message_length == 0 && !conn->message_dropped && length <= BW_NET_MESSAGE_MAX;
    const char *message = whole ? bytes : add_piece(conn, bytes, length, final);
    if (conn->message_length > BW_NET_MESSAGE_FAR) {
        return close_now(net, conn, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "A message may have 4096 bytes at most.");
    }
    if (!final) return 0;
    size_t total = whole ? length : conn->message_length;
    bool dropped = conn->message_dropped;
    char *partial = conn->partial; /* the handler may be called only once all is put back */
    conn->partial = NULL;
    conn->message_length = 0;
    conn->message_dropped = false;
    if (dropped) handler->too_large(handler->user, conn->number);
    else handler->message(handler->user, conn->number, message, total);
    free(partial);
    return 0;
}

/* ---- out ---- */

static bool enqueue(bw_conn *conn, bw_bytes *bytes) {
    if (conn->queue_count == conn->queue_cap) {
        uint32_t cap = conn->queue_cap ? conn->queue_cap * 2 : 4;
        bw_bytes **queue = malloc(cap * sizeof *queue);
        if (!queue) return false;
        for (uint32_t i = 0; i < conn->queue_count; i++) {
            queue[i] = conn->queue[(conn->queue_first + i) % conn->queue_cap];
        }
        free(conn->queue);
        conn->queue = queue;
        conn->queue_first = 0;
        conn->queue_cap = cap;
    }
    conn->queue[(conn->queue_first + conn->queue_count++) % conn->queue_cap] = bytes;
    conn->queue_bytes += bytes->length;
    return true;
}

/* libwebsockets writes the frame's head before the payload, so shared bytes are copied. What the socket
 * does not take, it keeps and writes first (lws_partial_buffered). */
static int write_text(bw_net_lws *net, bw_conn *conn, const bw_bytes *bytes) {
    memcpy(net->scratch + LWS_PRE, bytes->at, bytes->length);
    return lws_write(conn->wsi, net->scratch + LWS_PRE, bytes->length, LWS_WRITE_TEXT);
}

static void give_up(bw_conn *conn) {
    conn->closing = true;
    bw_lws_cut(conn);
}

void bw_lws_socket_send(bw_net_lws *net, bw_conn *conn, bw_bytes *bytes) {
    if (conn->queue_bytes + bytes->length > BW_NET_QUEUE_MAX) {
        net->figures.slow_readers_total++;
        give_up(conn);
    } else if (conn->queue_count == 0 && !lws_partial_buffered(conn->wsi)) {
        /* At once: asking to be told that the socket is writable costs two calls of the system and a turn
         * of the loop for each message. */
        if (write_text(net, conn, bytes) < 0) give_up(conn);
    } else if (enqueue(conn, bytes)) {
        net->figures.queued_bytes += bytes->length;
        lws_callback_on_writable(conn->wsi);
        return;
    } else {
        give_up(conn);
    }
    bw_bytes_release(bytes);
}

static int write_next(bw_net_lws *net, bw_conn *conn) {
    bw_bytes *bytes = conn->queue[conn->queue_first];
    conn->queue_first = (conn->queue_first + 1) % conn->queue_cap;
    conn->queue_count--;
    conn->queue_bytes -= bytes->length;
    net->figures.queued_bytes -= bytes->length;
    int written = write_text(net, conn, bytes);
    bw_bytes_release(bytes);
    return written;
}

int bw_lws_socket_writable(bw_net_lws *net, bw_conn *conn) {
    if (conn->leaving) return 0; /* -1 again would end it before the other side has read the reason */
    while (conn->queue_count && !lws_partial_buffered(conn->wsi)) {
        if (write_next(net, conn) < 0) return -1;
    }
    if (lws_partial_buffered(conn->wsi)) {
        lws_callback_on_writable(conn->wsi);
        return 0;
    }
    if (conn->queue_cap > 16) { /* a burst is over */
        free(conn->queue);
        conn->queue = NULL;
        conn->queue_cap = 0;
    }
    if (conn->closing) {
        conn->leaving = true;
        if (conn->close_code) {
            lws_close_reason(conn->wsi, (enum lws_close_status)conn->close_code, (unsigned char *)conn->close_reason,
                             strlen(conn->close_reason));
        }
        return -1;
    }
    if (conn->wants_ping) {
        conn->wants_ping = false;
        memcpy(net->scratch + LWS_PRE, "bw", 2); /* an empty one would not be sent */
        if (lws_write(conn->wsi, net->scratch + LWS_PRE, 2, LWS_WRITE_PING) < 0) return -1;
    }
    return 0;
}
