/* The hall alone: the memory of a room and a connection, that of each game's rooms by their length, the time of a move,
 * rounds of ten thousand rooms with the time to start and to wake them, and a million rooms created and abandoned.
 *
 *   build/release/bench/bench_rooms [ROOMS]
 *
 * The journal is the one in memory, so this measures the hall (and that journal's copying). One run, one core; times
 * are processor times of the whole, memory is what the hall itself counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rooms/hall.h"
#include "rooms/journal_memory.h"
#include "rooms/session/session.h"
#include "tests/support/long_games.h"

typedef struct bench {
    bw_hall *hall;
    bw_memory_journal *journal;
    bw_now now;
    uint64_t base;
    char *token; /* of the player who takes a seat now, if it is wanted */
} bench;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* nothing here waits */
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t bytes_of(const bench *b) {
    bw_hall_figures figures;
    bw_hall_figures_of(b->hall, &figures);
    return figures.bytes;
}

static void swept(bench *b, const bw_output *out) {
    static char rooms[4096][BW_ROOM_ID_MAX + 1];
    size_t count = bw_memory_journal_sweep(b->journal, out->ended_before, out->unstarted_before, rooms, 4096);
    bw_hall_swept(b->hall, b->now, (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, count);
}

static void keep_token(bench *b, const bw_bytes *bytes) {
    static const char before[] = "\"token\":\"";
    const char *at = memmem(bytes->at, bytes->length, before, sizeof before - 1);
    if (at) memcpy(b->token, at + sizeof before - 1, 32);
}

static void pump(bench *b) {
    bw_output out;
    for (;;) {
        while (bw_hall_next(b->hall, &out)) {
            if (out.kind == BW_OUT_LOAD) {
                bw_hall_loaded(b->hall, b->now, out.room, bw_memory_journal_load(b->journal, out.room), NULL);
            } else if (out.kind == BW_OUT_APPEND) {
                bw_memory_journal_append(b->journal, &out.entry);
            } else if (out.kind == BW_OUT_SWEEP) {
                swept(b, &out);
            } else if (out.kind == BW_OUT_SEND && b->token) {
                keep_token(b, out.bytes);
            }
            bw_bytes_release(out.bytes);
        }
        if (bw_memory_journal_waiting(b->journal) == 0) return;
        bw_hall_journalled(b->hall, b->now, bw_memory_journal_commit(b->journal, SIZE_MAX));
    }
}

static void tick(bench *b) {
    while (bw_hall_deadline(b->hall) <= b->now.mono_us) {
        bw_hall_tick(b->hall, b->now);
        pump(b);
    }
}

static void pass(bench *b, int64_t us) {
    b->now.mono_us += us;
    b->now.wall_ms += us / 1000;
    for (uint64_t conn = 1; conn <= 20000; conn++) bw_hall_pong(b->hall, b->now, conn);
}

static void say(bench *b, uint64_t conn, const char *text) {
    bw_hall_message(b->hall, b->now, conn, text, strlen(text));
    pump(b);
}

static void play(bench *b, uint64_t rooms) {
    char text[128];
    enum { DAYS = 40 };
    for (uint64_t i = 0; i < rooms; i++) {
        char room[32];
        snprintf(room, sizeof room, "R%07llu", (unsigned long long)i);
        for (uint64_t k = 1; k <= 2; k++) {
            bw_hall_opened(b->hall, b->now, 2 * i + k, room, NULL, "");
            pump(b);
            say(b, 2 * i + k,
                k == 1 ? "{\"type\":\"select_role\",\"role\":\"journeyman\",\"name\":\"somebody\",\"id\":1}"
                       : "{\"type\":\"select_role\",\"role\":\"weather\",\"name\":\"somebody\",\"id\":1}");
        }
    }
    printf("a room with two players, before the start  %6.0f bytes\n", (double)(bytes_of(b) - b->base) / (double)rooms);
    for (uint64_t i = 0; i < rooms; i++) {
        say(b, 2 * i + 1, "{\"type\":\"configure_grid\",\"size\":10,\"id\":2}");
    }
    printf("the same, started                          %6.0f bytes\n", (double)(bytes_of(b) - b->base) / (double)rooms);
    double start = seconds();
    for (int day = 0; day < DAYS; day++) {
        b->now.mono_us += 1000000;
        for (uint64_t i = 0; i < rooms; i++) {
            snprintf(text, sizeof text, "{\"type\":\"move\",\"position\":{\"x\":%d,\"y\":0},\"id\":%d}",
                     day % 2 ? 0 : 1, 2 * day + 3);
            say(b, 2 * i + 1, text);
            snprintf(text, sizeof text, "{\"type\":\"end_turn\",\"id\":%d}", 2 * day + 4);
            say(b, 2 * i + 1, text);
            snprintf(text, sizeof text, "{\"type\":\"end_turn\",\"id\":%d}", day + 2);
            say(b, 2 * i + 2, text);
        }
    }
    double took = seconds() - start;
    printf("the same after %d moves with ids           %6.0f bytes\n", 2 * DAYS,
           (double)(bytes_of(b) - b->base) / (double)rooms);
    printf("a move (staged, committed, sent to two)    %6.2f us\n", took * 1e6 / (double)(2 * DAYS * rooms));
}

/* ---- rooms by the length of their games ---- */

enum { GROWING = 100 }; /* rooms; each figure has its share of the hall's queues, up to 1 KiB */

static bw_room *growing_room(const bench *b, uint64_t i) {
    char id[16];
    snprintf(id, sizeof id, "L%07llu", (unsigned long long)i);
    return bw_room_find(b->hall, id);
}

static void with_quotes(char *text) {
    for (; *text; text++) *text = *text == '\'' ? '"' : *text;
}

static void seat(bench *b, const long_game *game, uint64_t i) {
    char text[200];
    for (uint64_t k = 0; k < 2 && game->roles[k]; k++) {
        snprintf(text, sizeof text, "L%07llu", (unsigned long long)i);
        bw_hall_opened(b->hall, b->now, 2 * i + k + 1, text, game->id, "");
        pump(b);
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\",\"name\":\"somebody\"}", game->roles[k]);
        say(b, 2 * i + k + 1, text);
    }
    snprintf(text, sizeof text, "%s", game->settings);
    with_quotes(text);
    say(b, 2 * i + 1, text);
    if (!growing_room(b, i)->started_at) say(b, 2 * i + 1, "{\"type\":\"start\"}");
}

