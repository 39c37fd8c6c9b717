/* The hot paths, each between two marks, for tools/count-instructions.
 *
 *   build/release/bench/bench_paths            runs them all
 *
 * Under callgrind each mark writes the number of instructions since the last one, with its name. Nothing here reads
 * a clock or random numbers from the system, so the same program counts the same on every machine of one instruction
 * set. The journal is the one in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "bots/bots.h"
#include "bots/flood_it/solver.h"
#include "rooms/hall.h"
#include "rooms/journal_memory.h"
#include "server/frames.h"
#include "tests/support/any_game.h"

enum { TIMES = 40 };

static void begin(void) {
    CALLGRIND_ZERO_STATS;
    CALLGRIND_START_INSTRUMENTATION;
}
static void end(const char *name) {
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(name);
    (void)name;
}

/* ---- the hall ---- */

static bw_hall *hall;
static bw_memory_journal *journal;
static bw_now now = {.mono_us = 1, .wall_ms = 1700000000000};

static void pump(void) {
    bw_output out;
    for (;;) {
        while (bw_hall_next(hall, &out)) {
            if (out.kind == BW_OUT_LOAD) {
                bw_hall_loaded(hall, now, out.room, bw_memory_journal_load(journal, out.room), NULL);
            } else if (out.kind == BW_OUT_APPEND) {
                bw_memory_journal_append(journal, &out.entry);
            }
            bw_bytes_release(out.bytes);
        }
        if (bw_memory_journal_waiting(journal) == 0) return;
        bw_hall_journalled(hall, now, bw_memory_journal_commit(journal, SIZE_MAX));
    }
}

static void say(uint64_t conn, const char *text) {
    bw_hall_message(hall, now, conn, text, strlen(text));
    pump();
}

static void two_players(uint64_t first, const char *room, const char *game, const char *one, const char *other) {
    char text[80];
    for (uint64_t conn = first; conn < first + 2; conn++) {
        bw_hall_opened(hall, now, conn, room, game, "");
        pump();
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\"}", conn == first ? one : other);
        say(conn, text);
    }
    say(first, "{\"type\":\"start\"}");
}

static void moves(void) {
    char text[96];
    begin();
    for (int day = 0; day < TIMES; day++) {
        now.mono_us += 1000000;
        snprintf(text, sizeof text, "{\"type\":\"move\",\"position\":{\"x\":%d,\"y\":0},\"id\":%d}", day % 2 ? 0 : 1,
                 2 * day + 3);
        say(1, text);
        snprintf(text, sizeof text, "{\"type\":\"end_turn\",\"id\":%d}", 2 * day + 4);
        say(1, text);
        snprintf(text, sizeof text, "{\"type\":\"end_turn\",\"id\":%d}", day + 2);
        say(2, text);
    }
    end("hall: 40 days and nights of two players");
}

static void rounds(void) {
    begin();
    for (int i = 0; i < TIMES; i++) {
        say(3, i % 2 ? "{\"type\":\"command\",\"piece\":1,\"direction\":\"right\",\"distance\":1}"
                     : "{\"type\":\"command\",\"piece\":1,\"direction\":\"left\",\"distance\":1}");
    }
    end("hall: 40 orders of Flag War");
    begin();
    for (int i = 0; i < TIMES; i++) {
        now.mono_us += 3000000;
        now.wall_ms += 3000;
        for (uint64_t conn = 1; conn <= 4; conn++) bw_hall_pong(hall, now, conn);
        while (bw_hall_deadline(hall) <= now.mono_us) {
            bw_hall_tick(hall, now);
            pump();
        }
    }
    end("hall: 40 rounds of Flag War, told to two");
}

static void rooms(void) {
    static const bw_hall_settings settings = {
        .room_cleanup_ms = 300000, .seat_grace_ms = 15000, .hibernate_ms = 60000, .forget_ms = 3600000};
    uint8_t key[32] = {1};
    journal = bw_memory_journal_new();
    hall = bw_hall_new(&settings, key);
    pump();
    begin();
    two_players(1, "ISLAND", "flooded_island", "journeyman", "weather");
    end("hall: a room opened, seated and started");
    moves();
    two_players(3, "FLAGS", "flag_war", "blue", "red");
    say(3, "{\"type\":\"ready\"}");
    say(4, "{\"type\":\"ready\"}");
    rounds();
    bw_hall_free(hall);
    bw_memory_journal_free(journal);
}

/* ---- the rules and the wire format ---- */

