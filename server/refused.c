#include "server/shell.h"

enum { LOG_EVERY_US = 10 * 1000000 };

#define NAME(constant, name, hint) name,
#define HINT(constant, name, hint) hint,
const char *const bw_refused_names[BW_REFUSED_COUNT] = {BW_REFUSED(NAME)};
static const char *const hints[BW_REFUSED_COUNT] = {BW_REFUSED(HINT)};

void bw_refused_note(bw_shell *shell, bw_refused reason, const bw_request *request) {
    bw_refused_figures *f = &shell->refused[reason];
    int64_t now = bw_shell_now().mono_us;
    f->count++;
    if (now < f->next_log_us) return; /* so that repeated refusals do not fill the disk */
    char origin[200], host[200], path[120];
    bw_log_write(shell->log, BW_LOG_WARN, "connection_refused",
                 "reason=%s count=%llu origin=%s host=%s path=%s hint=\"%s\"", bw_refused_names[reason],
                 (unsigned long long)(f->count - f->logged), bw_log_quoted(origin, sizeof origin, request->origin),
                 bw_log_quoted(host, sizeof host, request->host), bw_log_quoted(path, sizeof path, request->path),
                 hints[reason]);
    f->logged = f->count;
    f->next_log_us = now + LOG_EVERY_US;
}
