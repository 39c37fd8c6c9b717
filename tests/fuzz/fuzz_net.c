/* Bytes of several clients at once, over socket pairs, into the real layer of requests and messages: pipelined,
 * split and interleaved as the input says. The checks are what net.h promises to the handler.
 *
 * The input is what the clients send. A byte 0xff before a letter is a command:
 *   a b c  choose the client       r  the server runs              h  that client stops sending      x  it closes
 *   R  it reads what came          A  the server sends its answers      S P C  it sends, pings, closes
 *   F  the byte 0xff itself */
#include <errno.h>
#include <ev.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net_ev.h"
#include "tests/fuzz/fuzz.h"

enum { CLIENTS = 3, OPEN_MAX = 64, SEGMENT_MAX = 64 * 1024, LARGE = 300 * 1024, SOCKETS_MAX = 2 };

static struct {
    struct ev_loop *loop;
    bw_net *net;
    int fds[CLIENTS], current;
    char segment[SEGMENT_MAX];
    size_t length;
    uint64_t open[OPEN_MAX], owed[OPEN_MAX], last;
    int open_count, owed_count;
} f;

static void promise(bool kept) {
    if (!kept) abort();
}

static bw_bytes *bytes_of(size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length);
    promise(bytes != NULL);
    *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
    memset(bytes->at, 'x', length);
    return bytes;
}

static bool is_line(const char *text) {
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) return false;
    }
    return true;
}

static void check_request(const bw_request *r) {
    promise(r->path[0] == '/' && is_line(r->path) && is_line(r->query) && is_line(r->host));
    promise(!strchr(r->path, ';') && !strchr(r->path, '&') && !strstr(r->path, "/../"));
    promise(r->length <= BW_NET_MESSAGE_MAX && strlen(r->address) > 0);
}

static void answer(uint64_t conn) {
    const bw_request *r = bw_net_pending(f.net, conn);
    promise(r != NULL);
    bw_bytes *bytes = bytes_of(strcmp(r->path, "/large") == 0 ? LARGE : r->length + 2);
    bw_net_reply(f.net, conn,
                 &(bw_response){.status = 200, .body = bytes->at, .length = bytes->length, .owner = bytes});
}

static void on_request(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    check_request(r);
    promise(conn != 0 && conn != f.last);
    f.last = conn;
    if (strcmp(r->path, "/slow") == 0 && f.owed_count < OPEN_MAX) f.owed[f.owed_count++] = conn;
    else answer(conn);
}

static bool on_upgrade(void *user, const bw_request *r, bw_response *refusal) {
    (void)user;
    check_request(r);
    *refusal = (bw_response){.status = 404, .body = "no", .length = 2};
    return strncmp(r->path, "/ws", 3) == 0;
}

static int find_open(uint64_t conn) {
    int i = 0;
    while (i < f.open_count && f.open[i] != conn) i++;
    return i;
}

static void on_opened(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    check_request(r);
    promise(find_open(conn) == f.open_count && f.open_count < OPEN_MAX);
    f.open[f.open_count++] = conn;
    bw_net_send(f.net, conn, bytes_of(10));
}

static void on_message(void *user, uint64_t conn, const char *bytes, size_t length) {
    (void)user;
    promise(find_open(conn) < f.open_count && length <= BW_NET_MESSAGE_MAX);
    bw_bytes *echo = bytes_of(length);
    if (length) memcpy(echo->at, bytes, length);
    bw_net_send(f.net, conn, echo);
    if (length && bytes[0] == '!') bw_net_close(f.net, conn, 1008, "enough");
}

static void on_event(void *user, uint64_t conn) {
    (void)user;
    promise(find_open(conn) < f.open_count);
}

static void on_closed(void *user, uint64_t conn) {
    (void)user;
    int i = find_open(conn);
    promise(i < f.open_count);
    f.open[i] = f.open[--f.open_count];
}

/* ---- the script ---- */

static void connect_client(int i) {
    int pair[2];
    promise(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
    f.fds[i] = pair[0];
    promise(bw_net_ev_adopt(f.net, pair[1], i == 2 ? "127.0.0.1" : "192.0.2.1"));
}

static void flush(void) {
    if (f.length && f.fds[f.current] >= 0) {
        ssize_t sent = send(f.fds[f.current], f.segment, f.length, MSG_NOSIGNAL);
        promise(sent >= 0 || errno == EAGAIN || errno == EPIPE || errno == ECONNRESET);
    }
    f.length = 0;
}

static void take_turn(void) {
    for (int i = 0; i < 4; i++) ev_run(f.loop, EVRUN_NOWAIT);
}

static void read_client(int fd) {
    static char drop[64 * 1024];
    while (fd >= 0 && recv(fd, drop, sizeof drop, 0) > 0)
        ;
}

static void command(char c) {
    flush();
    switch (c) {
    case 'a':
    case 'b':
    case 'c': f.current = c - 'a'; break;
    case 'r': take_turn(); break;
    case 'R':
        read_client(f.fds[f.current]);
        take_turn();
        break;
    case 'h':
        if (f.fds[f.current] >= 0) shutdown(f.fds[f.current], SHUT_WR);
        break;
    case 'x':
        if (f.fds[f.current] >= 0) close(f.fds[f.current]);
        connect_client(f.current);
        break;
    case 'A':
        while (f.owed_count) {
            uint64_t conn = f.owed[--f.owed_count];
            if (bw_net_pending(f.net, conn)) answer(conn);
        }
        break;
    case 'S':
        for (int i = 0; i < f.open_count; i++) bw_net_send(f.net, f.open[i], bytes_of(100 * 1024));
        break;
    case 'P':
        for (int i = 0; i < f.open_count; i++) bw_net_ping(f.net, f.open[i]);
        break;
    case 'C':
        for (int i = 0; i < f.open_count; i++) bw_net_close(f.net, f.open[i], 1001, "later");
        break;
    default: f.segment[f.length++] = (char)0xff; break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char problem[200];
    if (!f.loop) f.loop = ev_loop_new(EVFLAG_AUTO);
    f.net = bw_net_ev_open(&(bw_net_ev_options){.loop = f.loop,
                                                .sockets_per_address = SOCKETS_MAX,
                                                .handler = {.request = on_request,
                                                            .upgrade = on_upgrade,
                                                            .opened = on_opened,
                                                            .message = on_message,
                                                            .too_large = on_event,
                                                            .pong = on_event,
                                                            .closed = on_closed}},
                           problem, sizeof problem);
    promise(f.net != NULL);
    f.current = f.owed_count = 0;
    f.last = 0;
    for (int i = 0; i < CLIENTS; i++) connect_client(i);
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == 0xff && i + 1 < length) command((char)bytes[++i]);
        else f.segment[f.length++] = (char)bytes[i];
        if (f.length == SEGMENT_MAX) flush();
    }
    flush();
    take_turn();
    for (int i = 0; i < CLIENTS; i++) {
        read_client(f.fds[i]);
        close(f.fds[i]);
    }
    take_turn();
    bw_net_ev_close(f.net);
    promise(f.open_count == 0);
    return 0;
}
