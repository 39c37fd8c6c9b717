/* The limits of what a room and an address may cost. Regression: something grows for as long as a client keeps
 * sending, or there is a way to create rooms that the limit of rooms does not count. */
#include "engine/registry.h"
#include "rooms/session/session.h"
#include "rooms/test/rig.h"

/* A Flood-It player at 1 in a running game; everything received is dropped. */
static rig *alone(void) {
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
    return r;
}

static bw_room *room_of(rig *r) { return bw_room_find(r->hall, "BOUND"); }

/* By undo, redo, reset and new boards in turn: everything that lengthens a game counts. */
static void moves_are_bounded(void **unused) {
    (void)unused;
    static const char *const actions[] = {"{'type':'reset'}",
                                          "{'type':'select_color','color':'red'}",
                                          "{'type':'select_color','color':'green'}",
                                          "{'type':'undo'}",
                                          "{'type':'redo'}",
                                          "{'type':'new_game','settings':{'seed':'bound'}}"};
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':6,'cols':6,'colors':3,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    r->hold_bots = false;
    for (int n = 0; room_of(r)->move_count < BW_MOVES_MAX; n++) {
        assert_true(n < 4 * BW_MOVES_MAX);
        rig_say(r, 1, "%s", actions[n % 6]);
        rig_advance(r, 60);
        if (n % 50 == 0) rig_clear(r);
    }
    for (int i = 0; i < 6; i++) {
        rig_clear(r);
        rig_advance(r, 60);
        rig_say(r, 1, "%s", actions[i]);
        json_t *m = rig_await(r, 1, "error");
        assert_string_equal(rig_text(m, "code"), "not_allowed");
        assert_non_null(strstr(rig_text(m, "message"), "5,000 moves"));
        json_decref(m);
    }
    assert_int_equal(room_of(r)->move_count, BW_MOVES_MAX);
    /* It wakes in slices, none of them long, and has not changed. */
    bw_chain chain = room_of(r)->chain;
    bw_hall_figures figures;
    rig_restart(r);
    r->hold_jobs = true;
    rig_open(r, 2, "BOUND", NULL);
    int slices = 0;
    for (; !room_of(r)->game || bw_hall_busy(r->hall); slices++) {
        bw_hall_figures_of(r->hall, &figures);
        uint64_t before = figures.work_total;
        rig_advance(r, 2);
        bw_hall_figures_of(r->hall, &figures);
        assert_true(figures.work_total - before <= 2000);
        assert_true(slices < 5000);
    }
    assert_true(slices > 10);
    assert_memory_equal(room_of(r)->chain.hash, chain.hash, sizeof chain.hash);
    rig_free(r);
}

/* A game whose end is undone again and again. */
static void removes_are_bounded(void **unused) {
    (void)unused;
    rig *r = alone();
    bool refused = false;
    for (int n = 0; n < 4000 && !refused; n++) {
        rig_clear(r);
        rig_say(r, 1, room_of(r)->ended_at ? "{'type':'reset'}" : "{'type':'select_color','color':'%s'}",
                n % 3 == 1 ? "red" : "green");
        rig_advance(r, 60);
        json_t *m = rig_last(r, 1, "error");
        refused = m && strstr(rig_text(m, "message"), "too often");
        if (m) json_decref(m);
    }
    assert_true(refused);
    assert_true(room_of(r)->replays_written < BW_REPLAYS_MAX + (1 << 20));
    rig_free(r);
}

/* Rematches create rooms too. */
static void rematches_count_as_rooms(void **unused) {
    (void)unused;
    bw_hall_settings settings = rig_settings;
    settings.rooms_per_address_per_minute = 3;
    rig *r = rig_new_with(&settings);
    bw_hall_opened(r->hall, r->now, 1, "BOUND", "flood_it", "192.0.2.1");
    r->conns[1].open = true;
    rig_run(r);
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':1,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    for (int i = 0; i < 2 && !room_of(r)->ended_at; i++) {
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", i ? "red" : "green");
    }
    assert_true(room_of(r)->ended_at);
    for (int i = 0; i < 2; i++) { /* with the first visit that makes three */
        assert_true(bw_hall_may_make(r->hall, r->now, "flood_it", "192.0.2.1")); /* and counts nothing */
        assert_true(bw_hall_may_make(r->hall, r->now, NULL, "192.0.2.1"));
        assert_false(bw_hall_may_make(r->hall, r->now, "no_such_game", "192.0.2.1"));
        assert_true(bw_limit_room(r->hall, bw_address_key("192.0.2.1")));
    }
    assert_false(bw_hall_may_make(r->hall, r->now, "flood_it", "192.0.2.1"));
    assert_true(bw_hall_may_make(r->hall, r->now, "flood_it", "192.0.2.2"));
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','id':5}");
    rig_await_error(r, 1, "rate_limited");
    assert_int_equal(room_of(r)->next_room[0], 0);
    rig_advance(r, 61000);
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','id':5}"); /* the same id may be tried again */
    rig_await_ack(r, 1, 5);
    assert_int_equal(strlen(room_of(r)->next_room), 8);
    rig_free(r);
}

