/* The server's log: one line per event on stderr, `key=value`, for people and for grep.
 *
 *   time=2026-01-31T12:00:00.123Z level=info event=started url=http://127.0.0.1:8000
 *
 *   bw_log_write(log, BW_LOG_INFO, "started", "url=%s", url);
 *
 * Values from outside go through bw_log_quoted, so no visitor can forge a line of the log. Tokens, seeds and
 * players' texts are never logged (a test greps for them). A line has at most 1 KiB and is written by one write(2),
 * so threads do not mix lines. */
#ifndef BW_LOG_H
#define BW_LOG_H

#include <stdbool.h>
#include <stddef.h>

typedef enum bw_log_level { BW_LOG_ERROR, BW_LOG_WARN, BW_LOG_INFO, BW_LOG_DEBUG } bw_log_level;

typedef struct bw_log {
    bw_log_level level; /* the most verbose level that is written */
    int fd;             /* file descriptor; -1: none */
} bw_log;

static inline bool bw_log_wants(const bw_log *log, bw_log_level level) { return log->fd >= 0 && level <= log->level; }

/* `format` makes the rest of the line: " key=value" pairs. Thread-safe. */
void bw_log_write(const bw_log *log, bw_log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* `text` in double quotes, with unprintable characters escaped, truncated to fit. Returns `memory`. */
const char *bw_log_quoted(char *memory, size_t cap, const char *text);

#endif
