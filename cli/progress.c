#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

enum { BAR = 24, COLUMNS = 80, LINE_MAX_BYTES = 256 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t interrupted; /* set by the signal handler, which can only reach globals */

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

progress progress_begin(void) {
    struct sigaction action = {.sa_handler = on_signal};
    progress p = {.terminal = isatty(STDERR_FILENO) != 0};
    p.next = cli_clock() + (p.terminal ? 1 : 10);
    interrupted = 0;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &p.before[i]);
        if (p.before[i].sa_handler == SIG_IGN) sigaction(signals[i], &p.before[i], NULL); /* nohup */
    }
    return p;
}

bool progress_interrupted(void) { return interrupted; }

bool progress_due(const progress *p) { return cli_clock() >= p->next; }

/* A line that wraps could not be overwritten. */
static int columns(void) {
    struct winsize size;
    int wide = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
    return wide < LINE_MAX_BYTES ? wide - 1 : LINE_MAX_BYTES - 1;
}

void progress_tell(progress *p, double share, const char *format, ...) {
    static const char full[] = "########################", empty[] = "........................";
    char words[LINE_MAX_BYTES], line[2 * LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    share = share > 1 ? 1 : share;
    int filled = (int)(share * BAR), percent = (int)(share * 100);
    if (share < 0) {
        snprintf(line, sizeof line, "%s", words);
    } else if (p->terminal) {
        snprintf(line, sizeof line, "[%.*s%.*s] %3d %%  %s", filled, full, BAR - filled, empty, percent, words);
    } else {
        snprintf(line, sizeof line, "%d %%, %s", percent, words);
    }
    if (p->terminal) fprintf(stderr, "\r\033[K%.*s", columns(), line);
    else fprintf(stderr, "%s\n", line);
    p->drawn = p->terminal;
    fflush(stderr);
    p->next = cli_clock() + (p->terminal ? 0.2 : 10);
}

void progress_clear(progress *p) {
    if (p->drawn) fputs("\r\033[K", stderr);
    p->drawn = false;
}

void progress_end(progress *p) {
    progress_clear(p);
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &p->before[i], NULL);
}
