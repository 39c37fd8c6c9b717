#include "cli/cli.h"
#include "engine/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The code point at `at` and its length; length 0: invalid UTF-8. */
static size_t decode(const char *at, size_t left, uint32_t *point) {
    size_t bytes = (size_t)bw_utf8_length(at, left);
    *point = bytes < 2 ? (unsigned char)*at : (unsigned char)*at & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) *point = *point << 6 | ((unsigned char)at[i] & 0x3fu);
    return bytes;
}

/* Terminal control characters, characters that change the writing direction, and line separators. */
static bool commands(uint32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || (point >= 0x200e && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

void cli_put(FILE *to, const char *text, size_t length, bool lines) {
    for (size_t i = 0; i < length;) {
        uint32_t point;
        size_t bytes = decode(text + i, length - i, &point);
        if (bytes && (!commands(point) || (lines && point == '\n'))) fwrite(text + i, 1, bytes, to);
        else fprintf(to, "\\u%04x", (unsigned)point);
        i += bytes ? bytes : 1;
    }
}

void cli_print(FILE *to, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t bytes = length > 0 ? (size_t)length : 0;
    char *text = cli_memory(bytes + 1);
    vsnprintf(text, bytes + 1, format, again);
    va_end(again);
    cli_put(to, text, bytes, true);
    free(text);
}
