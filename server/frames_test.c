/* WebSocket frames: everything that RFC 6455 allows is read, however it is split, and everything that it forbids
 * ends with the right code. Two readers must never disagree about a frame. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/frames.h"
#include "tests/support/hostile.h"
#include "tests/support/unit.h"

enum { MAX = 4096, FAR = 65536, WIRE_MAX = 200 * 1024 };

static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};

typedef struct wire {
    char bytes[WIRE_MAX];
    size_t length;
} wire;

static void put_raw(wire *w, const void *bytes, size_t length) {
    memcpy(w->bytes + w->length, bytes, length);
    w->length += length;
}

/* A masked frame; `first` is its complete first byte. */
static void put(wire *w, int first, const void *bytes, size_t length) {
    uint8_t head[BW_FRAME_HEAD_MAX];
    size_t head_length = bw_frame_head(head, first & 15, length, mask);
    head[0] = (uint8_t)first;
    put_raw(w, head, head_length);
    put_raw(w, bytes, length);
    bw_frame_mask(w->bytes + w->length - length, length, mask, 0);
}

/* The result as text: `T5:hello `, `B1002 `. Reads in pieces of `step` bytes. */
static void told(const wire *w, size_t step, bool from_server, char *out, size_t cap) {
    bw_frames frames = {.from_server = from_server, .message_max = MAX, .message_far = FAR};
    size_t written = 0;
    bool over = false;
    char *copy = malloc(w->length + 1);
    memcpy(copy, w->bytes, w->length);
    for (size_t from = 0; from < w->length && !over; from += step) {
        char *at = copy + from, *end = copy + (from + step < w->length ? from + step : w->length);
        bw_frame frame;
        bw_frame_kind kind;
        while (!over && (kind = bw_frames_read(&frames, &at, end, &frame)) != BW_FRAME_MORE) {
            over = kind == BW_FRAME_CLOSE || kind == BW_FRAME_BROKEN;
            if (kind == BW_FRAME_BROKEN) frame.length = 0;
            if (over) written += (size_t)snprintf(out + written, cap - written, "%d", frame.code);
            written += (size_t)snprintf(out + written, cap - written, "%c%zu:%.*s ", "?TLPOCB"[kind], frame.length,
                                        frame.length < 20 ? (int)frame.length : 0, frame.bytes ? frame.bytes : "");
        }
    }
    out[written] = '\0';
    bw_frames_release(&frames);
    free(copy);
}

static void expect(const wire *w, const char *expected) {
    char heard[400];
    for (size_t step = 1; step <= w->length + 1; step = step < 20 ? step + 1 : step * 3) {
        told(w, step, false, heard, sizeof heard);
        if (strcmp(heard, expected) != 0) fail_msg("in pieces of %zu: %s, not %s", step, heard, expected);
    }
}

TEST(test_messages) {
    static wire w;
    w.length = 0;
    put(&w, 0x81, "hello", 5);
    put(&w, 0x81, "", 0);
    put(&w, 0x01, "on", 2);
    put(&w, 0x89, "hi", 2);
    put(&w, 0x00, "", 0);
    put(&w, 0x8a, "", 0);
    put(&w, 0x80, "e \xc3\xa9", 4);
    put(&w, 0x01, "", 0);
    put(&w, 0x80, "", 0);
    put(&w, 0x88,
        "\x03\xe8"
        "bye",
        5);
    put(&w, 0x81, "too late", 8);
    expect(&w, "T5:hello T0: P2:hi O0: T6:one \xc3\xa9 T0: 1000C3:bye ");
}

TEST(test_sizes) {
    static wire w;
    static char text[FAR + 1];
    memset(text, 'x', sizeof text);
    static const struct {
        size_t length;
        const char *expected;
    } cases[] = {{125, "T125: T2:ok "},   {126, "T126: T2:ok "},     {127, "T127: T2:ok "},     {4096, "T4096: T2:ok "},
                 {4097, "L4097: T2:ok "}, {65535, "L65535: T2:ok "}, {65536, "L65536: T2:ok "}, {65537, "1009B0: "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        w.length = 0;
        put(&w, 0x81, text, cases[i].length);
        put(&w, 0x81, "ok", 2);
        expect(&w, cases[i].expected);
        w.length = 0; /* the same in two fragments */
        put(&w, 0x01, text, 100);
        put(&w, 0x80, text, cases[i].length - 100);
        put(&w, 0x81, "ok", 2);
        expect(&w, cases[i].expected);
    }
}

TEST(test_broken) {
    static wire w;
    for (size_t i = 0; i < sizeof hostile_frames / sizeof hostile_frames[0]; i++) {
        w.length = 0;
        put_raw(&w, hostile_frames[i].bytes, hostile_frames[i].length);
        expect(&w, hostile_frames[i].expected);
    }
}

/* A client reads what a server writes; a server's frame must not be masked. */
TEST(test_client_side) {
    static wire w;
    char heard[100];
    uint8_t head[BW_FRAME_HEAD_MAX];
    put_raw(&w, head, bw_frame_head(head, BW_OPCODE_TEXT, 3, NULL));
    put_raw(&w, "abc", 3);
    told(&w, 2, true, heard, sizeof heard);
    assert_string_equal(heard, "T3:abc ");
    w.length = 0;
    put(&w, 0x81, "abc", 3);
    told(&w, 100, true, heard, sizeof heard);
    assert_string_equal(heard, "1002B0: ");
    assert_int_equal(bw_frame_head(head, BW_OPCODE_TEXT, 70000, mask), 14);
}

TEST(test_masks) {
    char plain[64], once[64], pieces[64];
    for (size_t i = 0; i < sizeof plain; i++) plain[i] = once[i] = pieces[i] = (char)(i * 7);
    bw_frame_mask(once, sizeof once, mask, 0);
    for (size_t i = 0; i < sizeof plain; i++) assert_int_equal((uint8_t)once[i], (uint8_t)plain[i] ^ mask[i % 4]);
    for (size_t i = 0, step = 1; i < sizeof pieces; i += step, step = step % 11 + 1) {
        bw_frame_mask(pieces + i, step < sizeof pieces - i ? step : sizeof pieces - i, mask, i);
    }
    assert_memory_equal(once, pieces, sizeof once);
}

TEST(test_handshake) {
    char accept[BW_ACCEPT_LENGTH + 1];
    bw_frame_accept("dGhlIHNhbXBsZSBub25jZQ==", accept); /* the example of RFC 6455, 1.3 */
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_true(bw_frame_key_is_valid("dGhlIHNhbXBsZSBub25jZQ=="));
    static const char *const wrong[] = {"",
                                        "dGhlIHNhbXBsZSBub25jZQ=",
                                        "dGhlIHNhbXBsZSBub25jZQ===",
                                        "dGhl",
                                        "dGhlIHNhbXBsZSBub25j!Q==",
                                        "dGhlIHNhbXBsZSBub25jZQAA",
                                        "dGhlIHNhbXBsZSBub25jZ==="};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) assert_false(bw_frame_key_is_valid(wrong[i]));
}

RUN_TESTS(NULL, NULL)
