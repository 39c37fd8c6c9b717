#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {"error", "warn", "info", "debug"};

void bw_log_write(const bw_log *log, bw_log_level level, const char *event, const char *format, ...) {
    if (!bw_log_wants(log, level)) return;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct tm utc;
    gmtime_r(&now.tv_sec, &utc);

    char line[1024];
    size_t length = strftime(line, sizeof line, "time=%Y-%m-%dT%H:%M:%S", &utc);
    length += (size_t)snprintf(line + length, sizeof line - length, ".%03dZ level=%s event=%s ",
                               (int)(now.tv_nsec / 1000000), level_names[level], event);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    if (more > 0) length += (size_t)more;
    else length--; /* no pairs: drops the blank */
    if (length > sizeof line - 1) length = sizeof line - 1;
    line[length++] = '\n';
    ssize_t written = write(log->fd, line, length);
    (void)written; /* the server goes on even if the log cannot be written */
}

const char *bw_log_quoted(char *memory, size_t cap, const char *text) {
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    if (cap < 8) {
        if (cap) memory[0] = '\0';
        return memory;
    }
    memory[length++] = '"';
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (length + 6 > cap) break;
        if (c == '"' || c == '\\') {
            memory[length++] = '\\';
            memory[length++] = (char)c;
        } else if (c < 0x20 || c >= 0x7f) {
            memory[length++] = '\\';
            memory[length++] = 'x';
            memory[length++] = digits[c >> 4];
            memory[length++] = digits[c & 15];
        } else {
            memory[length++] = (char)c;
        }
    }
    memory[length++] = '"';
    memory[length] = '\0';
    return memory;
}
