#include "cli/program.h"

#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the guard: a process between us and the program, which can kill the program's whole process group ---- */

static void run_command(const char *command, const int in, const int out, const sigset_t *mask) {
    setpgid(0, 0); /* its own group, so that all of it can be killed, and Ctrl-C does not reach it */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Starts the command and waits until it ends, or we end, or we ask for its end by SIGTERM. Exits like the command.
 * The group is killed before its leader is reaped, so its id cannot have been reused. */
static _Noreturn void guard(const char *command, int in, int out, pid_t owner, const sigset_t *mask) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != owner) _exit(127);
    pid_t pid = fork();
    if (pid < 0) _exit(127);
    if (pid == 0) run_command(command, in, out, mask);
    setpgid(pid, pid);
    close_range(0, 1, 0);
    close_range(3, ~0u, 0); /* above all the ends of the pipes, or nobody would notice that they are closed */
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGCHLD);
    for (siginfo_t ended = {0}; ended.si_pid == 0;) {
        int number = sigwaitinfo(&wanted, NULL);
        if (number == SIGTERM) break;
        if (number == SIGCHLD) waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT | WNOHANG);
    }
    kill(-pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static bool start(program *p, bw_error_text *why) {
    int in[2], out[2];
    sigset_t mask, all;
    if (p->guard) return true;
    p->answers = 0;
    if (pipe2(in, O_CLOEXEC) != 0) {
        return bw_fail(why, "cannot create a pipe: ", strerror(errno), NULL);
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        bw_fail(why, "cannot create a pipe: ", strerror(errno), NULL);
        close(in[0]), close(in[1]);
        return false;
    }
    /* Blocked before the fork, so that no signal arrives before the guard waits for it. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    pid_t owner = getpid(), pid = fork();
    if (pid == 0) guard(p->command, in[0], out[1], owner, &mask);
    int error = errno;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(in[0]), close(out[1]);
    if (pid < 0) {
        bw_fail(why, "it cannot be started: ", strerror(error), NULL);
        close(in[1]), close(out[0]);
        return false;
    }
    p->guard = pid;
    p->in = in[1];
    p->out = out[0];
    fcntl(p->in, F_SETFL, O_NONBLOCK);
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    return true;
}

/* Returns the exit status of the command. */
static int end(program *p, double patience) {
    int status = 0;
    close(p->in), close(p->out);
    for (double until = cli_clock() + patience; cli_clock() < until;) {
        if (waitpid(p->guard, &status, WNOHANG) == p->guard) {
            p->guard = 0;
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    kill(p->guard, SIGTERM);
    while (waitpid(p->guard, &status, 0) < 0 && errno == EINTR) {
    }
    p->guard = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void program_stop(program *p) {
    if (p->guard) end(p, 1);
}

void program_kill(program *p) {
    if (p->guard) end(p, 0);
}

/* ---- asking ---- */

static const char *late(program *p, bw_error_text *why) {
    bw_fail(why, "it did not answer in time", NULL);
    program_kill(p);
    return NULL;
}

typedef enum handed { HANDED_OVER, HANDED_ENDED, HANDED_LATE } handed;

/* Bytes of the question that are still unread in the pipe. */
static size_t unread(const program *p) {
    int bytes = 0;
    return ioctl(p->in, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

static const char *ended(program *p, bw_error_text *why) {
    p->never_started = !p->was_asked;
    int status = end(p, 0.2); /* a program that has closed its stdout may be about to end */
    char number[32];
    snprintf(number, sizeof number, "%d", status);
    bw_fail(why, p->never_started ? "it ended before it had read anything" : "it ended without an answer",
            " (exit status ", number, ")", NULL);
    return NULL;
}

/* A program may write a byte order mark before its first line; it is ignored. */
static char *without_mark(char *line) { return strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line; }

/* Reads everything in the pipe. False: the program has closed it. */
static bool drain(program *p, double until) {
    char rest[4096];
    ssize_t n = 1;
    while (n > 0 && cli_clock() < until) {
        n = read(p->out, rest, sizeof rest);
        if (n > 0) p->unasked += (uint64_t)n;
    }
    return n != 0 && (n > 0 || errno == EAGAIN || errno == EINTR);
}

/* Sends the question without its newline, and waits until it has been read. The program then waits for the newline,
 * so any output until now was unasked, and is discarded. The system does not report when a pipe becomes empty, so it
 * is polled, less and less often. */
static handed hand_over(program *p, const char *line, size_t length, double until) {
    long pause_ns = 20000;
    for (size_t sent = 0; sent < length || unread(p) > 0; pause_ns *= pause_ns < 2000000 ? 2 : 1) {
        ssize_t n = sent < length ? write(p->in, line + sent, length - sent) : 0;
        if (n > 0) sent += (size_t)n;
        if (sent > unread(p)) p->was_asked = true;
        if ((n < 0 && errno == EPIPE) || !drain(p, until)) return HANDED_ENDED;
        if (progress_interrupted() || cli_clock() >= until) return HANDED_LATE;
        struct pollfd fd = {.fd = p->out, .events = POLLIN};
        ppoll(&fd, 1, &(struct timespec){.tv_nsec = pause_ns}, NULL);
    }
    p->was_asked = true;
    return drain(p, until) ? HANDED_OVER : HANDED_ENDED;
}

/* False: timeout, or Ctrl-C was pressed. */
static bool wait_for_answer(const program *p, double until) {
    struct pollfd fd = {.fd = p->out, .events = POLLIN};
    for (double left; (left = until - cli_clock()) > 0 && !progress_interrupted();) {
        /* Ctrl-C interrupts the first thread's calls only; this may be another. */
        int ready = poll(&fd, 1, left > 0.1 ? 100 : (int)(left * 1000) + 1);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false; /* EINTR, for example after being stopped and continued */
    }
    return false;
}

const char *program_ask(program *p, const char *line, size_t length, int64_t limit_ms, bw_error_text *why) {
    if (!start(p, why)) return NULL;
    double until = cli_clock() + (double)(limit_ms + (p->answers ? 0 : PROGRAM_START_MS)) / 1000;
    switch (hand_over(p, line, length - 1, until)) {
    case HANDED_OVER: break;
    case HANDED_ENDED: return ended(p, why);
    case HANDED_LATE: return late(p, why);
    }
    if (write(p->in, "\n", 1) != 1) return ended(p, why);
    for (size_t used = 0;;) {
        ssize_t n = read(p->out, p->answer + used, sizeof p->answer - used - 1);
        if (n > 0) {
            used += (size_t)n;
            char *newline = memchr(p->answer, '\n', used);
            if (newline) {
                *newline = '\0';
                p->unasked += used - (size_t)(newline + 1 - p->answer);
                p->answers++;
                return without_mark(p->answer);
            }
            if (used == sizeof p->answer - 1) {
                bw_fail(why, "its answer is longer than 64 KiB", NULL);
                return program_kill(p), NULL;
            }
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            return ended(p, why);
        } else if (!wait_for_answer(p, until)) {
            return late(p, why);
        }
    }
}
