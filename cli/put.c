#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The code point at `at` and its length; length 0: invalid UTF-8. */
static size_t decode(const unsigned char *at, size_t left, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t bytes = at[0] < 0x80 ? 1 : (at[0] >> 5) == 6 ? 2 : (at[0] >> 4) == 14 ? 3 : (at[0] >> 3) == 30 ? 4 : 0;
    if (!bytes || bytes > left) return 0;
    *point = bytes == 1 ? at[0] : at[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        *point = *point << 6 | (at[i] & 0x3fu);
    }
    return *point >= least[bytes] && *point <= 0x10ffff && !(*point >= 0xd800 && *point < 0xe000) ? bytes : 0;
}

/* Terminal control characters, characters that change the writing direction, and line separators. */
static bool commands(uint32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || (point >= 0x200e && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

void cli_put(FILE *to, const char *text, size_t length, bool lines) {
    const unsigned char *at = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        uint32_t point = at[i];
        size_t bytes = decode(at + i, length - i, &point);
        if (!bytes) point = at[i];
        if (bytes && (!commands(point) || (lines && point == '\n'))) fwrite(at + i, 1, bytes, to);
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
