/* boardwalk load: plays in many rooms of a server at once, and measures the server from outside. */
#include "cli/load_room.h"
#include "cli/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

/* A connection may send 20 messages a second and a move takes two, so this is the limit for each room's two
 * connections. In a game of rounds people rarely order: by default one order per room in three seconds. */
enum { MOVES_A_ROOM = 18, SECONDS_AN_ORDER = 3, OPENING = 64, EVENTS = 512 };

typedef struct load {
    const bw_game *game;
    ws_url url;
    struct addrinfo *addresses;
    load_room *rooms;
    uint32_t count, opened, ready;
    uint32_t opening; /* connecting or taking seats */
    int poller;
    uint64_t seed, games, failed, orders, late;
    bw_fast fast;
    load_times times;
    bool measuring;
    bw_error_text failure; /* the first failure */
} load;

static bool in_rounds(const load *l) { return l->game->flags & BW_GAME_ROUNDS; }

/* The epoll data of a connection: room * 2 + side. */
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
    room->times = l->measuring ? &l->times : NULL;
    l->opening++;
    for (int side = 0; side < 2; side++) watch(l, index, side, EPOLL_CTL_ADD);
}

static void pump(load *l, uint32_t index, int side) {
    load_room *room = &l->rooms[index];
    load_stage before = room->stage;
    if (before == LOAD_CLOSED) return;
    load_room_pump(room, side);
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

static void wait_and_pump(load *l, int timeout_ms) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(l->poller, events, EVENTS, timeout_ms);
    for (int i = 0; i < count; i++) {
        pump(l, (uint32_t)(events[i].data.u64 / 2), (int)(events[i].data.u64 & 1));
    }
}

static uint32_t count_ready(const load *l) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        ready += l->rooms[i].stage == LOAD_READY || l->rooms[i].stage == LOAD_WAITING;
    }
    return ready;
}

/* Takes seats and starts all rooms, a limited number at a time. */
static void open_all(load *l, progress *p) {
    double moved = cli_clock();
    uint32_t last = 0;
    while (!progress_interrupted()) {
        while (l->opened < l->count && l->opening < OPENING && !l->failed) {
            open_room(l, l->opened++);
        }
        wait_and_pump(l, 20);
        uint32_t ready = count_ready(l);
        if (ready == l->count || (l->failed && !l->opening)) break;
        double now = cli_clock();
        if (ready != last) last = ready, moved = now;
        if (now - moved > 10) break; /* without progress for this long, it gives up */
        if (progress_due(p)) {
            progress_tell(p, (double)ready / l->count, "%u of %u rooms ready", ready, l->count);
        }
    }
    l->ready = count_ready(l);
}

/* Moves in the room whose turn it is; a room that still waits for its last move is skipped. Any room can get an
 * order, as from people. */
static void move(load *l, uint64_t due) {
    uint32_t index = in_rounds(l) ? bw_fast_below(&l->fast, l->count) : (uint32_t)(due % l->count);
    load_room *room = &l->rooms[index];
    if (room->stage != LOAD_READY) {
        l->late++;
        return;
    }
    load_room_move(room);
    l->orders++;
    for (int side = 0; side < 2; side++) pump(l, index, side);
}

static uint64_t rounds_of(const load *l) {
    uint64_t rounds = 0;
    for (uint32_t i = 0; i < l->count; i++) rounds += l->rooms[i].rounds;
    return rounds;
}

/* Sends moves, or orders, at an even rate. */
static double play(load *l, double seconds, double rate, progress *p) {
    double begun = cli_clock(), now;
    l->measuring = true;
    for (uint32_t i = 0; i < l->count; i++) l->rooms[i].times = &l->times;
    uint64_t due = 0;
    while ((now = cli_clock()) - begun < seconds && !progress_interrupted()) {
        for (uint64_t target = (uint64_t)((now - begun) * rate); due < target; due++) move(l, due);
        wait_and_pump(l, 1);
        if (progress_due(p)) {
            progress_tell(p, (now - begun) / seconds, "%.0f of %.0f s, %" PRIu64 " %s", now - begun, seconds,
                          in_rounds(l) ? rounds_of(l) : l->times.count, in_rounds(l) ? "rounds" : "moves");
        }
    }
    return cli_clock() - begun;
}

