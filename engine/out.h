/* A writer of text into caller-owned memory, for JSON and for sentences.
 *
 *   char memory[80];
 *   bw_out out = bw_out_to(memory, sizeof memory);
 *   bw_out_format(&out, "Round %d", 7);          // out.at holds out.length bytes, without a NUL
 *
 * What does not fit sets `overflow` and is dropped; nothing is written past the end. */
#ifndef BW_OUT_H
#define BW_OUT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bw_out {
    char *at;      /* the caller's memory */
    size_t length; /* bytes written; a NUL is not */
    size_t cap;
    bool overflow;
} bw_out;

bw_out bw_out_to(char *memory, size_t cap);

void bw_out_bytes(bw_out *out, const char *bytes, size_t length);
void bw_out_text(bw_out *out, const char *text); /* unescaped */
void bw_out_int(bw_out *out, int64_t value);
/* Quoted and escaped; invalid UTF-8 becomes U+FFFD. NULL is null. */
void bw_out_string(bw_out *out, const char *text);
/* Like printf, but only %s, %d, %u, %ld and %lld. A %s after a quotation mark is escaped as in a JSON string. */
void bw_out_format(bw_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline const char *bw_true(bool yes) { return yes ? "true" : "false"; }
void bw_out_hex(bw_out *out, const uint8_t *bytes, size_t length); /* only digits, no quotes */

#endif
