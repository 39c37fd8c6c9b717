/* HTTP over real connections: what net.h promises to good clients, and to bad and slow ones. */
#include "server/net_test_help.h"

#include <sys/socket.h>

/* The loop stalled: nobody is blamed for that. */
static void stall_once(void) {
    client half, blocker;
    static const char stall[] = "GET /stall HTTP/1.1\r\nHost: h\r\n\r\n";
    static const char request[] = "GET /half HTTP/1.1\r\nHost: h\r\n\r\n";
    assert_true(client_connect(&half, server.port) && client_connect(&blocker, server.port));
    assert_true(client_write(&half, request, 10));
    assert_true(client_write(&blocker, stall, sizeof stall - 1));
    assert_true(client_read_more(&blocker, 2 * CLIENT_WAIT_MS) > 0);
    assert_int_equal(client_http(&half, request + 10, NULL, NULL, NULL), 200);
    client_close(&half), client_close(&blocker);
}

TEST(test_stall_at_start) { stall_once(); } /* the loop has not yet looked at a deadline */

TEST(test_requests) {
    char *head, *body;
    assert_int_equal(
        client_request(server.port, "GET", "/a%20b/c?x=1&y=%41", "Origin: http://o\r\n", NULL, &head, &body), 200);
    char expected[200];
    snprintf(expected, sizeof expected,
             "GET /a b/c ?x=1&y=%%41 host=localhost:%d origin=http://o from=127.0.0.1 body=0:", server.port);
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
    assert_int_equal(client_request(server.port, "GET", "/../../etc/passwd", "", NULL, NULL, NULL), 400);
}

TEST(test_proxy) {
    char *body;
    client_request(server.port, "GET", "/", "X-Forwarded-For: 1.2.3.4, 198.51.100.7\r\n", NULL, NULL, &body);
    assert_non_null(strstr(body, "from=198.51.100.7 "));
    free(body);
    client_request(server.port, "GET", "/", "X-Forwarded-For: nonsense\r\n", NULL, NULL, &body);
    assert_non_null(strstr(body, "from=127.0.0.1 "));
    free(body);
}

