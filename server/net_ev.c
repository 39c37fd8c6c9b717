#include "server/net_ev_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PLACE_BITS = 24,
    ACCEPTS_AT_ONCE = 64,     /* then others have their turn */
    BACKLOG = 4096,           /* connections that wait to be accepted */
    CONNECTIONS_SPARE = 64,   /* sockets of one address beyond its limit, for its HTTP requests */
    SEND_BUFFER = 128 * 1024, /* size of the kernel's send buffer: small, so that slow readers use little of it */
    STALL_SECONDS = 3,        /* seconds between two sweeps; time in which the loop stalled counts against nobody */
};

/* ---- ids and deadlines ---- */

static bool take_place(bw_net_ev *net, bw_conn *conn) {
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

void bw_ev_new_number(bw_conn *conn) { conn->number = ++conn->net->numbers << PLACE_BITS | conn->place; }

static bw_conn *find(bw_net *seam, uint64_t number) {
    const bw_net_ev *net = (const bw_net_ev *)seam;
    uint32_t place = (uint32_t)(number & ((1u << PLACE_BITS) - 1));
    bw_conn *conn = place < net->place_cap ? net->places[place] : NULL;
    return conn && conn->number == number && !conn->cut ? conn : NULL;
}

void bw_ev_set_deadline(bw_conn *conn, int64_t seconds) {
    bw_net_ev *net = conn->net;
    if (conn->deadline) {
        *(conn->earlier ? &conn->earlier->later : &net->deadlines) = conn->later;
        if (conn->later) conn->later->earlier = conn->earlier;
    }
    conn->earlier = conn->later = NULL;
    if (net->options.patience_percent) {
        seconds = (seconds * net->options.patience_percent + 99) / 100;
    }
    conn->deadline = seconds ? bw_ev_seconds() + seconds : 0;
    if (conn->deadline) {
        conn->later = net->deadlines;
        if (conn->later) conn->later->earlier = conn;
        net->deadlines = conn;
    }
}

static void sweep(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    bw_net_ev *net = timer->data;
    int64_t now = bw_ev_seconds(), stalled = now - net->swept >= STALL_SECONDS ? now - net->swept : 0;
    net->swept = now;
    for (bw_conn *conn = net->deadlines, *later; conn; conn = later) {
        later = conn->later;
        conn->deadline += stalled;
        if (conn->deadline < now) { /* whole seconds: never before its time */
            net->figures.timeouts_total++;
            bw_ev_set_deadline(conn, 0);
            bw_ev_cut(conn);
        }
    }
}

/* ---- connections ---- */

static void conn_free(bw_conn *conn) {
    bw_net_ev *net = conn->net;
    conn->cut = true;
    bw_ev_socket_gone(conn);
    bw_ev_socket_free(conn);
    bw_ev_exchange_free(conn);
    bw_ev_set_deadline(conn, 0);
    ev_io_stop(net->options.loop, &conn->io);
    close(conn->io.fd);
    bw_addresses_remove(&net->peers, conn->peer);
    net->places[conn->place] = NULL;
    net->free_places[net->free_count++] = conn->place;
    net->figures.connections--;
    free(conn->held);
    free(conn);
}

void bw_ev_again(bw_conn *conn) {
    if (!conn->in_event) ev_feed_event(conn->net->options.loop, &conn->io, EV_CUSTOM);
}

void bw_ev_cut(bw_conn *conn) {
    conn->cut = true;
    bw_ev_again(conn);
}

ssize_t bw_ev_write(bw_conn *conn, struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    ssize_t written;
    do {
        written = sendmsg(conn->io.fd, &message, MSG_NOSIGNAL);
    } while (written < 0 && errno == EINTR);
    if (written >= 0) return written;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
        bw_ev_cut(conn);
        return -1;
    }
    conn->blocked = true;
    bw_ev_again(conn); /* so that this event is watched */
    return 0;
}

void bw_ev_linger(bw_conn *conn) {
    if (conn->lingering) return;
    conn->lingering = true;
    bw_ev_set_deadline(conn, BW_CLOSE_SECONDS);
    if (conn->ended || shutdown(conn->io.fd, SHUT_WR) != 0) bw_ev_cut(conn);
}

/* ---- handling an event ---- */

/* Received bytes: first requests, and after a handshake messages. */
static void take_in(bw_conn *conn, char *bytes, size_t length) {
    size_t used = conn->socket ? 0 : bw_ev_http_received(conn, bytes, length);
    if (conn->cut || conn->lingering) return;
    if (conn->socket) {
        bw_ev_socket_received(conn, bytes + used, length - used);
        return;
    }
    if (used == length) return;
    conn->held = malloc(length - used);
    if (!conn->held) {
        bw_ev_cut(conn);
        return;
    }
    memcpy(conn->held, bytes + used, length - used);
    conn->held_length = length - used;
}

