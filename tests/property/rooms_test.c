/* Every game in a room: people in every seat play it by messages, at random but legally; the room is killed and
 * rebuilt on the way; in the end its file must verify. A new game gets these tests without writing a line. */
#include "engine/file.h"
#include "engine/registry.h"
#include "rooms/session/session.h"
#include "rooms/test/rig.h"

enum { PLAYS = 120, KILL_EVERY = 23 };

typedef struct table {
    rig *r;
    const bw_game *game;
    char tokens[BW_SEATS_MAX][40];
    bw_fast fast;
    long id[BW_SEATS_MAX];
} table;

static bw_room *room_of(table *t) { return bw_room_find(t->r->hall, "TABLE"); }

static void sit(table *t) {
    for (int i = 0; i < t->game->role_count; i++) {
        rig_open(t->r, i + 1, "TABLE", t->game->id);
        memcpy(t->tokens[i], rig_seat(t->r, i + 1, t->game->roles[i].id), 33);
        t->id[i] = 0;
    }
    rig_say(t->r, 1, "{'type':'start'}");
    assert_true(room_of(t)->started_at);
}

static void send_action(table *t, int seat, const void *action) {
    char text[4096];
    bw_out out = bw_out_to(text, sizeof text);
    bw_encode_union(&out, t->game->actions, action);
    assert_false(out.overflow);
    out.length--;
    bw_out_text(&out, ",\"id\":");
    bw_out_int(&out, ++t->id[seat]);
    bw_out_text(&out, "}");
    rig_say_raw(t->r, seat + 1, text, out.length);
    json_t *m;
    while ((m = rig_next(t->r, seat + 1))) {
        if (strcmp(rig_text(m, "type"), "error") == 0) {
            fail_msg("%s refused %.*s: %s", t->game->id, (int)out.length, text, rig_text(m, "message"));
        }
        json_decref(m);
    }
}

/* The variant that commits plays what is staged. */
static void commit(table *t, int seat) {
    uint64_t action[512] = {0};
    for (int i = 0; i < t->game->actions->count; i++) {
        if (t->game->actions->cases[i].flags & BW_ACTION_COMMIT) {
            *(uint8_t *)action = (uint8_t)i;
            send_action(t, seat, action);
        }
    }
}

static void rest_and_compare(table *t) {
    size_t bytes = bw_match_bytes(t->game);
    uint8_t *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, bw_room_match(room_of(t))->block, bytes);
    bw_room_rest(room_of(t));
    assert_true(room_of(t)->started_at);
    assert_memory_equal(bw_room_match(room_of(t))->block, before, bytes);
    free(before);
}

/* One move of a seat whose turn it is; returns false if there is none. */
static bool play(table *t) {
    uint64_t action[512];
    uint32_t turn = t->game->turn(bw_room_match(room_of(t))->state);
    assert_true(t->game->actions->size <= sizeof action);
    if (room_of(t)->ended_at) return false;
    rest_and_compare(t);
    for (int seat = 0; seat < t->game->role_count; seat++) {
        if (!(turn >> seat & 1) || room_of(t)->ended_at ||
            !(t->game->turn(bw_room_match(room_of(t))->state) >> seat & 1) ||
            (!(t->game->flags & BW_GAME_ROUNDS) && bw_fast_below(&t->fast, 3) == 0 && (turn & (turn - 1)))) {
            continue;
        }
        memset(action, 0, sizeof action);
        if (!bw_random_action(t->game, bw_room_match(room_of(t))->state, seat, &t->fast, action)) continue;
        send_action(t, seat, action);
        if (t->game->actions->cases[*(uint8_t *)action].flags & BW_ACTION_DRAFT && !(t->game->flags & BW_GAME_ROUNDS)) {
            commit(t, seat);
        }
    }
    rig_advance(t->r, t->game->flags & BW_GAME_ROUNDS ? 3000 : 200);
    rig_clear(t->r);
    return true;
}

static char *body(rig *r, bool log) {
    (log ? bw_hall_http_log : bw_hall_http_state)(r->hall, r->now, 40, "TABLE", "");
    rig_run(r);
    assert_int_equal(r->conns[40].status, 200);
    return strdup(r->conns[40].body);
}

