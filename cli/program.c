#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool program_start(program *p, const char *command, bw_complaint *complaint) {
    int in[2], out[2];
    if (p->pid) return true;
    p->command = command;
    p->length = 0;
    if (pipe2(in, O_CLOEXEC) != 0) {
        bw_complain(complaint, "no pipe could be made: ", strerror(errno), NULL);
        return false;
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        bw_complain(complaint, "no pipe could be made: ", strerror(errno), NULL);
        close(in[0]), close(in[1]);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        /* A group of its own, so that all of it can be ended. */
        setpgid(0, 0);
        signal(SIGPIPE, SIG_DFL);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    if (pid < 0) {
        bw_complain(complaint, "it could not be started: ", strerror(errno), NULL);
        close(in[1]), close(out[0]);
        return false;
    }
    setpgid(pid, pid);
    p->pid = pid;
    p->in = in[1];
    p->out = out[0];
    fcntl(p->in, F_SETFL, O_NONBLOCK);
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    return true;
}

static void end(program *p, bool now) {
    if (!p->pid) return;
    close(p->in), close(p->out);
    for (int i = 0; !now && i < 100; i++) {
        if (waitpid(p->pid, NULL, WNOHANG) == p->pid) {
            p->pid = 0;
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(-p->pid, SIGKILL);
    waitpid(p->pid, NULL, 0);
    p->pid = 0;
}

void program_stop(program *p) { end(p, false); }

static const char *give_up(program *p, bw_complaint *complaint, const char *why) {
    bw_complain(complaint, why, NULL);
    end(p, true);
    return NULL;
}

/* Waits until one of the two can go on, or the time is up (false). */
static bool wait_for(const program *p, bool writing, double until) {
    struct pollfd fds[2] = {{.fd = p->out, .events = POLLIN}, {.fd = writing ? p->in : -1, .events = POLLOUT}};
    double left = until - cli_clock();
    return left > 0 && poll(fds, 2, (int)(left * 1000) + 1) > 0;
}

const char *program_ask(program *p, const char *line, size_t length, int64_t limit_ms, bw_complaint *complaint) {
    double until = cli_clock() + (double)limit_ms / 1000;
    p->length = 0; /* what it said unasked belongs to no turn */
    for (size_t sent = 0;;) {
        if (sent < length) {
            ssize_t n = write(p->in, line + sent, length - sent);
            if (n > 0) {
                sent += (size_t)n;
            } else if (errno != EAGAIN && errno != EINTR) {
                return give_up(p, complaint, "it has ended");
            }
        }
        ssize_t n = read(p->out, p->answer + p->length, sizeof p->answer - p->length - 1);
        if (n == 0) return give_up(p, complaint, "it ended without an answer");
        if (n > 0) {
            if (sent < length) continue; /* an answer to a question it has not read */
            p->length += (size_t)n;
            char *newline = memchr(p->answer, '\n', p->length);
            if (newline) {
                *newline = '\0';
                return p->answer;
            }
            if (p->length == sizeof p->answer - 1) {
                return give_up(p, complaint, "its answer is longer than 64 KiB");
            }
        } else if (errno != EAGAIN && errno != EINTR) {
            return give_up(p, complaint, "it has ended");
        } else if (!wait_for(p, sent < length, until)) {
            return give_up(p, complaint, "it did not answer in time");
        }
    }
}
