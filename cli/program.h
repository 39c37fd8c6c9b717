/* A bot that is a program: JSON lines over its stdin and stdout, each answer within a time limit.
 *
 *   program p = {.command = "python3 bot.py"};
 *   const char *answer = program_ask(&p, line, length, 1000, &why);   // starts it if it is not running
 *   program_stop(&p);
 *
 * Questions and answers stay in step: output before the program has read the question is discarded. After any fault
 * it is killed, and the next question restarts it. Neither the program nor a process it starts outlives us, however
 * we end (unless that process leaves the process group on purpose). */
#ifndef BW_CLI_PROGRAM_H
#define BW_CLI_PROGRAM_H

#include "cli/cli.h"

#include <sys/types.h>

/* The first answer after a start may take this much longer, because interpreters and models need time to load. */
enum { PROGRAM_ANSWER_MAX = 1 << 16, PROGRAM_START_MS = 10000 };

typedef struct program {
    const char *command; /* run by /bin/sh */
    pid_t guard;         /* the guard, which started the program and kills it when we end; 0: not running */
    int in, out;         /* its stdin and stdout */
    char answer[PROGRAM_ANSWER_MAX];
    uint32_t answers;   /* number of answers since the start */
    uint64_t unasked;   /* total bytes discarded because nobody had asked */
    bool never_started; /* it ended, for the first time, before it had read anything */
    bool was_asked;     /* total questions that it has read of */
} program;

/* Sends a line (with its newline) and waits for a line. Returns the answer without its newline, valid until the next
 * call; NULL with an error text: it cannot be started, ended, was late, or its line is too long. It is then not
 * running. */
const char *program_ask(program *p, const char *line, size_t length, int64_t limit_ms, bw_error_text *why);
/* Closes its stdin; kills it if it does not end within a second. */
void program_stop(program *p);
/* Kills it now, after a fault. */
void program_kill(program *p);

#endif
