/* Progress of long work on stderr: a bar on a terminal, otherwise a plain line every ten seconds. Also Ctrl-C,
 * SIGTERM and SIGHUP, which ask the work to stop with what it has.
 *
 *   progress p = progress_begin();
 *   while (... && !progress_interrupted())
 *       if (progress_due(&p)) progress_tell(&p, done / all, "%d of %d games", done, all);
 *   progress_end(&p);
 *
 * Only one at a time. Work of less than a second shows nothing. */
#ifndef BW_CLI_PROGRESS_H
#define BW_CLI_PROGRESS_H

#include <signal.h>
#include <stdbool.h>

typedef struct progress {
    bool terminal, drawn;
    double next;                /* when it is due, on the monotonic clock */
    struct sigaction before[3]; /* previous signal handlers */
} progress;

progress progress_begin(void);
/* Ctrl-C was pressed since then, or another of the signals came. */
bool progress_interrupted(void);
bool progress_due(const progress *p);
/* `share` of the work, 0 to 1, or PROGRESS_UNKNOWN: no bar. */
#define PROGRESS_UNKNOWN (-1.0)
void progress_tell(progress *p, double share, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Removes the bar, to print a result. */
void progress_clear(progress *p);
/* The same; also restores the signal handlers. */
void progress_end(progress *p);

#endif
