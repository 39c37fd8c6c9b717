/* A random generator for games, which cannot be predicted, and a fast one for everything else.
 *
 * bw_rng is part of a game's state: the ChaCha8 key stream (Bernstein 2008, "ChaCha, a variant of Salsa20") of a
 * 256-bit seed, so past rolls never give away future ones. bw_fast is for bots, playouts and tests (Steele, Lea,
 * Flood 2014, splitmix64): fast, but predictable. */
#ifndef BW_RNG_H
#define BW_RNG_H

#include <stdint.h>

typedef struct bw_rng {
    uint32_t key[8];
    uint32_t words[16]; /* the current block */
    uint64_t used;      /* words drawn so far, in all blocks */
} bw_rng;

void bw_rng_init(bw_rng *rng, const uint8_t seed[32]);
uint32_t bw_rng_next(bw_rng *rng);
/* 0 .. bound - 1, all equally likely; bound >= 1 (Lemire 2019, with rejection). */
uint32_t bw_rng_below(bw_rng *rng, uint32_t bound);
/* A block of the key stream (for tests against published vectors, and tokens): rounds is 8 or 20. */
void bw_chacha_block(uint32_t out[16], const uint32_t key[8], uint64_t counter, uint64_t nonce, int rounds);

typedef struct bw_fast {
    uint64_t state;
} bw_fast;

static inline uint64_t bw_fast_next(bw_fast *fast) {
    uint64_t z = (fast->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 .. bound - 1, nearly uniform, good enough for playouts; bound >= 1. */
static inline uint32_t bw_fast_below(bw_fast *fast, uint32_t bound) {
    return (uint32_t)(((bw_fast_next(fast) >> 32) * bound) >> 32);
}

#endif
