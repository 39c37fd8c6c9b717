/* For the hall; wasm/hall/heap.c holds it. */
#ifndef BW_WASM_STDLIB_H
#define BW_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *at, size_t bytes);
void free(void *at);
/* Its caller learns by a trap; there is nobody else to tell. */
#define abort() __builtin_trap()

#endif
