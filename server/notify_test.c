/* What a service manager receives, on sockets with and without a path; without a manager, or with one that does not
 * read, nothing blocks. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/notify.h"
#include "tests/support/unit.h"

static char place[100], usec[32], pid[32];

static char *lookup(const char *name) {
    if (strcmp(name, "NOTIFY_SOCKET") == 0) return place[0] ? place : NULL;
    if (strcmp(name, "WATCHDOG_USEC") == 0) return usec[0] ? usec : NULL;
    return strcmp(name, "WATCHDOG_PID") == 0 && pid[0] ? pid : NULL;
}

static int listen_at(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    memcpy(at.sun_path, path, length);
    if (*path == '@') at.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)), 0);
    return fd;
}

TEST(test_received) {
    for (int abstract = 0; abstract < 2; abstract++) {
        snprintf(place, sizeof place, "%s/tmp/boardwalk-notify-%d", abstract ? "@" : "", (int)getpid());
        snprintf(usec, sizeof usec, "30000000");
        snprintf(pid, sizeof pid, "%d", (int)getpid());
        int fd = listen_at(place);
        bw_notify notify;
        char heard[64];
        bw_notify_open(&notify, lookup);
        assert_int_equal(notify.watchdog_ms, 30000);
        assert_true(bw_notify_send(&notify, "READY=1"));
        assert_int_equal(recv(fd, heard, sizeof heard, 0), 7);
        assert_memory_equal(heard, "READY=1", 7);
        int sent = 0; /* a manager that does not read blocks nobody */
        while (sent < 100000 && bw_notify_send(&notify, "WATCHDOG=1")) sent++;
        assert_true(sent < 100000);
        bw_notify_close(&notify);
        close(fd);
        if (!abstract) unlink(place);
        snprintf(pid, sizeof pid, "1"); /* meant for another process */
        bw_notify_open(&notify, lookup);
        assert_int_equal(notify.watchdog_ms, 0);
        assert_false(bw_notify_send(&notify, "READY=1")); /* and the manager is gone */
        bw_notify_close(&notify);
    }
}

TEST(test_nobody) {
    static const char *const places[] = {"", "/", "@", "relative", "vsock:2:1", "/nowhere/at/all"};
    pid[0] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bw_notify notify;
        snprintf(place, sizeof place, "%s", places[i]);
        snprintf(usec, sizeof usec, "%s", i % 2 ? "soon" : "-5");
        bw_notify_open(&notify, lookup);
        assert_int_equal(notify.watchdog_ms, 0);
        assert_false(bw_notify_send(&notify, "READY=1"));
        bw_notify_close(&notify);
    }
}

RUN_TESTS(NULL, NULL)
