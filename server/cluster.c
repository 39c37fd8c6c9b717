#include "server/cluster.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/addresses.h"
#include "server/net_ev.h"
#include "server/relay.h"

enum {
    BUFFER = 32 * 1024,
    GREETING_MAX = 512,
    ACCEPTS_AT_ONCE = 64,
    CONNECT_MS = 3000,  /* to the owner, and for a greeting to come */
    REST_MS = 1000,     /* after the system has run out of descriptors: it would be told again and again */
    GUESTS_MAX = 1024,  /* who have not said the secret yet */
    SILENCE_MS = 15000, /* after which a node that takes nothing is gone */
    FAREWELL_MS = 2000, /* for a client to close */
};

static const char greeting_word[] = "BOARDWALK1";

/* One way of a passed connection. */
typedef struct bw_pipe {
    ev_io *from, *to;
    bw_way way;
    bw_seam *seam; /* NULL: nobody needs to know */
} bw_pipe;

typedef struct bw_relay {
    struct bw_relay *earlier, *later;
    bw_cluster *cluster;
    ev_io client, owner;
    ev_timer patience;
    bool connecting, leaving; /* the latter: the client was told, and may close */
    bw_pipe out, back;        /* to the owner, to the client */
    bw_seam seam;
    char address[BW_PEER_ADDRESS_MAX]; /* the owner's */
    uint64_t lapses;                   /* of this node's lease, before it was passed on */
} bw_relay;

/* Somebody who has connected, and has not said the secret yet. */
typedef struct bw_guest {
    struct bw_guest *earlier, *later;
    bw_cluster *cluster;
    ev_io io;
    ev_timer patience;
    char line[GREETING_MAX]; /* as much of the greeting as has come */
    size_t length;
} bw_guest;

struct bw_cluster {
    bw_cluster_options options;
    char secret[BW_CLUSTER_SECRET_MAX + 1];
    int listen_fd;
    ev_io accepting;
    ev_timer resting;
    bw_relay *relays;
    bw_guest *guests;
    uint32_t guest_count;
    bw_cluster_figures figures;
};

/* ---- addresses ---- */

bool bw_cluster_endpoint(const char *text, char *address, size_t cap, int *port) {
    unsigned char bytes[16];
    const char *colon = strrchr(text, ':');
    if (!colon) return false;
    bool bracketed = text[0] == '[' && colon > text + 2 && colon[-1] == ']';
    size_t length = (size_t)(colon - text) - (bracketed ? 2 : 0);
    if (length == 0 || length >= cap || strlen(colon + 1) > 5 || !colon[1]) return false;
    memcpy(address, text + bracketed, length);
    address[length] = '\0';
    *port = 0;
    for (const char *at = colon + 1; *at; at++) {
        if (*at < '0' || *at > '9') return false;
        *port = *port * 10 + (*at - '0');
    }
    if (strcasecmp(address, "localhost") == 0 && cap > 9) memcpy(address, "127.0.0.1", 10);
    return *port > 0 && *port < 65536 && inet_pton(bracketed ? AF_INET6 : AF_INET, address, bytes) == 1;
}

static socklen_t socket_address(const char *text, struct sockaddr_storage *at) {
    char address[64];
    int port;
    return bw_cluster_endpoint(text, address, sizeof address, &port) ? bw_net_ev_address(address, port, at) : 0;
}

/* ---- copying both ways ---- */

static void relay_free(bw_relay *r) {
    bw_cluster *cluster = r->cluster;
    struct ev_loop *loop = cluster->options.loop;
    ev_io_stop(loop, &r->client);
    ev_io_stop(loop, &r->owner);
    ev_timer_stop(loop, &r->patience);
    close(r->client.fd);
    if (r->owner.fd >= 0) close(r->owner.fd);
    *(r->earlier ? &r->earlier->later : &cluster->relays) = r->later;
    if (r->later) r->later->earlier = r->earlier;
    cluster->figures.passed_on--;
    free(r->out.way.bytes);
    free(r->back.way.bytes);
    free(r);
}