static void take_held(bw_conn *conn) {
    char *held = conn->held;
    conn->held = NULL;
    take_in(conn, held, conn->held_length);
    free(held);
}

/* Must a request be answered before anything else is read? */
static bool owes(const bw_conn *conn) { return conn->exchange && conn->exchange->asked; }

static bool is_reading(const bw_conn *conn) {
    if (conn->lingering) return true;
    if (conn->socket) return !conn->socket->heard;
    return !conn->ended && !conn->held && !owes(conn);
}

/* Two connections of one client may come by two nodes, the older one later: has its client left it? */
static void look_for_end(const bw_conn *conn) {
    const bw_net_handler *handler = &conn->net->options.handler;
    struct pollfd at = {.fd = conn->io.fd, .events = POLLRDHUP};
    if (!handler->leaving || !conn->passed || !conn->told_open) return;
    if (poll(&at, 1, 0) == 1) handler->leaving(handler->user, conn->number);
}

static void receive(bw_conn *conn) {
    char *bytes = conn->net->scratch;
    ssize_t got = recv(conn->io.fd, bytes, BW_READ_AT_ONCE, 0);
    if (got < 0) {
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) conn->cut = true;
        return;
    }
    conn->ended = got == 0;
    conn->dropped += conn->lingering ? (uint32_t)got : 0;
    if (conn->lingering) conn->cut |= conn->ended || conn->dropped > BW_LINGER_MAX;
    else if (!conn->ended) {
        look_for_end(conn);
        take_in(conn, bytes, (size_t)got);
    }
}

/* A peer that has closed its sending side still gets its answers, but a WebSocket is over. */
static bool is_over(const bw_conn *conn) {
    return conn->cut || (conn->ended && (conn->socket || (!conn->held && !owes(conn))));
}

void bw_net_ev_watch(struct ev_loop *loop, ev_io *io, bool reads, bool writes) {
    int wanted = (reads ? EV_READ : 0) | (writes ? EV_WRITE : 0);
    if ((io->events & (EV_READ | EV_WRITE)) == wanted && (ev_is_active(io) || !wanted)) return;
    ev_io_stop(loop, io);
    ev_io_modify(io, wanted);
    if (wanted) ev_io_start(loop, io);
}

static void on_io(struct ev_loop *loop, ev_io *io, int events) {
    bw_conn *conn = io->data;
    conn->in_event = true;
    if (events & EV_WRITE) conn->blocked = false;
    if (!conn->cut && !conn->blocked && !conn->lingering) {
        if (conn->socket) bw_ev_socket_write(conn);
        else bw_ev_http_write(conn);
    }
    if (!conn->cut && conn->held && !owes(conn) && !conn->blocked) take_held(conn);
    if (!conn->cut && (events & EV_READ) && is_reading(conn)) receive(conn);
    if (!conn->cut && !conn->blocked && !conn->lingering && conn->socket) bw_ev_socket_write(conn); /* the result */
    conn->in_event = false;
    if (is_over(conn)) conn_free(conn);
    else bw_net_ev_watch(loop, io, is_reading(conn), conn->blocked);
}

/* ---- connections ---- */

static bool is_loopback(const char *address) { return strncmp(address, "127.", 4) == 0 || strcmp(address, "::") == 0; }

bool bw_net_ev_adopt(bw_net *seam, int fd, const char *peer) {
    bw_net_ev *net = (bw_net_ev *)seam;
    bw_conn *conn = calloc(1, sizeof *conn);
    if (!conn || !take_place(net, conn)) {
        free(conn);
        close(fd);
        return false;
    }
    conn->net = net;
    snprintf(conn->peer, sizeof conn->peer, "%s", peer);
    memcpy(conn->address, conn->peer, sizeof conn->address);
    if (bw_addresses_add(&net->peers, conn->peer) == 0) conn->peer[0] = '\0'; /* not counted */
    net->figures.connections++;
    ev_io_init(&conn->io, on_io, fd, EV_READ);
    conn->io.data = conn;
    ev_io_start(net->options.loop, &conn->io);
    bw_ev_set_deadline(conn, BW_NET_REQUEST_SECONDS);
    net->newest = conn;
    return true;
}

bool bw_net_ev_adopt_passed(bw_net *seam, int fd, const char *address) {
    bw_net_ev *net = (bw_net_ev *)seam;
    if (!bw_net_ev_adopt(seam, fd, address)) return false;
    net->newest->passed = true;
    return true;
}