/* An unlisted game is refused like an unknown one, in every way of creating a room. */
static void unlisted_games_are_refused(void **unused) {
    (void)unused;
    bw_hall_settings settings = rig_settings;
    settings.unlisted_games = false;
    rig *r = rig_new_with(&settings);
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        if (game != bw_game_find(game->id)) continue;
        char body[80], room[16];
        int length = snprintf(body, sizeof body, "{\"game\":\"%s\"}", game->id);
        snprintf(room, sizeof room, "LIST%d", i);
        bw_hall_http_create(r->hall, r->now, 40, body, (size_t)length, "");
        rig_run(r);
        assert_int_equal(r->conns[40].status, bw_game_listed(game) ? 201 : 404);
        rig_open(r, i + 1, room, game->id);
        if (bw_game_listed(game)) json_decref(rig_await(r, i + 1, "room_state"));
        else rig_await_error(r, i + 1, "no_such_game");
    }
    rig_free(r);
}

/* ---- guessing ---- */

typedef enum guess_kind { BY_STATE, BY_LOG, BY_REPLAY, BY_FORK, GUESSES } guess_kind;

/* The status of a request for something that does not exist. */
static int guess(rig *r, guess_kind kind, int n, const char *from) {
    char id[16], body[80];
    int length = snprintf(body, sizeof body, "{\"game\":\"flood_it\",\"replay_id\":\"NONE%d\"}", n);
    snprintf(id, sizeof id, "NONE%d", n);
    r->conns[40].status = 0;
    if (kind == BY_STATE) bw_hall_http_state(r->hall, r->now, 40, id, from);
    if (kind == BY_LOG) bw_hall_http_log(r->hall, r->now, 40, id, from);
    if (kind == BY_REPLAY) bw_hall_http_replay(r->hall, r->now, 40, id, from);
    if (kind == BY_FORK) bw_hall_http_create(r->hall, r->now, 40, body, (size_t)length, from);
    rig_run(r);
    return r->conns[40].status;
}

static int look_at(rig *r, const char *id, const char *from) {
    bw_hall_http_state(r->hall, r->now, 40, id, from);
    rig_run(r);
    return r->conns[40].status;
}

static rig *limited(void) {
    bw_hall_settings settings = rig_settings;
    settings.misses_per_address_per_minute = 60;
    settings.rooms_per_address_per_minute = 0;
    rig *r = rig_new_with(&settings);
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'start'}");
    return r;
}

/* For every kind of guess: thirty misses, then one a second; what exists is found all the while. */
static void misses_are_limited(void **unused) {
    (void)unused;
    for (guess_kind kind = 0; kind < GUESSES; kind++) {
        rig *r = limited();
        for (int n = 0; n < 30; n++) assert_int_equal(guess(r, kind, n, "192.0.2.9"), 404);
        for (int n = 0; n < 20; n++) assert_int_equal(guess(r, kind, n, "192.0.2.9"), 429);
        assert_non_null(strstr(r->conns[40].body, "rate_limited"));
        assert_non_null(strstr(r->conns[40].body, "try again in a minute"));
        for (int n = 0; n < 500; n++) assert_int_equal(look_at(r, "BOUND", "192.0.2.9"), 200);
        assert_int_equal(guess(r, kind, 1, "192.0.2.2"), 404); /* others are not affected */
        assert_int_equal(guess(r, kind, 1, ""), 404);
        rig_advance(r, 21000);
        assert_int_equal(guess(r, kind, 1, "192.0.2.9"), 404);
        assert_int_equal(guess(r, kind, 1, "192.0.2.9"), 429);
        rig_free(r);
    }
}

