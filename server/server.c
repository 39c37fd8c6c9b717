#include "server/server.h"

#include <errno.h>
#include <ev.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "server/cluster.h"
#include "server/net_ev.h"
#include "server/notify.h"
#include "server/postgres.h"
#include "server/shell.h"

enum { RESTS = 4 }; /* in a turn: bots that move again and again keep nobody's message waiting */

enum {
    EXIT_SERVED = 0,
    EXIT_FAILED = 1,
    EXIT_WRONG = 2,
    FAREWELL_TICKS = 50, /* of 20 ms, in which clients may close; others wait for the new server */
    TIME_TICKS = 5,      /* after which more time is asked for, if rooms have moved in them */
    LET_GO_TICKS = 100,  /* about, in which relayed connections are told: not all their clients come back at once */
    LET_GO_LEAST = 8,    /* of them in a tick */
    LET_GO_WAIT = 200,   /* ticks, after which those that are never between two frames are cut */
};

typedef struct server {
    bw_settings settings;
    bw_log log;
    bw_shell shell;
    struct ev_loop *loop;
    ev_async journal_ready, workers_ready, model_ready;
    ev_prepare turned;
    ev_signal signals[3];
    ev_io clock;
    ev_timer leaving, living;
    bw_notify notify;
    bw_cluster *cluster; /* NULL: the only node */
    int clock_fd;
    uint64_t rooms_left;
    uint32_t let_go_at_once;
    int ticks;
    int let_go, farewell; /* ticks left */
    int status;           /* exit status */
} server;

static int fail(const char *sentence) {
    fprintf(stderr, "boardwalk: %s\n", sentence);
    return EXIT_FAILED;
}

/* ---- the loop's events ---- */

static void on_journal(struct ev_loop *loop, ev_async *async, int events) {
    (void)loop, (void)events;
    bw_shell_journal_ready(&((server *)async->data)->shell);
}

/* After each turn, before the loop waits for the next events. A round is not late by it. */
static void on_turned(struct ev_loop *loop, ev_prepare *prepare, int events) {
    (void)events;
    server *s = prepare->data;
    int64_t deadline = s->shell.deadline;
    double until = deadline == INT64_MAX ? 1e18 : (double)deadline * 1e-6;
    for (int rests = 0; bw_journal_rest(s->shell.journal, rests < RESTS ? until : 0); rests++) {
        if (rests == RESTS) {
            ev_async_send(loop, &s->journal_ready); /* in the next turn */
            break;
        }
        bw_shell_journal_ready(&s->shell);
        ev_invoke_pending(loop); /* what it sent */
    }
}

static void on_workers(struct ev_loop *loop, ev_async *async, int events) {
    (void)loop, (void)events;
    bw_shell_workers_ready(&((server *)async->data)->shell);
}
static void on_model(struct ev_loop *loop, ev_async *async, int events) {
    (void)loop, (void)events;
    bw_shell_model_ready(&((server *)async->data)->shell);
}

/* The hall's deadline is a timerfd, because libev's own timers are whole milliseconds of epoll_wait. */
static void on_clock(struct ev_loop *loop, ev_io *io, int events) {
    (void)loop, (void)events;
    server *s = io->data;
    uint64_t times;
    if (read(s->clock_fd, &times, sizeof times) == sizeof times) bw_shell_tick(&s->shell);
}

