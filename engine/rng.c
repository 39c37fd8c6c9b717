#include "engine/rng.h"

static uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    *a += *b, *d = rotate(*d ^ *a, 16);
    *c += *d, *b = rotate(*b ^ *c, 12);
    *a += *b, *d = rotate(*d ^ *a, 8);
    *c += *d, *b = rotate(*b ^ *c, 7);
}

void bw_chacha_block(uint32_t out[16], const uint32_t key[8], uint64_t counter, uint64_t nonce, int rounds) {
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}; /* "expand 32-byte k" */
    uint32_t x[16];
    for (int i = 0; i < 8; i++) in[4 + i] = key[i];
    in[12] = (uint32_t)counter;
    in[13] = (uint32_t)(counter >> 32);
    in[14] = (uint32_t)nonce;
    in[15] = (uint32_t)(nonce >> 32);
    for (int i = 0; i < 16; i++) x[i] = in[i];
    for (int i = 0; i < rounds; i += 2) {
        quarter(&x[0], &x[4], &x[8], &x[12]);
        quarter(&x[1], &x[5], &x[9], &x[13]);
        quarter(&x[2], &x[6], &x[10], &x[14]);
        quarter(&x[3], &x[7], &x[11], &x[15]);
        quarter(&x[0], &x[5], &x[10], &x[15]);
        quarter(&x[1], &x[6], &x[11], &x[12]);
        quarter(&x[2], &x[7], &x[8], &x[13]);
        quarter(&x[3], &x[4], &x[9], &x[14]);
    }
    for (int i = 0; i < 16; i++) out[i] = x[i] + in[i];
}

void bw_rng_init(bw_rng *rng, const uint8_t seed[32]) {
    for (int i = 0; i < 8; i++) {
        const uint8_t *s = seed + 4 * i;
        rng->key[i] = (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
    }
    for (int i = 0; i < 16; i++) rng->words[i] = 0;
    rng->used = 0;
}

uint32_t bw_rng_next(bw_rng *rng) {
    uint64_t at = rng->used++;
    if (at % 16 == 0) bw_chacha_block(rng->words, rng->key, at / 16, 0, 8);
    return rng->words[at % 16];
}

uint32_t bw_rng_below(bw_rng *rng, uint32_t bound) {
    uint64_t product = (uint64_t)bw_rng_next(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (uint32_t)(0u - bound) % bound;
        while ((uint32_t)product < threshold) product = (uint64_t)bw_rng_next(rng) * bound;
    }
    return (uint32_t)(product >> 32);
}