/* Otherwise a refusal would reveal what exists as well as an answer does, as often as asked. */
static void continued_guessing_reveals_nothing(void **unused) {
    (void)unused;
    rig *r = limited();
    for (int n = 0; n < 120; n++) guess(r, (guess_kind)(n % BY_FORK), n, "192.0.2.9");
    size_t loaded = r->loaded;
    for (int n = 0; n < 50; n++) assert_int_equal(guess(r, (guess_kind)(n % BY_FORK), n, "192.0.2.9"), 429);
    assert_int_equal(look_at(r, "BOUND", "192.0.2.9"), 429);
    bw_hall_opened(r->hall, r->now, 2, "BOUND", "flood_it", "192.0.2.9");
    r->conns[2].open = true;
    rig_run(r);
    rig_await_error(r, 2, "rate_limited");
    assert_int_equal(r->loaded, loaded); /* nothing was read for it */
    /* Others are not limited; and a player of a room still reaches that room. */
    assert_int_equal(look_at(r, "BOUND", "192.0.2.2"), 200);
    bw_hall_opened(r->hall, r->now, 3, "BOUND", "flood_it", "192.0.2.3");
    r->conns[3].open = true;
    rig_run(r);
    json_decref(rig_await(r, 3, "room_state"));
    rig_close(r, 1);
    rig_advance(r, 20000);
    rig_seat(r, 3, "player");
    for (int n = 0; n < 130; n++) guess(r, BY_STATE, n, "192.0.2.3");
    assert_int_equal(guess(r, BY_STATE, 1, "192.0.2.3"), 429);
    assert_int_equal(look_at(r, "BOUND", "192.0.2.3"), 200);
    rig_free(r);
}

/* A socket to a room that cannot be created reveals as much as a request. */
static void guesses_by_sockets_count_too(void **unused) {
    (void)unused;
    rig *r = limited();
    char id[16];
    for (int n = 0; n < 121; n++) {
        snprintf(id, sizeof id, "NONE%d", n);
        bw_hall_opened(r->hall, r->now, 5, id, "no_such_game", "192.0.2.9");
        r->conns[5].open = true;
        rig_run(r);
        rig_await_error(r, 5, n < 120 ? "no_such_game" : "rate_limited");
        assert_false(r->conns[5].open);
    }
    rig_free(r);
}

/* There are many addresses: the memory for them has a fixed size. */
static void addresses_use_bounded_memory(void **unused) {
    (void)unused;
    rig *r = limited();
    bw_hall_figures figures;
    char from[40];
    uint64_t before = 0;
    for (int n = 0; n < 20000; n++) {
        snprintf(from, sizeof from, "2001:db8:%x:%x::", n >> 8, n & 255);
        assert_int_equal(guess(r, BY_STATE, n, from), 404);
        bw_hall_figures_of(r->hall, &figures);
        if (n == 200) before = figures.bytes;
    }
    assert_true(figures.bytes <= before);
    assert_true(before < 1 << 21);
    rig_free(r);
}

/* ---- what is stored ---- */

/* An address may store only so much, in any way, and is told so; the others continue to play. */
static void stored_bytes_are_limited(void **unused) {
    (void)unused;
    bw_hall_settings settings = rig_settings;
    settings.stored_mb_per_address_per_hour = 1;
    rig *r = rig_new_with(&settings);
    bw_hall_opened(r->hall, r->now, 1, "BOUND", "flood_it", "192.0.2.1");
    bw_hall_opened(r->hall, r->now, 2, "OTHER", "flood_it", "192.0.2.2");
    r->conns[1].open = r->conns[2].open = true;
    rig_run(r);
    rig_seat(r, 1, "player");
    rig_seat(r, 2, "player");
    int said = 0;
    bool refused = false;
    for (; !refused && said < 20000; said++) {
        rig_clear(r);
        rig_advance(r, 60);
        rig_say(r, 1, "{'type':'configure','rows':%d}", 3 + said % 7);
        json_t *m = rig_last(r, 1, "error");
        refused = m && strcmp(rig_text(m, "code"), "rate_limited") == 0;
        if (m) json_decref(m);
    }
    assert_true(refused);
    assert_true(said > 500);
    rig_clear(r);
    rig_say(r, 1, "{'type':'ping','t':1}");
    json_decref(rig_await(r, 1, "pong"));
    bw_hall_http_create(r->hall, r->now, 40, "{\"game\":\"flood_it\"}", 19, "192.0.2.1");
    rig_run(r);
    assert_int_equal(r->conns[40].status, 429);
    rig_say(r, 2, "{'type':'configure','rows':9,'id':1}");
    rig_await_ack(r, 2, 1);
    rig_advance(r, 600000); /* a sixth of an hour frees a sixth of the limit */
    rig_clear(r);
    rig_say(r, 1, "{'type':'configure','rows':9,'id':7}");
    rig_await_ack(r, 1, 7);
    rig_free(r);
}

