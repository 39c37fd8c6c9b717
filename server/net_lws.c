#include "server/net_lws_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PLACE_BITS = 24,
    ACCEPTS_AT_ONCE = 64,     /* then others have their turn */
    CONNECTIONS_SPARE = 64,   /* of one address beyond twice its sockets: for its requests */
    SEND_BUFFER = 128 * 1024, /* the kernel's, so that slow readers hold little of it */
};

int64_t bw_lws_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- numbers and deadlines ---- */

static bool take_place(bw_net_lws *net, bw_conn *conn) {
    if (net->free_count == 0) {
        uint32_t cap = net->place_cap ? net->place_cap * 2 : 64;
        bw_conn **places = cap <= 1u << PLACE_BITS ? realloc(net->places, cap * sizeof *places) : NULL;
        if (!places) return false;
        net->places = places;
        uint32_t *free_places = realloc(net->free_places, cap * sizeof *free_places);
        if (!free_places) return false;
        net->free_places = free_places;
        for (uint32_t i = cap; i-- > net->place_cap;) {
            net->places[i] = NULL;
            net->free_places[net->free_count++] = i;
        }
        net->place_cap = cap;
    }
    conn->place = net->free_places[--net->free_count];
    net->places[conn->place] = conn;
    return true;
}

void bw_lws_new_number(bw_net_lws *net, bw_conn *conn) { conn->number = ++net->numbers << PLACE_BITS | conn->place; }

bw_conn *bw_lws_find(bw_net_lws *net, uint64_t number) {
    uint32_t place = (uint32_t)(number & ((1u << PLACE_BITS) - 1));
    bw_conn *conn = place < net->place_cap ? net->places[place] : NULL;
    return conn && conn->number == number ? conn : NULL;
}

void bw_lws_set_deadline(bw_net_lws *net, bw_conn *conn, int64_t seconds) {
    if (conn->deadline) {
        *(conn->earlier ? &conn->earlier->later : &net->deadlines) = conn->later;
        if (conn->later) conn->later->earlier = conn->earlier;
    }
    conn->earlier = conn->later = NULL;
    if (net->options.patience_percent) {
        seconds = (seconds * net->options.patience_percent + 99) / 100;
    }
    conn->deadline = seconds ? bw_lws_seconds() + seconds : 0;
    if (conn->deadline) {
        conn->later = net->deadlines;
        if (conn->later) conn->later->earlier = conn;
        net->deadlines = conn;
    }
}

/* Not lws_set_timeout: outside its own callbacks libev's timer would not be set anew (4.1). The end of
 * the stream is an event of the socket, whatever state libwebsockets is in. */
void bw_lws_cut(bw_conn *conn) { shutdown(lws_get_socket_fd(conn->wsi), SHUT_RDWR); }

static void sweep(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    bw_net_lws *net = timer->data;
    int64_t now = bw_lws_seconds();
    for (bw_conn *conn = net->deadlines, *later; conn; conn = later) {
        later = conn->later;
        if (conn->deadline <= now) {
            net->figures.timeouts_total++;
            bw_lws_set_deadline(net, conn, 0);
            bw_lws_cut(conn);
        }
    }
}

/* ---- connections ---- */

static void conn_free(bw_net_lws *net, bw_conn *conn) {
    bw_lws_socket_gone(net, conn);
    bw_lws_exchange_free(conn);
    bw_lws_set_deadline(net, conn, 0);
    bw_addresses_remove(&net->peers, conn->peer);
    net->places[conn->place] = NULL;
    net->free_places[net->free_count++] = conn->place;
    net->figures.connections--;
    free(conn->queue);
    free(conn->partial);
    free(conn);
}

static bool is_loopback(const char *address) { return strncmp(address, "127.", 4) == 0 || strcmp(address, "::") == 0; }

static bool adopt(bw_net_lws *net, int fd, const char *peer) {
    bw_conn *conn = calloc(1, sizeof *conn);
    if (!conn || !take_place(net, conn)) {
        free(conn);
        close(fd);
        return false;
    }
    memcpy(conn->peer, peer, sizeof conn->peer);
    memcpy(conn->address, peer, sizeof conn->address);
    if (bw_addresses_add(&net->peers, conn->peer) == 0) conn->peer[0] = '\0'; /* not counted */
    net->figures.connections++;
    int on = 1, buffer = SEND_BUFFER;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    conn->wsi = lws_adopt_socket_vhost(net->vhost, fd); /* closes fd where it fails */
    if (!conn->wsi) {
        conn_free(net, conn);
        return false;
    }
    lws_set_opaque_user_data(conn->wsi, conn);
    bw_lws_set_deadline(net, conn, BW_NET_REQUEST_SECONDS);
    return true;
}