static int64_t worst_drift(const load *l) {
    int64_t worst = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (llabs(l->rooms[i].drift_ms) > llabs(worst)) worst = l->rooms[i].drift_ms;
    }
    return worst;
}

static void print_times(const load *l, bool json) {
    static const double shares[] = {0.5, 0.9, 0.99, 0.999, 1};
    static const char *const names[] = {"p50", "p90", "p99", "p99.9", "max"};
    static const char *const keys[] = {"p50", "p90", "p99", "p999", "max"};
    for (int i = 0; i < 5; i++) {
        double ms = load_times_at(&l->times, shares[i]);
        if (json) printf("%s\"%s\":%.3f", i ? "," : "", keys[i], ms);
        else printf("%s%s %.2f ms", i ? ", " : "", names[i], ms);
    }
}

static void report_json(const load *l, double seconds, double rate) {
    printf("{\"game\":\"%s\",\"rooms\":%u,\"seconds\":%.2f,\"offered_per_second\":%.1f,\"failed\":%" PRIu64,
           l->game->id, l->ready, seconds, rate, l->failed);
    if (in_rounds(l)) {
        printf(",\"rounds\":%" PRIu64 ",\"orders\":%" PRIu64 ",\"drift_ms\":%" PRId64 ",\"late_ms\":{", rounds_of(l),
               l->orders, worst_drift(l));
    } else {
        printf(",\"moves\":%" PRIu64 ",\"moves_per_second\":%.1f,\"passed_over\":%" PRIu64 ",\"games\":%" PRIu64
               ",\"latency_ms\":{",
               l->times.count, (double)l->times.count / seconds, l->late, l->games);
    }
    print_times(l, true);
    puts("}}");
}

static void report(const load *l, double seconds, double rate) {
    printf("%u rooms of two, %.1f s: ", l->ready, seconds);
    if (in_rounds(l)) {
        printf("%" PRIu64 " rounds, %" PRIu64 " orders; the clocks have drifted by %" PRId64
               " ms at most\nlate on arrival: ",
               rounds_of(l), l->orders, worst_drift(l));
    } else {
        printf("%" PRIu64 " moves, %.0f a second of %.0f offered; %" PRIu64
               " games ended\nfrom a move to both updates: ",
               l->times.count, (double)l->times.count / seconds, rate, l->games);
    }
    print_times(l, false);
    putchar('\n');
    if (l->late) {
        printf("%" PRIu64 " times a room was skipped because its last move had not arrived yet\n", l->late);
    }
    if (l->failed) printf("%" PRIu64 " rooms failed; the first: %s\n", l->failed, l->failure.text);
}

static void raise_limit(uint64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < wanted) {
        fprintf(stderr, "boardwalk: this system allows a program %" PRIu64 " connections; fewer rooms will open.\n",
                (uint64_t)limit.rlim_max);
    }
}

