/* A real server for tests: a separate process, on a free port. */
#ifndef BW_TESTS_PROCESS_H
#define BW_TESTS_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct process {
    pid_t pid;
    int port;
    int out; /* its stdout */
    char first_line[256];
} process;

/* Runs `boardwalk serve ARGUMENTS` (NULL-terminated) with an empty environment; stderr goes to `log` (appended), or
 * nowhere. Waits for the line that names the URL. false: it exited first; see process_wait. */
bool process_start(process *p, const char *program, const char *const *arguments, const char *log);
/* Sends the signal and waits at most `wait_ms` (then kills it). Returns the exit status, or -signal. */
int process_end(process *p, int signal_number, int wait_ms);
/* Waits until it exits. */
int process_wait(process *p, int wait_ms);

#endif
