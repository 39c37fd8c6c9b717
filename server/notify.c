#include "server/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* WATCHDOG_USEC, if it is meant for this process. */
static int64_t watchdog_ms(char *(*lookup)(const char *)) {
    const char *usec = lookup("WATCHDOG_USEC"), *pid = lookup("WATCHDOG_PID");
    char *end;
    if (!usec || (pid && *pid && strtol(pid, NULL, 10) != (long)getpid())) return 0;
    long long value = strtoll(usec, &end, 10);
    return *end == '\0' && value > 0 ? value / 1000 : 0;
}

void bw_notify_open(bw_notify *notify, char *(*lookup)(const char *name)) {
    *notify = (bw_notify){.fd = -1, .to.sun_family = AF_UNIX};
    const char *path = lookup("NOTIFY_SOCKET");
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof notify->to.sun_path || (*path != '/' && *path != '@')) return;
    memcpy(notify->to.sun_path, path, length);
    if (*path == '@') notify->to.sun_path[0] = '\0'; /* an abstract socket */
    notify->to_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    notify->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (notify->fd >= 0) notify->watchdog_ms = watchdog_ms(lookup);
}

bool bw_notify_send(const bw_notify *notify, const char *state) {
    size_t length = strlen(state);
    return notify->fd >= 0 && sendto(notify->fd, state, length, MSG_NOSIGNAL, (const struct sockaddr *)&notify->to,
                                     notify->to_length) == (ssize_t)length;
}

void bw_notify_close(bw_notify *notify) {
    if (notify->fd >= 0) close(notify->fd);
    notify->fd = -1;
}
