#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/rng.h"
#include "tests/support/unit.h"

static void to_bytes(const uint32_t words[16], uint8_t bytes[64]) {
    for (int i = 0; i < 64; i++) bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

/* RFC 8439, 2.3.2: key 00 01 .. 1f; counter 1 and nonce 00:00:00:09:00:00:00:4a:00:00:00:00. With the original
 * layout of a 64-bit counter and a 64-bit nonce that is counter 0x0900000000000001, nonce 0x4a000000. */
TEST(chacha20_gives_the_published_block) {
    /* Four rows of sixteen bytes, as published. */
    /* clang-format off */
    static const uint8_t expected[64] = {
        0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4,
        0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e,
        0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2,
        0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e};
    /* clang-format on */
    uint32_t key[8], words[16];
    uint8_t bytes[64];
    for (uint32_t i = 0; i < 8; i++) {
        key[i] = (4 * i) | (4 * i + 1) << 8 | (4 * i + 2) << 16 | (4 * i + 3) << 24;
    }
    bw_chacha_block(words, key, 0x0900000000000001u, 0x4a000000u, 20);
    to_bytes(words, bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
}

/* draft-strombergson-chacha-test-vectors-01, TC1: all-zero key and nonce, 8 rounds, block 0. */
TEST(chacha8_gives_the_published_block) {
    /* Four rows of sixteen bytes, as published. */
    /* clang-format off */
    static const uint8_t expected[64] = {
        0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1,
        0x2c, 0x84, 0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b, 0xe1, 0x88, 0xef, 0x71, 0x1a, 0x1e,
        0x98, 0x4c, 0xe1, 0x72, 0xb9, 0x21, 0x6f, 0x41, 0x9f, 0x44, 0x53, 0x67, 0x45, 0x6d, 0x56, 0x19,
        0x31, 0x4a, 0x42, 0xa3, 0xda, 0x86, 0xb0, 0x01, 0x38, 0x7b, 0xfd, 0xb8, 0x0e, 0x0c, 0xfe, 0x42};
    /* clang-format on */
    static const uint8_t seed[32];
    bw_rng rng;
    uint32_t words[16];
    uint8_t bytes[64];
    bw_rng_init(&rng, seed);
    for (int i = 0; i < 16; i++) words[i] = bw_rng_next(&rng);
    to_bytes(words, bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
}

TEST(below_is_uniform) {
    static const uint8_t seed[32] = {7};
    enum { SIDES = 6, ROLLS = 600000 };
    uint32_t counts[SIDES] = {0};
    bw_rng rng;
    double chi = 0;
    bw_rng_init(&rng, seed);
    for (int i = 0; i < ROLLS; i++) counts[bw_rng_below(&rng, SIDES)]++;
    for (int i = 0; i < SIDES; i++) {
        double off = (double)counts[i] - (double)ROLLS / SIDES;
        chi += off * off / ((double)ROLLS / SIDES);
    }
    assert_true(chi < 20.5); /* 5 degrees of freedom, p = 0.001 */
    assert_int_equal(bw_rng_below(&rng, 1), 0);
}

TEST(fast_is_the_published_splitmix64) {
    bw_fast fast = {1234567};
    assert_true(bw_fast_next(&fast) == 6457827717110365317u);
    assert_true(bw_fast_next(&fast) == 3203168211198807973u);
}

RUN_TESTS(NULL, NULL)
