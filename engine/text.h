/* Small text helpers for layers that may not call the C library. */
#ifndef BW_TEXT_H
#define BW_TEXT_H

#include "engine/json.h"

bool bw_same(const char *a, const char *b);

/* Bytes of the well-formed UTF-8 sequence at `at`, or 0 (RFC 3629, table of well-formed byte sequences). At most `left`
 * bytes are read, and none past the first wrong one. */
int bw_utf8_length(const char *at, size_t left);

/* A number's digits, for a sentence: `bw_digits_of(7).text`. */
typedef struct bw_digits {
    char text[24];
} bw_digits;

static inline bw_digits bw_digits_of(int64_t value) {
    bw_digits digits = {{0}};
    bw_out out = bw_out_to(digits.text, sizeof digits.text - 1);
    bw_out_int(&out, value);
    return digits;
}

#endif
