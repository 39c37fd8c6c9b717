/* Any bytes as messages to a room: the first byte chooses the game, then each line is a message whose first
 * character is the connection. Whatever the input, everything that is sent is JSON, and the room rebuilt from its
 * journal is the same room. */
#include <stdlib.h>
#include <string.h>

#include "engine/registry.h"
#include "rooms/hall.h"
#include "rooms/journal_memory.h"
#include "tests/fuzz/fuzz.h"

enum { CONNS = 4, TOKENS = 65536, ASKED = 9 };

typedef struct world {
    bw_hall *hall;
    bw_memory_journal *journal;
    bw_now now;
    bw_token *tokens;
    char *answer; /* of the last request */
} world;

static void must(bool held) {
    if (!held) abort();
}

static void check(world *w, const bw_bytes *bytes) {
    bw_doc doc;
    must(bw_doc_parse(&doc, bytes->at, bytes->length, w->tokens, TOKENS, 16, NULL) > 0);
    must(bw_doc_is_object(&doc, 0));
}

static void pump(world *w) {
    bw_output out;
    for (;;) {
        while (bw_hall_next(w->hall, &out)) {
            if (out.kind == BW_OUT_SEND) {
                check(w, out.bytes);
            } else if (out.kind == BW_OUT_APPEND) {
                bw_memory_journal_append(w->journal, &out.entry);
            } else if (out.kind == BW_OUT_LOAD) {
                bw_hall_loaded(w->hall, w->now, out.room, bw_memory_journal_load(w->journal, out.room), NULL);
            } else if (out.kind == BW_OUT_REPLY) {
                free(w->answer);
                w->answer = calloc(1, out.bytes->length + 1);
                must(w->answer != NULL);
                memcpy(w->answer, out.bytes->at, out.bytes->length);
            }
            bw_bytes_release(out.bytes);
        }
        if (bw_hall_busy(w->hall)) {
            w->now.mono_us += 2000;
            bw_hall_tick(w->hall, w->now);
            continue;
        }
        if (bw_memory_journal_waiting(w->journal) == 0) return;
        bw_hall_journalled(w->hall, w->now, bw_memory_journal_commit(w->journal, SIZE_MAX));
    }
}

static void boot(world *w, uint8_t salt) {
    static const bw_hall_settings settings = {
        .room_cleanup_ms = 300000, .hibernate_ms = 60000, .forget_ms = 3600000, .unlisted_games = true};
    uint8_t key[32] = {salt};
    w->hall = bw_hall_new(&settings, key);
    must(w->hall != NULL);
}

static char *ask(world *w, bool log) {
    (log ? bw_hall_http_log : bw_hall_http_state)(w->hall, w->now, ASKED, "FUZZ", "");
    pump(w);
    char *answer = w->answer;
    w->answer = NULL;
    return answer;
}

/* The same except for who is connected, which a restart resets. */
static void without_presence(char *state) {
    static const char *const fields[] = {
        "\"game_status\":", "\"players\":", "\"spectators\":", "\"paused\":", "\"server_time\":", "\"next_round_at\":"};
    for (size_t i = 0; state && i < sizeof fields / sizeof fields[0]; i++) {
        char *at = strstr(state, fields[i]);
        char stop = i == 1 ? '}' : ',';
        char *rest = at;
        for (; rest && *rest && *rest != stop && *rest != '}'; rest++) {
        }
        if (at) memmove(at, rest, strlen(rest) + 1);
    }
}

static void compare(world *w) {
    char *before[2] = {ask(w, false), ask(w, true)};
    must(bw_memory_journal_faults(w->journal) == 0);
    bw_hall_free(w->hall);
    boot(w, 2);
    char *after[2] = {ask(w, false), ask(w, true)};
    without_presence(before[0]);
    without_presence(after[0]);
    for (int i = 0; i < 2; i++) {
        must(strcmp(before[i], after[i]) == 0);
        free(before[i]);
        free(after[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    int games = 0;
    const bw_game *game = NULL;
    while (bw_game_at(games)) games++;
    world w = {.journal = bw_memory_journal_new(), .now = {.mono_us = 1000000, .wall_ms = 1700000000000}};
    w.tokens = malloc(TOKENS * sizeof *w.tokens);
    if (length == 0 || !w.tokens || !w.journal) {
        free(w.tokens);
        bw_memory_journal_free(w.journal);
        return 0;
    }
    boot(&w, 1);
    game = bw_game_at(bytes[0] % games); /* of an older version, its newest rules are played */
    for (uint64_t conn = 0; conn < CONNS; conn++) {
        bw_hall_opened(w.hall, w.now, conn + 1, "FUZZ", game->id, "");
        pump(&w);
    }
    const char *at = (const char *)bytes + 1, *end = (const char *)bytes + length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop > at) {
            w.now.mono_us += 60000;
            w.now.wall_ms += 60;
            bw_hall_message(w.hall, w.now, 1 + (uint64_t)(*at & 3), at + 1, (size_t)(stop - at - 1));
            pump(&w);
            bw_hall_tick(w.hall, w.now);
            pump(&w);
        }
        at = stop + 1;
    }
    compare(&w);
    bw_hall_free(w.hall);
    bw_memory_journal_free(w.journal);
    free(w.tokens);
    free(w.answer);
    return 0;
}