static void play(const bw_game *game) {
    char name[80];
    bw_any any;
    bw_fast fast = {7};
    bw_any_open(&any, game);
    bw_any_start(&any, &fast, true);
    begin();
    for (int i = 0; i < 200; i++) {
        if (bw_any_step(&any, &fast) == BW_WATCHER) bw_any_start(&any, &fast, true);
    }
    snprintf(name, sizeof name, "rules: 200 random steps of %s", game->title);
    end(name);
    bw_any_close(&any);
}

static void travel(const bw_game *game) {
    enum { CAP = 1 << 18 };
    char name[80], *text = malloc(CAP);
    void *view = calloc(1, game->view->size);
    bw_any any;
    bw_fast fast = {7};
    if (!text || !view) abort();
    bw_any_open(&any, game);
    bw_any_start(&any, &fast, true);
    game->view_of(any.match.state, BW_WATCHER, view);
    begin();
    bw_out out = bw_out_to(text, CAP);
    bw_encode(&out, game->view, view);
    snprintf(name, sizeof name, "wire: a view of %s written", game->title);
    end(name);
    bw_any_close(&any);
    free(view);
    free(text);
}

/* Masked frames of 60 bytes, as a browser sends them. */
static void frames(void) {
    static char bytes[TIMES * 66];
    char *at = bytes;
    for (int i = 0; i < TIMES; i++) {
        uint8_t *frame = (uint8_t *)bytes + i * 66;
        frame[0] = 0x81, frame[1] = 0x80 | 60;
        memcpy(frame + 2, "mask", 4);
        for (int k = 0; k < 60; k++) frame[6 + k] = (uint8_t)('a' ^ "mask"[k % 4]);
    }
    bw_frames in = {.message_max = 4096, .message_far = 65536};
    bw_frame frame;
    int count = 0;
    begin();
    while (bw_frames_read(&in, &at, bytes + sizeof bytes, &frame) == BW_FRAME_TEXT) count++;
    end("net: 40 frames of 60 bytes read");
    if (count != TIMES) abort();
    bw_frames_release(&in);
}

/* ---- solvers and bots ---- */

static void solve(void *arena, size_t bytes) {
    static bw_flood_board board = {.rows = 12, .cols = 12};
    static bw_flood_solution solution;
    bw_fast fast = {3};
    for (int i = 0; i < 144; i++) board.cells[i] = (uint8_t)bw_fast_below(&fast, 6);
    bw_flood_limits limits = {.kernel = BW_FLOOD_KERNEL_BASE, .max_nodes = 20000};
    begin();
    int error = bw_flood_solve(&board, &limits, arena, bytes, &solution);
    end("solver: a board of 12x12 in 6 colours");
    if (error != BW_FLOOD_OK) abort();
}

static void decide(const bw_game *game, const char *level, void *arena, size_t bytes) {
    char name[80];
    const bw_bot *bot = bw_bot_find(game, level);
    void *view = calloc(1, game->view->size), *actions = calloc(BW_BOT_ACTIONS_MAX, game->actions->size);
    bw_any any;
    bw_fast fast = {7};
    if (!bot || !view || !actions || bot->arena_bytes > bytes) abort();
    bw_any_open(&any, game);
    bw_any_start(&any, &fast, true);
    game->view_of(any.match.state, 0, view);
    bw_thinking thinking = {.seed = 5, .effort = 100, .arena = arena, .arena_bytes = bytes};
    begin();
    uint32_t count = bot->choose(bot, game, view, any.config, 0, &thinking, actions, BW_BOT_ACTIONS_MAX);
    snprintf(name, sizeof name, "bots: a decision of %s, %s", game->title, level);
    end(name);
    if (count == 0) abort();
    bw_any_close(&any);
    free(view);
    free(actions);
}

int main(void) {
    enum { ARENA = 256 << 20 };
    void *arena = aligned_alloc(64, ARENA);
    if (!arena) return 1;
    rooms();
    frames();
    for (int i = 0; bw_game_at(i); i++) {
        if (bw_game_listed(bw_game_at(i))) play(bw_game_at(i));
    }
    travel(bw_game_find("monadungeon"));
    travel(bw_game_find("flag_war"));
    solve(arena, ARENA);
    decide(bw_game_find("flag_war"), "normal", arena, ARENA);
    decide(bw_game_find("monadungeon"), "normal", arena, ARENA);
    decide(bw_game_find("flooded_island"), "normal", arena, ARENA);
    free(arena);
    return 0;
}
