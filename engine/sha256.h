/* SHA-256 (FIPS 180-4): the commitment to a seed, the chain of a game file, the key of a token. It is our own because
 * the browser checks game files with the same code, and has no digest on plain-http pages. Tested against published
 * vectors and libcrypto. */
#ifndef BW_SHA256_H
#define BW_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct bw_sha256 {
    uint32_t h[8];
    uint64_t length;
    uint8_t block[64];
} bw_sha256;

void bw_sha256_init(bw_sha256 *sha);
void bw_sha256_update(bw_sha256 *sha, const void *bytes, size_t length);
void bw_sha256_final(bw_sha256 *sha, uint8_t digest[32]);
void bw_sha256_of(const void *bytes, size_t length, uint8_t digest[32]);

#endif
