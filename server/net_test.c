/* The sockets themselves: what net.h promises, over real connections, from good clients and bad ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server/net_lws.h"
#include "tests/support/client.h"

/* ---- a server that echoes, on a thread of its own ---- */

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

static bw_bytes *bytes_of(const char *text, size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length);
    *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
    memcpy(bytes->at, text, length);
    return bytes;
}

static void send_text(uint64_t conn, const char *text) { bw_net_send(server.net, conn, bytes_of(text, strlen(text))); }

/* Answers with what it understood. "/slow" is never answered, "/large" with 1 MB. */
static void on_request(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", "other"};
    atomic_store(&server.last_request, conn);
    if (strcmp(r->path, "/slow") == 0)
        return;
    size_t cap = 1024 * 1024;
    bw_bytes *bytes = malloc(sizeof *bytes + cap);
    int length = snprintf(bytes->at, cap, "%s %s ?%s host=%s origin=%s from=%s body=%zu:%.20s", methods[r->method], r->path,
                          r->query, r->host, r->origin, r->address, r->length, r->body);
    if (strcmp(r->path, "/figures") == 0) {
        bw_net_figures f;
        bw_net_figures_of(server.net, &f);
        length = snprintf(bytes->at, cap, "%d %d %d", (int)f.sockets, (int)f.queued_bytes, (int)f.slow_readers_total);
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

static bool on_upgrade(void *user, const bw_request *r, bw_response *refusal) {
    (void)user;
    if (strcmp(r->path, "/no") != 0)
        return true;
    *refusal = (bw_response){.status = 403, .body = "no", .length = 2};
    return false;
}

static void on_opened(void *user, uint64_t conn, const bw_request *r) {
    (void)user;
    char text[200];
    atomic_fetch_add(&server.opened, 1);
    snprintf(text, sizeof text, "hello %s?%s from %s", r->path, r->query, r->address);
    send_text(conn, text);
}

static void on_message(void *user, uint64_t conn, const char *bytes, size_t length) {
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
        for (int i = 0; i < 64; i++) /* 1 MiB: more than may wait */
            bw_net_send(server.net, conn, bytes_of(large, sizeof large));
    } else if (length == 6 && memcmp(bytes, "stream", 6) == 0) {
        static char large[16 * 1024];
        memset(large, 'y', sizeof large);
        for (int i = 0; i < 12; i++)
            bw_net_send(server.net, conn, bytes_of(large, sizeof large));
    } else {
        bw_net_send(server.net, conn, bytes_of(bytes, length));
    }
}

static void on_too_large(void *user, uint64_t conn) {
    (void)user;
    send_text(conn, "too large");
}
static void on_pong(void *user, uint64_t conn) {
    (void)user;
    send_text(conn, "pong came");
}
static void on_closed(void *user, uint64_t conn) {
    (void)user;
    (void)conn;
    atomic_fetch_add(&server.closed, 1);
}

static void on_stop(struct ev_loop *loop, ev_async *async, int events) {
    (void)async, (void)events;
    ev_break(loop, EVBREAK_ALL);
}

static void *run(void *unused) {
    ev_run(server.loop, 0);
    return unused;
}

static int start(void **state) {
    (void)state;
    char problem[300];
    server.loop = ev_loop_new(EVFLAG_AUTO);
    server.log.fd = -1;
    ev_async_init(&server.stop, on_stop);
    ev_async_start(server.loop, &server.stop);
    server.net = bw_net_lws_open(
        &(bw_net_lws_options){.loop = server.loop,
                              .address = "127.0.0.1",
                              .sockets_per_address = 5,
                              .patience_percent = 10, /* a second for a request, three between two */
                              .log = &server.log,
                              .handler = {NULL, on_request, on_upgrade, on_opened, on_message, on_too_large, on_pong, on_closed}},
        problem, sizeof problem);
    if (!server.net) {
        print_error("%s\n", problem);
        return -1;
    }
    server.port = bw_net_lws_port(server.net);
    return pthread_create(&server.thread, NULL, run, NULL);
}

static int stop(void **state) {
    (void)state;
    ev_async_send(server.loop, &server.stop);
    pthread_join(server.thread, NULL);
    bw_net_lws_close(server.net);
    ev_loop_destroy(server.loop);
    if (server.opened != server.closed)
        print_error("%d opened, %d closed\n", server.opened, server.closed);
    return server.opened == server.closed ? 0 : -1;
}

/* The net's figures, asked for on its own thread. */
static bw_net_figures figures_now(void) {
    char *body;
    int sockets, queued, slow;
    assert_int_equal(client_request(server.port, "GET", "/figures", "", NULL, NULL, &body), 200);
    assert_int_equal(sscanf(body, "%d %d %d", &sockets, &queued, &slow), 3);
    free(body);
    return (bw_net_figures){.sockets = (uint64_t)sockets, .queued_bytes = (uint64_t)queued, .slow_readers_total = (uint64_t)slow};
}

/* ---- HTTP ---- */

static void test_requests(void **state) {
    (void)state;
    char *head, *body;
    assert_int_equal(client_request(server.port, "GET", "/a%20b/c?x=1&y=%41", "Origin: http://o\r\n", NULL, &head, &body), 200);
    char expected[200];
    snprintf(expected, sizeof expected, "GET /a b/c ?x=1&y=A host=localhost:%d origin=http://o from=127.0.0.1 body=0:", server.port);
    assert_string_equal(body, expected);
    assert_non_null(strstr(head, "x-test: yes\r\n"));
    assert_null(strstr(head, "erver: "));
    free(head), free(body);

    assert_int_equal(client_request(server.port, "POST", "/", "", "{\"game\":1}", NULL, &body), 200);
    assert_non_null(strstr(body, "POST / ? "));
    assert_non_null(strstr(body, "body=10:{\"game\":1}"));
    free(body);
    assert_int_equal(client_request(server.port, "POST", "/", "", "", NULL, &body), 200);
    assert_non_null(strstr(body, "body=0:"));
    free(body);
    assert_int_equal(client_request(server.port, "HEAD", "/h", "", NULL, &head, NULL), 200);
    assert_non_null(strstr(head, "content-length: "));
    free(head);
    assert_int_equal(client_request(server.port, "DELETE", "/d", "", NULL, NULL, &body), 200);
    assert_memory_equal(body, "other /d", 8);
    free(body);
    assert_int_equal(client_request(server.port, "GET", "/../../etc/passwd", "", NULL, NULL, &body), 200);
    assert_memory_equal(body, "GET /etc/passwd ", 16); /* a path never leaves the root */
    free(body);
}

static void test_proxy(void **state) {
    (void)state;
    char *body;
    client_request(server.port, "GET", "/", "X-Forwarded-For: 1.2.3.4, 198.51.100.7\r\n", NULL, NULL, &body);
    assert_non_null(strstr(body, "from=198.51.100.7 "));
    free(body);
    client_request(server.port, "GET", "/", "X-Forwarded-For: nonsense\r\n", NULL, NULL, &body);
    assert_non_null(strstr(body, "from=127.0.0.1 "));
    free(body);
}

static void test_keep_alive(void **state) {
    (void)state;
    client c;
    assert_true(client_connect(&c, server.port));
    for (int i = 0; i < 5; i++) {
        const char *body;
        size_t length;
        assert_int_equal(client_http(&c, "GET /again HTTP/1.1\r\nHost: h\r\n\r\n", NULL, &body, &length), 200);
        assert_memory_equal(body, "GET /again", 10);
        assert_int_equal(client_http(&c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", NULL, &body, &length), 200);
        assert_memory_equal(body, "POST /", 6);
    }
    /* Two at once. */
    c.length = 0;
    static const char two[] = "GET /one HTTP/1.1\r\nHost: h\r\n\r\nGET /two HTTP/1.1\r\nHost: h\r\n\r\n";
    assert_true(client_write(&c, two, sizeof two - 1));
    while (!c.length || !strstr(c.buffer, "GET /two"))
        assert_true(client_read_more(&c, CLIENT_WAIT_MS) > 0);
    assert_non_null(strstr(c.buffer, "GET /one"));
    client_close(&c);
}

/* As http.request of Node and others send what is written to them bit by bit. */
static void test_chunked_body(void **state) {
    (void)state;
    static char large[5000];
    snprintf(large, sizeof large, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1001\r\n%04097d\r\n0\r\n\r\n", 0);
    const struct {
        const char *head, *rest; /* two writes */
        int status;
        const char *answer;
    } cases[] = {
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "", 200, "body=3:abc"},
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: CHUNKED\r\n\r\n2\r\na", "b\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n", 200, "body=3:abc"},
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n", 200, "body=0:"},
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "xyz", 400, "chunks"},
        {large, "", 413, "4096 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        client c;
        const char *body;
        size_t length;
        assert_true(client_connect(&c, server.port));
        assert_true(client_write(&c, cases[i].head, strlen(cases[i].head)));
        nanosleep(&(struct timespec){.tv_nsec = cases[i].rest[0] ? 20000000 : 0}, NULL);
        assert_int_equal(client_http(&c, cases[i].rest, NULL, &body, &length), cases[i].status);
        assert_non_null(strstr(body, cases[i].answer));
        while (client_read_more(&c, CLIENT_WAIT_MS) > 0) /* it was the connection's last */
            c.length = 0;
        client_close(&c);
    }
}

static void test_large_answer(void **state) {
    (void)state;
    client c;
    assert_true(client_connect(&c, server.port));
    static const char request[] = "GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    assert_true(client_write(&c, request, sizeof request - 1));
    size_t total = 0;
    for (;;) {
        c.length = 0;
        int got = client_read_more(&c, CLIENT_WAIT_MS);
        assert_true(got >= 0);
        if (got == 0)
            break;
        total += (size_t)got;
    }
    assert_in_range(total, 1024 * 1024, 1024 * 1024 + 500);
    client_close(&c);
}

static void test_bad_requests(void **state) {
    (void)state;
    static char large[6000];
    memset(large, 'x', sizeof large - 1);
    char *body;
    assert_int_equal(client_request(server.port, "POST", "/", "", large, NULL, &body), 413);
    assert_non_null(strstr(body, "4096 bytes"));
    free(body);
    /* Lengths that contradict each other, codings that nobody has here, and bodies where none is read. */
    assert_int_equal(client_request(server.port, "POST", "/", "Transfer-Encoding: gzip, chunked\r\n", NULL, NULL, &body), 411);
    free(body);
    assert_int_equal(client_request(server.port, "POST", "/", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", NULL, NULL, &body), 411);
    free(body);
    assert_int_equal(client_request(server.port, "GET", "/", "Transfer-Encoding: chunked\r\n", NULL, NULL, &body), 411);
    free(body);
    static const char *const nonsense[] = {
        "CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", "BREW /coffee HTTP/1.1\r\n\r\n", "\r\n\r\n\r\n",
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00", "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: !\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        client c;
        assert_true(client_connect(&c, server.port));
        client_write(&c, nonsense[i], strlen(nonsense[i]));
        while (client_read_more(&c, 3000) > 0) /* whatever it says, it ends it or we do */
            c.length = 0;
        client_close(&c);
    }
    assert_int_equal(client_request(server.port, "GET", "/alive", "", NULL, NULL, NULL), 200);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_until_cut(client *c) {
    double start = seconds_now();
    while (client_read_more(c, 8000) > 0)
        c->length = 0;
    return seconds_now() - start;
}

/* Who says nothing, or says it byte by byte, is cut all the same. */
static void test_slow_requests(void **state) {
    (void)state;
    client silent, half, drip, body, idle;
    assert_true(client_connect(&silent, server.port) && client_connect(&half, server.port) &&
                client_connect(&drip, server.port) && client_connect(&body, server.port) && client_connect(&idle, server.port));
    client_write(&half, "GET / HTTP/1.1\r\nHo", 18);
    client_write(&body, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc", 51);
    assert_int_equal(client_http(&idle, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", NULL, NULL, NULL), 200);
    double start = seconds_now(), dripped;
    bool open = client_write(&drip, "GET /drip HTTP/1.1\r\nX: ", 23);
    while ((dripped = seconds_now() - start) < 6 && open) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        open = client_write(&drip, "a", 1);
    }
    assert_true(dripped > 0.5 && dripped < 4); /* the limit is one second, told by the second */
    assert_true(seconds_until_cut(&silent) < 0.5);
    assert_true(seconds_until_cut(&half) < 0.5);
    assert_true(seconds_until_cut(&body) < 0.5);
    assert_true(seconds_until_cut(&idle) < 6);
    client_close(&silent), client_close(&half), client_close(&drip), client_close(&body), client_close(&idle);
}

/* ---- WebSocket ---- */

static void join(client *c, const char *path) {
    assert_int_equal(client_upgrade(c, server.port, path, ""), 101);
    assert_int_equal(client_receive(c, CLIENT_WAIT_MS), CLIENT_TEXT);
    assert_memory_equal(c->text, "hello ", 6);
}

static void expect(client *c, const char *text) {
    assert_int_equal(client_receive(c, CLIENT_WAIT_MS), CLIENT_TEXT);
    assert_string_equal(c->text, text);
}

static void test_messages(void **state) {
    (void)state;
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
    bool pong = false, message = false; /* in whichever order */
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

static void test_too_large(void **state) {
    (void)state;
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

static void test_binary(void **state) {
    (void)state;
    client c;
    join(&c, "/");
    assert_true(client_send_frame(&c, CLIENT_BINARY, true, "\0\1", 2));
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1003);
    client_close(&c);
}

static void test_ping_and_close(void **state) {
    (void)state;
    client c;
    join(&c, "/");
    client_send(&c, "ping");
    expect(&c, "pong came"); /* client_receive answers pings */
    client_send(&c, "close");
    expect(&c, "last words");
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1008);
    assert_string_equal(c.text + 2, "enough");
    assert_int_equal(client_receive(&c, 100), 0); /* it waits for our farewell */
    client_send_frame(&c, CLIENT_CLOSE, true, "\x03\xf0", 2);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
    /* A farewell that is not answered does not keep it open for ever. */
    join(&c, "/");
    client_send(&c, "close");
    expect(&c, "last words");
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
    /* The client says goodbye: it is said back. */
    join(&c, "/");
    client_send_frame(&c, CLIENT_CLOSE, true, "\x03\xe8", 2);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), CLIENT_CLOSE);
    assert_int_equal(client_receive(&c, CLIENT_WAIT_MS), -1);
    client_close(&c);
}

static void test_refused_upgrade(void **state) {
    (void)state;
    client c;
    assert_int_equal(client_upgrade(&c, server.port, "/no", ""), 403);
    client_close(&c);
    assert_int_not_equal(client_upgrade(&c, server.port, "/ws/x", "Sec-WebSocket-Protocol: nonsense\r\n"), 101);
    client_close(&c);
}

/* Rubbish instead of frames ends that connection alone. */
static void test_broken_frames(void **state) {
    (void)state;
    client good, bad;
    join(&good, "/");
    static const unsigned char rubbish[][4] = {{0x83, 0x80, 0, 0}, {0xf1, 0x80, 0, 0}, {0x09, 0xff, 0, 0}};
    for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
        join(&bad, "/");
        client_write(&bad, rubbish[i], 4);
        client_write(&bad, "\0\0\0\0\0\0\0\0", 8);
        int got = client_receive(&bad, 2000);
        if (got == CLIENT_CLOSE)
            got = client_receive(&bad, 6000);
        if (got != -1)
            fail_msg("rubbish %zu: %d", i, got);
        client_close(&bad);
    }
    client_send(&good, "still here");
    expect(&good, "still here");
    client_close(&good);
}

static void test_sockets_per_address(void **state) {
    (void)state;
    client c[6], other;
    for (int i = 0; i < 5; i++)
        join(&c[i], "/");
    assert_int_equal(client_upgrade(&c[5], server.port, "/", ""), 429);
    assert_int_equal(client_upgrade(&other, server.port, "/", "X-Forwarded-For: 203.0.113.5\r\n"), 101); /* somebody else */
    client_close(&other);
    client_close(&c[5]);
    client_close(&c[0]);
    int status = 429;
    for (int i = 0; i < 50 && status == 429; i++) { /* as soon as the server has seen it go */
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        status = client_upgrade(&c[0], server.port, "/", "");
        if (status != 101)
            client_close(&c[0]);
    }
    assert_int_equal(status, 101);
    for (int i = 0; i < 5; i++)
        client_close(&c[i]);
}

/* A reader that does not read is cut; a slow one that does gets everything. */
static void test_slow_readers(void **state) {
    (void)state;
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
    for (int i = 0; i < 100 && got == CLIENT_TEXT; i++)
        got = client_receive(&c, CLIENT_WAIT_MS);
    assert_int_equal(got, -1);
    client_close(&c);
    bw_net_figures after = figures_now();
    assert_int_equal(after.slow_readers_total, before.slow_readers_total + 1);
    assert_int_equal(after.queued_bytes, 0);
    assert_int_equal(client_request(server.port, "GET", "/alive", "", NULL, NULL, NULL), 200);
}

/* Hundreds come and go, most of them without manners. */
static void test_many_come_and_go(void **state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        client c;
        char headers[64];
        snprintf(headers, sizeof headers, "X-Forwarded-For: 10.0.%d.%d\r\n", i / 200, i % 200);
        assert_int_equal(client_upgrade(&c, server.port, "/", headers), 101);
        if (i % 3 == 0)
            client_send(&c, "stream");
        if (i % 7 == 0)
            client_write(&c, "\x81\xfe\x01", 3);
        client_close(&c);
    }
    bw_net_figures figures = {.sockets = 1};
    for (int i = 0; i < 100 && figures.sockets; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        figures = figures_now();
    }
    assert_int_equal(figures.sockets, 0);
    assert_int_equal(figures.queued_bytes, 0);
}

/* Ended with connections open: everybody is told closed (stop() looks) and nothing leaks (ASan looks). */
static void test_left_open(void **state) {
    (void)state;
    static client c[4];
    join(&c[0], "/");
    join(&c[1], "/");
    client_send(&c[1], "stream");
    assert_true(client_connect(&c[2], server.port));
    client_write(&c[2], "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n", 31);
    assert_true(client_connect(&c[3], server.port));
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),       cmocka_unit_test(test_proxy),         cmocka_unit_test(test_keep_alive),
        cmocka_unit_test(test_chunked_body), cmocka_unit_test(test_large_answer),   cmocka_unit_test(test_bad_requests),  cmocka_unit_test(test_slow_requests),
        cmocka_unit_test(test_messages),       cmocka_unit_test(test_too_large),     cmocka_unit_test(test_binary),
        cmocka_unit_test(test_ping_and_close), cmocka_unit_test(test_refused_upgrade), cmocka_unit_test(test_broken_frames),
        cmocka_unit_test(test_sockets_per_address), cmocka_unit_test(test_slow_readers),
        cmocka_unit_test(test_many_come_and_go), cmocka_unit_test(test_left_open),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
