/* A bot that is a program: JSON lines over its stdin and stdout, each answer within a time limit.
 *
 *   program p = {.command = "python3 bot.py"};
 *   const char *answer = program_ask(&p, line, length, 1000, &complaint);   // starts it if it is not running
 *   program_stop(&p);
 *
 * Question and answer stay in step: whatever the program says before it has read the question is thrown away. After any
 * fault it is ended, and the next question starts it again. It never outlives us, however we end, and neither does a
 * process that it starts (unless that one leaves the process group on purpose). */
#ifndef BW_CLI_PROGRAM_H
#define BW_CLI_PROGRAM_H

#include "cli/cli.h"

#include <sys/types.h>

/* The first answer after a start may take this much longer: interpreters and models need time to load. */
enum { PROGRAM_ANSWER_MAX = 1 << 16, PROGRAM_START_MS = 10000 };

typedef struct program {
    const char *command; /* run by /bin/sh */
    pid_t guard;         /* the process that started it and ends it with us; 0: not running */
    int in, out;         /* its stdin and stdout */
    char answer[PROGRAM_ANSWER_MAX];
    uint32_t answers;   /* since it was started */
    uint64_t unasked;   /* bytes thrown away, ever: nobody had asked */
    bool never_started; /* it ended, for the first time, before it had read anything at all */
    bool was_asked;     /* ever, and had read of it */
} program;

/* Sends a line (its newline included) and waits for one. Returns the answer, without its newline, valid until
 * the next call; NULL with a complaint: it cannot be started, ended, was late or talked too long. It is then no
 * longer running. */
const char *program_ask(program *p, const char *line, size_t length, int64_t limit_ms, bw_complaint *complaint);
/* Closes its stdin; ends it if it does not end by itself within a second. */
void program_stop(program *p);
/* Ends it now, after a fault. */
void program_kill(program *p);

#endif
