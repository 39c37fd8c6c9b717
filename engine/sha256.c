#include "engine/sha256.h"

#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }

/* One step of a block. Of the eight variables, only d and h change. Three rotations in one another cost less than three of
 * the same number, e.g. 6, 11 and 25 of e. The next step's b ^ c is this one's a ^ b. */
static inline void step(uint32_t a, uint32_t b, uint32_t *b_xor_c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                        uint32_t *h, uint32_t added) {
    uint32_t a_xor_b = a ^ b, majority = (a_xor_b & *b_xor_c) ^ b;
    uint32_t s1 = rotate(rotate(rotate(e, 14) ^ e, 5) ^ e, 6), choice = g ^ (e & (f ^ g));
    uint32_t s0 = rotate(rotate(rotate(a, 9) ^ a, 11) ^ a, 2);
    uint32_t t1 = *h + s1 + choice + added;
    *d += t1;
    *h = t1 + s0 + majority;
    *b_xor_c = a_xor_b;
}

static void compress(uint32_t h[8], const uint8_t *block) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(rotate(w[i - 15], 11) ^ w[i - 15], 7) ^ (w[i - 15] >> 3);
        uint32_t s1 = rotate(rotate(w[i - 2], 2) ^ w[i - 2], 17) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t v[8];
    memcpy(v, h, sizeof v);
    uint32_t b_xor_c = v[1] ^ v[2];
    /* Eight steps rotate the variables once around, so none has to be moved. */
    for (int i = 0; i < 64; i += 8) {
        step(v[0], v[1], &b_xor_c, &v[3], v[4], v[5], v[6], &v[7], K[i] + w[i]);
        step(v[7], v[0], &b_xor_c, &v[2], v[3], v[4], v[5], &v[6], K[i + 1] + w[i + 1]);
        step(v[6], v[7], &b_xor_c, &v[1], v[2], v[3], v[4], &v[5], K[i + 2] + w[i + 2]);
        step(v[5], v[6], &b_xor_c, &v[0], v[1], v[2], v[3], &v[4], K[i + 3] + w[i + 3]);
        step(v[4], v[5], &b_xor_c, &v[7], v[0], v[1], v[2], &v[3], K[i + 4] + w[i + 4]);
        step(v[3], v[4], &b_xor_c, &v[6], v[7], v[0], v[1], &v[2], K[i + 5] + w[i + 5]);
        step(v[2], v[3], &b_xor_c, &v[5], v[6], v[7], v[0], &v[1], K[i + 6] + w[i + 6]);
        step(v[1], v[2], &b_xor_c, &v[4], v[5], v[6], v[7], &v[0], K[i + 7] + w[i + 7]);
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

void bw_sha256_init(bw_sha256 *sha) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->h, start, sizeof start);
    sha->length = 0;
}

void bw_sha256_update(bw_sha256 *sha, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    size_t filled = (size_t)(sha->length % 64);
    sha->length += length;
    if (filled > 0) {
        size_t part = 64 - filled < length ? 64 - filled : length;
        memcpy(sha->block + filled, at, part);
        at += part, length -= part;
        if (filled + part < 64) return;
        compress(sha->h, sha->block);
    }
    for (; length >= 64; at += 64, length -= 64) compress(sha->h, at);
    if (length > 0) memcpy(sha->block, at, length);
}

void bw_sha256_final(bw_sha256 *sha, uint8_t digest[32]) {
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = sha->length * 8;
    uint8_t end[8];
    for (int i = 0; i < 8; i++) end[i] = (uint8_t)(bits >> (56 - 8 * i));
    bw_sha256_update(sha, padding, 1 + (size_t)((119 - sha->length % 64) % 64));
    bw_sha256_update(sha, end, sizeof end);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(sha->h[i / 4] >> (24 - 8 * (i % 4)));
}

void bw_sha256_of(const void *bytes, size_t length, uint8_t digest[32]) {
    bw_sha256 sha;
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, bytes, length);
    bw_sha256_final(&sha, digest);
}
