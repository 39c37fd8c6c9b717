/* The four functions that compilers call behind one's back, and two that players call. Built with -fno-builtin, so that none of them
 * is compiled into a call of itself. */
#include <string.h>

typedef unsigned long long __attribute__((aligned(1), may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (; bytes >= sizeof(word); bytes -= sizeof(word), t += sizeof(word), f += sizeof(word))
        *(word *)t = *(const word *)f;
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
    for (; bytes--; x++, y++)
        if (*x != *y) return *x < *y ? -1 : 1;
    return 0;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

char *strchr(const char *text, int letter) {
    for (; *text != (char)letter; text++)
        if (!*text) return 0;
    return (char *)text;
}
