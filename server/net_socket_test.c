/* WebSockets over real connections: what net.h promises to good clients, and to bad and slow ones. */
#include "server/net_test_help.h"

#include <sys/socket.h>

/* The net's statistics, read on its own thread. */
static bw_net_figures figures_now(void) {
    char *body;
    int sockets, queued, slow;
    assert_int_equal(client_request(server.port, "GET", "/figures", "", NULL, NULL, &body), 200);
    assert_int_equal(sscanf(body, "%d %d %d", &sockets, &queued, &slow), 3);
    free(body);
    return (bw_net_figures){
        .sockets = (uint64_t)sockets, .queued_bytes = (uint64_t)queued, .slow_readers_total = (uint64_t)slow};
}

static void join(client *c, const char *path) {
    assert_int_equal(client_upgrade(c, server.port, path, ""), 101);
    assert_int_equal(client_receive(c, CLIENT_WAIT_MS), CLIENT_TEXT);
    assert_memory_equal(c->text, "hello ", 6);
}

static void expect(client *c, const char *text) {
    assert_int_equal(client_receive(c, CLIENT_WAIT_MS), CLIENT_TEXT);
    assert_string_equal(c->text, text);
}

TEST(test_messages) {
    client c;
    join(&c, "/ws/ABCD?game=x&y=2");
    assert_string_equal(c.text, "hello /ws/ABCD?game=x&y=2 from 127.0.0.1");
    static char text[5000];
    static const size_t sizes[] = {0, 1, 125, 126, 1000, 1024, 1025, 2048, 4095, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        memset(text, 'a' + (int)i, sizes[i]);
        text[sizes[i]] = '\0';
        assert_true(client_send(&c, text));
        expect(&c, text);
    }
    /* In fragments, with a ping of the client's own between them. */
    assert_true(client_send_frame(&c, CLIENT_TEXT, false, "one ", 4));
    assert_true(client_send_frame(&c, CLIENT_PING, true, "hi", 2));
    assert_true(client_send_frame(&c, 0, false, "two ", 4));
    assert_true(client_send_frame(&c, 0, true, "three", 5));
    bool pong = false, message = false; /* in any order */
    for (int i = 0; i < 2; i++) {
        int got = client_receive(&c, CLIENT_WAIT_MS);
        pong |= got == CLIENT_PONG && strcmp(c.text, "hi") == 0;
        message |= got == CLIENT_TEXT && strcmp(c.text, "one two three") == 0;
    }
    assert_true(pong && message);
    /* Byte by byte. */
    static const unsigned char frame[] = {0x81, 0x85, 0, 0, 0, 0, 'b', 'y', 't', 'e', 's'};
    for (size_t i = 0; i < sizeof frame; i++) {
        assert_true(client_write(&c, &frame[i], 1));
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    expect(&c, "bytes");
    /* Two frames in one packet. */
    static const unsigned char both[] = {0x81, 0x81, 0, 0, 0, 0, '1', 0x81, 0x81, 0, 0, 0, 0, '2'};
    assert_true(client_write(&c, both, sizeof both));
    expect(&c, "1");
    expect(&c, "2");
    client_close(&c);
}

TEST(test_too_large) {
    client c;
    static char text[70000];
    memset(text, 'x', sizeof text - 1);
    join(&c, "/");
    assert_true(client_send_frame(&c, CLIENT_TEXT, true, text, 4097));
    expect(&c, "too large");
    assert_true(client_send_frame(&c, CLIENT_TEXT, true, text, 60000));
    expect(&c, "too large");
    assert_true(client_send_frame(&c, CLIENT_TEXT, false, text, 4000));
    assert_true(client_send_frame(&c, 0, true, text, 97));
    expect(&c, "too large");
    assert_true(client_send(&c, "lives on"));
    expect(&c, "lives on");
    client_send_frame(&c, CLIENT_TEXT, true, text, 65600);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1009);
    client_close(&c);
}

