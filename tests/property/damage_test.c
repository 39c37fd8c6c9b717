/* Damaged storage of rooms. Regression: a value that is read back from storage (a snapshot, a record) is used as an
 * index, a count, a size, a seat or a shift, or taken for a position that the rules could have reached. The test
 * plays a room of every game, stores it as records and as a snapshot, and damages it at every few bytes: digits,
 * hexadecimal, signs, quotes. Some damaged snapshots get a matching checksum, as a deliberate attacker would make.
 * Whatever changed, the room either opens or is refused with a sentence, and no other room is affected; a room that
 * opens can be watched and played. Run it under AddressSanitizer. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "rooms/session/session.h"
#include "rooms/test/rig.h"

enum { PLAYS = 24, EDITS = 300, ASKED = 50 };

typedef struct world {
    bw_hall *hall;
    bw_now now;
    const bw_stored_room *stored; /* what a read of the room `id` returns; other rooms are empty */
    const char *id;
    uint64_t conns;
    int status;
    size_t sent;
    char body[600];
} world;

static void pump(world *w) {
    bw_output out = {.kind = BW_OUT_PING};
    while (bw_hall_next(w->hall, &out) || bw_hall_busy(w->hall)) {
        if (bw_hall_busy(w->hall) && out.kind != BW_OUT_LOAD) {
            w->now.mono_us += 2000;
            bw_hall_tick(w->hall, w->now);
        }
        switch (out.kind) {
        case BW_OUT_LOAD:
            bw_hall_loaded(w->hall, w->now, out.room, strcmp(out.room, w->id) == 0 ? w->stored : NULL, NULL);
            break;
        case BW_OUT_APPEND: bw_hall_journalled(w->hall, w->now, out.entry.ticket); break;
        case BW_OUT_BOT_JOB: bw_hall_bot_answer(w->hall, w->now, out.work, NULL, 0); break;
        case BW_OUT_SEND: w->sent++; break;
        case BW_OUT_REPLY:
            w->status = out.code;
            snprintf(w->body, sizeof w->body, "%.*s", (int)out.bytes->length, out.bytes->at);
            break;
        default: break;
        }
        bw_bytes_release(out.bytes);
        out = (bw_output){.kind = BW_OUT_PING};
    }
}

/* ---- the room to damage ---- */

typedef struct copy {
    bw_stored_room room;
    uint8_t *bytes; /* the snapshot, then the records */
    size_t length;
    bw_stored_record *records;
} copy;

static copy copy_of(const bw_stored_room *from) {
    copy c = {.room = *from, .length = from->snapshot_length};
    for (size_t i = 0; i < from->record_count; i++) c.length += from->records[i].length;
    c.bytes = malloc(c.length + 1);
    c.records = malloc((from->record_count + 1) * sizeof *c.records);
    uint8_t *at = c.bytes;
    if (from->snapshot) memcpy(at, from->snapshot, from->snapshot_length);
    if (from->snapshot) c.room.snapshot = at;
    at += from->snapshot_length;
    for (size_t i = 0; i < from->record_count; i++) {
        c.records[i] = from->records[i];
        memcpy(at, from->records[i].bytes, from->records[i].length);
        c.records[i].bytes = at;
        at += from->records[i].length;
    }
    c.room.records = c.records;
    return c;
}

static void free_copy(copy *c) {
    free(c->bytes);
    free(c->records);
}

/* Plays a room of the game with people, and a bot if the game allows one; staged moves remain. */
static void play(rig *r, const bw_game *game, bool sleeps) {
    uint64_t action[512];
    bw_fast fast = {11};
    char text[4096];
    for (int i = 0; i < game->role_count; i++) {
        rig_open(r, i + 1, "TABLE", game->id);
        rig_seat(r, i + 1, game->roles[i].id);
    }
    rig_say(r, 1, "{'type':'start','id':7}");
    bw_room *room = bw_room_find(r->hall, "TABLE");
    assert_true(room->started_at);
    for (int n = 0; n < PLAYS && !room->ended_at; n++) {
        for (int seat = 0; seat < game->role_count && !room->ended_at; seat++) {
            memset(action, 0, sizeof action);
            if (!(game->turn(bw_room_match(room)->state) >> seat & 1) ||
                !bw_random_action(game, bw_room_match(room)->state, seat, &fast, action)) {
                continue;
            }
            bw_out out = bw_out_to(text, sizeof text);
            bw_encode_union(&out, game->actions, action);
            rig_say_raw(r, seat + 1, text, out.length);
            if (n + 1 < PLAYS) rig_say(r, seat + 1, "{'type':'end_turn'}");
        }
        rig_advance(r, game->flags & BW_GAME_ROUNDS && n + 1 < PLAYS ? 3000 : 100);
        rig_clear(r);
    }
    rig_say(r, 1, "{'type':'resign','id':9000}");
    if (sleeps) {
        for (int i = 0; i < game->role_count; i++) rig_close(r, i + 1);
        rig_advance(r, 61000);
        assert_null(bw_room_find(r->hall, "TABLE"));
    }
}

/* ---- damage ---- */

/* A different byte that changes the value or its type. */
static uint8_t other_byte(bw_fast *fast, uint8_t was) {
    static const char bytes[] = "0123456789abcdef97-\"{}[],:.ez\x01";
    uint8_t b = was;
    while (b == was) b = (uint8_t)bytes[bw_fast_below(fast, sizeof bytes - 1)];
    return b;
}

static void edit(copy *c, bw_fast *fast) {
    size_t at = bw_fast_below(fast, (uint32_t)c->length);
    if (bw_fast_below(fast, 2)) { /* numbers do the harm */
        for (size_t i = 0; i < c->length && !(c->bytes[at] >= '0' && c->bytes[at] <= '9'); i++)
            at = (at + 1) % c->length;
        c->bytes[at] = (uint8_t)('0' + bw_fast_below(fast, 10));
        return;
    }
    c->bytes[at] = other_byte(fast, c->bytes[at]);
}

