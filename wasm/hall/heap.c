/* Blocks of a few sizes: four for each power of two, so at most a fifth is wasted. A freed block goes to the list of
 * its size. The hall asks for the same sizes again and again, so blocks are never merged or split. */
#include "wasm/hall/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 16, SIZES = 4 * 27, PAGE = 65536 };

typedef struct block {
    uint32_t size;  /* the size class */
    uint32_t fresh; /* zero since it was allocated */
    struct block *next;
} block;

extern unsigned char __heap_base;
static uintptr_t top;
static block *waiting[SIZES];
static size_t used;

/* 32, 40, 48, 56, 64, 80, ... */
static size_t bytes_of(uint32_t size) { return (size_t)(4 + size % 4) << (size / 4 + 3); }

static uint32_t size_for(size_t bytes) {
    uint32_t size = 0;
    if (bytes > 32) {
        uint32_t power = 31 - (uint32_t)__builtin_clz((uint32_t)bytes - 1);
        size = (power - 5) * 4;
        while (bytes_of(size) < bytes) size++;
    }
    return size;
}

static block *more(uint32_t size) {
    if (top == 0) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    size_t have = (size_t)__builtin_wasm_memory_size(0) * PAGE, bytes = bytes_of(size);
    if (have - top < bytes) {
        size_t pages = (bytes - (have - top) + PAGE - 1) / PAGE, least = have / PAGE / 8;
        if (__builtin_wasm_memory_grow(0, pages > least ? pages : least) == (size_t)-1 &&
            __builtin_wasm_memory_grow(0, pages) == (size_t)-1)
            return NULL;
    }
    block *b = (block *)top;
    top += bytes;
    b->size = size;
    b->fresh = 1;
    return b;
}

static block *take(size_t bytes) {
    if (bytes > (size_t)1 << 29) return NULL;
    uint32_t size = size_for(bytes + HEADER);
    block *b = waiting[size];
    if (b) waiting[size] = b->next;
    else if (!(b = more(size))) return NULL;
    used += bytes_of(size);
    return b;
}

void *malloc(size_t bytes) {
    block *b = take(bytes);
    return b ? (unsigned char *)b + HEADER : NULL;
}

void *calloc(size_t count, size_t bytes) {
    if (bytes > 0 && count > ((size_t)1 << 29) / bytes) return NULL;
    block *b = take(count * bytes);
    if (!b) return NULL;
    if (!b->fresh) memset((unsigned char *)b + HEADER, 0, count * bytes);
    return (unsigned char *)b + HEADER;
}

void free(void *at) {
    if (!at) return;
    block *b = (block *)((unsigned char *)at - HEADER);
    used -= bytes_of(b->size);
    b->fresh = 0;
    b->next = waiting[b->size];
    waiting[b->size] = b;
}

void *realloc(void *at, size_t bytes) {
    if (!at) return malloc(bytes);
    const block *b = (const block *)((unsigned char *)at - HEADER);
    size_t have = bytes_of(b->size) - HEADER;
    if (bytes <= have) return at;
    void *larger = malloc(bytes);
    if (!larger) return NULL;
    memcpy(larger, at, have);
    free(at);
    return larger;
}

size_t heap_used(void) { return used; }
