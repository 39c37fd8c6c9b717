/* Shared by the tests of the sockets: a server on a thread of its own, which echoes messages and describes requests
 * as it understood them. */
#ifndef BW_NET_TEST_HELP_H
#define BW_NET_TEST_HELP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/net_ev.h"
#include "tests/support/client.h"
#include "tests/support/unit.h"

enum { HUGE_BYTES = 4 * 1024 * 1024 };

static struct {
    struct ev_loop *loop;
    ev_async stop;
    bw_net *net;
    pthread_t thread;
    int port;
    bw_log log;
    atomic_int opened, closed;
    atomic_ullong last_request;
} server;

static inline bw_bytes *bytes_of(const char *text, size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length);
    *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
    memcpy(bytes->at, text, length);
    return bytes;
}

static inline void send_text(uint64_t conn, const char *text) {
    bw_net_send(server.net, conn, bytes_of(text, strlen(text)));
}

/* Answers with what it understood. "/slow" is never answered, "/large" with 1 MB, "/huge" with 4 MB that start with
 * the query; at "/stall" the loop stalls for a while. */
static inline void on_request(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", "other"};
    atomic_store(&server.last_request, conn);
    if (strcmp(r->path, "/slow") == 0) return;
    if (strcmp(r->path, "/stall") == 0) nanosleep(&(struct timespec){.tv_sec = 3, .tv_nsec = 100000000}, NULL);
    bool huge = strcmp(r->path, "/huge") == 0;
    size_t cap = huge ? HUGE_BYTES : 1024 * 1024;
    bw_bytes *bytes = malloc(sizeof *bytes + cap);
    int length = snprintf(bytes->at, cap, "%s %s ?%s host=%s origin=%s from=%s body=%zu:%.20s", methods[r->method],
                          r->path, r->query, r->host, r->origin, r->address, r->length, r->body);
    if (strcmp(r->path, "/figures") == 0) {
        bw_net_figures f;
        bw_net_figures_of(server.net, &f);
        length = snprintf(bytes->at, cap, "%d %d %d %d", (int)f.sockets, (int)f.queued_bytes, (int)f.slow_readers_total,
                          (int)f.answer_bytes);
    }
    if (huge) {
        memset(bytes->at, 'H', cap);
        memcpy(bytes->at, r->query, strlen(r->query));
        length = (int)cap;
    }
    if (strcmp(r->path, "/large") == 0) {
        memset(bytes->at, 'L', cap);
        length = (int)cap;
    }
    bytes->references = 1;
    bytes->length = (uint32_t)length;
    bw_response response = {.status = 200, .body = bytes->at, .length = bytes->length, .owner = bytes};
    bw_response_header(&response, "x-test", "yes");
    bw_net_reply(server.net, conn, &response);
    bw_net_reply(server.net, conn, &(bw_response){.status = 500}); /* a second answer is dropped */
}

static inline bool on_upgrade(void *user, const bw_request *r, bw_response *refusal) {
    (void)user;
    if (strcmp(r->path, "/no") != 0) return true;
    *refusal = (bw_response){.status = 403, .body = "no", .length = 2};
    return false;
}

static inline void on_opened(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    char text[200];
    atomic_fetch_add(&server.opened, 1);
    snprintf(text, sizeof text, "hello %s?%s from %s", r->path, r->query, r->address);
    send_text(conn, text);
}

static inline void on_message(void *user, uint64_t conn, const char *bytes, size_t length) {
    (void)user;
    if (length == 4 && memcmp(bytes, "ping", 4) == 0) {
        bw_net_ping(server.net, conn);
    } else if (length == 5 && memcmp(bytes, "close", 5) == 0) {
        send_text(conn, "last words");
        bw_net_close(server.net, conn, 1008, "enough");
        send_text(conn, "never said");
    } else if (length == 5 && memcmp(bytes, "flood", 5) == 0) {
        static char large[16 * 1024];
        memset(large, 'x', sizeof large);
        for (int i = 0; i < 64; i++) { /* 1 MiB: more than may be queued */
            bw_net_send(server.net, conn, bytes_of(large, sizeof large));
        }
    } else if (length == 6 && memcmp(bytes, "stream", 6) == 0) {
        static char large[16 * 1024];
        memset(large, 'y', sizeof large);
        for (int i = 0; i < 12; i++) bw_net_send(server.net, conn, bytes_of(large, sizeof large));
    } else {
        bw_net_send(server.net, conn, bytes_of(bytes, length));
    }
}

static inline void on_too_large(void *user, uint64_t conn) {
    (void)user;
    send_text(conn, "too large");
}
static inline void on_pong(void *user, uint64_t conn) {
    (void)user;
    send_text(conn, "pong came");
}
static inline void on_closed(void *user, uint64_t conn) {
    (void)user;
    (void)conn;
    atomic_fetch_add(&server.closed, 1);
}

static inline void on_stop(struct ev_loop *loop, ev_async *async, int events) {
    (void)async, (void)events;
    ev_break(loop, EVBREAK_ALL);
}

static inline void *run(void *unused) {
    ev_run(server.loop, 0);
    return unused;
}

static inline int start(void **state) {
    (void)state;
    char problem[300];
    server.loop = ev_loop_new(EVFLAG_AUTO);
    server.log.fd = -1;
    ev_async_init(&server.stop, on_stop);
    ev_async_start(server.loop, &server.stop);
    server.net =
        bw_net_ev_open(&(bw_net_ev_options){.loop = server.loop,
                                            .address = "127.0.0.1",
                                            .sockets_per_address = 5,
                                            .patience_percent = 10, /* a second for a request, three between two */
                                            .log = &server.log,
                                            .handler = {.request = on_request,
                                                        .upgrade = on_upgrade,
                                                        .opened = on_opened,
                                                        .message = on_message,
                                                        .too_large = on_too_large,
                                                        .pong = on_pong,
                                                        .closed = on_closed}},
                       problem, sizeof problem);
    if (!server.net) {
        print_error("%s\n", problem);
        return -1;
    }
    server.port = bw_net_ev_port(server.net);
    return pthread_create(&server.thread, NULL, run, NULL);
}

static inline int stop(void **state) {
    (void)state;
    ev_async_send(server.loop, &server.stop);
    pthread_join(server.thread, NULL);
    bw_net_ev_close(server.net);
    ev_loop_destroy(server.loop);
    if (server.opened != server.closed) {
        print_error("%d opened, %d closed\n", server.opened, server.closed);
    }
    return server.opened == server.closed ? 0 : -1;
}

#endif
