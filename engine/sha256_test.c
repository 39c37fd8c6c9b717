#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <openssl/sha.h>

#include "engine/rng.h"
#include "engine/sha256.h"
#include "tests/support/unit.h"

/* FIPS 180-4, example "abc". */
TEST(abc) {
    static const uint8_t expected[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                         0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                         0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    uint8_t digest[32];
    bw_sha256_of("abc", 3, digest);
    assert_memory_equal(digest, expected, 32);
}

/* Compares with libcrypto: every length around the block size, in pieces of every size. */
TEST(agrees_with_libcrypto) {
    uint8_t bytes[300], digest[32], expected[32];
    bw_fast fast = {1};
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)bw_fast_next(&fast);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        bw_sha256 sha;
        bw_sha256_init(&sha);
        size_t piece = 1 + length % 77;
        for (size_t at = 0; at < length; at += piece) {
            bw_sha256_update(&sha, bytes + at, length - at < piece ? length - at : piece);
        }
        bw_sha256_final(&sha, digest);
        SHA256(bytes, length, expected);
        assert_memory_equal(digest, expected, 32);
    }
}

RUN_TESTS(NULL, NULL)
