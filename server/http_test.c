/* HTTP/1 requests, in pieces of every size. The server must never read a request differently from a proxy in front
 * of it, or take a part of a request for another one. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/http.h"
#include "tests/support/hostile.h"
#include "tests/support/unit.h"

static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", "other"};

/* The result as text: `GET /x ?q host=h body=0: k` (k: kept alive, w: a WebSocket, 1.0, c: continue), or the status
 * of the refusal, or `more`; after `+`, how many bytes belong to the next request. */
static void told(const char *bytes, size_t length, size_t step, char *out, size_t cap) {
    bw_http *http = bw_http_new();
    bw_http_status status = BW_HTTP_MORE;
    size_t at = 0, used;
    bool continued = false;
    while (at < length && (status == BW_HTTP_MORE || status == BW_HTTP_CONTINUE)) {
        char *piece = malloc(step); /* so that AddressSanitizer sees reads past the end */
        size_t count = length - at < step ? length - at : step;
        memcpy(piece, bytes + at, count);
        status = bw_http_read(http, piece, count, &used);
        continued |= status == BW_HTTP_CONTINUE;
        at += used;
        free(piece);
    }
    const bw_request *r = &http->request;
    if (status == BW_HTTP_WHOLE) {
        snprintf(out, cap, "%s %s ?%s host=%s body=%zu:%.20s%s%s%s%s +%zu", methods[r->method], r->path, r->query,
                 r->host, r->length, r->body, http->keep_alive ? " k" : "", http->key ? " w" : "",
                 http->one_zero ? " 1.0" : "", continued ? " c" : "", length - at);
    } else {
        snprintf(out, cap, status == BW_HTTP_REFUSED ? "%d" : "more", http->refusal);
    }
    bw_http_free(http);
}

static void expect_bytes(const char *bytes, size_t length, const char *expected) {
    char got[600];
    for (size_t step = 1; step <= length; step = step < 40 ? step + 1 : step * 2) {
        told(bytes, length, step, got, sizeof got);
        if (strcmp(got, expected) != 0)
            fail_msg("in pieces of %zu:\n%.300s\ngives %s, not %s", step, bytes, got, expected);
    }
    told(bytes, length, length, got, sizeof got);
    assert_string_equal(got, expected);
}
static void expect(const char *text, const char *expected) { expect_bytes(text, strlen(text), expected); }

