/* malloc and friends for WebAssembly, where there is no C library. */
#ifndef BW_WASM_HEAP_H
#define BW_WASM_HEAP_H

#include <stddef.h>

/* Bytes in use. */
size_t heap_used(void);

#endif