/* No new rooms in any way while the database is full; running games continue. */
static void a_full_database_takes_no_rooms(void **unused) {
    (void)unused;
    rig *r = alone();
    static const char fork[] = "{\"game\":\"flood_it\",\"replay_id\":\"NONE\"}", plain[] = "{\"game\":\"flood_it\"}";
    bw_hall_storage_full(r->hall, true);
    bw_hall_http_create(r->hall, r->now, 40, plain, sizeof plain - 1, "");
    bw_hall_http_create(r->hall, r->now, 41, fork, sizeof fork - 1, "");
    rig_open(r, 2, "OTHER", "flood_it");
    rig_run(r);
    assert_int_equal(r->conns[40].status, 503);
    assert_int_equal(r->conns[41].status, 503);
    assert_non_null(strstr(r->conns[41].body, "\"storage\""));
    rig_await_error(r, 2, "storage");
    for (int i = 0; !room_of(r)->ended_at; i++) {
        assert_true(i < 8);
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", i % 2 ? "red" : "green");
    }
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','id':50}");
    rig_await_error(r, 1, "storage");
    bw_hall_storage_full(r->hall, false);
    rig_say(r, 1, "{'type':'rematch','id':50}");
    rig_await_ack(r, 1, 50);
    assert_int_equal(strlen(room_of(r)->next_room), 8);
    rig_free(r);
}

/* The time at which a running game was last left is stored, however short the game, because the sweep needs it. */
static void the_time_of_leaving_is_stored(void **unused) {
    (void)unused;
    rig *r = alone();
    char rooms[8][BW_ROOM_ID_MAX + 1];
    rig_close(r, 1);
    size_t appended = r->appended;
    rig_advance(r, 61000);
    assert_null(room_of(r));
    assert_int_equal(r->appended, appended + 1);
    assert_int_equal(bw_memory_journal_sweep(r->journal, INT64_MAX, INT64_MAX, rooms, 8), 0);
    rig_free(r);
}

/* Regression: a sweep deleted all that it found in one commit, up to thousands of rooms, and each move waited for it. */
static void a_sweep_forgets_a_few_at_once(void **unused) {
    (void)unused;
    enum { SWEPT = 80, AT_ONCE = 32 };
    rig *r = alone();
    char rooms[SWEPT][BW_ROOM_ID_MAX + 1];
    for (int i = 0; i < SWEPT; i++) snprintf(rooms[i], sizeof rooms[i], "SWEPT%d", i);
    size_t appended = r->appended;
    for (int left = SWEPT; left > 0; left -= AT_ONCE) {
        bw_hall_swept(r->hall, r->now, (const char(*)[BW_ROOM_ID_MAX + 1]) rooms[SWEPT - left], (size_t)left);
        rig_run(r);
        int more = left > AT_ONCE;
        assert_int_equal(r->appended - appended, more ? AT_ONCE : left);
        appended = r->appended;
        assert_int_equal(r->hall->sweep_us == r->now.mono_us + 100000, more);
        rig_advance(r, 100);
    }
    rig_free(r);
}

/* ---- what one input costs ---- */

/* The clock advances by slices of 2 ms while a long job runs. */
static int slices_of(rig *r, uint64_t most) {
    int count = 0;
    for (; bw_hall_busy(r->hall); count++) {
        uint64_t before = rig_work(r);
        rig_advance(r, 2);
        assert_true(rig_work(r) - before <= most);
        assert_true(count < 5000);
    }
    return count;
}

/* No slice is longer than its limit and the step that crosses it; that step may generate a board twice: in the old game
 * and in the new one. */
static int slices(rig *r) { return slices_of(r, BW_SLICE + 2 * BW_PUZZLE_WORK + 1500); }

/* Regression: the work of one input grows with what a client has accumulated. For a room with the maximum number of
 * moves: its log, resigning at the bound (which ends the game and writes its replay), its sleep, and playing on from
 * it. */