TEST(test_good) {
    expect(GET(""), "GET /x ? host=h body=0: k +0");
    expect("\r\n\r\n" GET(""), "GET /x ? host=h body=0: k +0");
    expect(GET("") "GET /next", "GET /x ? host=h body=0: k +9");
    expect("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS / ? host=h body=0: k +0");
    expect("GET http://other:81/a?b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a ?b host=other:81 body=0: k +0");
    expect("GET / HTTP/1.0\r\n\r\n", "GET / ? host= body=0: 1.0 +0");
    expect("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / ? host= body=0: k 1.0 +0");
    expect(GET("Connection: close\r\n"), "GET /x ? host=h body=0: +0");
    expect(GET("Connection: Upgrade\r\nUpgrade: h2c\r\n"), "GET /x ? host=h body=0: k +0");
    expect(GET("X-Empty:\r\nX-Tabs: \t a \t \r\nX-Bytes: \xff\r\n"), "GET /x ? host=h body=0: k +0");
    expect("DELETE /x HTTP/1.1\r\nhOsT:h\t \r\n\r\n", "other /x ? host=h body=0: k +0");
    expect(POST("Content-Length: 3\r\n\r\nabcGET"), "POST /x ? host=h body=3:abc k +3");
    expect(POST("Content-Length: 003 \r\n\r\nabc"), "POST /x ? host=h body=3:abc k +0");
    expect(POST("Content-Length: 0\r\n\r\nabc"), "POST /x ? host=h body=0: k +3");
    expect(POST("\r\nabc"), "POST /x ? host=h body=0: k +3");
    expect(GET("Content-Length: 1\r\n") "x", "GET /x ? host=h body=1:x k +0");
    expect(POST("Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx"), "POST /x ? host=h body=1:x k c +0");
    expect(POST("Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
           "POST /x ? host=h body=0: k c +0");
    expect(GET("Expect: 100-continue\r\n"), "GET /x ? host=h body=0: k +0");
    expect(CHUNKED("3\r\nabc\r\n0\r\n\r\nG"), "POST /x ? host=h body=3:abc k +1");
    expect(CHUNKED("1;x=\"y\"\r\na\r\n002 \t;z\r\nbc\r\n00\r\nT: t\r\nU:\r\n\r\n"), "POST /x ? host=h body=3:abc k +0");
    expect(SOCKET("GET /ws/A HTTP/1.1", KEY VERSION) "\x81", "GET /ws/A ? host=h body=0: k w +1");
}

/* What a person typed is no attack: they get a page, and nothing of the address is used. Programs get a refusal. */
TEST(test_mistyped) {
    static const struct {
        const char *target, *headers;
        bool page;
    } cases[] = {
        {"/game/%E0%A4%A", "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n", true},
        {"/learn/%ZZ", "accept: application/xml, Text/HTML;q=0.9\r\n", true},
        {"/rules/%?x=%", "Accept: text/html\r\n", true},
        {"/play/flood_it?board=%4", "Accept: text/html\r\n", true},
        {"/game/a%2fb", "Accept: text/html\r\n", true},
        {"/game/%ZZ", "Accept: */*\r\n", false},
        {"/game/%ZZ", "Accept: application/json\r\n", false},
        {"/game/%ZZ", "", false},
        {"/api/rooms/%ZZ", "Accept: text/html\r\n", false},
        {"/ws/%ZZ", "Accept: text/html\r\n", false},
        {"/metrics%00", "Accept: text/html\r\n", false},
        {"/assets/%ZZ.js", "Accept: text/html\r\n", false},
        {"http://h/%ZZ", "Accept: text/html\r\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int k = 0; k < 3; k++) {
            static const char *const named[] = {"GET", "HEAD", "POST"};
            char text[300], got[64];
            size_t used;
            snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: h\r\n%s\r\n", named[k], cases[i].target,
                     cases[i].headers);
            bw_http *http = bw_http_new();
            bw_http_status status = bw_http_read(http, text, strlen(text), &used);
            if (status == BW_HTTP_WHOLE)
                snprintf(got, sizeof got, "%s?%s%s", http->request.path, http->request.query,
                         http->request.mistyped ? " page" : "");
            else snprintf(got, sizeof got, "%d", http->refusal);
            const char *expected = cases[i].page && k < 2 ? "/? page" : "400";
            if (strcmp(got, expected) != 0) fail_msg("%sgives %s, not %s", text, got, expected);
            bw_http_free(http);
        }
    }
}

TEST(test_refused) {
    for (size_t i = 0; i < sizeof hostile_requests / sizeof hostile_requests[0]; i++) {
        expect(hostile_requests[i].text, hostile_requests[i].status);
    }
    static const char nul[] = "GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n";
    expect_bytes(nul, sizeof nul - 1, "400");
}

/* Endless input is refused before it costs anything. */
TEST(test_endless) {
    static char text[64 * 1024];
    static const struct {
        const char *start, *again, *expected;
    } cases[] = {
        {"GET /", "a", "414"},
        {"GET / HTTP/1.1\r\nHost: h\r\nX: ", "a", "431"},
        {"GET / HTTP/1.1\r\nHost: h\r\n", "X: y\r\n", "431"},
        {"GET / HTTP/1.1\r\nHost: h\r\n", "X:\r\n", "431"},
        {CHUNKED(""), "1\r\na\r\n", "413"},
        {CHUNKED(""), "1;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\na\r\n", "400"},
        {CHUNKED("1;"), "x", "400"},
        {CHUNKED(""), "0", "400"},
        {CHUNKED("0\r\n"), "X: y\r\n", "400"},
        {CHUNKED("0\r\nX: "), "y", "400"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = strlen(cases[i].start), count = strlen(cases[i].again);
        memcpy(text, cases[i].start, length);
        for (; length + count <= sizeof text; length += count) memcpy(text + length, cases[i].again, count);
        char got[600];
        for (size_t step = 1; step <= sizeof text; step *= 8) {
            told(text, length, step, got, sizeof got);
            if (strcmp(got, cases[i].expected) != 0) fail_msg("case %zu gives %s, not %s", i, got, cases[i].expected);
        }
    }
}

RUN_TESTS(NULL, NULL)
