/* The longest time that one input blocks the hall, for each kind of input, with state as large as the limits allow.
 *
 *   build/release/bench/bench_inputs
 *
 * The goal is 2 ms each: nobody else is served in that time. Each row is the smallest of three runs' longest times of
 * one call into the hall (its outputs are handled off the clock), in processor time, because nothing here waits. The
 * crowd makes so many visits that each run meets the machine's own pauses. So each visit counts with the smallest of
 * its three times, and the row is the longest of those. "work" is what the hall itself counts (units of about a
 * microsecond); it is the same in each run. The journal is the one in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rooms/hall.h"
#include "rooms/journal_memory.h"

enum { RUNS = 3, KINDS = 24, PLAYS = 5000, CROWD = 1 << 17 };

typedef struct kind {
    const char *name;
    double seconds; /* the longest in this run */
    double best;    /* the smallest over the runs */
    uint64_t work;
} kind;

typedef struct bench {
    bw_hall *hall;
    bw_memory_journal *journal;
    bw_now now;
    kind kinds[KINDS];
    int count;
    kind *current; /* NULL: not measured */
    double start;
    uint64_t work;
    char token[40], replay[BW_REPLAY_ID_MAX + 1];
    int status;
} bench;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t work_of(const bench *b) {
    bw_hall_figures figures;
    bw_hall_figures_of(b->hall, &figures);
    return figures.work_total;
}

static void begin(bench *b) {
    b->work = work_of(b);
    b->start = seconds();
}

static void end(bench *b) {
    double took = seconds() - b->start;
    uint64_t work = work_of(b) - b->work;
    if (!b->current) return;
    if (took > b->current->seconds) b->current->seconds = took;
    if (work > b->current->work) b->current->work = work;
}

/* Starts a measurement of this kind; NULL: no measurement. */
static void of_kind(bench *b, const char *name) {
    b->current = NULL;
    if (!name) return;
    int at = 0;
    while (at < b->count && strcmp(b->kinds[at].name, name) != 0) at++;
    if (at == KINDS) abort();
    if (at == b->count) b->kinds[b->count++] = (kind){.name = name, .best = 1e9};
    b->current = &b->kinds[at];
}

static void keep(char *to, size_t cap, const bw_bytes *bytes, const char *before) {
    const char *at = memmem(bytes->at, bytes->length, before, strlen(before));
    size_t length = 0;
    if (!at) return;
    at += strlen(before);
    for (; at[length] != '"' && length + 1 < cap; length++) to[length] = at[length];
    to[length] = 0;
}

