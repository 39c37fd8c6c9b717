/* One end_turn, one order in Flag War and one round, between two marks, for tools/count-calls.
 *
 * tools/count-calls compiles this file and the layers below it so that each call reports itself, and counts the
 * calls between the marks. The journal is the one in memory; its calls are not part of the hall and are excluded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/hall.h"
#include "rooms/journal_memory.h"

#define QUIET __attribute__((no_instrument_function))

static FILE *calls;
static bool counting;

QUIET void __cyg_profile_func_enter(void *function, void *site);
QUIET void __cyg_profile_func_exit(void *function, void *site);
QUIET void __cyg_profile_func_enter(void *function, void *site) {
    (void)site;
    if (counting) fprintf(calls, "> %p\n", function);
}
QUIET void __cyg_profile_func_exit(void *function, void *site) {
    (void)site;
    if (counting) fprintf(calls, "< %p\n", function);
}

static bw_hall *hall;
static bw_memory_journal *journal;
static bw_now now = {.mono_us = 1, .wall_ms = 1700000000000};

/* `counted`: what the hall does by itself in here is measured too. */
QUIET static void pump(bool counted) {
    bw_output out;
    for (;;) {
        while (counting = counted, bw_hall_next(hall, &out)) {
            counting = false;
            if (out.kind == BW_OUT_LOAD) {
                bw_hall_loaded(hall, now, out.room, bw_memory_journal_load(journal, out.room), NULL);
            } else if (out.kind == BW_OUT_APPEND) {
                bw_memory_journal_append(journal, &out.entry);
            }
            bw_bytes_release(out.bytes);
        }
        counting = false;
        if (bw_memory_journal_waiting(journal) == 0) return;
        uint64_t ticket = bw_memory_journal_commit(journal, SIZE_MAX);
        counting = counted;
        bw_hall_journalled(hall, now, ticket);
        counting = false;
    }
}

QUIET static void say(const char *mark, uint64_t conn, const char *text) {
    if (mark) fprintf(calls, "= %s\n", mark);
    counting = mark != NULL;
    bw_hall_message(hall, now, conn, text, strlen(text));
    counting = false;
    pump(mark != NULL);
}

QUIET static void two_players(uint64_t first, const char *room, const char *game, const char *one, const char *other) {
    char text[80];
    for (uint64_t conn = first; conn < first + 2; conn++) {
        bw_hall_opened(hall, now, conn, room, game, "");
        pump(false);
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\"}", conn == first ? one : other);
        say(NULL, conn, text);
    }
    say(NULL, first, "{\"type\":\"start\"}");
}

QUIET int main(void) {
    static const bw_hall_settings settings = {
        .room_cleanup_ms = 300000, .seat_grace_ms = 15000, .hibernate_ms = 60000, .forget_ms = 3600000};
    uint8_t key[32] = {1};
    calls = stdout;
    journal = bw_memory_journal_new();
    hall = bw_hall_new(&settings, key);
    pump(false);
    two_players(1, "ISLAND", "flooded_island", "journeyman", "weather");
    for (int day = 0; day < 2; day++) {
        say(NULL, 1,
            day ? "{\"type\":\"move\",\"position\":{\"x\":0,\"y\":0}}"
                : "{\"type\":\"move\",\"position\":{\"x\":1,\"y\":0}}");
        say(day ? "end_turn" : NULL, 1, day ? "{\"type\":\"end_turn\",\"id\":7}" : "{\"type\":\"end_turn\"}");
        say(NULL, 2, "{\"type\":\"end_turn\"}");
    }
    two_players(3, "FLAGS", "flag_war", "blue", "red");
    say(NULL, 3, "{\"type\":\"ready\"}");
    say(NULL, 4, "{\"type\":\"ready\"}");
    say("command", 3, "{\"type\":\"command\",\"piece\":1,\"direction\":\"right\",\"distance\":1,\"id\":8}");
    now.mono_us = bw_hall_deadline(hall);
    for (int i = 0; i < 200; i++) {
        int64_t due = bw_hall_deadline(hall);
        bw_hall_figures before, after;
        if (due == INT64_MAX) break;
        now.wall_ms += (due - now.mono_us) / 1000;
        now.mono_us = due;
        bw_hall_figures_of(hall, &before);
        fprintf(calls, "= round\n");
        counting = true;
        bw_hall_tick(hall, now);
        counting = false;
        pump(true);
        bw_hall_figures_of(hall, &after);
        if (after.moves_total > before.moves_total) break;
        for (uint64_t conn = 1; conn <= 4; conn++) bw_hall_pong(hall, now, conn);
    }
    bw_hall_free(hall);
    bw_memory_journal_free(journal);
    return 0;
}
