/* The real program against hostile clients: hostile_test PROGRAM
 *
 * Several hundred byte sequences, called shapes: requests pipelined in every pairing, cut at every offset, bodies of
 * all sizes, and every malformed request, handshake and frame of tests/support/hostile.h. Each shape states all that
 * must be received until the connection ends. After each one the server must answer a bystander's WebSocket and a new
 * connection. Regressions: bytes of one connection hang, crash or confuse the server, or are taken for another request.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "server/frames.h"
#include "tests/support/client.h"
#include "tests/support/hostile.h"
#include "tests/support/process.h"

enum { RECEIVED_MAX = 4096, SHAPE_MAX = 128 * 1024 };

static const char *program;
static process server;
static client bystander;
static int shapes;

#define ALIVE "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
#define UPGRADE SOCKET("GET /ws/HOSTILE HTTP/1.1", KEY VERSION)

/* ---- what is received ---- */

/* The bystander's pong also proves that the server has read what was sent before. */
static void bystand(const char *name) {
    if (!client_send_frame(&bystander, CLIENT_PING, true, "b", 1)) fail_msg("%s: the bystander is cut off", name);
    int got;
    do {
        got = client_receive(&bystander, CLIENT_WAIT_MS);
    } while (got == CLIENT_TEXT);
    if (got != CLIENT_PONG) fail_msg("%s: the bystander received %d", name, got);
}

static size_t header_number(const char *head, const char *end, const char *name) {
    for (const char *line = head; line < end; line = strstr(line, "\r\n") + 2) {
        if (strncasecmp(line, name, strlen(name)) == 0) return strtoul(line + strlen(name), NULL, 10);
    }
    return 0;
}

/* Appends one more word to what was received. */
static void add(char *received, const char *word) {
    size_t length = strlen(received);
    if (length + strlen(word) + 2 < RECEIVED_MAX) sprintf(received + length, "%s%s", length ? " " : "", word);
}

/* A message of the server: only errors count, by their code. */
static void add_text(char *received, const char *text) {
    const char *code = strstr(text, "\"code\":\"");
    char word[40];
    if (!strstr(text, "\"type\":\"error\"") || !code) return;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(code + 8, "\""), code + 8);
    add(received, word);
}

static void receive_frames(client *c, char *received) {
    for (int got; (got = client_receive(c, CLIENT_WAIT_MS)) != -1;) {
        char word[40];
        if (got == CLIENT_TEXT) add_text(received, c->text);
        else if (got == CLIENT_PONG) add(received, "pong");
        else if (got != CLIENT_CLOSE) add(received, "silence");
        else add(received, (snprintf(word, sizeof word, "%d", c->close_code), word));
        if (got == 0) return;
    }
    add(received, ".");
}

/* Lists the statuses in order, and `.` for the end. Answers to HEAD, marked in `heads`, have no body to wait for. */
static void receive(client *c, const char *heads, char *received) {
    received[0] = '\0';
    size_t at = 0;
    for (int answer = 0;; answer++) {
        const char *end;
        c->buffer[c->length] = '\0';
        while (!(end = strstr(c->buffer + at, "\r\n\r\n"))) {
            int got = client_read_more(c, CLIENT_WAIT_MS);
            if (got <= 0) {
                add(received, got == 0 && at == c->length ? "." : "silence");
                return;
            }
        }
        char status[4] = "";
        if (strncmp(c->buffer + at, "HTTP/1.1 ", 9) == 0) memcpy(status, c->buffer + at + 9, 3);
        add(received, status);
        size_t body = header_number(c->buffer + at, end, "content-length:");
        if (status[0] == '1') answer--;
        else if (heads[0] && heads[answer % (int)strlen(heads)] == 'h') body = 0;
        at = (size_t)(end - c->buffer) + 4;
        if (strcmp(status, "101") == 0) {
            memmove(c->buffer, c->buffer + at, c->length - at);
            c->length -= at;
            receive_frames(c, received);
            return;
        }
        while (c->length < at + body) {
            if (client_read_more(c, CLIENT_WAIT_MS) <= 0) {
                add(received, "cut");
                return;
            }
        }
        at += body;
    }
}

/* ---- a shape ---- */

typedef struct shape {
    const char *name, *bytes;
    size_t length;
    size_t cuts[2];    /* the server reads what is before a cut before the rest is sent; 0: none */
    const char *heads; /* one letter for each answer, `h` if it is to HEAD; "" for none */
    bool half_close;   /* the client sends no more, but still receives */
    const char *expected;
} shape;

