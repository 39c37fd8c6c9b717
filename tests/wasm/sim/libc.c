/* The parts of the C library that tests/sim uses, for the browser's build, which has none. The caller provides
 * output and the time that a run takes. Formats that are not used here trap. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__attribute__((import_module("sim"), import_name("put"))) extern void put(const char *text, size_t length);
__attribute__((import_module("sim"), import_name("seconds"))) extern double seconds_now(void);
int main(int count, char **words);

typedef struct text {
    char *at;
    size_t cap, length; /* the length that it would have */
} text;

static void add(text *out, char c) {
    if (out->length + 1 < out->cap) out->at[out->length] = c;
    out->length++;
}

static void padded(text *out, const char *from, size_t length, int width, int left, char fill) {
    for (int i = (int)length; !left && i < width; i++) add(out, fill);
    for (size_t i = 0; i < length; i++) add(out, from[i]);
    for (int i = (int)length; left && i < width; i++) add(out, ' ');
}

static size_t digits_of(char *end, unsigned long long value, unsigned base) {
    size_t count = 0;
    do {
        *--end = "0123456789abcdef"[value % base];
        count++;
    } while (value /= base);
    return count;
}

static void number(text *out, unsigned long long value, int negative, unsigned base, int width, int left, char fill) {
    char memory[32], *end = memory + sizeof memory;
    size_t count = digits_of(end, value, base);
    if (negative) end[-(int)++count] = '-';
    padded(out, end - count, count, width, left, fill);
}

static void fraction(text *out, double value, int places) {
    double scale = 1;
    for (int i = 0; i < places; i++) scale *= 10;
    unsigned long long whole = (unsigned long long)(value * scale + 0.5);
    number(out, whole / (unsigned long long)scale, 0, 10, 0, 0, ' ');
    if (places > 0) {
        add(out, '.');
        number(out, whole % (unsigned long long)scale, 0, 10, places, 0, '0');
    }
}

int vsnprintf(char *to, size_t cap, const char *format, va_list list) {
    text out = {to, cap, 0};
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            add(&out, *at);
            continue;
        }
        int left = 0, width = 0, precision = -1, longs = 0;
        char fill = ' ';
        for (at++; *at == '-' || *at == '0'; at++) *at == '-' ? (left = 1) : (fill = '0');
        for (; *at >= '0' && *at <= '9'; at++) width = 10 * width + *at - '0';
        if (*at == '.') {
            precision = 0;
            if (at[1] == '*') precision = va_arg(list, int), at++;
            for (at++; *at >= '0' && *at <= '9'; at++) precision = 10 * precision + *at - '0';
        }
        for (; *at == 'l' || *at == 'z'; at++) longs += *at == 'l';
        switch (*at) {
        case 's': {
            const char *from = va_arg(list, const char *);
            size_t length = 0;
            while ((precision < 0 || length < (size_t)precision) && from[length]) length++;
            padded(&out, from, length, width, left, ' ');
            break;
        }
        case 'd': {
            long long value = longs > 1 ? va_arg(list, long long) : va_arg(list, int);
            number(&out, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, value < 0, 10, width,
                   left, fill);
            break;
        }
        case 'u':
        case 'x': {
            unsigned long long value = longs > 1 ? va_arg(list, unsigned long long) : va_arg(list, unsigned);
            number(&out, value, 0, *at == 'x' ? 16 : 10, width, left, fill);
            break;
        }
        case 'c': add(&out, (char)va_arg(list, int)); break;
        case 'f': fraction(&out, va_arg(list, double), precision < 0 ? 6 : precision); break;
        case '%': add(&out, '%'); break;
        default: __builtin_trap();
        }
    }
    if (cap > 0) to[out.length < cap ? out.length : cap - 1] = 0;
    return (int)out.length;
}

int snprintf(char *to, size_t cap, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, cap, format, list);
    va_end(list);
    return length;
}

static int print(const char *format, va_list list) {
    static char line[1 << 14];
    int length = vsnprintf(line, sizeof line, format, list);
    put(line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    return length;
}

int printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print(format, list);
    va_end(list);
    return length;
}

int fprintf(FILE *to, const char *format, ...) {
    va_list list;
    (void)to;
    va_start(list, format);
    int length = print(format, list);
    va_end(list);
    return length;
}

int fputs(const char *text, FILE *to) {
    (void)to;
    put(text, strlen(text));
    return 0;
}

int fflush(FILE *to) {
    (void)to;
    return 0;
}

static int digit_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

unsigned long long strtoull(const char *text, char **end, int base) {
    unsigned long long value = 0;
    while (*text == ' ') text++;
    for (; digit_of(*text) < base; text++) value = value * (unsigned)base + (unsigned)digit_of(*text);
    if (end) *end = (char *)(uintptr_t)text;
    return value;
}

long strtol(const char *text, char **end, int base) { return (long)strtoull(text, end, base); }
double strtod(const char *text, char **end) { return (double)strtoull(text, end, 10); }

/* The two supported formats: "%2x" and "%20[a-z]". */
int sscanf(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int found = 0;
    if (strcmp(format, "%2x") == 0) {
        unsigned *value = va_arg(list, unsigned *);
        for (*value = 0; found < 2 && digit_of(text[found]) < 16; found++) {
            *value = *value * 16 + (unsigned)digit_of(text[found]);
        }
    } else if (strcmp(format, "%20[a-z]") == 0) {
        char *to = va_arg(list, char *);
        for (; found < 20 && text[found] >= 'a' && text[found] <= 'z'; found++) to[found] = text[found];
        to[found] = 0;
    } else {
        __builtin_trap();
    }
    va_end(list);
    return found > 0;
}

int clock_gettime(int clock, struct timespec *now) {
    (void)clock;
    double time = seconds_now();
    now->tv_sec = (long long)time;
    now->tv_nsec = (long)((time - (double)now->tv_sec) * 1e9);
    return 0;
}

/* ---- called from outside: NUL-terminated words at bw_sim_room, then bw_sim_main(count) ---- */

enum { WORDS = 32, ROOM = 1024 };
static char room[ROOM];

char *bw_sim_room(void);
char *bw_sim_room(void) { return room; }

int bw_sim_main(int count);
int bw_sim_main(int count) {
    char *words[WORDS + 1] = {NULL}, *at = room;
    for (int i = 0; i < count && i < WORDS; i++) {
        words[i] = at;
        at += strlen(at) + 1;
    }
    return main(count, words);
}