static void peer_text(const struct sockaddr_storage *from, char counted[BW_ADDRESS_MAX]) {
    char text[BW_ADDRESS_MAX] = "";
    if (from->ss_family == AF_INET) {
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)from)->sin_addr, text, sizeof text);
    } else if (from->ss_family == AF_INET6) {
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, text, sizeof text);
    }
    bw_address_count_as(counted, text);
}

/* A peer on this machine may be a proxy with everybody behind it, so it is not limited here. */
static bool too_many(const bw_net_lws *net, const char *peer) {
    uint32_t limit = net->options.sockets_per_address;
    return limit && !is_loopback(peer) &&
           bw_addresses_count(&net->peers, peer) >= 2 * (uint64_t)limit + CONNECTIONS_SPARE;
}

static void accept_some(struct ev_loop *loop, ev_io *io, int events) {
    (void)events;
    bw_net_lws *net = io->data;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        struct sockaddr_storage from;
        socklen_t length = sizeof from;
        int fd = accept4(net->listen_fd, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                /* It would be told again and again without a pause. */
                bw_log_write(net->options.log, BW_LOG_WARN, "accept_failed", "reason=\"%s\"", strerror(errno));
                ev_io_stop(loop, io);
                ev_timer_again(loop, &net->resting);
            }
            return;
        }
        char peer[BW_ADDRESS_MAX];
        peer_text(&from, peer);
        if (too_many(net, peer)) {
            net->figures.refused_total++;
            close(fd);
        } else {
            adopt(net, fd, peer);
        }
    }
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)events;
    bw_net_lws *net = timer->data;
    ev_timer_stop(loop, timer);
    if (net->listen_fd >= 0) ev_io_start(loop, &net->accepting);
}

/* ---- what libwebsockets tells ---- */

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    bw_conn *conn = lws_get_opaque_user_data(wsi);
    bw_net_lws *net = lws_context_user(lws_get_context(wsi));
    if (!conn) { /* not one of ours (yet) */
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
    switch (reason) {
    case LWS_CALLBACK_HTTP: return bw_lws_http_request(net, conn);
    case LWS_CALLBACK_HTTP_BODY: return bw_lws_http_body(net, conn, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return bw_lws_http_body_end(net, conn);
    case LWS_CALLBACK_HTTP_WRITEABLE: return bw_lws_http_writable(net, conn);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return bw_lws_http_upgrade(net, conn, in);
    case LWS_CALLBACK_ESTABLISHED: bw_lws_socket_opened(net, conn); return 0;
    case LWS_CALLBACK_RECEIVE: return bw_lws_socket_received(net, conn, in, length);
    case LWS_CALLBACK_RECEIVE_PONG:
        if (!conn->closing) net->options.handler.pong(net->options.handler.user, conn->number);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return bw_lws_socket_writable(net, conn);
    case LWS_CALLBACK_CLOSED: bw_lws_socket_gone(net, conn); return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(wsi, NULL);
        conn_free(net, conn);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT: /* CONNECT makes libwebsockets hand the bare socket over */
    case LWS_CALLBACK_RAW_RX:
    case LWS_CALLBACK_RAW_WRITEABLE: return -1;
    default: return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

/* ---- the seam ---- */

static void reply(bw_net *net, uint64_t number, const bw_response *response) {
    bw_net_lws *self = (bw_net_lws *)net;
    bw_conn *conn = bw_lws_find(self, number);
    if (conn && conn->exchange && !conn->exchange->answered) {
        bw_lws_http_reply(self, conn, response);
    } else if (response->owner) {
        bw_bytes_release(response->owner);
    }
}

static void send_text(bw_net *net, uint64_t number, bw_bytes *bytes) {
    bw_net_lws *self = (bw_net_lws *)net;
    bw_conn *conn = bw_lws_find(self, number);
    if (conn && conn->is_socket && !conn->closing) bw_lws_socket_send(self, conn, bytes);
    else bw_bytes_release(bytes);
}

static void ping(bw_net *net, uint64_t number) {
    bw_conn *conn = bw_lws_find((bw_net_lws *)net, number);
    if (conn && conn->is_socket && !conn->closing) {
        conn->wants_ping = true;
        lws_callback_on_writable(conn->wsi);
    }
}

static void close_socket(bw_net *net, uint64_t number, int code, const char *reason) {
    bw_net_lws *self = (bw_net_lws *)net;
    bw_conn *conn = bw_lws_find(self, number);
    if (!conn || !conn->is_socket || conn->closing) return;
    conn->closing = true;
    conn->close_code = code;
    snprintf(conn->close_reason, sizeof conn->close_reason, "%s", reason ? reason : "");
    bw_lws_set_deadline(self, conn, BW_CLOSE_SECONDS);
    lws_callback_on_writable(conn->wsi);
}

static const bw_request *pending(bw_net *net, uint64_t number) {
    bw_conn *conn = bw_lws_find((bw_net_lws *)net, number);
    return conn && conn->exchange && !conn->exchange->answered ? &conn->exchange->request : NULL;
}

static void figures_of(bw_net *net, bw_net_figures *figures) { *figures = ((bw_net_lws *)net)->figures; }

static const bw_net_ops ops = {reply, send_text, ping, close_socket, pending, figures_of};

/* ---- opening and closing ---- */

static int listen_on(const char *address, int port, char *problem, size_t cap) {
    struct sockaddr_storage at = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)(void *)&at;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)&at;
    socklen_t length = sizeof *four;
    if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)port);
    } else if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)port);
        length = sizeof *six;
    } else {
        snprintf(problem, cap, "%s is no IP address to listen on.", address);
        return -1;
    }
    int fd = socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, off = 0;
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (at.ss_family == AF_INET6) {
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off); /* `::` is every network */
        }
        if (bind(fd, (struct sockaddr *)&at, length) == 0 && listen(fd, 4096) == 0) return fd;
    }
    const char *hint = errno == EADDRINUSE
                           ? "another program uses that port; choose another BACKEND_PORT, or 0 for a free one"
                       : errno == EACCES        ? "ports below 1024 need a privilege; choose another BACKEND_PORT"
                       : errno == EADDRNOTAVAIL ? "this machine has no such address; choose another BIND"
                                                : strerror(errno);
    snprintf(problem, cap, "Port %d on %s cannot be listened on: %s.", port, address, hint);
    if (fd >= 0) close(fd);
    return -1;
}