/* Writes what waits. false: the connection is gone. */
static bool push(bw_pipe *pipe) {
    const char *rest;
    size_t length;
    while ((rest = bw_way_rest(&pipe->way, &length)) && length > 0) {
        ssize_t written = send(pipe->to->fd, rest, length, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        bw_way_gave(&pipe->way, (size_t)written);
    }
    if (bw_way_ends(&pipe->way)) shutdown(pipe->to->fd, SHUT_WR);
    return true;
}

static bool pull(bw_pipe *pipe) {
    if (!bw_way_reads(&pipe->way)) return true;
    ssize_t got = recv(pipe->from->fd, pipe->way.bytes, pipe->way.cap, 0);
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    bw_way_got(&pipe->way, (size_t)got);
    if (pipe->seam) bw_seam_pass(pipe->seam, pipe->way.bytes, (size_t)got);
    return push(pipe);
}

static void watch_both(bw_relay *r) {
    struct ev_loop *loop = r->cluster->options.loop;
    bw_net_ev_watch(loop, &r->client, !r->connecting && bw_way_reads(&r->out.way), r->back.way.length > 0);
    bw_net_ev_watch(loop, &r->owner, !r->connecting && bw_way_reads(&r->back.way),
                    r->connecting || r->out.way.length > 0);
}

/* The client waits for an answer, and there is nobody to give it. */
static void say_unreachable(bw_relay *r) {
    static const char answer[] =
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\n"
        "connection: close\r\ncontent-length: 103\r\n\r\n"
        "{\"type\":\"error\",\"code\":\"draining\",\"message\":\"This room is just moving: come back in a moment, please.\"}";
    ssize_t written = send(r->client.fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    (void)written;
    relay_free(r);
}

/* Whoever was told to come back is listened to until it closes, or what it was told could be lost. */
static bool hears_farewell(const bw_relay *r) {
    char unread[4096];
    ssize_t got;
    while ((got = recv(r->client.fd, unread, sizeof unread, 0)) > 0) {
    }
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

/* Its stream is between two frames, or has not begun. */
static bool may_be_told(const bw_relay *r) {
    size_t waits;
    bw_way_rest(&r->back.way, &waits);
    return bw_seam_is_silent(&r->seam) || (waits == 0 && bw_seam_is_between(&r->seam));
}

static void let_go(bw_relay *r) {
    static const char farewell[] = "\x88\x0c\x03\xf4room_moved"; /* a frame: close, 1012 */
    struct ev_loop *loop = r->cluster->options.loop;
    if (r->leaving) return;
    if (bw_seam_is_silent(&r->seam)) {
        say_unreachable(r);
        return;
    }
    bool said =
        may_be_told(r) && send(r->client.fd, farewell, sizeof farewell - 1, MSG_NOSIGNAL) == sizeof farewell - 1;
    if (!said) {
        relay_free(r);
        return;
    }
    shutdown(r->client.fd, SHUT_WR);
    r->leaving = true;
    ev_io_stop(loop, &r->owner);
    close(r->owner.fd);
    r->owner.fd = -1;
    bw_net_ev_watch(loop, &r->client, true, false);
    ev_timer_set(&r->patience, FAREWELL_MS * 1e-3, 0.);
    ev_timer_start(loop, &r->patience);
}

static bool has_connected(bw_relay *r) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(r->owner.fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0) return false;
    r->connecting = false;
    ev_timer_stop(r->cluster->options.loop, &r->patience);
    return true;
}

/* After a lapse a client may have come back by another node. A `resume` that it sent here before would take its seat from
 * the newer connection. */
static uint64_t lapses(const bw_cluster *cluster) { return cluster->options.lapses(cluster->options.user); }

static void on_relay(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop;
    bw_relay *r = io->data;
    if (r->leaving) {
        if (!hears_farewell(r)) relay_free(r);
        return;
    }
    if (r->lapses != lapses(r->cluster)) {
        relay_free(r);
        return;
    }
    if (r->connecting) {
        if (io != &r->owner) return;
        if (!has_connected(r)) {
            say_unreachable(r);
            return;
        }
    }
    bw_pipe *in = io == &r->client ? &r->out : &r->back, *out = io == &r->client ? &r->back : &r->out;
    bool good = (!(events & EV_WRITE) || push(out)) && (!(events & EV_READ) || pull(in));
    if (!good || (r->out.way.told && r->back.way.told)) relay_free(r);
    else watch_both(r);
}

static void on_impatience(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    bw_relay *r = timer->data;
    if (r->leaving) relay_free(r);
    else say_unreachable(r);
}

/* A node that is gone without a word is found out by the kernel. */
static void set_options(int fd) {
    int on = 1, idle = 5, interval = 2, count = 3, silence = SILENCE_MS;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
}

/* The greeting, the request, and what came behind it. */
static bool fill(bw_way *way, const char *secret, const bw_net_taken *taken) {
    size_t greeting = sizeof greeting_word + strlen(secret) + strlen(taken->address) + 3;
    way->cap = greeting + taken->length > BUFFER ? greeting + taken->length : BUFFER;
    way->bytes = malloc(way->cap);
    if (!way->bytes) return false;
    int length = snprintf(way->bytes, greeting + 1, "%s %s %s\n", greeting_word, secret, taken->address);
    memcpy(way->bytes + length, taken->bytes, taken->length);
    way->length = (size_t)length + taken->length;
    return true;
}

static bool start(bw_relay *r, const char *owner, const bw_net_taken *taken) {
    struct sockaddr_storage at;
    socklen_t length = socket_address(owner, &at);
    int fd = length ? socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
    r->connecting = true;
    ev_io_init(&r->client, on_relay, taken->fd, EV_READ);
    ev_io_init(&r->owner, on_relay, fd, EV_WRITE);
    ev_timer_init(&r->patience, on_impatience, CONNECT_MS * 1e-3, 0.);
    r->client.data = r->owner.data = r->patience.data = r;
    r->out.from = r->back.to = &r->client;
    r->out.to = r->back.from = &r->owner;
    r->back.seam = &r->seam;
    r->lapses = lapses(r->cluster);
    snprintf(r->address, sizeof r->address, "%s", owner);
    r->back.way.cap = BUFFER;
    r->back.way.bytes = malloc(BUFFER);
    if (fd < 0 || !r->back.way.bytes || !fill(&r->out.way, r->cluster->secret, taken)) return false;
    set_options(fd);
    set_options(taken->fd);
    if (connect(fd, (struct sockaddr *)&at, length) != 0 && errno != EINPROGRESS) return false;
    ev_timer_start(r->cluster->options.loop, &r->patience);
    watch_both(r);
    return true;
}

void bw_cluster_pass(bw_cluster *cluster, uint64_t conn, const char *owner) {
    bw_net_taken taken;
    if (!bw_net_ev_take(cluster->options.net, conn, &taken)) return; /* it is gone */
    bw_relay *r = calloc(1, sizeof *r);
    if (!r) {
        close(taken.fd);
        free(taken.bytes);
        return;
    }
    r->cluster = cluster;
    r->later = cluster->relays;
    if (r->later) r->later->earlier = r;
    cluster->relays = r;
    cluster->figures.passed_on++;
    cluster->figures.passed_total++;
    if (!start(r, owner, &taken)) say_unreachable(r);
    free(taken.bytes);
}

static bool lives(const bw_peers *living, const char *address) {
    for (size_t i = 0; i < living->count; i++) {
        if (strcmp(living->addresses[i], address) == 0) return true;
    }
    return false;
}

void bw_cluster_peers(bw_cluster *cluster, const bw_peers *living) {
    uint64_t count = 0;
    if (living->count == BW_PEERS_MAX) return; /* perhaps not all of them */
    for (bw_relay *r = cluster->relays, *next; r; r = next) {
        next = r->later;
        if (r->leaving || lives(living, r->address)) continue;
        count++;
        let_go(r);
    }
    if (count == 0) return;
    cluster->figures.let_go_total += count;
    bw_log_write(cluster->options.log, BW_LOG_WARN, "owner_silent",
                 "connections=%llu hint=\"the lease of the node that had their rooms is over\"",
                 (unsigned long long)count);
}

uint32_t bw_cluster_let_go(bw_cluster *cluster, uint32_t count) {
    uint32_t wait = 0;
    for (bw_relay *r = cluster->relays, *next; r; r = next) {
        next = r->later;
        if (r->leaving) continue;
        if (count > 0 && may_be_told(r)) {
            count--;
            let_go(r);
        } else {
            wait++;
        }
    }
    return wait;
}

/* ---- those who come from other nodes ---- */

static void guest_free(bw_guest *guest, bool keeps_socket) {
    bw_cluster *cluster = guest->cluster;
    ev_io_stop(cluster->options.loop, &guest->io);
    ev_timer_stop(cluster->options.loop, &guest->patience);
    if (!keeps_socket) close(guest->io.fd);
    *(guest->earlier ? &guest->earlier->later : &cluster->guests) = guest->later;
    if (guest->later) guest->later->earlier = guest->earlier;
    cluster->guest_count--;
    free(guest);
}

/* "BOARDWALK1 secret address": the address, within `line`. NULL: it is not one of us. */
static const char *read_greeting(const bw_cluster *cluster, char *line) {
    size_t word = sizeof greeting_word - 1, secret = strlen(cluster->secret);
    if (strncmp(line, greeting_word, word) != 0 || line[word] != ' ') return NULL;
    char *said = line + word + 1, *space = strrchr(said, ' ');
    if (!space || (size_t)(space - said) != secret || CRYPTO_memcmp(said, cluster->secret, secret) != 0) return NULL;
    return space + 1;
}

/* Takes the greeting and not a byte behind it, which is the request's. 1: it is whole, 0: more is to come, -1: there is
 * none. What has come is taken at once, or the loop would be told of it again without a pause. */
static int hear_greeting(bw_guest *guest) {
    char *at = guest->line + guest->length;
    size_t room = sizeof guest->line - guest->length;
    ssize_t seen = recv(guest->io.fd, at, room, MSG_PEEK);
    if (seen < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    if (seen <= 0) return -1;
    const char *end = memchr(at, '\n', (size_t)seen);
    size_t length = end ? (size_t)(end - at) + 1 : (size_t)seen;
    if (recv(guest->io.fd, at, length, 0) != (ssize_t)length) return -1;
    guest->length += length;
    if (end) return 1;
    return guest->length < sizeof guest->line ? 0 : -1;
}

static void on_guest(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)events;
    bw_guest *guest = io->data;
    bw_cluster *cluster = guest->cluster;
    int heard = hear_greeting(guest);
    if (heard == 0) return;
    if (heard < 0) {
        guest_free(guest, false);
        return;
    }
    guest->line[guest->length - 1] = '\0';
    bool is_text = !memchr(guest->line, '\0', guest->length - 1);
    const char *address = is_text ? read_greeting(cluster, guest->line) : NULL;
    if (!address) {
        cluster->figures.refused_total++;
        bw_log_write(cluster->options.log, BW_LOG_WARN, "node_refused",
                     "hint=\"somebody without CLUSTER_SECRET has come to CLUSTER_LISTEN\"");
        guest_free(guest, false);
        return;
    }
    char counted[BW_ADDRESS_MAX];
    snprintf(counted, sizeof counted, "%s", address);
    int fd = io->fd;
    guest_free(guest, true);
    bw_net_ev_adopt_passed(cluster->options.net, fd, counted);
}

static void on_silence(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    guest_free(timer->data, false);
}

static void accept_some(struct ev_loop *loop, ev_io *io, int events) {
    (void)events;
    bw_cluster *cluster = io->data;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        int fd = accept4(cluster->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && bw_net_ev_is_out(errno)) {
            ev_io_stop(loop, io);
            ev_timer_start(loop, &cluster->resting);
        }
        if (fd < 0) return;
        bw_guest *guest = cluster->guest_count < GUESTS_MAX ? calloc(1, sizeof *guest) : NULL;
        if (!guest) {
            close(fd);
            continue;
        }
        set_options(fd);
        cluster->guest_count++;
        guest->cluster = cluster;
        guest->later = cluster->guests;
        if (guest->later) guest->later->earlier = guest;
        cluster->guests = guest;
        ev_io_init(&guest->io, on_guest, fd, EV_READ);
        ev_timer_init(&guest->patience, on_silence, CONNECT_MS * 1e-3, 0.);
        guest->io.data = guest->patience.data = guest;
        ev_io_start(loop, &guest->io);
        ev_timer_start(loop, &guest->patience);
    }
}

static void rested(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)events;
    bw_cluster *cluster = timer->data;
    ev_timer_stop(loop, timer);
    ev_timer_set(timer, REST_MS * 1e-3, 0.);
    ev_io_start(loop, &cluster->accepting);
}

