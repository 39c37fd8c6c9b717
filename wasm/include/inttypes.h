/* For the browser's build, which has no C library. */
#ifndef BW_WASM_INTTYPES_H
#define BW_WASM_INTTYPES_H

#include <stdint.h>

#define PRId64 "lld"

#endif