static void kill_and_compare(table *t) {
    size_t bytes = bw_match_bytes(t->game);
    uint8_t *before = malloc(bytes);
    char *log = body(t->r, true);
    int64_t seq = room_of(t)->seq;
    memcpy(before, bw_room_match(room_of(t))->block, bytes);
    rig_restart(t->r);
    char *again = body(t->r, true);
    assert_string_equal(log, again);
    assert_int_equal(room_of(t)->seq, seq);
    assert_memory_equal(bw_room_match(room_of(t))->block, before, bytes); /* including what is staged */
    free(before);
    free(log);
    free(again);
    for (int i = 0; i < t->game->role_count; i++) {
        rig_open(t->r, i + 1, "TABLE", NULL);
        rig_say(t->r, i + 1, "{'type':'resume','token':'%s'}", t->tokens[i]);
    }
    rig_clear(t->r);
}

/* By snapshot too: everybody leaves, and returns. */
static void sleep_and_compare(table *t) {
    size_t bytes = bw_match_bytes(t->game);
    uint8_t *before = malloc(bytes);
    memcpy(before, bw_room_match(room_of(t))->block, bytes);
    for (int i = 0; i < t->game->role_count; i++) rig_close(t->r, i + 1);
    rig_advance(t->r, 61000);
    assert_null(room_of(t));
    for (int i = 0; i < t->game->role_count; i++) {
        rig_open(t->r, i + 1, "TABLE", NULL);
        rig_say(t->r, i + 1, "{'type':'resume','token':'%s'}", t->tokens[i]);
    }
    assert_memory_equal(bw_room_match(room_of(t))->block, before, bytes);
    free(before);
    rig_clear(t->r);
}

static void verify(const bw_game *game, const char *text) {
    bw_file_reader reader = {0};
    reader.block_bytes = bw_match_bytes(game);
    reader.block = calloc(1, reader.block_bytes);
    reader.token_cap = 65536;
    reader.tokens = calloc((size_t)reader.token_cap, sizeof *reader.tokens);
    reader.events_bytes = (size_t)BW_EVENTS_MAX * game->events->size;
    reader.events = calloc(1, reader.events_bytes);
    reader.action_bytes = game->actions->size;
    reader.action = calloc(1, reader.action_bytes + 8);
    int verdict = bw_file_verify(text, strlen(text), &reader);
    if (verdict != 0) fail_msg("%s: %s", game->id, reader.error.text);
    free(reader.block);
    free(reader.tokens);
    free(reader.events);
    free(reader.action);
}

static void a_game_in_a_room(void **state) {
    const bw_game *game = *state;
    table t = {.r = rig_new(), .game = game, .fast = {42}};
    sit(&t);
    for (int n = 1; n <= PLAYS && play(&t); n++) {
        if (n % KILL_EVERY == 0 && !room_of(&t)->ended_at) {
            n % 2 ? kill_and_compare(&t) : sleep_and_compare(&t);
        }
    }
    uint32_t seats = *bw_room_match(room_of(&t))->seats;
    for (int i = 0; i < game->role_count && !room_of(&t)->ended_at && game->resign && (seats & (seats - 1)); i++) {
        rig_say(t.r, i + 1, "{'type':'resign'}");
    }
    if (room_of(&t)->ended_at) {
        size_t length;
        char *log = body(t.r, true);
        verify(game, log);
        const char *kept = (const char *)bw_memory_journal_replay(t.r->journal, room_of(&t)->replay_id, &length);
        assert_non_null(kept);
        assert_int_equal(length, strlen(log));
        assert_memory_equal(kept, log, length);
        free(log);
    }
    assert_true(room_of(&t)->move_count > 3);
    rig_free(t.r);
}

int main(void) {
    struct CMUnitTest tests[16];
    size_t count = 0;
    for (int i = 0; bw_game_at(i) && count < 16; i++) {
        const bw_game *game = bw_game_at(i);
        if (game == bw_game_find(game->id)) {
            tests[count++] = (struct CMUnitTest){game->id, a_game_in_a_room, NULL, NULL, (void *)(uintptr_t)game};
        }
    }
    return _cmocka_run_group_tests("every game in a room", tests, count, NULL, NULL);
}
