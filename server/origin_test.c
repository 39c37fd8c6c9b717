#include <stddef.h>
#include <stdint.h>

#include "server/origin.h"
#include "tests/support/unit.h"

#define FRONTEND "http://localhost:5173"

TEST(test_verdicts) {
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
        bw_origin_verdict verdict = bw_origin_judge(cases[i].origin, cases[i].host, FRONTEND, "");
        if (verdict != cases[i].verdict) {
            fail_msg("%s on %s: %d, not %d", cases[i].origin, cases[i].host, verdict, cases[i].verdict);
        }
    }
}

#define PUBLIC "https://games.example.org, http://games.example.org:8080 https://[2001:db8::1]"

/* Behind a proxy that passes a Host of its own, the public addresses are still the server's: each with its scheme
 * and port, but nothing that only resembles them. */
TEST(test_public) {
    static const struct {
        const char *origin;
        bw_origin_verdict verdict;
    } cases[] = {
        {"https://games.example.org", BW_ORIGIN_SAME},
        {"https://GAMES.example.org:443", BW_ORIGIN_SAME},
        {"http://games.example.org:8080", BW_ORIGIN_SAME},
        {"https://[2001:db8::1]", BW_ORIGIN_SAME},
        {"http://localhost:5173", BW_ORIGIN_FRONTEND},
        {"http://games.example.org", BW_ORIGIN_FOREIGN},
        {"https://games.example.org:8080", BW_ORIGIN_FOREIGN},
        {"https://example.org", BW_ORIGIN_FOREIGN},
        {"https://x.games.example.org", BW_ORIGIN_FOREIGN},
        {"https://games.example.org.evil.example", BW_ORIGIN_FOREIGN},
        {"null", BW_ORIGIN_FOREIGN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(bw_origin_judge(cases[i].origin, "127.0.0.1:8000", FRONTEND, PUBLIC), cases[i].verdict);
        if (cases[i].verdict != BW_ORIGIN_FRONTEND) { /* `*` only concerns names */
            assert_int_equal(bw_origin_judge(cases[i].origin, "127.0.0.1:8000", FRONTEND, "*"), BW_ORIGIN_FOREIGN);
        }
    }
    static const char *const right[] = {"", "*", "http://a", " https://a , http://b:80/ ", PUBLIC};
    static const char *const wrong[] = {"a",          "games.example.org", "* http://a", "http://a;http://b",
                                        "http://a/b", "http://a,b"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) assert_true(bw_origins_are_right(right[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) assert_false(bw_origins_are_right(wrong[i]));
}

/* DNS rebinding: a name that somebody else may own points here. This includes names that only resemble an address or
 * localhost. */
TEST(test_hosts) {
    static const char *const ours[] = {"",
                                       "localhost",
                                       "LocalHost:8000",
                                       "localhost.",
                                       "127.0.0.1:8000",
                                       "192.168.1.7",
                                       "[::1]:8000",
                                       "[2001:db8::7]",
                                       "box:8000",
                                       "box.local",
                                       "a.localhost:8000",
                                       "games.example.org",
                                       "GAMES.example.org.:9",
                                       "pages.example.net:5173"};
    static const char *const foreign[] = {"evil.example",
                                          "evil.example:8000",
                                          "localhost.evil.example",
                                          "127.0.0.1.nip.io",
                                          "1.2.3",
                                          "1.2.3.4.5",
                                          "999.0.0.1",
                                          "0x7f.1",
                                          ".local",
                                          ".localhost",
                                          "evil.notlocal",
                                          "x.games.example.org",
                                          "example.org",
                                          "games.example.org.evil.example",
                                          "localhost:port",
                                          "localhost:8000:8000",
                                          "localhost/",
                                          "localhost, evil.example",
                                          "user@localhost",
                                          "[::1",
                                          "[]",
                                          ":8000",
                                          " "};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (!bw_host_is_ours(ours[i], "http://pages.example.net", PUBLIC)) fail_msg("%s was refused", ours[i]);
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (bw_host_is_ours(foreign[i], "http://pages.example.net", PUBLIC)) fail_msg("%s was taken", foreign[i]);
        assert_true(bw_host_is_ours(foreign[i], FRONTEND, "*"));
    }
    assert_false(bw_host_is_ours("games.example.org", FRONTEND, ""));
}

TEST(test_parse_refuses) {
    static const char *const bad[] = {"",           "localhost",        "http:/x",         "http://:80",  "http://a:0",
                                      "http://a:b", "http://a:99999",   "http://a:80/b",   "http://a b",  "http://[::1",
                                      "http://[]",  "ftp://localhost/", "http://a:123456", "http://a?b=c"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bw_origin origin;
        if (bw_origin_parse(&origin, bad[i])) fail_msg("%s was taken for an origin", bad[i]);
    }
}

RUN_TESTS(NULL, NULL)
