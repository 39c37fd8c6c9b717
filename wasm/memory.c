#include "wasm/memory.h"

#include <string.h>

enum { PAGE = 65536, ALIGN = 64 };
#define LIMIT ((size_t)1 << 30)

#ifdef __wasm__
extern unsigned char __heap_base;
static unsigned char *base(void) { return &__heap_base; }
static size_t have(void) { return (size_t)__builtin_wasm_memory_size(0) * PAGE - (size_t)&__heap_base; }
static int grow(size_t bytes) {
    size_t pages = (bytes - have() + PAGE - 1) / PAGE;
    return __builtin_wasm_memory_grow(0, pages) != (size_t)-1;
}
#else
/* Natively (tests): one reservation, touched as it is used. */
#include <sys/mman.h>
static unsigned char *reserved;
static unsigned char *base(void) {
    if (!reserved) {
        void *at = mmap(NULL, LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at != MAP_FAILED) reserved = at;
    }
    return reserved;
}
static size_t have(void) { return base() ? LIMIT : 0; }
static int grow(size_t bytes) { return bytes <= have(); }
#endif

static size_t used, kept;

static size_t start(void) {
    size_t odd = (size_t)base() % ALIGN;
    return odd ? ALIGN - odd : 0;
}

void *memory_take_raw(size_t bytes) {
    if (used == 0) used = start();
    size_t end = used + (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > LIMIT || end > LIMIT) return NULL;
    if (end > have() && !grow(end)) return NULL;
    unsigned char *at = base() + used;
    used = end;
    return at;
}

void *memory_take(size_t bytes) {
    void *at = memory_take_raw(bytes);
    if (at) memset(at, 0, bytes);
    return at;
}

void memory_keep(void) { kept = used; }
void memory_reset(void) { used = kept; }
void memory_forget(void) { used = kept = 0; }