static void try_shape(const shape *s) {
    client c;
    char received[RECEIVED_MAX];
    assert_true(client_connect(&c, server.port));
    size_t from = 0;
    for (int i = 0; i < 2 && s->cuts[i] > from && s->cuts[i] < s->length; i++) {
        client_write(&c, s->bytes + from, s->cuts[i] - from);
        from = s->cuts[i];
        bystand(s->name);
    }
    client_write(&c, s->bytes + from, s->length - from);
    if (s->half_close) shutdown(c.fd, SHUT_WR);
    receive(&c, s->heads ? s->heads : "", received);
    client_close(&c);
    if (strcmp(received, s->expected) != 0) {
        fail_msg("%s (cut at %zu, %zu):\n%.600s\nis answered by %s, not %s", s->name, s->cuts[0], s->cuts[1], s->bytes,
                 received, s->expected);
    }
    bystand(s->name);
    if (client_request(server.port, "GET", "/healthz", "", NULL, NULL, NULL) != 200) fail_msg("%s: no life", s->name);
    shapes++;
}

/* ---- pipelined requests ---- */

static const struct request {
    const char *text;
    int padding; /* the width for `%*s` */
    const char *status;
    bool head, last; /* last: the connection ends with it */
} requests[] = {
    {"GET /healthz HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "200", false, false},
    {"GET /healthz HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 600, "200", false, false},
    {"GET http://h/healthz HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "200", false, false},
    {"HEAD /healthz HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "200", true, false},
    {"GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n%*s", 1, "200", false, false},
    {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nContent-Length: 29\r\n\r\n{\"game\":\"flood_it\"}%*s", 10, "201", false,
     false},
    {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nContent-Length: 3019\r\n\r\n{\"game\":\"flood_it\"}%*s", 3000, "201",
     false, false},
    {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n13;a=b\r\n{\"game\":\"flood_it\"}\r\n0\r\nX: %*s\r\n\r\n",
     1, "201", false, false},
    {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nContent-Length: 4%*s\r\n\r\n{\"x\"", 1, "400", false, false},
    {"DELETE /healthz HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "405", false, false},
    {"OPTIONS * HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "204", false, false},
    {"GET /api/nothing HTTP/1.1\r\nHost: h\r\nX: %*s\r\n\r\n", 1, "404", false, false},
    {"GET /healthz HTTP/1.0\r\nX: %*s\r\n\r\n", 1, "200", false, true},
    {"GET /healthz HTTP/1.1\r\nX: %*s\r\n\r\n", 1, "400", false, true},
    {"POST /healthz HTTP/1.1\r\nX: %*s\r\nContent-Length: 1\r\n\r\n", 1, "400", false, true},
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

/* Writes them one after another, with what must be received, and which of them are HEAD. */
static size_t pipeline(const int *kinds, int count, char *bytes, char *heads, char *expected) {
    size_t length = 0;
    bool open = true;
    expected[0] = '\0';
    for (int i = 0; i < count; i++) {
        const struct request *r = &requests[kinds[i]];
        length += (size_t)snprintf(bytes + length, SHAPE_MAX - length, r->text, r->padding, "");
        heads[i] = r->head ? 'h' : '-';
        if (open) add(expected, r->status);
        open &= !r->last;
    }
    heads[count] = '-';
    heads[count + 1] = '\0';
    length += (size_t)snprintf(bytes + length, SHAPE_MAX - length, ALIVE);
    add(expected, open ? "200 ." : ".");
    return length;
}

static void test_pairs(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX], expected[RECEIVED_MAX];
    char heads[8];
    for (int i = 0; i < REQUESTS * REQUESTS; i++) {
        size_t length = pipeline((int[]){i / REQUESTS, i % REQUESTS}, 2, bytes, heads, expected);
        shape s = {.name = "a pair", .bytes = bytes, .length = length, .heads = heads, .expected = expected};
        s.cuts[0] = i % 3 == 1 ? length / 2 : 0;
        s.half_close = i % 3 == 2;
        try_shape(&s);
    }
}

static void test_splits(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX], expected[RECEIVED_MAX];
    char heads[8];
    size_t length = pipeline((int[]){0, 7, 3, 5}, 4, bytes, heads, expected);
    for (size_t i = 1; i < length; i += 2) {
        try_shape(&(shape){"cut at every offset", bytes, length, {i, i + 1 + i % 7}, heads, false, expected});
    }
    /* A body whose first part is in the first segment. */
    length = pipeline((int[]){0, 6, 0}, 3, bytes, heads, expected);
    for (size_t i = 1; i < length; i += 97) {
        try_shape(&(shape){"a long body, cut", bytes, length, {i, i + 1500}, heads, false, expected});
    }
}

static void test_many(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX], expected[RECEIVED_MAX];
    static const int counts[] = {3, 15, 16, 17, 33, 500};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t length = 0;
        expected[0] = '\0';
        for (int k = 0; k < counts[i]; k++) {
            length +=
                (size_t)snprintf(bytes + length, sizeof bytes - length, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
            add(expected, "200");
        }
        length += (size_t)snprintf(bytes + length, sizeof bytes - length, ALIVE);
        add(expected, "200 .");
        try_shape(&(shape){.name = "many", .bytes = bytes, .length = length, .expected = expected});
        try_shape(&(shape){
            .name = "many, half closed", .bytes = bytes, .length = length, .half_close = true, .expected = expected});
    }
}

/* ---- bodies ---- */

static void test_bodies(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX];
    static const int sizes[] = {19, 20, 1000, 1400, 1460, 2048, 4095, 4096, 4097, 8192, 16384, 65536};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *expected = sizes[i] <= 4096 ? "201 200 ." : "413 .";
        size_t length = (size_t)snprintf(bytes, sizeof bytes,
                                         "POST /api/rooms HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%-*s" ALIVE,
                                         sizes[i], sizes[i], "{\"game\":\"flood_it\"}");
        shape s = {.name = "a body", .bytes = bytes, .length = length, .expected = expected};
        try_shape(&s);
        s.cuts[0] = length - 70;
        try_shape(&s);
        length = (size_t)snprintf(
            bytes, sizeof bytes,
            "POST /api/rooms HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%-*s\r\n0\r\n\r\n" ALIVE,
            (unsigned)sizes[i], sizes[i], "{\"game\":\"flood_it\"}");
        s.length = length;
        s.cuts[0] = 0;
        try_shape(&s);
        s.cuts[0] = length / 3;
        try_shape(&s);
    }
    /* A chunk for each byte; a body that is announced but never sent; one that waits for 100 Continue. */
    size_t length = (size_t)snprintf(bytes, sizeof bytes,
                                     "POST /api/rooms HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const char *at = "{\"game\":\"flood_it\"}"; *at; at++) {
        length += (size_t)snprintf(bytes + length, sizeof bytes - length, "1\r\n%c\r\n", *at);
    }
    length += (size_t)snprintf(bytes + length, sizeof bytes - length, "0\r\n\r\n" ALIVE);
    try_shape(&(shape){.name = "a chunk a byte", .bytes = bytes, .length = length, .expected = "201 200 ."});
    static const struct {
        const char *bytes, *expected;
        bool half_close;
    } cases[] = {
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nContent-Length: 19\r\n\r\n{\"game\"", ".", true},
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"g", ".", true},
        {"GET /healthz HTTP/1.1\r\nHost: h\r\n", ".", true},
        {"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET", "200 .", true},
        {"", ".", true},
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 19\r\n\r\n{\"game\":\"flood_it\"}" ALIVE,
         "100 201 200 .", false},
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n13\r\n{\"game\":\"flood_it\"}\r\n0\r\n\r\n" ALIVE,
         "100 201 200 .", false},
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n", "413 .", false},
        {"POST /api/rooms HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n", "417 .", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        try_shape(&(shape){.name = "an announced body",
                           .bytes = cases[i].bytes,
                           .length = strlen(cases[i].bytes),
                           .half_close = cases[i].half_close,
                           .expected = cases[i].expected});
    }
}

/* ---- requests that must be refused ---- */

static void test_refused(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX];
    for (size_t i = 0; i < sizeof hostile_requests / sizeof hostile_requests[0]; i++) {
        char expected[16], second[24];
        size_t length = strlen(hostile_requests[i].text);
        snprintf(expected, sizeof expected, "%s .", hostile_requests[i].status);
        snprintf(second, sizeof second, "200 %s .", hostile_requests[i].status);
        bool head = strncmp(hostile_requests[i].text, "HEAD", 4) == 0;
        shape s = {.name = "refused",
                   .bytes = hostile_requests[i].text,
                   .length = length,
                   .heads = head ? "h" : "",
                   .expected = expected};
        try_shape(&s);
        s.cuts[0] = length / 2;
        try_shape(&s);
        /* After a good request, and before one that must not be answered. */
        s.bytes = bytes;
        s.length = (size_t)snprintf(bytes, sizeof bytes, "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n%s" ALIVE,
                                    hostile_requests[i].text);
        s.heads = head ? "-h" : "";
        s.cuts[0] = 0;
        s.expected = second;
        try_shape(&s);
    }
}

/* A path that could be truncated: it reaches neither the metrics nor a room. */
static void test_paths(void **state) {
    (void)state;
    static const char *const tails[] = {";x",    "%3bx", "&x",  "%26", "%0d%0aX:y", "%0a", "%00",
                                        "%2f..", "/..",  "\\x", "%",   "%zz",       "<",   "|"};
    static const char *const starts[] = {"/metrics", "/ws/CUTROOM", "/api/games", "/readyz"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0] * 4; i++) {
        char bytes[400];
        bool socket = i % 4 == 1;
        int length = snprintf(bytes, sizeof bytes, "GET %s%s HTTP/1.1\r\nHost: h\r\n%s\r\n", starts[i % 4],
                              tails[i / 4], socket ? "Upgrade: websocket\r\nConnection: Upgrade\r\n" KEY VERSION : "");
        try_shape(&(shape){.name = "a path", .bytes = bytes, .length = (size_t)length, .expected = "400 ."});
    }
    assert_int_equal(client_request(server.port, "GET", "/api/rooms/CUTROOM", "", NULL, NULL, NULL), 404);
}

/* ---- frames ---- */

/* What the wire shows of the outcomes that frames.h lists: `T2:x ` is a message that is not JSON. */
static void expected_from(const char *outcomes, char *expected) {
    snprintf(expected, RECEIVED_MAX, "101");
    bool over = false;
    for (const char *at = outcomes; *at; at = strchr(at, ' ') + 1) {
        size_t digits = strspn(at, "0123456789");
        char code[8];
        if (at[0] == 'T') add(expected, "bad_json");
        else if (at[0] == 'L') add(expected, "too_large");
        else if (at[0] == 'P') add(expected, "pong");
        snprintf(code, sizeof code, "%.*s", strncmp(at, "1005", 4) == 0 ? 0 : (int)digits, at);
        if (digits) add(expected, *code ? code : "0");
        over |= digits > 0;
    }
    add(expected, over ? "." : "1000 .");
}

static void test_frames(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX], expected[RECEIVED_MAX];
    for (size_t i = 0; i < sizeof hostile_frames / sizeof hostile_frames[0]; i++) {
        size_t length = (size_t)snprintf(bytes, sizeof bytes, "%s", UPGRADE), head = length;
        memcpy(bytes + length, hostile_frames[i].bytes, hostile_frames[i].length);
        length += hostile_frames[i].length;
        expected_from(hostile_frames[i].expected, expected);
        /* A close frame, which is ignored after a broken frame. */
        memcpy(bytes + length, "\x88\x82\0\0\0\0\x03\xe8", 8);
        length += 8;
        shape s = {.name = "frames", .bytes = bytes, .length = length, .expected = expected};
        try_shape(&s);
        s.cuts[0] = head;
        s.cuts[1] = head + 3;
        try_shape(&s);
    }
}

static size_t put_frame(char *bytes, size_t at, int first, const char *text, size_t length) {
    static const uint8_t mask[4] = {1, 2, 3, 4};
    uint8_t head[BW_FRAME_HEAD_MAX];
    size_t count = bw_frame_head(head, first & 15, length, mask);
    head[0] = (uint8_t)first;
    memcpy(bytes + at, head, count);
    memcpy(bytes + at + count, text, length);
    bw_frame_mask(bytes + at + count, length, mask, 0);
    return at + count + length;
}

static void test_frame_splits(void **state) {
    (void)state;
    static char bytes[SHAPE_MAX], large[70000];
    memset(large, '[', sizeof large);
    size_t head = (size_t)snprintf(bytes, sizeof bytes, "%s", UPGRADE), length = head;
    length = put_frame(bytes, length, 0x01, "{\"type\":", 8);
    length = put_frame(bytes, length, 0x89, "hi", 2);
    length = put_frame(bytes, length, 0x80, "\"no\"}", 5);
    length = put_frame(bytes, length, 0x81, "nonsense", 8);
    length = put_frame(bytes, length, 0x88,
                       "\x03\xe8"
                       "bye",
                       5);
    length = put_frame(bytes, length, 0x81, "too late", 8);
    for (size_t i = head; i < length; i++) {
        try_shape(&(shape){"frames, cut at every offset",
                           bytes,
                           length,
                           {i, i + 1 + i % 9},
                           "",
                           false,
                           "101 pong unknown_type bad_json 1000 ."});
    }
    for (size_t i = 1; i < head; i += 5) {
        try_shape(&(shape){"a handshake, cut at every offset",
                           bytes,
                           length,
                           {i, head + 1},
                           "",
                           false,
                           "101 pong unknown_type bad_json 1000 ."});
    }
    static const struct {
        size_t first, second; /* bytes of two fragments */
        const char *expected;
    } sizes[] = {
        {4096, 0, "101 bad_json 1000 ."},      {4097, 0, "101 too_large 1000 ."},  {60000, 0, "101 too_large 1000 ."},
        {65536, 0, "101 too_large 1000 ."},    {65537, 0, "101 1009 ."},           {70000, 0, "101 1009 ."},
        {4000, 96, "101 bad_json 1000 ."},     {4000, 97, "101 too_large 1000 ."}, {1, 4096, "101 too_large 1000 ."},
        {60000, 5536, "101 too_large 1000 ."}, {60000, 5537, "101 1009 ."}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        length = put_frame(bytes, head, sizes[i].second ? 0x01 : 0x81, large, sizes[i].first);
        if (sizes[i].second) length = put_frame(bytes, length, 0x80, large, sizes[i].second);
        length = put_frame(bytes, length, 0x88, "\x03\xe8", 2);
        shape s = {.name = "a large message", .bytes = bytes, .length = length, .expected = sizes[i].expected};
        try_shape(&s);
        s.cuts[0] = head + 2000;
        s.cuts[1] = head + 5000;
        try_shape(&s);
    }
}

/* ---- readers that do not read ---- */

static long cpu_ticks(void) {
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)server.pid);
    FILE *file = fopen(path, "r");
    if (!file ||
        fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        user = system = 0;
    }
    if (file) fclose(file);
    return (long)(user + system);
}

/* Answers that a client does not read cost no CPU; read later, they all arrive, in order. */
static void test_not_reading(void **state) {
    (void)state;
    enum { COUNT = 1000 }; /* 10 MB: more than the kernel buffers */
    static const char request[] = "GET /api/games HTTP/1.1\r\nHost: h\r\n\r\n";
    client c;
    int small = 1 << 16; /* much smaller, and they would trickle for minutes */
    assert_true(client_connect(&c, server.port));
    setsockopt(c.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (int i = 0; i < COUNT; i++) assert_true(client_write(&c, request, sizeof request - 1));
    long spent = LONG_MAX; /* in half a second; on a busy machine the kernel's buffers are full later */
    for (int tries = 0; tries < 8 && spent > 5; tries++) {
        long before = cpu_ticks();
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        spent = cpu_ticks() - before;
    }
    assert_in_range(spent, 0, 5); /* of 50 */
    bystand("answers that nobody reads");
    int answers = 0;
    char last[32] = "";
    while (answers < COUNT) {
        c.length = 0;
        size_t kept = strlen(last);
        memcpy(c.buffer, last, kept);
        c.length = kept;
        assert_true(client_read_more(&c, CLIENT_WAIT_MS) > 0);
        for (const char *at = c.buffer; (at = strstr(at, "HTTP/1.1 200")) != NULL; at++) answers++;
        size_t tail = c.length < 11 ? c.length : 11;
        memcpy(last, c.buffer + c.length - tail, tail);
        last[tail] = '\0';
    }
    assert_int_equal(answers, COUNT);
    client_close(&c);
    shapes++;
}

static int start(void **state) {
    (void)state;
    static const char *const arguments[] = {
        "--port", "0", "--database", ":memory:", "--max-sockets-per-address", "0", "--max-rooms-per-address-per-minute",
        "0",      NULL};
    if (!process_start(&server, program, arguments, NULL)) return -1;
    /* The bystander stays in the room of the shapes, so the room always exists. A client that sends a message to a
     * room that is still being created, and closes at once, loses it. */
    bool there = client_upgrade(&bystander, server.port, "/ws/HOSTILE", "") == 101 &&
                 client_receive(&bystander, CLIENT_WAIT_MS) == CLIENT_TEXT;
    return there ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    client_close(&bystander);
    int status = process_end(&server, SIGTERM, 10000);
    print_message("%d shapes\n", shapes);
    return status == 0 && shapes >= 400 ? 0 : -1;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    program = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),  cmocka_unit_test(test_splits),       cmocka_unit_test(test_many),
        cmocka_unit_test(test_bodies), cmocka_unit_test(test_refused),      cmocka_unit_test(test_paths),
        cmocka_unit_test(test_frames), cmocka_unit_test(test_frame_splits), cmocka_unit_test(test_not_reading),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
