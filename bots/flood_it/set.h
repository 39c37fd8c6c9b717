/* Bit sets of components, FLOOD_WORDS words wide, in the widest vectors that the translation unit is compiled for
 * (AVX2, WebAssembly SIMD128, or the compiler's own choice). */
#ifndef BW_FLOOD_IT_SET_H
#define BW_FLOOD_IT_SET_H

#include "internal.h"

#if defined(__AVX2__)
#define FLOOD_VECTOR 32
#else
#define FLOOD_VECTOR 16
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif
#endif

enum { FLOOD_LANES = FLOOD_WORDS * 8 / FLOOD_VECTOR };

typedef uint64_t vec __attribute__((vector_size(FLOOD_VECTOR)));
typedef union {
    vec v[FLOOD_LANES];
    uint64_t w[FLOOD_WORDS];
} set;

#define FLOOD_INLINE static inline __attribute__((always_inline))
#define FOR_LANES for (int lane = 0; lane < FLOOD_LANES; lane++)

FLOOD_INLINE bool vec_any(vec x) {
#if FLOOD_VECTOR == 32
    typedef long long longs __attribute__((vector_size(32)));
    return !__builtin_ia32_ptestz256((longs)x, (longs)x); /* without immintrin.h, a fifth of the compile time */
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)x);
#else
    return (x[0] | x[1]) != 0;
#endif
}

FLOOD_INLINE set set_none(void) {
    set r;
    FOR_LANES { r.v[lane] = (vec){0}; }
    return r;
}

FLOOD_INLINE set set_or(set a, set b) {
    FOR_LANES { a.v[lane] |= b.v[lane]; }
    return a;
}

/* In place: passing wide sets by value would copy them, which costs more than the operation. */
FLOOD_INLINE void set_join(set *a, const set *b) {
    FOR_LANES { a->v[lane] |= b->v[lane]; }
}

FLOOD_INLINE set set_and(set a, set b) {
    FOR_LANES { a.v[lane] &= b.v[lane]; }
    return a;
}

FLOOD_INLINE set set_minus(set a, set b) {
    FOR_LANES { a.v[lane] &= ~b.v[lane]; }
    return a;
}

FLOOD_INLINE bool set_any(set a) {
    vec x = a.v[0];
    for (int lane = 1; lane < FLOOD_LANES; lane++) x |= a.v[lane];
    return vec_any(x);
}

FLOOD_INLINE bool set_meets(set a, set b) { return set_any(set_and(a, b)); }

FLOOD_INLINE void set_add(set *a, unsigned bit) { a->w[bit >> 6] |= (uint64_t)1 << (bit & 63); }

FLOOD_INLINE bool set_has(const set *a, unsigned bit) { return (a->w[bit >> 6] >> (bit & 63)) & 1; }

FLOOD_INLINE unsigned set_count(const set *a, unsigned words) {
    unsigned count = 0;
    for (unsigned i = 0; i < words; i++) count += (unsigned)__builtin_popcountll(a->w[i]);
    return count;
}

/* Runs the statement for every bit of the set: FOR_BITS(i, &s, words) { ... } */
#define FOR_BITS(bit, set_, words_)                                                                      \
    for (unsigned word_##bit = 0, bit = 0; word_##bit < (words_); word_##bit++)                          \
        for (uint64_t rest_##bit = (set_)->w[word_##bit];                                                \
             rest_##bit != 0 && (bit = (word_##bit << 6) + (unsigned)__builtin_ctzll(rest_##bit), true); \
             rest_##bit &= rest_##bit - 1)

#endif
