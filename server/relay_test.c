/* Where the relay may insert its own message between the owner's bytes: bw_seam of relay.h. */
#include "server/relay.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char switches[] = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n";

static size_t add_frame(char *to, size_t length) {
    size_t head = 2;
    to[0] = (char)0x81;
    if (length < 126) {
        to[1] = (char)length;
    } else if (length < 65536) {
        to[1] = 126;
        to[2] = (char)(length >> 8);
        to[3] = (char)length;
        head = 4;
    } else {
        memset(to + 1, 0, 9);
        to[1] = 127;
        for (int i = 0; i < 4; i++) to[6 + i] = (char)(length >> (24 - 8 * i));
        head = 10;
    }
    memset(to + head, '\r', length);
    return head + length;
}

TEST(only_between_frames) {
    static const size_t lengths[] = {5, 0, 125, 126, 300, 65535, 65536, 70000, 1};
    enum { COUNT = sizeof lengths / sizeof lengths[0] };
    static char bytes[300000];
    size_t ends[COUNT + 1] = {sizeof switches - 1};
    memcpy(bytes, switches, sizeof switches - 1);
    for (size_t i = 0; i < COUNT; i++) ends[i + 1] = ends[i] + add_frame(bytes + ends[i], lengths[i]);
    for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
        bw_seam seam = {0};
        assert_true(bw_seam_is_silent(&seam));
        for (size_t at = 0, next = 0; at < ends[COUNT]; at = next) {
            next = at + piece < ends[COUNT] ? at + piece : ends[COUNT];
            bw_seam_pass(&seam, bytes + at, next - at);
            bool ends_here = false;
            for (size_t i = 0; i <= COUNT; i++) ends_here = ends_here || ends[i] == next;
            assert_int_equal(bw_seam_is_between(&seam), ends_here);
            assert_false(bw_seam_is_silent(&seam));
        }
    }
}

TEST(never_in_other_answers) {
    static const char *const answers[] = {"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "HTTP/1.1 503 \r\n\r\n",
                                          "HTTP/1.1 1010 \r\n\r\n"};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        bw_seam seam = {0};
        bw_seam_pass(&seam, answers[i], strlen(answers[i]));
        assert_false(bw_seam_is_between(&seam));
        assert_false(bw_seam_is_silent(&seam));
    }
}

RUN_TESTS(NULL, NULL)