/* ---- opening and closing ---- */

bw_cluster *bw_cluster_open(const bw_cluster_options *options, char *problem, size_t cap) {
    struct sockaddr_storage at;
    socklen_t length = socket_address(options->listen, &at);
    int fd = length ? bw_net_ev_listen(&at, length) : -1;
    bw_cluster *cluster = calloc(1, sizeof *cluster);
    if (!cluster || fd < 0) {
        snprintf(problem, cap, "CLUSTER_LISTEN: %s cannot be listened on: %s.", options->listen, strerror(errno));
        if (fd >= 0) close(fd);
        free(cluster);
        return NULL;
    }
    cluster->options = *options;
    cluster->listen_fd = fd;
    snprintf(cluster->secret, sizeof cluster->secret, "%s", options->secret);
    ev_io_init(&cluster->accepting, accept_some, fd, EV_READ);
    ev_timer_init(&cluster->resting, rested, REST_MS * 1e-3, 0.);
    cluster->accepting.data = cluster->resting.data = cluster;
    ev_io_start(options->loop, &cluster->accepting);
    return cluster;
}

void bw_cluster_close(bw_cluster *cluster) {
    if (!cluster) return;
    while (cluster->relays) relay_free(cluster->relays);
    while (cluster->guests) guest_free(cluster->guests, false);
    ev_io_stop(cluster->options.loop, &cluster->accepting);
    ev_timer_stop(cluster->options.loop, &cluster->resting);
    close(cluster->listen_fd);
    free(cluster);
}

void bw_cluster_figures_of(const bw_cluster *cluster, bw_cluster_figures *figures) { *figures = cluster->figures; }
