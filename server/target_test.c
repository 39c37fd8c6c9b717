/* Addresses: everything ambiguous is refused, raw and percent-encoded. Otherwise a proxy that blocks /metrics and
 * this server could see two different paths in the same request. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/target.h"
#include "tests/support/unit.h"

/* `authority|path|query`, or `-`. */
static void expect(const char *text, const char *expected) {
    char copy[300], got[400] = "-";
    bw_target target;
    snprintf(copy, sizeof copy, "%s", text);
    if (bw_target_read(&target, copy)) {
        snprintf(got, sizeof got, "%s|%s|%s", target.authority, target.path, target.query);
    }
    if (strcmp(got, expected) != 0) fail_msg("%s gives %s, not %s", text, got, expected);
}

TEST(test_targets) {
    expect("/", "|/|");
    expect("/?", "|/|");
    expect("/game/ABCD", "|/game/ABCD|");
    expect("/a%20b/c?x=%41&y", "|/a b/c|x=%41&y");
    expect("/a%C3%A9", "|/a\xc3\xa9|");
    expect("/play/flood_it?board=rgb%0D%0Agrb&fbclid=1", "|/play/flood_it|board=rgb%0D%0Agrb&fbclid=1");
    expect("/x?a=b?c/d:@!$'()*+,", "|/x|a=b?c/d:@!$'()*+,");
    expect("/.well-known/x..y/...", "|/.well-known/x..y/...|");
    expect("//metrics", "|//metrics|");
    expect("http://h", "h|/|");
    expect("HTTP://h:80/a?b", "h:80|/a|b");
    expect("https://[::1]:8000/", "[::1]:8000|/|");
    expect("http://h?q", "h|/|q");
    static const char *const wrong[] = {
        "",          "metrics",       "*",           "h:80",        "ftp://h/",   "http://",
        "http:///x", "http://a@h/",   "http://h:x/", "http://h;/",  "http:/x",    "/..",
        "/../x",     "/a/../metrics", "/a/..",       "/./metrics",  "/metrics/.", "/%2e%2e/x",
        "/a/%2E",    "/%2e./x",       "/%",          "/%4",         "/%zz",       "/%u0041",
        "/x?%",      "/x?a=%4",       "/x?a=%00",    "/x?a=%7f",    "/x?a=%1b",   "/x?a;b",
        "/x?a\"",    "/x?a<b",        "/x?a\\b",     "/x?a#b",      "/x?a{b}",    "/x?a|b",
        "/x?a^b",    "/x?a`b",        "/x?a[0]",     "/x?\xc3\xa9", "/x?a b",     "/x?a\tb"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) expect(wrong[i], "-");
}

/* After, inside and before the name of a sensitive address; raw and encoded. */
TEST(test_cuts) {
    static const char *const cuts[] = {";",   "%3b", "%3B", "&",    "%26",  "#",       "%23", "%3f",       "%3F",
                                       "\\",  "%5c", "%2f", "%25",  "%00",  "%0a",     "%0D", "%0d%0aX:y", "%09",
                                       "%7f", "%1f", "\"",  "<",    ">",    "^",       "`",   "{",         "|",
                                       "}",   "[",   "]",   "\x7f", "\x80", "\xc3\xa9"};
    static const char *const shapes[] = {"/metrics%s", "/metrics%sx", "/met%srics", "/%smetrics", "/ws/ABCD%sx"};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
            char text[80];
            const char *hole = strstr(shapes[k], "%s");
            snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - shapes[k]), shapes[k], cuts[i], hole + 2);
            expect(text, "-");
        }
    }
}

TEST(test_hosts) {
    static const char *const good[] = {
        "h", "localhost:8000", "a.b-c_d.example.", "127.0.0.1", "[::1]", "[2001:db8::1]:443", "h:", "h:0", "h:65535"};
    static const char *const wrong[] = {"",
                                        " ",
                                        "a b",
                                        "a,b",
                                        "a/b",
                                        "a@b",
                                        "a;b",
                                        "a:b",
                                        "a:1:2",
                                        "h:65536",
                                        "h:99999999999999999999",
                                        "h:-1",
                                        "h:+1",
                                        "[::1",
                                        "::1",
                                        "[x]",
                                        "[]",
                                        "[::1]x",
                                        "http://h",
                                        "a%00b",
                                        "a\\b",
                                        "\xc3\xa9",
                                        "a\tb",
                                        "[::1]:x"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) assert_true(bw_host_is_valid(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (bw_host_is_valid(wrong[i])) fail_msg("%s is a host", wrong[i]);
    }
}

TEST(test_values) {
    char value[8];
    assert_int_equal(bw_query_value("a=1&game=x%5fy&b", "game", value, sizeof value), BW_QUERY_VALUE);
    assert_string_equal(value, "x_y");
    assert_int_equal(bw_query_value("game=a&&game=b", "game", value, sizeof value), BW_QUERY_VALUE);
    assert_string_equal(value, "b");
    assert_int_equal(bw_query_value("game=", "game", value, sizeof value), BW_QUERY_VALUE);
    assert_string_equal(value, "");
    assert_int_equal(bw_query_value("game=a%26b", "game", value, sizeof value), BW_QUERY_VALUE);
    assert_string_equal(value, "a&b");
    assert_int_equal(bw_query_value("", "game", value, sizeof value), BW_QUERY_NONE);
    assert_int_equal(bw_query_value("mygame=1&game", "game", value, sizeof value), BW_QUERY_NONE);
    assert_int_equal(bw_query_value("game=12345678", "game", value, sizeof value), BW_QUERY_BROKEN);
    assert_int_equal(bw_query_value("game=a%0Ab", "game", value, sizeof value), BW_QUERY_BROKEN);
    assert_int_equal(bw_query_value("game=%4", "game", value, sizeof value), BW_QUERY_BROKEN);
}

RUN_TESTS(NULL, NULL)