static void carry_out(bench *b, bw_output *out) {
    static char rooms[64][BW_ROOM_ID_MAX + 1];
    size_t length;
    const uint8_t *bytes;
    switch (out->kind) {
    case BW_OUT_LOAD: {
        const bw_stored_room *stored = bw_memory_journal_load(b->journal, out->room);
        begin(b);
        bw_hall_loaded(b->hall, b->now, out->room, stored, NULL);
        end(b);
        break;
    }
    case BW_OUT_REPLAY:
        bytes = bw_memory_journal_replay(b->journal, out->room, &length);
        begin(b);
        bw_hall_replay_loaded(b->hall, b->now, out->conn, bytes, bytes ? length : 0);
        end(b);
        break;
    case BW_OUT_APPEND: bw_memory_journal_append(b->journal, &out->entry); break;
    case BW_OUT_SWEEP:
        length = bw_memory_journal_sweep(b->journal, out->ended_before, out->unstarted_before, rooms, 64);
        begin(b);
        bw_hall_swept(b->hall, b->now, (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, length);
        end(b);
        break;
    case BW_OUT_SEND:
        keep(b->token, sizeof b->token, out->bytes, "\"token\":\"");
        keep(b->replay, sizeof b->replay, out->bytes, "\"replay_id\":\"");
        break;
    case BW_OUT_REPLY: b->status = out->code; break;
    case BW_OUT_BOT_JOB: /* a solver's answer is not needed */
    case BW_OUT_ASK_MODEL:
    case BW_OUT_HAND_OVER:
    case BW_OUT_CLOSE:
    case BW_OUT_PING: break;
    }
    bw_bytes_release(out->bytes);
}

static void pump(bench *b) {
    bw_output out;
    for (;;) {
        while (bw_hall_next(b->hall, &out)) carry_out(b, &out);
        if (bw_memory_journal_waiting(b->journal) > 0) {
            uint64_t ticket = bw_memory_journal_commit(b->journal, SIZE_MAX);
            begin(b);
            bw_hall_journalled(b->hall, b->now, ticket);
            end(b);
        } else if (bw_hall_busy(b->hall)) {
            b->now.mono_us += 2000;
            begin(b);
            bw_hall_tick(b->hall, b->now);
            end(b);
        } else {
            return;
        }
    }
}

static void pass(bench *b, int64_t ms) {
    b->now.mono_us += ms * 1000;
    b->now.wall_ms += ms;
    while (bw_hall_deadline(b->hall) <= b->now.mono_us) {
        begin(b);
        bw_hall_tick(b->hall, b->now);
        end(b);
        pump(b);
    }
}

static void say(bench *b, uint64_t conn, const char *text) {
    b->now.mono_us += 50000;
    b->now.wall_ms += 50;
    bw_hall_pong(b->hall, b->now, conn);
    begin(b);
    bw_hall_message(b->hall, b->now, conn, text, strlen(text));
    end(b);
    pump(b);
}

static void visit(bench *b, uint64_t conn, const char *room, const char *game) {
    begin(b);
    bw_hall_opened(b->hall, b->now, conn, room, game, "");
    end(b);
    pump(b);
}

static void leave(bench *b, uint64_t conn) {
    begin(b);
    bw_hall_closed(b->hall, b->now, conn);
    end(b);
    pump(b);
}

static void start_hall(bench *b) {
    static const bw_hall_settings settings = {
        .room_cleanup_ms = 300000, .seat_grace_ms = 15000, .hibernate_ms = 60000, .forget_ms = 3600000};
    uint8_t key[32] = {1};
    b->journal = bw_memory_journal_new();
    b->hall = bw_hall_new(&settings, key);
    b->now = (bw_now){.mono_us = 1, .wall_ms = 1700000000000};
    pump(b);
}

static void stop_hall(bench *b) {
    of_kind(b, NULL);
    bw_hall_free(b->hall);
    bw_memory_journal_free(b->journal);
}

/* Creates a board of the largest size, whose classic limit must be found, then plays a game of the maximum length. */
static void long_game(bench *b) {
    static const char *const turns[] = {
        "{\"type\":\"reset\"}",
        "{\"type\":\"select_color\",\"color\":\"red\"}",
        "{\"type\":\"select_color\",\"color\":\"green\"}",
        "{\"type\":\"undo\"}",
        "{\"type\":\"redo\"}",
        "{\"type\":\"select_color\",\"color\":\"blue\"}",
    };
    char text[160];
    start_hall(b);
    of_kind(b, "the first visit makes a room");
    visit(b, 1, "LARGE", "flood_it");
    of_kind(b, NULL);
    say(b, 1, "{\"type\":\"select_role\",\"role\":\"player\"}");
    of_kind(b, "configure 64x64, ten colours");
    say(b, 1,
        "{\"type\":\"configure\",\"rows\":64,\"cols\":64,\"colors\":10,\"move_limit\":\"classic\",\"seed\":\"a\"}");
    of_kind(b, "start 64x64, ten colours");
    say(b, 1, "{\"type\":\"start\"}");
    of_kind(b, "new_game 64x64, ten colours");
    for (int i = 0; i < 10; i++) {
        snprintf(text, sizeof text, "{\"type\":\"new_game\",\"settings\":{\"seed\":\"%d\"}}", i);
        say(b, 1, text);
    }
    of_kind(b, "a move on 64x64");
    for (int i = 11; i < PLAYS - 100; i++) say(b, 1, turns[i % 6]);
    for (int i = 0; i < 128; i++) say(b, 1, turns[i % 6]);
    of_kind(b, "GET a room, 64x64");
    begin(b);
    bw_hall_http_state(b->hall, b->now, 900, "LARGE", "");
    end(b);
    pump(b);
    of_kind(b, "GET its log, 5,000 moves");
    begin(b);
    bw_hall_http_log(b->hall, b->now, 901, "LARGE", "");
    end(b);
    pump(b);
    of_kind(b, NULL);
    visit(b, 2, "LARGE", NULL);
    leave(b, 1);
    of_kind(b, "resume with 64 missed, 64x64");
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\",\"since\":%d}", b->token, PLAYS - 60);
    say(b, 2, text);
    of_kind(b, "hibernate, 5,000 moves");
    leave(b, 2);
    pass(b, 61000);
    of_kind(b, "wake, 5,000 moves");
    visit(b, 3, "LARGE", NULL);
    stop_hall(b);
}

