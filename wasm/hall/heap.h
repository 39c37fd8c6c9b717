/* malloc and its like in WebAssembly, where there is no C library. */
#ifndef BW_WASM_HEAP_H
#define BW_WASM_HEAP_H

#include <stddef.h>

/* Bytes that are handed out now. */
size_t heap_used(void);

#endif