static int run(load *l, double seconds, double rate, bool json) {
    progress p = progress_begin();
    raise_limit((uint64_t)l->count * 2 + 32);
    l->poller = epoll_create1(EPOLL_CLOEXEC);
    l->rooms = cli_memory(l->count * sizeof *l->rooms);
    open_all(l, &p);
    int status = CLI_OK;
    if (l->ready < l->count) {
        progress_end(&p);
        fprintf(stderr, "boardwalk: %u of %u rooms started%s%s\n", l->ready, l->count,
                l->failed ? "; the first failure: " : ".", l->failed ? l->failure.text : "");
        if (l->ready) {
            fputs("The server limits rooms and connections per address: MAX_ROOMS_PER_ADDRESS_PER_MINUTE=0,\n"
                  "MAX_SOCKETS_PER_ADDRESS=0, MAX_STORED_MB_PER_ADDRESS_PER_HOUR=0 and\n"
                  "MAX_WORK_SECONDS_PER_ADDRESS_PER_MINUTE=0 remove these limits.\n",
                  stderr);
        }
        status = CLI_NO;
    } else {
        double took = play(l, seconds, rate, &p);
        progress_end(&p);
        if (json) report_json(l, took, rate);
        else report(l, took, rate);
        if (l->failed || !l->times.count) status = CLI_NO;
    }
    for (uint32_t i = 0; i < l->count; i++) load_room_free(&l->rooms[i]);
    close(l->poller);
    free(l->rooms);
    return status;
}

int cli_load(int argc, char **argv) {
    int64_t rooms = 100, seconds = 10, rate = 0, seed = -1;
    bool json = false;
    const char *address, *id = bw_game_default()->id;
    const cli_option options[] = {
        CLI_TEXT("--game", &id, "GAME", "a game for two without hidden luck; default: the first of the list"),
        CLI_INT("--rooms", &rooms, "N", 1, 100000, "rooms of two at the same time (100)"),
        CLI_INT("--seconds", &seconds, "S", 1, 86400, "how long, once all have started (10)"),
        CLI_INT("--rate", &rate, "M", 1, 10000000,
                "moves or orders per second in total (18 moves per room, or an order per room in 3 s)"),
        CLI_INT("--seed", &seed, "S", 0, INT64_MAX, "for the room ids and the moves; random by default"),
        CLI_FLAG(
            "--json", &json,
            "{\"moves_per_second\", \"latency_ms\": {\"p50\", ...}, ...} or {\"rounds\", \"drift_ms\", \"late_ms\": {...}}"),
    };
    const cli_usage usage = {
        .command = "load",
        .operands = "URL",
        .about =
            "Plays many games against a server (http://localhost:8000). For a game of turns it reports moves per second and\n"
            "the time from a move until both players have the update; for a game of rounds how late rounds arrive by the\n"
            "clock announced at the start, and how far that clock has drifted (this machine's clock must agree with the\n"
            "server's).\n"
            "First remove the server's limits per address: MAX_ROOMS_PER_ADDRESS_PER_MINUTE=0\n"
            "MAX_SOCKETS_PER_ADDRESS=0 MAX_STORED_MB_PER_ADDRESS_PER_HOUR=0 MAX_WORK_SECONDS_PER_ADDRESS_PER_MINUTE=0.",
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    int given = cli_parse(&usage, argc, argv, &address);
    if (given < 0) return cli_exit(given);
    const bw_game *game = cli_game(id);
    if (!game) return CLI_USAGE;
    if (game->role_count != 2)
        return cli_wrong("--game must be a game of two players: %s has %u.", id, game->role_count);
    load l = {.game = game, .count = (uint32_t)rooms};
    if (!ws_url_parse(&l.url, address, &l.failure)) return cli_wrong("%s.", l.failure.text);
    uint8_t random[32];
    cli_random(random);
    if (seed >= 0) l.seed = (uint64_t)seed << 20;
    else memcpy(&l.seed, random, sizeof l.seed);
    l.fast.state = l.seed;
    double most = (double)rooms * MOVES_A_ROOM, usual = in_rounds(&l) ? (double)rooms / SECONDS_AN_ORDER : most;
    if (rate && (double)rate > most) {
        return cli_wrong("--rate may be at most %d moves per second and room: %.0f.", MOVES_A_ROOM, most);
    }
    l.addresses = ws_resolve(&l.url, &l.failure);
    if (!l.addresses) return cli_failed("%s.", l.failure.text);
    int status = run(&l, (double)seconds, rate ? (double)rate : usual, json);
    freeaddrinfo(l.addresses);
    ws_url_free(&l.url);
    return status;
}
