/* boardwalk load: plays many rooms at once against a server, and measures it from outside. */
#include "cli/load_room.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

/* A connection may send 20 messages a second, a move is two: this many a second for each room's two. */
enum { MOVES_A_ROOM = 18, OPENING = 64, EVENTS = 512 };

typedef struct load {
    const bw_game *game;
    ws_url url;
    struct addrinfo *addresses;
    load_room *rooms;
    uint32_t count, opened, ready;
    uint32_t opening; /* connecting or seating just now */
    int poller;
    uint64_t seed, games, failed, moves, late;
    float *latencies; /* ms */
    size_t latency_count, latency_cap;
    bw_complaint failure; /* the first one */
} load;

static volatile sig_atomic_t interrupted;
static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

/* What epoll is told about a connection: room * 2 + side. */
static void watch(load *l, uint32_t index, int side, int how) {
    ws *w = &l->rooms[index].connections[side];
    struct epoll_event event = {.data.u64 = (uint64_t)index * 2 + (uint64_t)side};
    short wants = ws_wants(w);
    event.events = (wants & POLLIN ? EPOLLIN : 0u) | (wants & POLLOUT ? EPOLLOUT : 0u);
    epoll_ctl(l->poller, how, w->fd, &event);
}

static void open_room(load *l, uint32_t index) {
    load_room *room = &l->rooms[index];
    if (!load_room_open(room, l->game, &l->url, l->addresses, l->seed++)) {
        if (!l->failed++) l->failure = room->failure;
        return;
    }
    l->opening++;
    for (int side = 0; side < 2; side++) watch(l, index, side, EPOLL_CTL_ADD);
}

static void add_latency(load *l, double seconds) {
    if (l->latency_count == l->latency_cap) {
        l->latency_cap = l->latency_cap ? l->latency_cap * 2 : 65536;
        l->latencies = cli_more(l->latencies, l->latency_cap * sizeof *l->latencies);
    }
    l->latencies[l->latency_count++] = (float)(seconds * 1000);
}

static void pump(load *l, uint32_t index, int side, bool measuring) {
    load_room *room = &l->rooms[index];
    load_stage before = room->stage;
    if (before == LOAD_CLOSED) return;
    if (load_room_pump(room, side) && measuring) {
        l->moves++;
        add_latency(l, room->latency);
    }
    if (room->stage == LOAD_CLOSED) return;
    if (before == LOAD_SEATING && room->stage != LOAD_SEATING) l->opening--;
    if (room->stage == LOAD_FAILED) {
        if (!l->failed++) l->failure = room->failure;
        load_room_close(room);
    } else if (room->stage == LOAD_ENDED) {
        l->games++;
        load_room_close(room);
        open_room(l, index);
    } else {
        for (int k = 0; k < 2; k++) watch(l, index, k, EPOLL_CTL_MOD);
    }
}

static void wait_and_pump(load *l, int timeout_ms, bool measuring) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(l->poller, events, EVENTS, timeout_ms);
    for (int i = 0; i < count; i++) pump(l, (uint32_t)(events[i].data.u64 / 2), (int)(events[i].data.u64 & 1), measuring);
}

static uint32_t count_ready(const load *l) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < l->count; i++)
        ready += l->rooms[i].stage == LOAD_READY || l->rooms[i].stage == LOAD_WAITING;
    return ready;
}

/* All rooms seated and started, a bounded number at a time. */
static void open_all(load *l, bool terminal) {
    double told = cli_clock(), moved = told;
    uint32_t last = 0;
    while (!interrupted) {
        while (l->opened < l->count && l->opening < OPENING && !l->failed) open_room(l, l->opened++);
        wait_and_pump(l, 20, false);
        uint32_t ready = count_ready(l);
        if (ready == l->count || (l->failed && !l->opening)) break;
        double now = cli_clock();
        if (ready != last) last = ready, moved = now;
        if (now - moved > 10) break; /* nothing has moved for so long: it will not */
        if (now - told > (terminal ? 0.2 : 5)) {
            fprintf(stderr, "%s%u of %u rooms ready%s", terminal ? "\r\033[K" : "", ready, l->count, terminal ? "" : "\n");
            told = now;
        }
    }
    l->ready = count_ready(l);
}