/* With an id, as clients send it: the n-th one of the script, or a legal action of a player whose turn it is. */
static void take_turn(bench *b, const long_game *game, uint64_t i, int n, bw_fast *fast) {
    const bw_room *room = growing_room(b, i);
    char text[1024], action_text[900];
    int turns = 0, player;
    while (turns < 6 && game->turns[turns]) turns++;
    if (turns) {
        const char *turn = game->turns[n % turns];
        player = turn[0] - '0';
        snprintf(text, sizeof text, "%s,'id':%d}", turn + 1, n + 1);
        with_quotes(text);
    } else {
        uint64_t action[512] = {0};
        bw_out out = bw_out_to(action_text, sizeof action_text);
        player = room->game->turn(bw_room_match(room)->state) & 1 ? 1 : 2;
        if (!bw_random_action(room->game, bw_room_match(room)->state, player - 1, fast, action)) abort();
        bw_encode_union(&out, room->game->actions, action);
        snprintf(text, sizeof text, "%.*s,\"id\":%d}", (int)out.length - 1, action_text, n + 1);
    }
    say(b, 2 * i + (uint64_t)player, text);
}

/* false: a game is over. */
static bool grow_to(bench *b, const long_game *game, uint32_t moves, int *n, bw_fast *fast) {
    for (;; (*n)++) {
        int played = 0;
        for (uint64_t i = 0; i < GROWING; i++) {
            if (growing_room(b, i)->ended_at) return false;
            if (growing_room(b, i)->move_count >= moves) continue;
            take_turn(b, game, i, *n, fast);
            played++;
        }
        if (played == 0) return true;
        b->now.mono_us += game->step_ms * 1000;
        b->now.wall_ms += game->step_ms;
        for (uint64_t conn = 1; conn <= 2 * GROWING; conn++) bw_hall_pong(b->hall, b->now, conn);
        tick(b);
        for (; bw_hall_busy(b->hall); b->now.mono_us += 2000) tick(b); /* snapshots */
    }
}

static void grow(bench *b, const long_game *game) {
    static const uint32_t lengths[] = {1, 80, 700, 1000};
    bw_fast fast = {7};
    int n = 0;
    for (uint64_t i = 0; i < GROWING; i++) seat(b, game, i);
    printf("%-15s (its position %5zu bytes)", game->id, bw_match_bytes(growing_room(b, 0)->game));
    for (size_t k = 0; k < 4 && grow_to(b, game, lengths[k], &n, &fast); k++) {
        printf("  %u: %.0f", lengths[k], (double)(bytes_of(b) - b->base) / GROWING);
    }
    printf("\n");
}

