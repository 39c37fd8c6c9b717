/* One block of memory that is filled from below: what is kept, then what a single request needs. */
#ifndef BW_WASM_MEMORY_H
#define BW_WASM_MEMORY_H

#include <stddef.h>

/* Aligned to 64, zeroed; NULL where there is no more. Lives until the next memory_reset. */
void *memory_take(size_t bytes);
/* The same, as it is: for what is large and need not be zero. */
void *memory_take_raw(size_t bytes);
/* Everything taken so far stays over memory_reset; memory_forget drops that too. */
void memory_keep(void);
void memory_reset(void);
void memory_forget(void);

#endif