static void set_deadline(void *user, int64_t mono_us) {
    server *s = user;
    struct itimerspec at = {0};
    if (mono_us != INT64_MAX) {
        if (mono_us < 1) mono_us = 1; /* zero would disarm it */
        at.it_value.tv_sec = mono_us / 1000000;
        at.it_value.tv_nsec = mono_us % 1000000 * 1000;
    }
    timerfd_settime(s->clock_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

/* The rooms in memory may be older than what the other server has sent by now, so nothing more is sent. */
static void on_lost(void *user, const char *why) {
    server *s = user;
    s->status = fail(why);
    ev_break(s->loop, EVBREAK_ALL);
}

static void pass_on(void *user, uint64_t conn, const char *owner) {
    bw_cluster_pass(((server *)user)->cluster, conn, owner);
}
static void hang_up(void *user) { bw_net_ev_hang_up(((server *)user)->shell.net, 1012, "Come back, please."); }
static void on_peers(void *user, const bw_peers *living) { bw_cluster_peers(((server *)user)->cluster, living); }
static uint64_t lapses(void *user) { return bw_journal_lapses(((server *)user)->shell.journal); }
static void go_on(void *user, uint64_t conn) { bw_net_ev_go_on(((server *)user)->shell.net, conn); }
static uint64_t passed_on(void *user) {
    bw_cluster_figures figures;
    bw_cluster_figures_of(((server *)user)->cluster, &figures);
    return figures.passed_on;
}

static uint64_t let_go(void *user) {
    bw_cluster_figures figures;
    bw_cluster_figures_of(((server *)user)->cluster, &figures);
    return figures.let_go_total;
}

/* From the journal's and the bots' threads. */
static void wake_journal(void *user) { ev_async_send(((server *)user)->loop, &((server *)user)->journal_ready); }
static void wake_workers(void *user) { ev_async_send(((server *)user)->loop, &((server *)user)->workers_ready); }
static void wake_model(void *user) { ev_async_send(((server *)user)->loop, &((server *)user)->model_ready); }
static void release_bytes(void *owner) { bw_bytes_release(owner); }

/* Only a turning loop reports that it is alive. */
static void on_living(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)loop, (void)events;
    bw_notify_send(&((server *)timer->data)->notify, "WATCHDOG=1");
}

/* ---- the end ---- */

/* While rooms move, whoever comes to other nodes' rooms through this one is told to go, too. */
static bool relays_wait(server *s) {
    uint64_t count = passed_on(s);
    if (!s->let_go_at_once) s->let_go_at_once = LET_GO_LEAST + (uint32_t)count / LET_GO_TICKS;
    return bw_cluster_let_go(s->cluster, s->let_go_at_once) > 0 && --s->let_go > 0;
}

/* A node with very many rooms needs longer than systemd waits (TimeoutStopSec). */
static void ask_for_time(server *s) {
    bw_hall_figures figures;
    if (++s->ticks % TIME_TICKS != 0) return;
    bw_hall_figures_of(s->shell.hall, &figures);
    if (figures.rooms_in_memory < s->rooms_left) bw_notify_send(&s->notify, "EXTEND_TIMEOUT_USEC=30000000");
    s->rooms_left = figures.rooms_in_memory;
}

static void on_leaving(struct ev_loop *loop, ev_timer *timer, int events) {
    (void)events;
    server *s = timer->data;
    ask_for_time(s);
    bool waits = s->cluster && relays_wait(s);
    if (!bw_shell_drained(&s->shell) || waits) return; /* the disk decides how long; a second signal ends it at once */
    bool first = s->farewell-- == FAREWELL_TICKS;      /* who has just connected has a tick to ask */
    bw_net_figures figures;
    bw_net_ev_stop_listening(s->shell.net); /* new clients wait for the new server */
    bw_net_figures_of(s->shell.net, &figures);
    uint64_t open = figures.sockets + figures.requests + (s->cluster ? passed_on(s) : 0);
    if ((open == 0 && !first) || s->farewell <= 0) ev_break(loop, EVBREAK_ALL);
}

static void drain(server *s) {
    bw_notify_send(&s->notify, "STOPPING=1");
    /* With other nodes the port stays open while rooms move. A balancer that finds it closed may cut the connections of all
     * who still play; newcomers are told to go elsewhere (bw_api_refuse_newcomer). */
    if (s->cluster) bw_net_ev_end_after_answers(s->shell.net);
    bw_hall_figures figures;
    bw_hall_figures_of(s->shell.hall, &figures);
    s->rooms_left = figures.rooms_in_memory;
    bw_shell_drain(&s->shell);
    s->let_go = LET_GO_WAIT;
    s->farewell = FAREWELL_TICKS;
    ev_timer_start(s->loop, &s->leaving);
}

static void on_signal(struct ev_loop *loop, ev_signal *signal, int events) {
    (void)loop, (void)events;
    server *s = signal->data;
    if (s->shell.draining) _exit(EXIT_FAILED);
    bw_log_write(&s->log, BW_LOG_INFO, "draining", "signal=%d", signal->signum);
    drain(s);
}

/* By `boardwalk cluster drain`. */
static void on_drain(void *user) {
    server *s = user;
    if (s->shell.draining) return;
    bw_log_write(&s->log, BW_LOG_INFO, "draining", "asked_by=cluster");
    drain(s);
}

/* ---- start ---- */

static void watch_signals(server *s) {
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* reaching a file size limit is an error of the journal, not a fatal signal */
    for (size_t i = 0; i < 3; i++) {
        ev_signal_init(&s->signals[i], on_signal, numbers[i]);
        s->signals[i].data = s;
        ev_signal_start(s->loop, &s->signals[i]);
    }
}

static bool watch(server *s) {
    ev_async_init(&s->journal_ready, on_journal);
    ev_async_init(&s->workers_ready, on_workers);
    ev_async_init(&s->model_ready, on_model);
    s->journal_ready.data = s->workers_ready.data = s->model_ready.data = s;
    ev_async_start(s->loop, &s->journal_ready);
    ev_async_start(s->loop, &s->workers_ready);
    ev_async_start(s->loop, &s->model_ready);
    ev_prepare_init(&s->turned, on_turned);
    s->turned.data = s;
    ev_timer_init(&s->leaving, on_leaving, 0., 0.02);
    s->leaving.data = s;
    s->clock_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (s->clock_fd < 0) return false;
    ev_io_init(&s->clock, on_clock, s->clock_fd, EV_READ);
    ev_set_priority(&s->clock, EV_MAXPRI); /* rounds before messages */
    s->clock.data = s;
    ev_io_start(s->loop, &s->clock);
    return true;
}

/* As many sockets as the system allows. */
static void raise_limits(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* A folder given by a flag must contain a client; otherwise the client is beside the program, where ./run and the
 * package put it. Returns an exit status. */
static int load_client(server *s) {
    /* Relative to the program's folder. */
    static const char *const places[] = {"web", "../web/dist", "../share/boardwalk/web"};
    char problem[PATH_MAX + 200], exe[PATH_MAX], place[PATH_MAX + 32];
    if (s->settings.web[0]) {
        s->shell.assets = bw_assets_load(s->settings.web, problem, sizeof problem);
        if (s->shell.assets) return EXIT_SERVED;
        fprintf(stderr, "boardwalk: --web: %s\n", problem);
        return EXIT_WRONG;
    }
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[length > 0 ? length : 0] = '\0';
    const char *folder = dirname(exe);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !s->shell.assets; i++) {
        snprintf(place, sizeof place, "%s/%s", folder, places[i]);
        s->shell.assets = bw_assets_load(place, problem, sizeof problem);
    }
    if (!s->shell.assets) {
        s->shell.assets = bw_assets_load("/usr/share/boardwalk/web", problem, sizeof problem);
    }
    if (!s->shell.assets) {
        bw_log_write(&s->log, BW_LOG_WARN, "client_missing",
                     "hint=\"run ./run --build, or give its folder with --web\"");
    }
    return EXIT_SERVED;
}

/* This node's address for other nodes; NULL: there are none. */
static const char *node_address(const bw_settings *settings) {
    if (!settings->cluster_listen[0]) return NULL;
    return settings->cluster_advertise[0] ? settings->cluster_advertise : settings->cluster_listen;
}

static int open_cluster(server *s) {
    char problem[400];
    if (!s->settings.cluster_listen[0]) return EXIT_SERVED;
    s->cluster = bw_cluster_open(&(bw_cluster_options){.loop = s->loop,
                                                       .listen = s->settings.cluster_listen,
                                                       .secret = s->settings.cluster_secret,
                                                       .net = s->shell.net,
                                                       .log = &s->log,
                                                       .lapses = lapses,
                                                       .user = s},
                                 problem, sizeof problem);
    if (!s->cluster) return fail(problem);
    s->shell.nodes.pass = pass_on;
    s->shell.nodes.go_on = go_on;
    s->shell.nodes.passed_on = passed_on;
    s->shell.nodes.let_go = let_go;
    s->shell.nodes.hang_up = hang_up;
    s->shell.nodes.peers = on_peers;
    s->shell.nodes.drain = on_drain;
    s->shell.nodes.user = s;
    return EXIT_SERVED;
}

static int open_all(server *s) {
    uint8_t key[32];
    bw_store_problem journal_problem;
    char net_problem[400];
    if (getrandom(key, sizeof key, 0) != sizeof key) {
        return fail("The system provides no random numbers.");
    }
    int status = load_client(s);
    if (status != EXIT_SERVED) return status;

    s->shell.settings = &s->settings;
    s->shell.log = &s->log;
    s->shell.set_deadline = set_deadline;
    s->shell.lost = on_lost;
    s->shell.user = s;
    s->shell.journal = bw_journal_open(&(bw_journal_options){.path = s->settings.database,
                                                             .replay_days = s->settings.replay_days,
                                                             .lease_ms = s->settings.lease_ms,
                                                             .node = node_address(&s->settings),
                                                             .rests = !s->settings.cluster_listen[0],
                                                             .max_bytes = s->settings.max_database_mb << 20,
                                                             .abandoned_ms = s->settings.abandoned_ms,
                                                             .log = &s->log,
                                                             .wake = wake_journal,
                                                             .release = release_bytes,
                                                             .user = s},
                                       &journal_problem);
    if (!s->shell.journal) {
        char sentence[sizeof journal_problem.text + sizeof "DATABASE: "];
        snprintf(sentence, sizeof sentence, "DATABASE: %s", journal_problem.text);
        return fail(sentence);
    }
    /* With other nodes the loop also passes on what concerns their rooms, which would wait for nothing. */
    if (!s->settings.cluster_listen[0]) ev_prepare_start(s->loop, &s->turned);
    s->shell.workers = bw_workers_open(&(bw_workers_options){.wake = wake_workers, .user = s});
    if (!s->shell.workers) return fail("No thread could be started.");
    if (s->settings.orders_llm_url[0]) {
        s->shell.model = bw_model_open(&(bw_model_options){.url = s->settings.orders_llm_url,
                                                           .key = s->settings.orders_llm_key,
                                                           .name = s->settings.orders_llm_model,
                                                           .log = &s->log,
                                                           .wake = wake_model,
                                                           .user = s});
        if (!s->shell.model) return fail("The language model's thread could not be started.");
    }
    if (!bw_shell_init(&s->shell, key)) return fail("There is not enough memory.");
    s->shell.net =
        bw_net_ev_open(&(bw_net_ev_options){.loop = s->loop,
                                            .address = s->settings.bind,
                                            .port = (int)s->settings.backend_port,
                                            .sockets_per_address = (uint32_t)s->settings.max_sockets_per_address,
                                            .log = &s->log,
                                            .handler = bw_shell_handler(&s->shell)},
                       net_problem, sizeof net_problem);
    return s->shell.net ? open_cluster(s) : fail(net_problem);
}

static void close_all(server *s) {
    bw_cluster_close(s->cluster);
    if (s->shell.net) bw_net_ev_close(s->shell.net);
    bw_workers_close(s->shell.workers);
    bw_model_close(s->shell.model);
    bw_journal_close(s->shell.journal); /* commits what the closing connections caused */
    bw_shell_release(&s->shell);
    bw_assets_free(s->shell.assets);
    if (s->clock_fd >= 0) close(s->clock_fd);
    bw_notify_close(&s->notify);
    if (s->loop) ev_loop_destroy(s->loop);
}

static void say_where(const server *s) {
    const char *bind = s->settings.bind;
    bool everywhere = strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0;
    bool local = everywhere || strcmp(bind, "127.0.0.1") == 0 || strcmp(bind, "::1") == 0;
    bool six = strchr(bind, ':') != NULL;
    printf("Boardwalk is at http://%s%s%s:%d%s\n", !local && six ? "[" : "", local ? "localhost" : bind,
           !local && six ? "]" : "", bw_net_ev_port(s->shell.net),
           everywhere ? " and on every network of this machine" : "");
    fflush(stdout);
    char database[300], shown[BW_POSTGRES_SHOWN_MAX];
    const char *name = s->settings.database;
    if (bw_postgres_is_address(name)) name = bw_postgres_shown(name, shown, sizeof shown); /* without its password */
    bw_log_write(&s->log, BW_LOG_INFO, "started", "port=%d database=%s client=%s model=%s",
                 bw_net_ev_port(s->shell.net), bw_log_quoted(database, sizeof database, name),
                 s->shell.assets ? "yes" : "no", s->shell.model ? "yes" : "no");
}

static void say_ready(server *s) {
    bw_notify_open(&s->notify, getenv);
    bw_notify_send(&s->notify, "READY=1");
    if (s->notify.watchdog_ms <= 0) return;
    double seconds = (double)s->notify.watchdog_ms / 2000.;
    ev_timer_init(&s->living, on_living, 0., seconds);
    s->living.data = s;
    ev_timer_start(s->loop, &s->living);
}

int server_main(int argc, char **argv) {
    server *s = calloc(1, sizeof *s);
    if (!s) return fail("There is not enough memory.");
    bw_settings_problem problem;
    int status = EXIT_SERVED;
    switch (bw_settings_read(&s->settings, argc - 1, (const char *const *)argv + 1, getenv, &problem)) {
    case BW_SETTINGS_HELP:
        bw_settings_help(stdout);
        free(s);
        return EXIT_SERVED;
    case BW_SETTINGS_WRONG:
        fprintf(stderr, "boardwalk: %s\n", problem.text);
        free(s);
        return EXIT_WRONG;
    case BW_SETTINGS_READY: break;
    }
    s->log = (bw_log){.level = (bw_log_level)s->settings.log_level, .fd = STDERR_FILENO};
    s->clock_fd = s->notify.fd = -1;
    raise_limits();
    s->loop = ev_loop_new(EVFLAG_AUTO);
    if (!s->loop || !watch(s)) {
        status = fail("No event loop could be made.");
    } else {
        watch_signals(s);
        status = open_all(s);
    }
    if (status == EXIT_SERVED) {
        say_where(s);
        say_ready(s);
        bw_shell_pump(&s->shell);
        ev_run(s->loop, 0);
        status = s->status;
    }
    bw_log log = s->log;
    close_all(s);
    if (status == EXIT_SERVED) bw_log_write(&log, BW_LOG_INFO, "ended", "status=%d", status);
    free(s);
    return status;
}