void bw_net_ev_go_on(bw_net *seam, uint64_t number) {
    bw_conn *conn = find(seam, number);
    if (!conn || !owes(conn) || conn->exchange->answered) return;
    bw_ev_http_go_on(conn);
    bw_ev_again(conn);
}

bool bw_net_ev_take(bw_net *seam, uint64_t number, bw_net_taken *taken) {
    bw_conn *conn = find(seam, number);
    if (!conn || !owes(conn) || conn->exchange->answered) return false;
    *taken = (bw_net_taken){.fd = -1};
    snprintf(taken->address, sizeof taken->address, "%s", conn->address);
    taken->bytes = bw_ev_http_again(conn, &taken->length);
    if (taken->bytes) taken->fd = fcntl(conn->io.fd, F_DUPFD_CLOEXEC, 0);
    if (taken->fd < 0) free(taken->bytes);
    bw_ev_cut(conn); /* only an error of this descriptor */
    return taken->fd >= 0;
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

/* A peer on this machine may be a proxy for everybody, so it is not limited here. */
static bool too_many(const bw_net_ev *net, const char *peer) {
    uint32_t limit = net->options.sockets_per_address;
    return limit && !is_loopback(peer) &&
           bw_addresses_count(&net->peers, peer) >= 2 * (uint64_t)limit + CONNECTIONS_SPARE;
}

bool bw_net_ev_is_out(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

static void accept_at_most(bw_net_ev *net, int count) {
    for (int i = 0; i < count; i++) {
        struct sockaddr_storage from;
        socklen_t length = sizeof from;
        int fd = accept4(net->listen_fd, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (bw_net_ev_is_out(errno)) {
                bw_log_write(net->options.log, BW_LOG_WARN, "accept_failed", "reason=\"%s\"", strerror(errno));
                ev_io_stop(net->options.loop, &net->accepting);
                ev_timer_again(net->options.loop, &net->resting);
            }
            return;
        }
        char peer[BW_ADDRESS_MAX];
        peer_text(&from, peer);
        if (too_many(net, peer)) {
            net->figures.refused_total++;
            close(fd);
        } else {
            int on = 1, buffer = SEND_BUFFER;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
            bw_net_ev_adopt(&net->net, fd, peer);
        }
    }
}

static void accept_some(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)events;
    accept_at_most(io->data, ACCEPTS_AT_ONCE);
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)events;
    bw_net_ev *net = timer->data;
    ev_timer_stop(loop, timer);
    if (net->listen_fd >= 0) ev_io_start(loop, &net->accepting);
}

/* ---- the seam ---- */

static void reply(bw_net *net, uint64_t number, const bw_response *response) {
    bw_conn *conn = find(net, number);
    if (conn && owes(conn) && !conn->exchange->answered) bw_ev_http_reply(conn, response);
    else if (response->owner) bw_bytes_release(response->owner);
}

static bw_conn *find_socket(bw_net *net, uint64_t number) {
    bw_conn *conn = find(net, number);
    return conn && conn->socket && !conn->socket->closing ? conn : NULL;
}

static void send_text(bw_net *net, uint64_t number, bw_bytes *bytes) {
    bw_conn *conn = find_socket(net, number);
    if (conn) bw_ev_socket_send(conn, bytes);
    else bw_bytes_release(bytes);
}

static void ping(bw_net *net, uint64_t number) {
    bw_conn *conn = find_socket(net, number);
    if (!conn) return;
    conn->socket->wants_ping = true;
    if (!conn->blocked) bw_ev_socket_write(conn);
}

static void close_socket(bw_net *net, uint64_t number, int code, const char *reason) {
    bw_conn *conn = find_socket(net, number);
    if (conn) bw_ev_socket_close(conn, code, reason);
}

static const bw_request *pending(bw_net *net, uint64_t number) {
    bw_conn *conn = find(net, number);
    return conn && owes(conn) && !conn->exchange->answered ? &conn->exchange->http->request : NULL;
}

static void figures_of(bw_net *net, bw_net_figures *figures) { *figures = ((bw_net_ev *)net)->figures; }

static const bw_net_ops ops = {reply, send_text, ping, close_socket, pending, figures_of};

/* ---- opening and closing ---- */

socklen_t bw_net_ev_address(const char *address, int port, struct sockaddr_storage *at) {
    struct sockaddr_in *four = (struct sockaddr_in *)(void *)at;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)at;
    memset(at, 0, sizeof *at);
    if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)port);
        return sizeof *four;
    }
    six->sin6_family = AF_INET6;
    six->sin6_port = htons((uint16_t)port);
    return inet_pton(AF_INET6, address, &six->sin6_addr) == 1 ? sizeof *six : 0;
}