TEST(test_binary) {
    client c;
    join(&c, "/");
    assert_true(client_send_frame(&c, CLIENT_BINARY, true, "\0\1", 2));
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1003);
    client_close(&c);
}

TEST(test_ping_and_close) {
    client c;
    join(&c, "/");
    client_send(&c, "ping");
    expect(&c, "pong came"); /* client_receive answers pings */
    client_send(&c, "close");
    expect(&c, "last words");
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1008);
    assert_string_equal(c.text + 2, "enough");
    assert_int_equal(client_receive(&c, 100), 0); /* it waits for our close */
    client_send_frame(&c, CLIENT_CLOSE, true, "\x03\xf0", 2);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
    /* A close that is not answered does not keep the connection open for ever. */
    join(&c, "/");
    client_send(&c, "close");
    expect(&c, "last words");
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
    /* The client closes: it is answered. */
    join(&c, "/");
    client_send_frame(&c, CLIENT_CLOSE, true, "\x03\xe8", 2);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
}

TEST(test_refused_upgrade) {
    client c;
    assert_int_equal(client_upgrade(&c, server.port, "/no", ""), 403);
    client_close(&c);
    /* The server accepts none of a client's subprotocols, but does not refuse the client for that. */
    assert_int_equal(client_upgrade(&c, server.port, "/ws/x", "Sec-WebSocket-Protocol: nonsense\r\n"), 101);
    client_close(&c);
}

/* Invalid frames end only that connection. */
TEST(test_broken_frames) {
    client good, bad;
    join(&good, "/");
    static const unsigned char rubbish[][4] = {{0x83, 0x80, 0, 0}, {0xf1, 0x80, 0, 0}, {0x09, 0xff, 0, 0}};
    for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
        join(&bad, "/");
        client_write(&bad, rubbish[i], 4);
        client_write(&bad, "\0\0\0\0\0\0\0\0", 8);
        int got = client_receive(&bad, 2000);
        if (got == CLIENT_CLOSE) got = client_receive(&bad, 6000);
        if (got != -1) fail_msg("rubbish %zu: %d", i, got);
        client_close(&bad);
    }
    client_send(&good, "still here");
    expect(&good, "still here");
    client_close(&good);
}

TEST(test_sockets_per_address) {
    client c[6], other;
    for (int i = 0; i < 5; i++) join(&c[i], "/");
    assert_int_equal(client_upgrade(&c[5], server.port, "/", ""), 429);
    assert_int_equal(client_upgrade(&other, server.port, "/", "X-Forwarded-For: 203.0.113.5\r\n"),
                     101); /* somebody else */
    client_close(&other);
    client_close(&c[5]);
    client_close(&c[0]);
    int status = 429;
    for (int i = 0; i < CLIENT_TRIES && status == 429; i++) { /* as soon as the server has noticed the close */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        status = client_upgrade(&c[0], server.port, "/", "");
        if (status != 101) client_close(&c[0]);
    }
    assert_int_equal(status, 101);
    for (int i = 0; i < 5; i++) client_close(&c[i]);
}

/* A reader that does not read is cut; a slow one gets everything. */
TEST(test_slow_readers) {
    client c;
    join(&c, "/");
    client_send(&c, "stream");
    for (int i = 0; i < 12; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_TEXT);
        assert_int_equal(c.text_length, 16 * 1024);
        assert_int_equal(c.text[16 * 1024 - 1], 'y');
    }
    client_close(&c);

    join(&c, "/");
    int small = 4096;
    setsockopt(c.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    bw_net_figures before = figures_now();
    client_send(&c, "flood");
    int got = CLIENT_TEXT;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    for (int i = 0; i < 100 && got == CLIENT_TEXT; i++) got = client_receive(&c, CLIENT_WAIT_MS);
    assert_int_equal(got, -1);
    client_close(&c);
    bw_net_figures after = figures_now();
    assert_int_equal(after.slow_readers_total, before.slow_readers_total + 1);
    assert_int_equal(after.queued_bytes, 0);
    assert_int_equal(client_request(server.port, "GET", "/alive", "", NULL, NULL, NULL), 200);
}

