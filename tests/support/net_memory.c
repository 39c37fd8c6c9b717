#include "tests/support/net_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bw_net_memory_conn *find(bw_net *net, uint64_t number) {
    bw_net_memory *self = (bw_net_memory *)net;
    return number >= 1 && number <= (uint64_t)self->count ? &self->conns[number - 1] : NULL;
}

static char *copy(const void *bytes, size_t length) {
    char *text = malloc(length + 1);
    if (text) {
        if (length) memcpy(text, bytes, length);
        text[length] = '\0';
    }
    return text;
}

static void keep_answer(bw_net_memory_conn *conn, const bw_response *response) {
    conn->answered = true;
    conn->status = response->status;
    size_t length = 0;
    for (int i = 0; i < response->header_count && length < sizeof conn->head; i++) {
        length += (size_t)snprintf(conn->head + length, sizeof conn->head - length, "%s: %s\n",
                                   response->headers[i].name, response->headers[i].value);
    }
    conn->body = copy(response->body, response->length);
    conn->body_length = response->length;
}

static void reply(bw_net *net, uint64_t number, const bw_response *response) {
    bw_net_memory_conn *conn = find(net, number);
    if (conn && !conn->is_socket && !conn->answered) keep_answer(conn, response);
    if (response->owner) bw_bytes_release(response->owner);
}

static void send_text(bw_net *net, uint64_t number, bw_bytes *bytes) {
    bw_net_memory_conn *conn = find(net, number);
    if (conn && conn->open && conn->frame_count < BW_NET_MEMORY_FRAMES) {
        conn->frames[conn->frame_count++] = copy(bytes->at, bytes->length);
    }
    bw_bytes_release(bytes);
}

static void ping(bw_net *net, uint64_t number) {
    bw_net_memory_conn *conn = find(net, number);
    if (conn) conn->pings++;
}

static void close_socket(bw_net *net, uint64_t number, int code, const char *reason) {
    (void)reason;
    bw_net_memory_conn *conn = find(net, number);
    if (conn && conn->open && !conn->close_code) conn->close_code = code; /* it closes when the test hangs up */
}

static const bw_request *pending(bw_net *net, uint64_t number) {
    bw_net_memory_conn *conn = find(net, number);
    return conn && !conn->is_socket && !conn->answered ? &conn->request : NULL;
}

static void figures_of(bw_net *net, bw_net_figures *figures) {
    const bw_net_memory *self = (const bw_net_memory *)net;
    *figures = (bw_net_figures){0};
    for (int i = 0; i < self->count; i++) figures->sockets += self->conns[i].open;
    figures->connections = figures->sockets;
}

static const bw_net_ops ops = {reply, send_text, ping, close_socket, pending, figures_of};

bw_net_memory *bw_net_memory_open(void) {
    bw_net_memory *net = calloc(1, sizeof *net);
    if (net) net->net.ops = &ops;
    return net;
}

void bw_net_memory_close(bw_net_memory *net) {
    for (int i = 0; i < net->count; i++) {
        bw_net_memory_hang_up(net, &net->conns[i]);
        free(net->conns[i].body);
        for (int k = 0; k < net->conns[i].frame_count; k++) free(net->conns[i].frames[k]);
    }
    free(net);
}

/* The next connection; a test that needs more than exist is wrong. */
static bw_net_memory_conn *next_conn(bw_net_memory *net, const bw_request *request) {
    if (net->count == BW_NET_MEMORY_MAX) abort();
    bw_net_memory_conn *conn = &net->conns[net->count++];
    conn->request = *request;
    return conn;
}

uint64_t bw_net_memory_number(const bw_net_memory *net, const bw_net_memory_conn *conn) {
    return (uint64_t)(conn - net->conns) + 1;
}

bw_net_memory_conn *bw_net_memory_request(bw_net_memory *net, const bw_request *request) {
    bw_net_memory_conn *conn = next_conn(net, request);
    net->handler.request(net->handler.user, bw_net_memory_number(net, conn), &conn->request);
    return conn;
}

bw_net_memory_conn *bw_net_memory_connect(bw_net_memory *net, const bw_request *request) {
    bw_net_memory_conn *conn = next_conn(net, request);
    bw_response refusal = {0};
    if (net->handler.upgrade(net->handler.user, request, &refusal)) {
        conn->is_socket = conn->open = true;
        conn->status = 101;
        net->handler.opened(net->handler.user, bw_net_memory_number(net, conn), &conn->request);
    } else {
        keep_answer(conn, &refusal);
    }
    return conn;
}

void bw_net_memory_say(bw_net_memory *net, bw_net_memory_conn *conn, const char *text) {
    if (conn->open) {
        net->handler.message(net->handler.user, bw_net_memory_number(net, conn), text, strlen(text));
    }
}

void bw_net_memory_hang_up(bw_net_memory *net, bw_net_memory_conn *conn) {
    if (!conn->open) return;
    conn->open = false;
    net->handler.closed(net->handler.user, bw_net_memory_number(net, conn));
}
