#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 40, START_MS = 10000 };

static void become(const char *program, const char *const *arguments, int out, const char *log) {
    char *argv[ARGUMENTS_MAX + 3], *environment[] = {NULL};
    union {
        const char *constant;
        char *plain;
    } text;
    int count = 0;
    text.constant = program;
    argv[count++] = text.plain;
    text.constant = "serve";
    argv[count++] = text.plain;
    for (int i = 0; arguments[i] && i < ARGUMENTS_MAX; i++) {
        text.constant = arguments[i];
        argv[count++] = text.plain;
    }
    argv[count] = NULL;
    int err = open(log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0600);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that dies leaves no server behind */
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execve(program, argv, environment);
    _exit(127);
}

static bool read_line(process *p) {
    size_t length = 0;
    struct pollfd waiting = {.fd = p->out, .events = POLLIN};
    while (length < sizeof p->first_line - 1 && poll(&waiting, 1, START_MS) == 1 &&
           read(p->out, p->first_line + length, 1) == 1 && p->first_line[length] != '\n') {
        length++;
    }
    p->first_line[length] = '\0';
    const char *port = strrchr(p->first_line, ':');
    p->port = port ? (int)strtol(port + 1, NULL, 10) : 0;
    return p->port > 0;
}

bool process_start(process *p, const char *program, const char *const *arguments, const char *log) {
    int pipes[2];
    *p = (process){.pid = -1, .out = -1};
    if (pipe2(pipes, O_CLOEXEC) != 0) return false;
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0) become(program, arguments, pipes[1], log);
    close(pipes[1]);
    p->out = pipes[0];
    return p->pid > 0 && read_line(p);
}

int process_wait(process *p, int wait_ms) {
    int status = 0;
    pid_t got = 0;
    for (int waited = 0; (got = waitpid(p->pid, &status, WNOHANG)) == 0 && waited < wait_ms; waited++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (got == 0) {
        kill(p->pid, SIGKILL);
        waitpid(p->pid, &status, 0);
    }
    close(p->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int process_end(process *p, int signal_number, int wait_ms) {
    kill(p->pid, signal_number);
    return process_wait(p, wait_ms);
}
