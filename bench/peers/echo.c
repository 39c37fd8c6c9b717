/* The limit that the sockets set: sends back what it receives, without any work. bench_echo PORT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/net_ev.h"

static void on_message(void *user, uint64_t conn, const char *bytes, size_t length) {
    bw_bytes *copy = malloc(sizeof *copy + length);
    if (!copy) exit(1);
    *copy = (bw_bytes){.references = 1, .length = (uint32_t)length};
    memcpy(copy->at, bytes, length);
    bw_net_send(*(bw_net **)user, conn, copy);
}

static void on_request(void *user, uint64_t conn, const bw_request *request) {
    (void)request;
    bw_net_reply(*(bw_net **)user, conn, &(bw_response){.status = 404});
}

static bool on_upgrade(void *user, const bw_request *request, bw_response *refusal) {
    (void)user, (void)request, (void)refusal;
    return true;
}

static void on_opened(void *user, uint64_t conn, const bw_request *request) { (void)user, (void)conn, (void)request; }
static void on_other(void *user, uint64_t conn) { (void)user, (void)conn; }

int main(int count, char **words) {
    char problem[200];
    bw_net *net = NULL;
    bw_log log = {.fd = 2};
    struct ev_loop *loop = ev_default_loop(0);
    bw_net_ev_options options = {.loop = loop,
                                 .address = "127.0.0.1",
                                 .port = count > 1 ? atoi(words[1]) : 0,
                                 .log = &log,
                                 .handler = {.user = &net,
                                             .request = on_request,
                                             .upgrade = on_upgrade,
                                             .opened = on_opened,
                                             .message = on_message,
                                             .too_large = on_other,
                                             .pong = on_other,
                                             .closed = on_other}};
    net = bw_net_ev_open(&options, problem, sizeof problem);
    if (!net) return fprintf(stderr, "%s\n", problem), 1;
    puts("ready");
    fflush(stdout);
    ev_run(loop, 0);
    return 0;
}
