/* Tells systemd that the service is ready, alive or about to end (sd_notify(3), a datagram to $NOTIFY_SOCKET). Without
 * a service manager nothing is sent.
 *
 *   bw_notify_open(&notify, getenv);
 *   bw_notify_send(&notify, "READY=1");
 *   every notify.watchdog_ms / 2 (0: nobody waits for it): bw_notify_send(&notify, "WATCHDOG=1")
 *
 * Sending never blocks: a message that the manager does not take is lost. */
#ifndef BW_NOTIFY_H
#define BW_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef struct bw_notify {
    int fd; /* -1: nobody listens */
    struct sockaddr_un to;
    socklen_t to_length;
    int64_t watchdog_ms; /* this much silence counts as a hang */
} bw_notify;

/* `lookup` is getenv, or a test's own. */
void bw_notify_open(bw_notify *notify, char *(*lookup)(const char *name));
bool bw_notify_send(const bw_notify *notify, const char *state);
void bw_notify_close(bw_notify *notify);

#endif
