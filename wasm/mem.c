/* What rules and bots use of the C library. Built with -fno-builtin, so that none of it is compiled into a
 * call of itself; what is not used is not linked. */
#include <string.h>

typedef unsigned long long __attribute__((aligned(1), may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; bytes >= sizeof(word); bytes -= sizeof(word), t += sizeof(word), f += sizeof(word)) {
        *(word *)t = *(const word *)f;
    }
    while (bytes--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f || t >= f + bytes) {
        /* Forwards, byte by byte where they overlap within a word. */
        if (t + sizeof(word) <= f || t >= f + bytes) return memcpy(to, from, bytes);
        while (bytes--) *t++ = *f++;
        return to;
    }
    while (bytes--) t[bytes] = f[bytes];
    return to;
}

void *memset(void *to, int byte, size_t bytes) {
    unsigned char *t = to;
    word all = 0x0101010101010101u * (unsigned char)byte;
    for (; bytes >= sizeof(word); bytes -= sizeof(word), t += sizeof(word)) *(word *)t = all;
    while (bytes--) *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *x = a, *y = b;
    for (; bytes--; x++, y++) {
        if (*x != *y) return *x < *y ? -1 : 1;
    }
    return 0;
}

void *memchr(const void *at, int byte, size_t bytes) {
    for (const unsigned char *x = at; bytes--; x++) {
        if (*x == (unsigned char)byte) return (void *)(size_t)x;
    }
    return NULL;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

char *strchr(const char *text, int byte) {
    for (;; text++) {
        if (*text == (char)byte) return (char *)(size_t)text;
        if (!*text) return NULL;
    }
}

int strncmp(const char *a, const char *b, size_t bytes) {
    for (; bytes--; a++, b++) {
        if (*a != *b || !*a) return *(const unsigned char *)a - *(const unsigned char *)b;
    }
    return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, (size_t)-1); }

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; *text || !length; text++) {
        if (strncmp(text, part, length) == 0) return (char *)(size_t)text;
    }
    return NULL;
}