int bw_net_ev_listen(const struct sockaddr_storage *at, socklen_t length) {
    int fd = socket(at->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, off = 0;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (at->ss_family == AF_INET6) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off); /* `::` means every network */
    }
    if (bind(fd, (const struct sockaddr *)at, length) == 0 && listen(fd, BACKLOG) == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

static int listen_on(const char *address, int port, char *problem, size_t cap) {
    struct sockaddr_storage at;
    socklen_t length = bw_net_ev_address(address, port, &at);
    if (!length) {
        snprintf(problem, cap, "%s is not an IP address to listen on.", address);
        return -1;
    }
    int fd = bw_net_ev_listen(&at, length);
    if (fd >= 0) return fd;
    const char *hint = errno == EADDRINUSE
                           ? "another program uses that port; choose another BACKEND_PORT, or 0 for a free one"
                       : errno == EACCES        ? "ports below 1024 need a privilege; choose another BACKEND_PORT"
                       : errno == EADDRNOTAVAIL ? "this machine has no such address; choose another BIND"
                                                : strerror(errno);
    snprintf(problem, cap, "Cannot listen on port %d of %s: %s.", port, address, hint);
    return -1;
}

static int port_of(int fd) {
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &length) != 0) return 0;
    return ntohs(at.ss_family == AF_INET ? ((struct sockaddr_in *)(void *)&at)->sin_port
                                         : ((struct sockaddr_in6 *)(void *)&at)->sin6_port);
}

bw_net *bw_net_ev_open(const bw_net_ev_options *options, char *problem, size_t cap) {
    bw_net_ev *net = calloc(1, sizeof *net);
    if (!net) {
        snprintf(problem, cap, "There is not enough memory for the sockets.");
        return NULL;
    }
    net->net.ops = &ops;
    net->options = *options;
    net->listen_fd = options->address ? listen_on(options->address, options->port, problem, cap) : -1;
    if (options->address && net->listen_fd < 0) {
        free(net);
        return NULL;
    }
    ev_timer_init(&net->sweeping, sweep, 1., 1.);
    net->sweeping.data = net;
    ev_timer_start(options->loop, &net->sweeping);
    net->swept = bw_ev_seconds(); /* so that a stall before the first sweep counts too */
    ev_timer_init(&net->resting, rested, 0., 0.5);
    net->resting.data = net;
    if (net->listen_fd < 0) return &net->net;
    net->port = port_of(net->listen_fd);
    ev_io_init(&net->accepting, accept_some, net->listen_fd, EV_READ);
    net->accepting.data = net;
    ev_io_start(options->loop, &net->accepting);
    return &net->net;
}

int bw_net_ev_port(const bw_net *net) { return ((const bw_net_ev *)net)->port; }

void bw_net_ev_end_after_answers(bw_net *seam) { ((bw_net_ev *)seam)->leaving = true; }

void bw_net_ev_stop_listening(bw_net *seam) {
    bw_net_ev *net = (bw_net_ev *)seam;
    bw_net_ev_end_after_answers(seam);
    if (net->listen_fd < 0) return;
    /* Who has connected already gets an answer: what closing the port resets, a proxy can't ask somebody else. */
    accept_at_most(net, BACKLOG);
    ev_io_stop(net->options.loop, &net->accepting);
    ev_timer_stop(net->options.loop, &net->resting);
    close(net->listen_fd);
    net->listen_fd = -1;
    for (uint32_t i = 0; i < net->place_cap; i++) {
        bw_conn *conn = net->places[i];
        bool idle = conn && conn->number && !conn->socket && !conn->exchange && !conn->held && !conn->lingering;
        if (idle) bw_ev_cut(conn);
    }
}

void bw_net_ev_hang_up(bw_net *seam, int code, const char *reason) {
    bw_net_ev *net = (bw_net_ev *)seam;
    for (uint32_t i = 0; i < net->place_cap; i++) {
        bw_conn *conn = net->places[i];
        if (!conn || conn->cut) continue;
        if (conn->socket && !conn->socket->closing) bw_ev_socket_close(conn, code, reason);
        else if (owes(conn) && !conn->exchange->answered) bw_ev_cut(conn);
    }
}

void bw_net_ev_close(bw_net *seam) {
    bw_net_ev *net = (bw_net_ev *)seam;
    bw_net_ev_stop_listening(seam);
    ev_timer_stop(net->options.loop, &net->sweeping);
    for (uint32_t i = 0; i < net->place_cap; i++) {
        if (net->places[i]) conn_free(net->places[i]);
    }
    bw_addresses_clear(&net->peers);
    bw_addresses_clear(&net->sockets);
    bw_addresses_clear(&net->files);
    free(net->places);
    free(net->free_places);
    free(net);
}
