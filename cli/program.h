/* A bot that is a program: JSON lines over its stdin and stdout, each answer within a time limit. */
#ifndef BW_CLI_PROGRAM_H
#define BW_CLI_PROGRAM_H

#include "cli/cli.h"

#include <sys/types.h>

enum { PROGRAM_ANSWER_MAX = 1 << 16 };

typedef struct program {
    const char *command; /* run by /bin/sh */
    pid_t pid;           /* 0: not running */
    int in, out;         /* its stdin and stdout */
    char answer[PROGRAM_ANSWER_MAX];
    size_t length; /* bytes read and not yet used */
} program;

/* Starts it where it isn't running. False with a complaint. */
bool program_start(program *p, const char *command, bw_complaint *complaint);
/* Sends a line (its newline included) and waits for one. Returns the answer, without its newline, valid until
 * the next call; NULL with a complaint: it ended, was late or talked too long. It is then no longer running. */
const char *program_ask(program *p, const char *line, size_t length, int64_t limit_ms, bw_complaint *complaint);
/* Closes its stdin; ends it where it doesn't end by itself within a second. */
void program_stop(program *p);

#endif
