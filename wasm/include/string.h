/* All of the C library that rules and bots use; wasm/mem.c holds it. */
#ifndef BW_WASM_STRING_H
#define BW_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *at, int byte, size_t bytes);
size_t strlen(const char *text);
char *strchr(const char *text, int byte);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t bytes);
char *strstr(const char *text, const char *part);

#endif