/* Moves at an even pace, the rooms one after the other; a room that still waits for its last move is passed. */
static double play(load *l, double seconds, double rate, bool terminal) {
    double begun = cli_clock(), told = begun, now;
    uint64_t due = 0;
    while ((now = cli_clock()) - begun < seconds && !interrupted) {
        for (uint64_t target = (uint64_t)((now - begun) * rate); due < target; due++) {
            uint32_t index = (uint32_t)(due % l->count);
            if (l->rooms[index].stage == LOAD_READY) {
                load_room_move(&l->rooms[index]);
                for (int side = 0; side < 2; side++) pump(l, index, side, true);
            } else {
                l->late++;
            }
        }
        wait_and_pump(l, 1, true);
        if (terminal && now - told > 0.5) {
            fprintf(stderr, "\r\033[K%.0f of %.0f s, %" PRIu64 " moves", now - begun, seconds, l->moves);
            told = now;
        }
    }
    if (terminal) fputs("\r\033[K", stderr);
    return cli_clock() - begun;
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double percentile(const load *l, double share) {
    if (!l->latency_count) return 0;
    return (double)l->latencies[(size_t)(share * (double)(l->latency_count - 1))];
}

static void report(load *l, double seconds, double rate, bool json) {
    double speed = (double)l->moves / seconds;
    qsort(l->latencies, l->latency_count, sizeof *l->latencies, by_size);
    if (json) {
        printf("{\"rooms\":%u,\"seconds\":%.2f,\"moves\":%" PRIu64 ",\"moves_per_second\":%.1f,\"offered_per_second\":%.1f,"
               "\"passed_over\":%" PRIu64 ",\"games\":%" PRIu64 ",\"failed\":%" PRIu64
               ",\"latency_ms\":{\"p50\":%.3f,\"p90\":%.3f,\"p99\":%.3f,\"p999\":%.3f,\"max\":%.3f}}\n",
               l->ready, seconds, l->moves, speed, rate, l->late, l->games, l->failed, percentile(l, 0.5),
               percentile(l, 0.9), percentile(l, 0.99), percentile(l, 0.999), percentile(l, 1));
        return;
    }
    printf("%u rooms of two, %.1f s: %" PRIu64 " moves, %.0f a second of %.0f offered; %" PRIu64 " games ended\n", l->ready,
           seconds, l->moves, speed, rate, l->games);
    printf("from end_turn to both updates: p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.2f ms\n",
           percentile(l, 0.5), percentile(l, 0.9), percentile(l, 0.99), percentile(l, 0.999), percentile(l, 1));
    if (l->late) printf("%" PRIu64 " times a room was passed over, for its last move had not arrived yet\n", l->late);
    if (l->failed) printf("%" PRIu64 " rooms failed; the first: %s\n", l->failed, l->failure.text);
}

static void raise_limit(uint64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < wanted)
        fprintf(stderr, "boardwalk: this system lets a program have %" PRIu64 " connections; fewer rooms will open.\n",
                (uint64_t)limit.rlim_max);
}

static int run(load *l, double seconds, double rate, bool json) {
    bool terminal = isatty(STDERR_FILENO) && !json;
    signal(SIGINT, interrupt);
    raise_limit((uint64_t)l->count * 2 + 32);
    l->poller = epoll_create1(EPOLL_CLOEXEC);
    l->rooms = cli_memory(l->count * sizeof *l->rooms);
    open_all(l, terminal);
    int status = CLI_OK;
    if (l->ready < l->count) {
        fprintf(stderr, "boardwalk: %u of %u rooms started%s%s\n", l->ready, l->count, l->failed ? "; the first failure: " : ".",
                l->failed ? l->failure.text : "");
        if (l->ready) fputs("The server limits rooms and connections for each address: MAX_ROOMS_PER_ADDRESS_PER_MINUTE=0 and\n"
              "MAX_SOCKETS_PER_ADDRESS=0 lift that.\n",
                  stderr);
        status = CLI_NO;
    } else {
        double took = play(l, seconds, rate, terminal);
        report(l, took, rate, json);
        if (l->failed || !l->moves) status = CLI_NO;
    }
    for (uint32_t i = 0; i < l->count; i++)
        load_room_free(&l->rooms[i]);
    close(l->poller);
    free(l->rooms);
    free(l->latencies);
    return status;
}

int cli_load(int argc, char **argv) {
    int64_t rooms = 100, seconds = 10, rate = 0, seed = -1;
    bool json = false;
    const char *address;
    const cli_option options[] = {
        {"--rooms", CLI_INT, &rooms, "N", "rooms of two at the same time (100)", 1, 100000},
        {"--seconds", CLI_INT, &seconds, "S", "for how long, once all have started (10)", 1, 86400},
        {"--rate", CLI_INT, &rate, "M", "moves a second in all (as many as a connection may send: 18 a room)", 1, 10000000},
        {"--seed", CLI_INT, &seed, "S", "of the room ids and the moves; drawn if not said", 0, INT64_MAX},
        {"--json", CLI_FLAG, &json, NULL, "{\"moves_per_second\", \"latency_ms\": {\"p50\", ...}, ...}", 0, 0},
    };
    const cli_usage usage = {
        "load", "URL",
        "Plays many games of Flooded Island against a server (http://localhost:8000), and reports moves a second\n"
        "and the time from end_turn until both players have the update. The server's limits for each address are\n"
        "to be lifted first: MAX_ROOMS_PER_ADDRESS_PER_MINUTE=0 MAX_SOCKETS_PER_ADDRESS=0.",
        options, 5, 1, 1};
    int given = cli_parse(&usage, argc, argv, &address);
    if (given < 0) return cli_exit(given);
    load l = {.game = bw_game_find("flooded_island"), .count = (uint32_t)rooms};
    if (!ws_url_parse(&l.url, address, &l.failure)) return cli_wrong("%s.", l.failure.text);
    uint8_t random[32];
    cli_random(random);
    if (seed >= 0) l.seed = (uint64_t)seed << 20;
    else memcpy(&l.seed, random, sizeof l.seed);
    double most = (double)rooms * MOVES_A_ROOM;
    if (rate && (double)rate > most)
        return cli_wrong("--rate may be at most %d moves a second for each room: %.0f.", MOVES_A_ROOM, most);
    l.addresses = ws_resolve(&l.url, &l.failure);
    if (!l.addresses) return cli_failed("%s.", l.failure.text);
    int status = run(&l, (double)seconds, rate ? (double)rate : most, json);
    freeaddrinfo(l.addresses);
    ws_url_free(&l.url);
    return status;
}