/* ---- a connection that another node passes on ---- */

static char heard[64];

static void note(const char *what) { strncat(heard, what, sizeof heard - strlen(heard) - 1); }
static void note_opened(void *user, uint64_t conn, const bw_request *r) {
    (void)user, (void)conn, (void)r;
    note("opened ");
}
static void note_leaving(void *user, uint64_t conn) {
    (void)user, (void)conn;
    note("leaving ");
}
static void note_message(void *user, uint64_t conn, const char *bytes, size_t length) {
    (void)user, (void)conn, (void)bytes, (void)length;
    note("message ");
}
static void note_closed(void *user, uint64_t conn) {
    (void)user, (void)conn;
    note("closed ");
}

/* What is told of a message; `ends`: its client has closed before it is read. */
static const char *told_of(bool passed, bool ends) {
    static const char upgrade[] = "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    static const char frame[] = "\x81\x82\0\0\0\0hi";
    char problem[300];
    int ends_of[2];
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    bw_net *net = bw_net_ev_open(&(bw_net_ev_options){.loop = loop,
                                                      .log = &server.log,
                                                      .handler = {.upgrade = on_upgrade,
                                                                  .opened = note_opened,
                                                                  .leaving = note_leaving,
                                                                  .message = note_message,
                                                                  .closed = note_closed}},
                                 problem, sizeof problem);
    heard[0] = '\0';
    assert_non_null(net);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_of), 0);
    assert_true((passed ? bw_net_ev_adopt_passed : bw_net_ev_adopt)(net, ends_of[0], "192.0.2.1"));
    assert_int_equal(write(ends_of[1], upgrade, sizeof upgrade - 1), sizeof upgrade - 1);
    ev_run(loop, EVRUN_NOWAIT);
    assert_int_equal(write(ends_of[1], frame, sizeof frame - 1), sizeof frame - 1);
    if (ends) close(ends_of[1]);
    for (int i = 0; i < 4; i++) ev_run(loop, EVRUN_NOWAIT);
    bw_net_ev_close(net);
    ev_loop_destroy(loop);
    if (!ends) close(ends_of[1]);
    return heard;
}

TEST(test_leaving) {
    assert_string_equal(told_of(true, true), "opened leaving message closed ");
    assert_string_equal(told_of(true, false), "opened message closed ");
    assert_string_equal(told_of(false, true), "opened message closed ");
}

/* Hundreds of connections come and go, most of them without a proper close. */
TEST(test_many_come_and_go) {
    for (int i = 0; i < 300; i++) {
        client c;
        char headers[64];
        snprintf(headers, sizeof headers, "X-Forwarded-For: 10.0.%d.%d\r\n", i / 200, i % 200);
        assert_int_equal(client_upgrade(&c, server.port, "/", headers), 101);
        if (i % 3 == 0) client_send(&c, "stream");
        if (i % 7 == 0) client_write(&c, "\x81\xfe\x01", 3);
        client_close(&c);
    }
    bw_net_figures figures = {.sockets = 1};
    for (int i = 0; i < CLIENT_TRIES && figures.sockets; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        figures = figures_now();
    }
    assert_int_equal(figures.sockets, 0);
    assert_int_equal(figures.queued_bytes, 0);
}

/* Stopped with open connections: `closed` is called for all (stop() checks) and nothing leaks (ASan checks). */
TEST(test_left_open) {
    static client c[4];
    join(&c[0], "/");
    join(&c[1], "/");
    client_send(&c[1], "stream");
    assert_true(client_connect(&c[2], server.port));
    client_write(&c[2], "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n", 31);
    assert_true(client_connect(&c[3], server.port));
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

RUN_TESTS(start, stop)