TEST(test_keep_alive) {
    client c;
    assert_true(client_connect(&c, server.port));
    for (int i = 0; i < 5; i++) {
        const char *body;
        size_t length;
        assert_int_equal(client_http(&c, "GET /again HTTP/1.1\r\nHost: h\r\n\r\n", NULL, &body, &length), 200);
        assert_memory_equal(body, "GET /again", 10);
        assert_int_equal(
            client_http(&c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", NULL, &body, &length), 200);
        assert_memory_equal(body, "POST /", 6);
    }
    /* Two at once. */
    c.length = 0;
    static const char two[] = "GET /one HTTP/1.1\r\nHost: h\r\n\r\nGET /two HTTP/1.1\r\nHost: h\r\n\r\n";
    assert_true(client_write(&c, two, sizeof two - 1));
    while (!c.length || !strstr(c.buffer, "GET /two")) {
        assert_true(client_read_more(&c, CLIENT_WAIT_MS) > 0);
    }
    assert_non_null(strstr(c.buffer, "GET /one"));
    client_close(&c);
}

/* Node's http.request and others send a request piece by piece. */
TEST(test_chunked_body) {
    static char large[5000];
    snprintf(large, sizeof large,
             "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1001\r\n%04097d\r\n0\r\n\r\n", 0);
    const struct {
        const char *head, *rest; /* two writes */
        int status;
        const char *answer;
    } cases[] = {
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "", 200,
         "body=3:abc"},
        {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: CHUNKED\r\n\r\n2\r\na", "b\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n",
         200, "body=3:abc"},
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
        client_close(&c);
    }
}

TEST(test_large_answer) {
    client c;
    assert_true(client_connect(&c, server.port));
    static const char request[] = "GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    assert_true(client_write(&c, request, sizeof request - 1));
    size_t total = 0;
    for (;;) {
        c.length = 0;
        int got = client_read_more(&c, CLIENT_WAIT_MS);
        assert_true(got >= 0);
        if (got == 0) break;
        total += (size_t)got;
    }
    assert_in_range(total, 1024 * 1024, 1024 * 1024 + 500);
    client_close(&c);
}

/* ---- slow readers ---- */

enum { READERS = 40 };

static void figures(int *slow, int *answer_bytes) {
    char *body;
    int sockets, queued;
    assert_int_equal(client_request(server.port, "GET", "/figures", "", NULL, NULL, &body), 200);
    assert_int_equal(sscanf(body, "%d %d %d %d", &sockets, &queued, slow, answer_bytes), 4);
    free(body);
}

/* Waits until the figures are these, or returns them when time is up. */
static void wait_for_figures(int wanted_slow, int wanted_bytes, int *slow, int *answer_bytes) {
    for (int i = 0; i < CLIENT_TRIES; i++) {
        figures(slow, answer_bytes);
        if (*slow == wanted_slow && *answer_bytes == wanted_bytes) return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

static void ask_huge(client *c, int number) {
    char request[80];
    int length = snprintf(request, sizeof request, "GET /huge?%d HTTP/1.1\r\nHost: h\r\n\r\n", number);
    assert_true(client_connect(c, server.port));
    assert_true(client_write(c, request, (size_t)length));
}

static size_t read_to_the_end(client *c, size_t wanted) {
    size_t total = 0;
    for (int got = 1; total < wanted && got > 0; total += got > 0 ? (size_t)got : 0) {
        c->length = 0;
        got = client_read_more(c, CLIENT_WAIT_MS);
    }
    return total;
}

/* Slow readers must not use up memory. Readers of the same answer share a copy. Different answers may use only so
 * much: then the slowest reader is cut, and readers that do read get everything. */
TEST(test_slow_readers) {
    static client c[READERS];
    int slow, bytes, slow_before;
    figures(&slow_before, &bytes);
    assert_int_equal(bytes, 0);
    for (int i = 0; i < READERS; i++) ask_huge(&c[i], 0);
    wait_for_figures(slow_before, HUGE_BYTES, &slow, &bytes);
    assert_int_equal(bytes, HUGE_BYTES);
    assert_int_equal(slow, slow_before);
    assert_in_range(read_to_the_end(&c[7], HUGE_BYTES), HUGE_BYTES, HUGE_BYTES + 500);
    for (int i = 0; i < READERS; i++) client_close(&c[i]);
    wait_for_figures(slow_before, 0, &slow, &bytes);
    assert_int_equal(bytes, 0);

    for (int i = 0; i < 20; i++) ask_huge(&c[i], i + 1);
    int most = BW_NET_ANSWERS_MAX / HUGE_BYTES;
    wait_for_figures(slow_before + 20 - most, BW_NET_ANSWERS_MAX, &slow, &bytes);
    assert_int_equal(bytes, BW_NET_ANSWERS_MAX);
    assert_int_equal(slow - slow_before, 20 - most);
    int whole = 19; /* the latest requests are still there */
    while (whole >= 0 && read_to_the_end(&c[whole], HUGE_BYTES) < HUGE_BYTES) whole--;
    assert_true(whole >= 0);
    for (int i = 0; i < 20; i++) client_close(&c[i]);
}

TEST(test_stall) { stall_once(); }

TEST(test_bad_requests) {
    static char large[6000];
    memset(large, 'x', sizeof large - 1);
    char *body;
    assert_int_equal(client_request(server.port, "POST", "/", "", large, NULL, &body), 413);
    assert_non_null(strstr(body, "4096 bytes"));
    free(body);
    /* Contradictory lengths, and unsupported codings. */
    assert_int_equal(client_request(server.port, "POST", "/", "Transfer-Encoding: gzip, chunked\r\n", NULL, NULL, NULL),
                     501);
    assert_int_equal(client_request(server.port, "POST", "/", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                                    NULL, NULL, NULL),
                     400);
    static const char *const nonsense[] = {
        "CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n",
        "BREW /coffee HTTP/1.1\r\n\r\n",
        "\r\n\r\n\r\n",
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: !\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        client c;
        assert_true(client_connect(&c, server.port));
        client_write(&c, nonsense[i], strlen(nonsense[i]));
        while (client_read_more(&c, 3000) > 0) { /* whatever it says, one of us closes it */
            c.length = 0;
        }
        client_close(&c);
    }
    assert_int_equal(client_request(server.port, "GET", "/alive", "", NULL, NULL, NULL), 200);
}

static void answer_briefly(void *user, uint64_t conn, const bw_request *request) {
    (void)request;
    bw_net_reply(*(bw_net **)user, conn, &(bw_response){.status = 503, .body = "ends", .length = 4});
}

/* The port closes: who has connected just before, and was not accepted yet, is answered all the same. */
TEST(test_the_last_to_connect) {
    bw_net *net = NULL;
    char problem[300], got[300] = "";
    client c;
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    net = bw_net_ev_open(&(bw_net_ev_options){.loop = loop,
                                              .address = "127.0.0.1",
                                              .log = &server.log,
                                              .handler = {.user = &net, .request = answer_briefly}},
                         problem, sizeof problem);
    assert_non_null(net);
    assert_true(client_connect(&c, bw_net_ev_port(net)));
    bw_net_ev_stop_listening(net);
    assert_true(client_write(&c, "GET / HTTP/1.1\r\nHost: h\r\n\r\n", 27));
    for (int i = 0; i < 20 && !got[0]; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        ev_run(loop, EVRUN_NOWAIT);
        ssize_t length = recv(c.fd, got, sizeof got - 1, MSG_DONTWAIT);
        got[length > 0 ? length : 0] = '\0';
    }
    assert_non_null(strstr(got, "HTTP/1.1 503 "));
    assert_non_null(strstr(got, "connection: close\r\n"));
    client_close(&c);
    bw_net_ev_close(net);
    ev_loop_destroy(loop);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_until_cut(client *c) {
    double start = seconds_now();
    while (client_read_more(c, 8000) > 0) c->length = 0;
    return seconds_now() - start;
}

/* Silent clients, and clients that send byte by byte, are cut all the same. */
TEST(test_slow_requests) {
    client silent, half, drip, body, idle;
    assert_true(client_connect(&silent, server.port) && client_connect(&half, server.port) &&
                client_connect(&drip, server.port) && client_connect(&body, server.port) &&
                client_connect(&idle, server.port));
    client_write(&half, "GET / HTTP/1.1\r\nHo", 18);
    client_write(&body, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc", 51);
    assert_int_equal(client_http(&idle, "GET /x HTTP/1.1\r\nHost: h\r\n\r\n", NULL, NULL, NULL), 200);
    double start = seconds_now(), dripped;
    bool open = client_write(&drip, "GET /drip HTTP/1.1\r\nX: ", 23);
    while ((dripped = seconds_now() - start) < 6 && open) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        open = client_write(&drip, "a", 1);
    }
    assert_true(dripped >= 1 && dripped < 4); /* the limit is one second, and is looked at once a second */
    assert_true(seconds_until_cut(&silent) < 0.5);
    assert_true(seconds_until_cut(&half) < 0.5);
    assert_true(seconds_until_cut(&body) < 0.5);
    assert_true(seconds_until_cut(&idle) < 6);
    client_close(&silent), client_close(&half), client_close(&drip), client_close(&body), client_close(&idle);
}

RUN_TESTS(start, stop)
