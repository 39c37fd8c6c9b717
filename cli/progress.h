/* How far long work has come, on stderr: a bar on a terminal, a plain line every ten seconds otherwise; and Ctrl-C,
 * SIGTERM and SIGHUP, which ask it to end with what it has.
 *
 *   progress p = progress_begin();
 *   while (... && !progress_interrupted())
 *       if (progress_due(&p)) progress_tell(&p, done / all, "%d of %d games", done, all);
 *   progress_end(&p);
 *
 * One at a time. Work of less than a second shows nothing. */
#ifndef BW_CLI_PROGRESS_H
#define BW_CLI_PROGRESS_H

#include <signal.h>
#include <stdbool.h>

typedef struct progress {
    bool terminal, drawn;
    double next;                /* when it is due, on the monotonic clock */
    struct sigaction before[3]; /* what the signals did before */
} progress;

progress progress_begin(void);
/* Ctrl-C was pressed since, or one of the others came. */
bool progress_interrupted(void);
bool progress_due(const progress *p);
/* `share` of the work, 0 to 1, or PROGRESS_UNKNOWN: then there is no bar. */
#define PROGRESS_UNKNOWN (-1.0)
void progress_tell(progress *p, double share, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Takes the bar away, for a line of results. */
void progress_clear(progress *p);
/* The same; and Ctrl-C ends the program again. */
void progress_end(progress *p);

#endif