static int port_of(int fd) {
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &length) != 0) return 0;
    return ntohs(at.ss_family == AF_INET ? ((struct sockaddr_in *)(void *)&at)->sin_port
                                         : ((struct sockaddr_in6 *)(void *)&at)->sin6_port);
}

static bool make_context(bw_net_lws *net) {
    /* Our own pings and deadlines, so no timers of libwebsockets for idle sockets. */
    static const lws_retry_bo_t no_validity_checks = {0};
    /* A message over 1 KiB comes in pieces; what goes out is not cut to that size. */
    static const struct lws_protocols protocols[] = {
        {.name = "boardwalk", .callback = on_event, .rx_buffer_size = 1024, .tx_packet_size = BW_NET_QUEUE_MAX}, {0}};
    void *loops[] = {net->options.loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .foreign_loops = loops,
        .retry_and_idle_policy = &no_validity_checks,
        .max_http_header_data = 8192,
        .keepalive_timeout = BW_NET_IDLE_SECONDS,
        .timeout_secs = BW_NET_REQUEST_SECONDS,
        .timeout_secs_ah_idle = BW_NET_REQUEST_SECONDS,
        .gid = -1,
        .uid = -1,
        .user = net,
    };
    lws_set_log_level(0, NULL);
    net->context = lws_create_context(&info);
    if (net->context) net->vhost = lws_create_vhost(net->context, &info);
    return net->vhost != NULL;
}

bw_net *bw_net_lws_open(const bw_net_lws_options *options, char *problem, size_t cap) {
    bw_net_lws *net = calloc(1, sizeof *net);
    if (!net) {
        snprintf(problem, cap, "There is no memory for the sockets.");
        return NULL;
    }
    net->net.ops = &ops;
    net->options = *options;
    net->listen_fd = listen_on(options->address, options->port, problem, cap);
    if (net->listen_fd < 0) {
        free(net);
        return NULL;
    }
    net->port = port_of(net->listen_fd);
    if (!make_context(net)) {
        snprintf(problem, cap, "libwebsockets could not be started; is the package libwebsockets-evlib-ev installed?");
        close(net->listen_fd);
        if (net->context) lws_context_destroy(net->context);
        free(net);
        return NULL;
    }
    ev_io_init(&net->accepting, accept_some, net->listen_fd, EV_READ);
    net->accepting.data = net;
    ev_io_start(options->loop, &net->accepting);
    ev_timer_init(&net->sweeping, sweep, 1., 1.);
    net->sweeping.data = net;
    ev_timer_start(options->loop, &net->sweeping);
    ev_timer_init(&net->resting, rested, 0., 0.5);
    net->resting.data = net;
    return &net->net;
}

int bw_net_lws_port(const bw_net *net) { return ((const bw_net_lws *)net)->port; }

void bw_net_lws_stop_listening(bw_net *net) {
    bw_net_lws *self = (bw_net_lws *)net;
    if (self->listen_fd < 0) return;
    ev_io_stop(self->options.loop, &self->accepting);
    ev_timer_stop(self->options.loop, &self->resting);
    close(self->listen_fd);
    self->listen_fd = -1;
}

void bw_net_lws_close(bw_net *net) {
    bw_net_lws *self = (bw_net_lws *)net;
    bw_net_lws_stop_listening(net);
    ev_timer_stop(self->options.loop, &self->sweeping);
    lws_context_destroy(self->context);
    bw_addresses_clear(&self->peers);
    bw_addresses_clear(&self->sockets);
    free(self->places);
    free(self->free_places);
    free(self);
}
