/* Malformed requests, each with the status that it must get; then the connection ends. server/http_test.c sends them
 * in pieces of every size, and tests/protocol/hostile_test.c over a real connection. */
#ifndef BW_TESTS_HOSTILE_H
#define BW_TESTS_HOSTILE_H

#define GET(more) "GET /x HTTP/1.1\r\nHost: h\r\n" more "\r\n"
#define POST(more) "POST /x HTTP/1.1\r\nHost: h\r\n" more
#define CHUNKED(body) POST("Transfer-Encoding: chunked\r\n\r\n" body)
#define SOCKET(line, more) line "\r\nHost: h\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n" more "\r\n"
#define KEY "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define VERSION "Sec-WebSocket-Version: 13\r\n"

static const struct hostile_request {
    const char *text, *status;
} hostile_requests[] = {
    /* The request line. */
    {"BREW /coffee HTTP/1.1\r\nHost: h\r\n\r\n", "501"},
    {"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", "501"},
    {"get / HTTP/1.1\r\nHost: h\r\n\r\n", "501"},
    {"GET / HTTP/2.0\r\nHost: h\r\n\r\n", "505"},
    {"GET / HTTP/0.9\r\nHost: h\r\n\r\n", "505"},
    {"GET / HTTP/1.10\r\nHost: h\r\n\r\n", "400"},
    {"GET / http/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET / ICE/1.0\r\nHost: h\r\n\r\n", "400"},
    {"GET /\r\nHost: h\r\n\r\n", "400"},
    {"GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET /  HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "400"},
    {" GET / HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET /a\tb HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET /\x01 HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET /\x80 HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET /metrics;x HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"GET * HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {"\x16\x03\x01", "400"},
    {"\r\n\r\n\r\n\r\n\r\n", "400"},
    {"GET / HTTP/1.1\nHost: h\n\n", "400"},
    {"GET / HTTP/1.1\rHost: h\r\n\r\n", "400"},
    /* Headers. */
    {"GET / HTTP/1.1\r\n\r\n", "400"},
    {"GET / HTTP/1.1\r\nHost:\r\n\r\n", "400"},
    {GET("Host: h\r\n"), "400"},
    {GET("Host: other\r\n"), "400"},
    {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "400"},
    {"GET / HTTP/1.0\r\nHost: a/b\r\n\r\n", "400"},
    {"GET http://h/ HTTP/1.1\r\n\r\n", "400"},
    {"GET http://a@h/ HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
    {GET("X : y\r\n"), "400"},
    {GET("X Y: z\r\n"), "400"},
    {GET("X\r\n"), "400"},
    {GET(": y\r\n"), "400"},
    {GET("X: y\r\n z\r\n"), "400"},
    {GET("X: y\r\n\tz\r\n"), "400"},
    {"GET / HTTP/1.1\r\n Host: h\r\n\r\n", "400"},
    {GET("X: a\rb\r\n"), "400"},
    {GET("X: a\nY: b\r\n"), "400"},
    {GET("X: a\x0b\r\n"), "400"},
    {GET("X: a\x7f\r\n"), "400"},
    {GET("X(Y): z\r\n"), "400"},
    {GET("Origin: http://a\r\nOrigin: http://b\r\n"), "400"},
    /* Lengths. */
    {POST("Content-Length: +19\r\n\r\n"), "400"},
    {POST("Content-Length: -1\r\n\r\n"), "400"},
    {POST("Content-Length: 0x10\r\n\r\n"), "400"},
    {POST("Content-Length: 1 2\r\n\r\n"), "400"},
    {POST("Content-Length: 1, 1\r\n\r\n"), "400"},
    {POST("Content-Length:\r\n\r\n"), "400"},
    {POST("Content-Length: 1.0\r\n\r\n"), "400"},
    {POST("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), "400"},
    {POST("Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), "400"},
    {POST("Content-Length: 4097\r\n\r\n"), "413"},
    {POST("Content-Length: 99999999999999999999\r\n\r\n"), "400"},
    {POST("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: gzip\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: identity\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: chunked, gzip\r\n\r\n"), "400"},
    {POST("Transfer-Encoding: gzip, chunked\r\n\r\n"), "501"},
    {POST("Transfer-Encoding: xchunked\r\n\r\n"), "400"},
    {POST("Transfer-Encoding:\r\n\r\n"), "400"},
    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
    {POST("Expect: 200-ok\r\nContent-Length: 1\r\n\r\n"), "417"},
    /* Chunks. */
    {CHUNKED("x"), "400"},
    {CHUNKED("\r\n"), "400"},
    {CHUNKED("-1\r\n"), "400"},
    {CHUNKED("+1\r\n"), "400"},
    {CHUNKED("0x1\r\n"), "400"},
    {CHUNKED("1 \r\na\r\n0\r\n\r\n"), "400"},
    {CHUNKED("1 x\r\na\r\n0\r\n\r\n"), "400"},
    {CHUNKED("1\na\n0\n\n"), "400"},
    {CHUNKED("1\r\nab\r\n"), "400"},
    {CHUNKED("1\r\na\n"), "400"},
    {CHUNKED("1\r\naXX0\r\n\r\n"), "400"},
    {CHUNKED("1;\x01\r\n"), "400"},
    {CHUNKED("1001\r\n"), "413"},
    {CHUNKED("fffffff\r\n"), "413"},
    {CHUNKED("ffffffff\r\n"), "413"},
    {CHUNKED("100000000\r\n"), "400"},
    {CHUNKED("0\r\n X: y\r\n\r\n"), "400"},
    {CHUNKED("0\r\nX\r\n\r\n"), "400"},
    {CHUNKED("0\r\nX: y\n\r\n"), "400"},
    /* Handshakes. */
    {SOCKET("GET / HTTP/1.1", KEY), "426"},
    {SOCKET("GET / HTTP/1.1", KEY "Sec-WebSocket-Version: 7\r\n"), "426"},
    {SOCKET("GET / HTTP/1.1", KEY "Sec-WebSocket-Version: 13, 8\r\n"), "426"},
    {SOCKET("GET / HTTP/1.1", KEY VERSION VERSION), "400"},
    {SOCKET("GET / HTTP/1.1", VERSION), "400"},
    {SOCKET("GET / HTTP/1.1", VERSION KEY KEY), "400"},
    {SOCKET("GET / HTTP/1.1", VERSION "Sec-WebSocket-Key: short\r\n"), "400"},
    {SOCKET("GET / HTTP/1.0", KEY VERSION), "400"},
    {SOCKET("POST / HTTP/1.1", KEY VERSION), "400"},
    {SOCKET("HEAD / HTTP/1.1", KEY VERSION), "400"},
    {SOCKET("GET / HTTP/1.1", KEY VERSION "Content-Length: 2\r\n") "ab", "400"},
    {SOCKET("GET / HTTP/1.1", KEY VERSION "Transfer-Encoding: chunked\r\n") "0\r\n\r\n", "400"},
    {GET("Upgrade: websocket\r\n" KEY VERSION), "400"},
    {GET("Upgrade: websocket\r\nConnection: close\r\n" KEY VERSION), "400"},
};

/* Frames after a handshake, and the expected outcome: `P0` is a pong of no bytes, `L` says that a message is too
 * large, a number is the code of the close. */
#define RAW(text, expected) \
    { text, sizeof text - 1, expected }
static const struct hostile_frames {
    const char *bytes;
    size_t length;
    const char *expected;
} hostile_frames[] = {
    RAW("\x81\x02hi", "1002B0: "),       /* no mask */
    RAW("\xc1\x80\0\0\0\0", "1002B0: "), /* reserved bits */
    RAW("\xa1\x80\0\0\0\0", "1002B0: "),
    RAW("\x91\x80\0\0\0\0", "1002B0: "),
    RAW("\x83\x80\0\0\0\0", "1002B0: "), /* opcodes */
    RAW("\x87\x80\0\0\0\0", "1002B0: "),
    RAW("\x8b\x80\0\0\0\0", "1002B0: "),
    RAW("\x8f\x80\0\0\0\0", "1002B0: "),
    RAW("\x82\x80\0\0\0\0", "1003B0: "), /* binary */
    RAW("\x02\x80\0\0\0\0", "1003B0: "),
    RAW("\x80\x80\0\0\0\0", "1002B0: "),         /* continues nothing */
    RAW("\x01\x80\0\0\0\0\x81\x80", "1002B0: "), /* a message within a message */
    RAW("\x09\x80\0\0\0\0", "1002B0: "),         /* a control frame in fragments */
    RAW("\x08\x80\0\0\0\0", "1002B0: "),
    RAW("\x89\xfe\0\x7e", "1002B0: "), /* a long control frame */
    RAW("\x88\xfe\0\x7e", "1002B0: "),
    RAW("\x8a\xff", "1002B0: "),
    RAW("\x81\xfe\0\x7d", "1002B0: "), /* a length not in its shortest form */
    RAW("\x81\xff\0\0\0\0\0\0\xff\xff", "1002B0: "),
    RAW("\x81\xff\x80\0\0\0\0\0\0\0", "1002B0: "), /* 2^63 */
    RAW("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", "1009B0: "),
    RAW("\x81\x82\0\0\0\0\xff\xff", "1007B0: "), /* no text */
    RAW("\x81\x82\0\0\0\0\xc3x", "1007B0: "),
    RAW("\x81\x81\0\0\0\0\xc3", "1007B0: "),     /* incomplete */
    RAW("\x81\x82\0\0\0\0\xc0\x80", "1007B0: "), /* an overlong encoding */
    RAW("\x81\x83\0\0\0\0\xe0\x9f\xbf", "1007B0: "),
    RAW("\x81\x83\0\0\0\0\xed\xa0\x80", "1007B0: "),          /* half a surrogate pair */
    RAW("\x81\x84\0\0\0\0\xf4\x90\x80\x80", "1007B0: "),      /* beyond the last code point */
    RAW("\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0(", "1007B0: "), /* across fragments */
    RAW("\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0\xa9", "T2:\xc3\xa9 "),
    RAW("\x01\x81\0\0\0\0\xc3\x89\x80\0\0\0\0\x80\x81\0\0\0\0\xa9", "P0: T2:\xc3\xa9 "),
    RAW("\x88\x80\0\0\0\0", "1005C0: "),
    RAW("\x88\x81\0\0\0\0\x03", "1002B0: "),     /* half a code */
    RAW("\x88\x82\0\0\0\0\x03\xe7", "1002B0: "), /* 999 */
    RAW("\x88\x82\0\0\0\0\x03\xec", "1002B0: "), /* 1004 */
    RAW("\x88\x82\0\0\0\0\x03\xed", "1002B0: "), /* 1005 */
    RAW("\x88\x82\0\0\0\0\x03\xee", "1002B0: "),
    RAW("\x88\x82\0\0\0\0\x03\xf7", "1002B0: "), /* 1015 */
    RAW("\x88\x82\0\0\0\0\x07\xd0", "1002B0: "), /* 2000 */
    RAW("\x88\x82\0\0\0\0\x13\x88", "1002B0: "), /* 5000 */
    RAW("\x88\x82\0\0\0\0\x0b\xb8", "3000C0: "),
    RAW("\x88\x82\0\0\0\0\x13\x87", "4999C0: "),
    RAW("\x88\x83\0\0\0\0\x03\xe8\xff", "1007B0: "), /* no text */
    RAW("\x88\x83\0\0\0\0\x03\xe8\xc3", "1007B0: "),
};

#endif
