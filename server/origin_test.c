#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/origin.h"

#define FRONTEND "http://localhost:5173"

static void test_verdicts(void **state) {
    (void)state;
    static const struct {
        const char *origin, *host;
        bw_origin_verdict verdict;
    } cases[] = {
        {"", "localhost:8000", BW_ORIGIN_NONE},
        {"", "", BW_ORIGIN_NONE},
        {"http://localhost:8000", "localhost:8000", BW_ORIGIN_SAME},
        {"http://LOCALHOST:8000", "localhost:8000", BW_ORIGIN_SAME},
        {"https://play.example", "play.example", BW_ORIGIN_SAME},
        {"https://play.example:443", "play.example", BW_ORIGIN_SAME},
        {"http://play.example", "play.example:80", BW_ORIGIN_SAME},
        {"http://[::1]:8000", "[::1]:8000", BW_ORIGIN_SAME},
        {"http://localhost:5173", "localhost:8000", BW_ORIGIN_FRONTEND},
        {"http://localhost:8001", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"https://localhost:5173", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://127.0.0.1:5173", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://localhost:51730", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://localhost.evil:5173", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://play.example", "play.example:8000", BW_ORIGIN_FOREIGN},
        {"null", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://", "", BW_ORIGIN_FOREIGN},
        {"file://", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://localhost:8000@evil", "localhost:8000", BW_ORIGIN_FOREIGN},
        {"http://localhost:8000/x", "localhost:8000", BW_ORIGIN_FOREIGN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bw_origin_verdict verdict = bw_origin_judge(cases[i].origin, cases[i].host, FRONTEND);
        if (verdict != cases[i].verdict) {
            fail_msg("%s on %s: %d, not %d", cases[i].origin, cases[i].host, verdict, cases[i].verdict);
        }
    }
}

static void test_parse_refuses(void **state) {
    (void)state;
    static const char *const bad[] = {"",           "localhost",        "http:/x",         "http://:80",  "http://a:0",
                                      "http://a:b", "http://a:99999",   "http://a:80/b",   "http://a b",  "http://[::1",
                                      "http://[]",  "ftp://localhost/", "http://a:123456", "http://a?b=c"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bw_origin origin;
        if (bw_origin_parse(&origin, bad[i])) fail_msg("%s was taken for an origin", bad[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts), cmocka_unit_test(test_parse_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