/* The checksum of the current lines. */
static void sum_again(copy *c) {
    static const char key[] = "\"sha256\":\"";
    uint8_t digest[32];
    for (size_t i = c->room.snapshot_length; i-- > 0;) {
        if (i + sizeof key + 64 < c->room.snapshot_length && memcmp(c->bytes + i, key, sizeof key - 1) == 0) {
            size_t line = i;
            while (line > 0 && c->bytes[line - 1] != '\n') line--;
            bw_sha256_of(c->bytes, line, digest);
            bw_out out = bw_out_to((char *)c->bytes + i + sizeof key - 1, 64);
            bw_out_hex(&out, digest, sizeof digest);
            return;
        }
    }
}

/* Makes every request that reads the room: as a client that watches, returns, plays and leaves. */
static int visit(world *w, const char *id) {
    int log;
    w->id = id;
    bw_hall_http_state(w->hall, w->now, ASKED, id, "");
    pump(w);
    int status = w->status;
    assert_true(status == 200 || status == 503);
    if (status != 200) {
        assert_non_null(strstr(w->body, "This room's record is damaged, so it cannot be opened."));
        return status;
    }
    bw_hall_http_log(w->hall, w->now, ASKED, id, "");
    pump(w);
    log = w->status;
    assert_true(log == 200 || log == 404);
    bw_room *room = bw_room_find(w->hall, id);
    uint64_t conn = 100 + w->conns++;
    bw_hall_opened(w->hall, w->now, conn, id, NULL, "");
    pump(w);
    static const char *const said[] = {"{\"type\":\"start\"}", "{\"type\":\"end_turn\"}", "{\"type\":\"undo\"}",
                                       "{\"type\":\"rematch\"}", "{\"type\":\"resign\"}"};
    int seats = room->game->role_count;
    for (int seat = 0; seat < seats; seat++) { /* as its holder: tokens are not stored */
        bw_conn *there = bw_conn_find(w->hall, conn);
        if (!there) return status; /* according to its data it ended long ago, so it has closed */
        if (there->seat >= 0) bw_conn_leave_seat(w->hall, there);
        bw_seat_use(room, seat)->held = true;
        bw_conn_take_seat(w->hall, there, seat);
        for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
            bw_hall_message(w->hall, w->now, conn, said[i], strlen(said[i]));
            pump(w);
        }
        if (!(there = bw_conn_find(w->hall, conn))) return status;
        if (there->seat >= 0) bw_send_missed(w->hall, there, room->seq > 5 ? room->seq - 5 : 0);
        w->now.mono_us += 3000000;
        w->now.wall_ms += 3000;
        bw_hall_tick(w->hall, w->now);
        pump(w);
    }
    bw_hall_closed(w->hall, w->now, conn);
    pump(w);
    return status;
}

static void damage(const bw_game *game, bool sleeps, bool summed, bool refuses) {
    static const uint8_t key[32] = {5};
    rig *r = rig_new();
    play(r, game, sleeps);
    world w = {.hall = bw_hall_new(&rig_settings, key), .now = r->now};
    bw_fast fast = {(uint64_t)(sleeps + 2 * summed) + 77};
    const bw_stored_room *whole = bw_memory_journal_load(r->journal, "TABLE");
    assert_int_equal(sleeps, whole->snapshot != NULL);
    w.stored = whole;
    assert_int_equal(visit(&w, "WHOLE"), 200);
    int opened = 0;
    for (int n = 0; n < EDITS; n++) {
        char id[BW_ROOM_ID_MAX + 1];
        copy c = copy_of(whole);
        snprintf(id, sizeof id, "D%d%d%dX%d", sleeps, summed, refuses, n);
        uint8_t *before = malloc(c.length);
        memcpy(before, c.bytes, c.length);
        edit(&c, &fast);
        bool same = memcmp(before, c.bytes, c.length) == 0;
        if (summed) sum_again(&c);
        w.stored = &c.room;
        int status = visit(&w, id);
        opened += status == 200;
        if (refuses && !same && status == 200) fail_msg("%s: a changed snapshot was taken for whole", game->id);
        w.stored = whole;
        if (n % 100 == 0) assert_int_equal(visit(&w, "WHOLE"), 200); /* the other rooms are unchanged */
        free(before);
        free_copy(&c);
    }
    printf("%s, %s: %d of %d changed ones still open\n", game->id,
           !sleeps  ? "records"
           : summed ? "snapshot, summed again"
                    : "snapshot",
           opened, EDITS);
    bw_hall_free(w.hall);
    rig_free(r);
}

static void records_that_are_damaged(void **state) { damage(*state, false, false, false); }
static void snapshots_that_are_damaged(void **state) { damage(*state, true, false, true); }
static void snapshots_that_are_forged(void **state) { damage(*state, true, true, false); }

int main(void) {
    struct CMUnitTest tests[48];
    size_t count = 0;
    for (int i = 0; bw_game_at(i) && count + 3 < 48; i++) {
        void *game = (void *)(uintptr_t)bw_game_at(i);
        if (game != bw_game_find(bw_game_at(i)->id)) continue;
        tests[count++] = (struct CMUnitTest){"records", records_that_are_damaged, NULL, NULL, game};
        tests[count++] = (struct CMUnitTest){"snapshots", snapshots_that_are_damaged, NULL, NULL, game};
        tests[count++] = (struct CMUnitTest){"forged snapshots", snapshots_that_are_forged, NULL, NULL, game};
    }
    return _cmocka_run_group_tests("stored rooms that are damaged", tests, count, NULL, NULL);
}