static void abandon(bench *b, uint64_t rooms) {
    uint64_t before = bytes_of(b), conn = 1000000000;
    double start = seconds();
    for (uint64_t i = 0; i < rooms; i++) {
        char room[32];
        snprintf(room, sizeof room, "A%07llu", (unsigned long long)i);
        bw_hall_opened(b->hall, b->now, ++conn, room, NULL, "");
        pump(b);
        bw_hall_closed(b->hall, b->now, conn);
        pump(b);
        b->now.mono_us += 5000;
        b->now.wall_ms += 5;
        tick(b);
    }
    uint64_t at_most = bytes_of(b);
    for (int minute = 0; minute < 90 * 5; minute++) {
        b->now.mono_us += 60000000;
        b->now.wall_ms += 60000;
        tick(b);
    }
    bw_hall_figures figures;
    bw_hall_figures_of(b->hall, &figures);
    printf("%llu rooms created and abandoned in %.1f s: %.1f MB before, %.1f MB at the last one, %.1f MB after;"
           " %llu rooms in memory, %zu stored\n",
           (unsigned long long)rooms, seconds() - start, (double)before / 1e6, (double)at_most / 1e6,
           (double)figures.bytes / 1e6, (unsigned long long)figures.rooms_in_memory,
           bw_memory_journal_rooms(b->journal));
}

static bw_hall *new_hall(void) {
    static const bw_hall_settings settings = {
        .room_cleanup_ms = 300000, .seat_grace_ms = 15000, .hibernate_ms = 60000, .forget_ms = 3600000};
    uint8_t key[32] = {1};
    return bw_hall_new(&settings, key);
}

/* Rooms of Flag War that all start at the same instant, which no server can do: so all their rounds are due at once. */
static void rounds(bench *b, uint64_t rooms) {
    enum { ROUNDS = 20 };
    char text[96], (*tokens)[40] = calloc(rooms, sizeof *tokens);
    double start = seconds();
    for (uint64_t i = 0; i < rooms; i++) {
        snprintf(text, sizeof text, "W%07llu", (unsigned long long)i);
        for (uint64_t k = 1; k <= 2; k++) {
            bw_hall_opened(b->hall, b->now, 2 * i + k, text, "flag_war", "");
            pump(b);
        }
        b->token = tokens[i];
        say(b, 2 * i + 1, "{\"type\":\"select_role\",\"role\":\"blue\"}");
        b->token = NULL;
        say(b, 2 * i + 2, "{\"type\":\"select_role\",\"role\":\"red\"}");
        say(b, 2 * i + 1, "{\"type\":\"start\"}");
    }
    printf("a room of rounds, opened, seated, started  %6.2f us\n", (seconds() - start) * 1e6 / (double)rooms);
    double ordering = 0, playing = 0;
    for (int round = 0; round < ROUNDS; round++) {
        start = seconds();
        for (uint64_t i = 0; i < rooms; i++) {
            say(b, 2 * i + 1,
                round % 2 ? "{\"type\":\"command\",\"piece\":1,\"direction\":\"right\",\"distance\":1}"
                          : "{\"type\":\"command\",\"piece\":1,\"direction\":\"left\",\"distance\":1}");
        }
        ordering += seconds() - start;
        pass(b, 3000000);
        start = seconds();
        tick(b);
        playing += seconds() - start;
    }
    printf("an order, sent to its owner                %6.2f us\n", ordering * 1e6 / (double)(ROUNDS * rooms));
    printf("a round, sent to two                       %6.2f us; all %llu, due at once: %.0f ms\n",
           playing * 1e6 / (double)(ROUNDS * rooms), (unsigned long long)rooms, playing * 1e3 / ROUNDS);
    bw_hall_free(b->hall); /* a crash, and everybody returns */
    b->hall = new_hall();
    pump(b);
    start = seconds();
    for (uint64_t i = 0; i < rooms; i++) {
        snprintf(text, sizeof text, "W%07llu", (unsigned long long)i);
        bw_hall_opened(b->hall, b->now, 2 * i + 1, text, NULL, "");
        pump(b);
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", tokens[i]);
        say(b, 2 * i + 1, text);
    }
    printf("a room woken after %d rounds, one is back  %6.2f us\n", ROUNDS, (seconds() - start) * 1e6 / (double)rooms);
    free(tokens);
}

static bench begin(void) {
    bench b = {.journal = bw_memory_journal_new(), .now = {.mono_us = 1, .wall_ms = 1700000000000}};
    b.hall = new_hall();
    pump(&b);
    b.base = bytes_of(&b);
    return b;
}

static void end(bench *b) {
    bw_hall_free(b->hall);
    bw_memory_journal_free(b->journal);
}

int main(int count, char **words) {
    bench b = begin();
    play(&b, 1000);
    end(&b);
    printf("bytes of a room after so many moves:\n");
    for (int i = 0; i < LONG_GAMES; i++) {
        b = begin();
        grow(&b, &long_games[i]);
        end(&b);
    }
    b = begin();
    rounds(&b, 10000);
    end(&b);
    b = begin();
    abandon(&b, count > 1 ? strtoull(words[1], NULL, 10) : 1000000);
    end(&b);
    return 0;
}
