/* For the simulated universe in the browser's build; libc.c and wasm/hall/heap.c implement it. */
#ifndef BW_SIM_STDLIB_H
#define BW_SIM_STDLIB_H

#include <stddef.h>

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *at, size_t bytes);
void free(void *at);
unsigned long long strtoull(const char *text, char **end, int base);
long strtol(const char *text, char **end, int base);
double strtod(const char *text, char **end);
#define abort() __builtin_trap()
#define exit(status) __builtin_trap()

#endif