/* A long game that ends repeatedly; then somebody plays on from its middle. */
static void long_end(bench *b) {
    static const char *const colors[] = {"red", "green", "blue", "yellow", "purple", "orange"};
    static const char *const turns[] = {"{\"type\":\"select_color\",\"color\":\"red\"}",
                                        "{\"type\":\"select_color\",\"color\":\"green\"}", "{\"type\":\"undo\"}",
                                        "{\"type\":\"undo\"}"};
    char text[160];
    start_hall(b);
    visit(b, 1, "ENDED", "flood_it");
    say(b, 1, "{\"type\":\"select_role\",\"role\":\"player\"}");
    say(b, 1, "{\"type\":\"configure\",\"rows\":10,\"cols\":10,\"colors\":6,\"move_limit\":0,\"seed\":\"a\"}");
    say(b, 1, "{\"type\":\"start\"}");
    for (int i = 0; i < PLAYS - 100; i++) say(b, 1, turns[i % 4]);
    of_kind(b, "the end after 4,950 moves");
    for (int i = 0; i < 90 && !b->replay[0]; i++) {
        snprintf(text, sizeof text, "{\"type\":\"select_color\",\"color\":\"%s\"}", colors[i % 6]);
        say(b, 1, text);
    }
    of_kind(b, "play on from it");
    snprintf(text, sizeof text, "{\"game\":\"flood_it\",\"replay_id\":\"%s\",\"seq\":4900}", b->replay);
    begin(b);
    bw_hall_http_create(b->hall, b->now, 902, text, strlen(text), "");
    end(b);
    pump(b);
    if (b->status != 201) printf("play on: %d\n", b->status);
    b->replay[0] = 0;
    stop_hall(b);
}

/* Visits, each to its own room. `visits`: the shortest time of each so far. */
static void crowd(bench *b, float *visits) {
    char room[16];
    double longest = 0;
    start_hall(b);
    of_kind(b, "a visit that makes a room, of 131,072");
    for (uint64_t i = 0; i < CROWD; i++) {
        snprintf(room, sizeof room, "R%07llu", (unsigned long long)i);
        b->current->seconds = 0;
        visit(b, i + 1, room, "flood_it");
        if (b->current->seconds < visits[i]) visits[i] = (float)b->current->seconds;
        if (visits[i] > longest) longest = visits[i];
    }
    b->current->seconds = longest;
    stop_hall(b);
}

int main(void) {
    static float visits[CROWD];
    bench b = {0};
    for (int i = 0; i < CROWD; i++) visits[i] = 1e9f;
    for (int run = 0; run < RUNS; run++) {
        long_game(&b);
        long_end(&b);
        crowd(&b, visits);
        for (int i = 0; i < b.count; i++) {
            kind *k = &b.kinds[i];
            if (k->seconds < k->best) k->best = k->seconds;
            k->seconds = 0;
        }
    }
    for (int i = 0; i < b.count; i++) {
        printf("%-42s %8.2f ms  %6llu units%s\n", b.kinds[i].name, b.kinds[i].best * 1e3,
               (unsigned long long)b.kinds[i].work, b.kinds[i].best > 0.002 ? "  over 2 ms" : "");
    }
    return 0;
}
