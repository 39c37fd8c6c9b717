#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "server/chunked.h"

/* Reads the text in two pieces, cut at `cut`. */
static bw_chunked_status read_cut(const char *text, size_t cut, char *body, size_t cap, size_t *length) {
    bw_chunked reader = {0};
    size_t kept;
    bw_chunked_status status = bw_chunked_read(&reader, text, cut, body, cap, length);
    if (status == BW_CHUNKED_MORE) {
        status = bw_chunked_read(&reader, text + cut, strlen(text) - cut, body + *length, cap - *length, &kept);
        *length += kept;
    }
    return status;
}

static void test_chunks_wherever_they_are_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *body;
        bw_chunked_status status;
    } cases[] = {
        {"0\r\n\r\n", "", BW_CHUNKED_END},
        {"5\r\nhello\r\n0\r\n\r\n", "hello", BW_CHUNKED_END},
        {"1\r\nh\r\n004\r\nello\r\n000\r\n\r\n", "hello", BW_CHUNKED_END},
        {"A;a=b;c=\"d\"\r\n0123456789\r\n0;z\r\nExpires: never\r\nX: y\r\n\r\n", "0123456789", BW_CHUNKED_END},
        {"5 \r\n\r\n\r\n\r\r\n0\r\n\r\nGET / HTTP/1.1\r\n", "\r\n\r\n\r", BW_CHUNKED_END},
        {"5\r\nhello\r\n0\r\n", "hello", BW_CHUNKED_MORE},
        {"5\r\nhel", "hel", BW_CHUNKED_MORE},
        {"", "", BW_CHUNKED_MORE},
        {"x\r\n", "", BW_CHUNKED_BROKEN},
        {"\r\n", "", BW_CHUNKED_BROKEN},
        {"-1\r\n", "", BW_CHUNKED_BROKEN},
        {"5\nhello", "", BW_CHUNKED_BROKEN},
        {"5\r\nhello!\r\n", "hello", BW_CHUNKED_BROKEN},
        {"5\r\nhello\r\n\r\n", "hello", BW_CHUNKED_BROKEN},
        {"0\r\n\rx", "", BW_CHUNKED_BROKEN},
        {"{\"game\":\"flood_it\"}", "", BW_CHUNKED_BROKEN},
        {"fffffffff\r\n", "", BW_CHUNKED_LONG},
        {"20\r\n01234567890123456789012345678901\r\n", NULL, BW_CHUNKED_LONG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t cut = 0; cut <= strlen(cases[i].text); cut++) {
            char body[16];
            size_t length;
            bw_chunked_status status = read_cut(cases[i].text, cut, body, sizeof body, &length);
            bool right =
                status == cases[i].status && length <= sizeof body &&
                (!cases[i].body || (length == strlen(cases[i].body) && memcmp(body, cases[i].body, length) == 0));
            if (!right) {
                fail_msg("case %zu cut at %zu: status %d, \"%.*s\"", i, cut, status, (int)length, body);
            }
        }
    }
}

static void test_endless_framing_ends(void **state) {
    (void)state;
    bw_chunked reader = {0};
    char body[8];
    size_t kept, fed = 0;
    bw_chunked_status status = bw_chunked_read(&reader, "1;", 2, body, sizeof body, &kept);
    for (; status == BW_CHUNKED_MORE && fed < 2 * BW_CHUNKED_FRAMING_MAX; fed++) {
        status = bw_chunked_read(&reader, "x", 1, body, sizeof body, &kept);
    }
    assert_int_equal(status, BW_CHUNKED_LONG);
    assert_true(fed <= BW_CHUNKED_FRAMING_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chunks_wherever_they_are_cut),
                                       cmocka_unit_test(test_endless_framing_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
