#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/addresses.h"
#include "tests/support/unit.h"

/* What proxies write for an address: with and without a port, brackets, quotes and blanks, alone and in a list. An
 * unreadable address must give nothing, never a part of it. */
TEST(test_what_counts) {
    static const char *const cases[][2] = {
        {"192.0.2.1", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"},
        {"2001:db8:1:2::", "2001:db8:1:2::"},
        {"::1", "::"},
        {"192.0.2.1:80", "192.0.2.1"},
        {"203.0.113.9:5123", "203.0.113.9"},
        {"\"203.0.113.9:5123\"", "203.0.113.9"},
        {"192.0.2.1:", ""},
        {"192.0.2.1:port", ""},
        {"192.0.2.1:123456", ""},
        {"192.0.2.1:80:80", ""},
        {"[2001:db8::1]", "2001:db8::"},
        {"[2001:db8::1]:443", "2001:db8::"},
        {" \t[2001:db8:1:2:3::1]:443 ", "2001:db8:1:2::"},
        {"[::ffff:192.0.2.1]:80", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"[2001:db8::1", ""},
        {"2001:db8::1]", ""},
        {"[2001:db8::1]443", ""},
        {"[2001:db8::1]:", ""},
        {"[192.0.2.1]:80", ""},
        {"[]:80", ""},
        {"[]", ""},
        {"[", ""},
        {":", ""},
        {":80", ""},
        {"198.51.100.7, 192.0.2.1", "192.0.2.1"},
        {"198.51.100.7,192.0.2.1:99", "192.0.2.1"},
        {"198.51.100.7, [2001:db8::1]:443", "2001:db8::"},
        {"192.0.2.1, ", ""},
        {"192.0.2.1,unknown", ""},
        {",", ""},
        {"192.0.2.1 198.51.100.7", ""},
        {"192.0.2.1\n", ""},
        {"unknown", ""},
        {"_hidden:80", ""},
        {"999.1.1.1", ""},
        {"192.0.2.1.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
        {"localhost", ""},
        {"", ""},
        {"1.2.3.4.5", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char counted[BW_ADDRESS_MAX];
        bw_address_forwarded(counted, cases[i][0]);
        assert_string_equal(counted, cases[i][1]);
        bw_address_count_as(counted, cases[i][0]); /* a peer's own address has nothing around it */
        if (strpbrk(cases[i][0], ", \t[]\"")) assert_string_equal(counted, "");
    }
}

TEST(test_counts) {
    bw_addresses addresses = {0};
    char text[BW_ADDRESS_MAX];
    assert_int_equal(bw_addresses_count(&addresses, "a"), 0);
    bw_addresses_remove(&addresses, "a");
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "10.0.%d.%d", i / 250, i % 250);
            assert_int_equal(bw_addresses_add(&addresses, text), round);
        }
    }
    assert_int_equal(addresses.count, 1000);
    for (int round = 3; round >= 1; round--) {
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "10.0.%d.%d", i / 250, i % 250);
            assert_int_equal(bw_addresses_count(&addresses, text), round);
            bw_addresses_remove(&addresses, text);
        }
    }
    assert_int_equal(addresses.count, 0); /* nothing is kept for closed sockets */
    bw_addresses_add(&addresses, "left");
    bw_addresses_clear(&addresses);
    assert_int_equal(bw_addresses_count(&addresses, "left"), 0);
}

/* Regression: an entry that a proxy writes in its own way counted as the proxy's own address. */
TEST(test_forwarded) {
    static const struct {
        const char *header, *counted;
    } cases[] = {
        {"203.0.113.9", "203.0.113.9"},
        {"203.0.113.9:5123", "203.0.113.9"},
        {"1.2.3.4, 203.0.113.9:5123", "203.0.113.9"},
        {"1.2.3.4,\t203.0.113.9 ", "203.0.113.9"},
        {"2001:db8::1", "2001:db8::"},
        {"[2001:db8::1]", "2001:db8::"},
        {"[2001:db8::1]:443", "2001:db8::"},
        {"1.2.3.4,[2001:db8::1]:443", "2001:db8::"},
        {"[::ffff:192.0.2.1]:80", "192.0.2.1"},
        {"", ""},
        {",", ""},
        {"unknown", ""},
        {"_hidden:80", ""},
        {"203.0.113.9, unknown", ""},
        {"[2001:db8::1", ""},
        {"[2001:db8::1]x", ""},
        {"[]:80", ""},
        {":", ""},
        {"203.0.113.9:5123:1", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char counted[BW_ADDRESS_MAX];
        bw_address_forwarded(counted, cases[i].header);
        assert_string_equal(counted, cases[i].counted);
    }
}

RUN_TESTS(NULL, NULL)