static void a_long_room_keeps_within_the_budget(void **unused) {
    (void)unused;
    enum { BUDGET = 6000 }; /* units of text alone; the log of 5,000 moves takes 4,600 of them, about a millisecond */
    static const char *const turns[] = {"{'type':'select_color','color':'red'}",
                                        "{'type':'select_color','color':'green'}", "{'type':'undo'}",
                                        "{'type':'undo'}"};
    char body[120];
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_open(r, 2, "BOUND", NULL);
    rig_seat(r, 1, "player");
    rig_seat(r, 2, "player2");
    rig_say(r, 1, "{'type':'configure','rows':9,'cols':9,'colors':6,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    bw_room *room = room_of(r);
    for (int n = 0; room->move_count < BW_MOVES_MAX && !room->ended_at; n++) {
        rig_say(r, 1, "%s", turns[n % 4]);
        rig_advance(r, 60);
        if (n % 50 == 0) rig_clear(r);
        assert_true(n < 2 * BW_MOVES_MAX);
    }
    r->hold_jobs = true; /* the moves are read back in slices; after the last one the file is written */
    bw_hall_http_log(r->hall, r->now, 40, "BOUND", "");
    rig_run(r);
    assert_true(slices_of(r, BUDGET) > 5);
    assert_int_equal(r->conns[40].status, 200);
    rig_say(r, 2, "%s", turns[0]);
    assert_int_equal(room->move_count, BW_MOVES_MAX);
    rig_say(r, 1, "{'type':'resign'}"); /* always possible, once for each seat, beyond the bound */
    assert_int_equal(room->ended_at, 0);
    rig_say(r, 2, "{'type':'resign'}");
    assert_true(slices_of(r, BUDGET) > 5);
    assert_int_equal(room->move_count, BW_MOVES_MAX + 2);
    assert_true(room->ended_at);
    for (int conn = 1; conn <= 2; conn++) {
        rig_clear(r);
        rig_say(r, conn, "{'type':'resign'}");
        rig_await_error(r, conn, "wrong_status");
    }
    snprintf(body, sizeof body, "{\"game\":\"flood_it\",\"replay_id\":\"%s\",\"seq\":4900}", room->replay_id);
    r->conns[41].status = 0;
    bw_hall_http_create(r->hall, r->now, 41, body, strlen(body), "");
    rig_run(r);
    assert_true(slices(r) > 5);
    assert_int_equal(r->conns[41].status, 201);
    rig_free(r);
}

/* Messages that do not lengthen a game, again and again: the list of records is compacted, and the room wakes
 * unchanged. */
static void loose_records_become_a_snapshot(void **unused) {
    (void)unused;
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    for (int n = 0; n < 3000; n++) {
        rig_say(r, 1, "{'type':'configure','rows':%d}", 3 + n % 7);
        rig_advance(r, 60);
        if (n % 50 == 0) rig_clear(r);
    }
    rig_say(r, 1, "{'type':'configure','rows':11}");
    const bw_stored_room *stored = bw_memory_journal_load(r->journal, "BOUND");
    assert_true(stored->record_count < BW_LOOSE_RECORDS + 16);
    assert_true(stored->snapshot_index > 2000);
    rig_restart(r);
    bw_hall_http_state(r->hall, r->now, 40, "BOUND", "");
    rig_run(r);
    json_t *state = json_loads(r->conns[40].body, 0, NULL);
    assert_int_equal(rig_int(state, "config.rows"), 11);
    json_decref(state);
    rig_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_bounded),
        cmocka_unit_test(removes_are_bounded),
        cmocka_unit_test(rematches_count_as_rooms),
        cmocka_unit_test(unlisted_games_are_refused),
        cmocka_unit_test(misses_are_limited),
        cmocka_unit_test(continued_guessing_reveals_nothing),
        cmocka_unit_test(guesses_by_sockets_count_too),
        cmocka_unit_test(addresses_use_bounded_memory),
        cmocka_unit_test(stored_bytes_are_limited),
        cmocka_unit_test(a_full_database_takes_no_rooms),
        cmocka_unit_test(the_time_of_leaving_is_stored),
        cmocka_unit_test(a_sweep_forgets_a_few_at_once),
        cmocka_unit_test(a_long_room_keeps_within_the_budget),
        cmocka_unit_test(loose_records_become_a_snapshot),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
