/* Long games: a room takes no more memory for them, and what it no longer has in memory is read back from the journal
 * for the log, the file at the end and a snapshot. */
#include "engine/registry.h"
#include "rooms/session/session.h"
#include "rooms/test/rig.h"
#include "tests/support/long_games.h"

typedef struct table {
    rig *r;
    const long_game *game;
    const char *id;
    int conn; /* of the second player; the first has the one before it */
    long last;
    int turn;       /* of the game's */
    uint32_t moves; /* before the end */
    bw_fast fast;
} table;

static bw_room *room_of(const table *t) { return bw_room_find(t->r->hall, t->id); }

/* Positions of rooms in use are open in the hall's memory: none is here. */
static size_t bytes_of(rig *r) {
    for (bw_open *open = r->hall->scratch.open; open < r->hall->scratch.open + BW_OPEN_MAX; open++) {
        if (open->room) bw_room_rest(open->room);
    }
    bw_hall_figures figures;
    bw_hall_figures_of(r->hall, &figures);
    return (size_t)figures.bytes;
}

static char *log_of(const table *t) {
    bw_hall_http_log(t->r->hall, t->r->now, 40, t->id, "");
    rig_run(t->r);
    assert_int_equal(t->r->conns[40].status, 200);
    return strdup(t->r->conns[40].body);
}

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static table begin(rig *r, const long_game *game, const char *id, int conn) {
    table t = {.r = r, .game = game, .id = id, .conn = conn, .fast = {7}};
    for (int i = 0; i < 2 && game->roles[i]; i++) {
        rig_open(r, conn + i, id, game->id);
        rig_seat(r, conn + i, game->roles[i]);
    }
    rig_say(r, conn, "%s", game->settings);
    if (!room_of(&t)->started_at) rig_say(r, conn, "{'type':'start'}");
    assert_true(room_of(&t)->started_at);
    rig_clear(r);
    return t;
}

static void act_at_random(table *t) {
    const bw_room *room = room_of(t);
    uint64_t action[512] = {0};
    char text[1024];
    int seat = room->game->turn(bw_room_match(room)->state) & 1 ? 0 : 1;
    if (!bw_random_action(room->game, bw_room_match(room)->state, seat, &t->fast, action)) return;
    bw_out out = bw_out_to(text, sizeof text);
    bw_encode_union(&out, room->game->actions, action);
    rig_say(t->r, t->conn + seat, "%.*s,'id':%ld}", (int)out.length - 1, text, ++t->last);
}

/* Plays on up to that many moves, with ids, as clients do. false: the game is over before. */
static bool play(table *t, uint32_t moves) {
    bw_room *room = room_of(t);
    int turns = 0;
    while (turns < 6 && t->game->turns[turns]) turns++;
    while (room->move_count < moves && !room->ended_at) {
        const char *turn = turns ? t->game->turns[t->turn++ % turns] : NULL;
        if (turn) rig_say(t->r, t->conn + turn[0] - '1', "%s,'id':%ld}", turn + 1, ++t->last);
        else act_at_random(t);
        rig_advance(t->r, t->game->step_ms);
        rig_clear(t->r);
        assert_true(t->last < 4 * BW_MOVES_MAX);
    }
    return !room->ended_at;
}

static const bw_hall_settings quiet = {.room_cleanup_ms = 300000,
                                       .seat_grace_ms = 15000,
                                       .away_ms = 60000,
                                       .hibernate_ms = 60000,
                                       .forget_ms = 3600000,
                                       .own_device = true}; /* logs have the seed, so they can be verified */

/* A room with its position and those who are connected. */
static void memory_is_bounded(void **unused) {
    (void)unused;
    enum { UP_TO_80_MOVES = 4096, AT_MOST = 8192 };
    for (int i = 0; i < LONG_GAMES; i++) {
        rig *r = rig_new_with(&quiet);
        table t = begin(r, &long_games[i], "FIRST", 1); /* with it comes what is allocated once for all */
        play(&t, 150);
        free(log_of(&t));
        for (int conn = 1; conn <= 2; conn++) rig_close(r, conn);
        rig_advance(r, 2 * quiet.hibernate_ms);
        assert_null(room_of(&t));
        size_t before = bytes_of(r);
        t = begin(r, &long_games[i], "LONG", 11);
        for (uint32_t moves = 1; moves <= BW_MOVES_MAX && play(&t, moves); moves++) {
            size_t bytes = bytes_of(r) - before;
            if (bytes > (moves <= 80 ? UP_TO_80_MOVES : AT_MOST)) {
                fail_msg("%s: %zu bytes after %u moves", t.game->id, bytes, moves);
            }
            if (moves % 100 > 0) continue;
            free(log_of(&t)); /* and what was read back for it is not kept */
            assert_in_range(room_of(&t)->moves.cap, 0, BW_LOT_BYTES + 256);
            before = bytes_of(r) - bytes; /* the hall's memory for texts may have grown */
        }
        rig_free(r);
    }
}

static void the_whole_game_is_read_back(void **unused) {
    (void)unused;
    for (int i = 0; i < LONG_GAMES; i++) {
        rig *r = rig_new_with(&quiet);
        table t = begin(r, &long_games[i], "LONG", 1);
        assert_true(play(&t, 300));
        assert_true(room_of(&t)->moves_before >= 100);
        char *log = log_of(&t);
        assert_int_equal(lines_of(log), 301);
        rig_verify_running(log);
        uint64_t position[4096];
        size_t bytes = bw_match_bytes(room_of(&t)->game);
        assert_true(bytes <= sizeof position);
        memcpy(position, bw_room_match(room_of(&t))->block, bytes);
        for (int conn = 1; conn <= 2; conn++) rig_close(r, conn);
        rig_advance(r, 2 * quiet.hibernate_ms); /* by a snapshot, which has all moves */
        assert_null(room_of(&t));
        rig_open(r, 3, "LONG", NULL);
        assert_memory_equal(bw_room_match(room_of(&t))->block, position, bytes);
        char *again = log_of(&t);
        assert_string_equal(log, again);
        free(log);
        free(again);
        rig_free(r);
    }
}

/* Rooms that were left at the same moment: each snapshot has the journal delete hundreds of records, and moves of other
 * rooms wait for no more than one of them at a time. */
static void rooms_that_were_left_together_are_put_away_in_turns(void **unused) {
    (void)unused;
    enum { ROOMS = 6, MOVES = 120, EACH_US = MOVES * 20 };
    rig *r = rig_new_with(&quiet);
    table tables[ROOMS];
    char ids[ROOMS][8];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(ids[i], sizeof ids[i], "LONG%c", 'A' + i);
        tables[i] = begin(r, &long_games[0], ids[i], 1 + 2 * i);
        assert_true(play(&tables[i], MOVES));
    }
    for (int conn = 1; conn <= 2 * ROOMS; conn++) rig_close(r, conn);
    rig_advance(r, quiet.hibernate_ms - 1);
    r->now.mono_us += 1000;
    bw_hall_tick(r->hall, r->now);
    int first = -1;
    for (int i = 0; i < ROOMS; i++) {
        const bw_session *session = room_of(&tables[i])->session;
        if (session->hibernating) {
            assert_int_equal(first, -1);
            first = i;
            continue;
        }
        assert_true(session->has_turn);
        for (int k = 0; k < ROOMS; k++) {
            int64_t between = session->idle_us - room_of(&tables[k])->session->idle_us;
            assert_true(k == i || between >= EACH_US || between <= -EACH_US);
        }
        assert_in_range(session->idle_us - r->now.mono_us, EACH_US, 10 * ROOMS * EACH_US);
    }
    assert_in_range(first, 0, ROOMS - 1);

    /* A visitor meanwhile: the room stays, and is left again. */
    int visited = (first + 1) % ROOMS;
    rig_open(r, 1, ids[visited], NULL);
    rig_close(r, 1);
    rig_advance(r, 10 * ROOMS * EACH_US / 1000);
    for (int i = 0; i < ROOMS; i++) assert_int_equal(room_of(&tables[i]) != NULL, i == visited);
    rig_advance(r, quiet.hibernate_ms);
    assert_null(room_of(&tables[visited]));
    rig_free(r);
}

/* ---- the end of a long game, of 300 moves, by resigning with id 5000 ---- */

static table after_moves(uint32_t moves) {
    table t = begin(rig_new_with(&quiet), &long_games[0], "LONG", 1);
    assert_true(play(&t, t.moves = moves));
    t.r->hold_loads = true;
    return t;
}

static table before_the_end(void) { return after_moves(300); }

static void resign(const table *t) { rig_say(t->r, 1, "{'type':'resign','id':5000}"); }

static void check_end(const table *t, int conn) {
    size_t length;
    json_t *m = rig_await(t->r, conn, "game_over");
    const char *kept = (const char *)bw_memory_journal_replay(t->r->journal, rig_text(m, "replay_id"), &length);
    assert_non_null(kept);
    char *file = calloc(1, length + 1); /* a journal keeps no zero behind it */
    assert_non_null(file);
    memcpy(file, kept, length);
    assert_int_equal(lines_of(file), t->moves + 3);
    rig_verify(file);
    free(file);
    json_decref(m);
    assert_int_equal(bw_room_status(room_of(t)), BW_STATUS_ENDED);
}

static void the_end_waits_for_its_file(void **unused) {
    (void)unused;
    table t = before_the_end();
    size_t appended = t.r->appended;
    resign(&t);
    rig_say(t.r, 2, "{'type':'rematch','id':5001}");
    rig_open(t.r, 3, "LONG", NULL);
    bw_hall_http_log(t.r->hall, t.r->now, 40, "LONG", "");
    rig_advance(t.r, 20000);
    for (int conn = 1; conn <= 3; conn++) assert_int_equal(rig_count(t.r, conn), 0);
    assert_int_equal(t.r->appended, appended);
    assert_int_equal(t.r->conns[40].status, 0);
    t.r->hold_loads = false;
    rig_loads(t.r);
    rig_await_ack(t.r, 1, 5000);
    check_end(&t, 1);
    rig_await_ack(t.r, 2, 5001); /* it was in order, once the game had ended */
    check_end(&t, 3);
    assert_int_equal(t.r->conns[40].status, 200);
    rig_verify(t.r->conns[40].body);
    resign(&t);
    rig_await_ack(t.r, 1, 5000); /* and is remembered */
    rig_free(t.r);
}

/* With the last move of a lot, too: its record is in the journal only after the file. */
static void a_game_may_end_with_any_move(void **unused) {
    (void)unused;
    for (uint32_t moves = BW_LOT_MOVES - 2; moves <= 2 * BW_LOT_MOVES + 1; moves++) {
        table t = after_moves(moves);
        t.r->hold_loads = false;
        resign(&t);
        check_end(&t, 2);
        rig_free(t.r);
    }
}

static void nothing_ends_that_cannot_be_read(void **unused) {
    (void)unused;
    table t = before_the_end();
    resign(&t);
    t.r->unreadable = true;
    rig_loads(t.r);
    rig_await_error(t.r, 1, "storage");
    t.r->unreadable = t.r->hold_loads = false;
    rig_loads(t.r);
    rig_advance(t.r, 5000);
    assert_int_equal(bw_room_status(room_of(&t)), BW_STATUS_ACTIVE);
    assert_int_equal(room_of(&t)->move_count, 300);
    rig_clear(t.r);
    resign(&t);
    rig_await_ack(t.r, 1, 5000);
    check_end(&t, 2);
    rig_free(t.r);
}

static void an_end_that_waits_is_lost_in_a_crash(void **unused) {
    (void)unused;
    table t = before_the_end();
    resign(&t);
    t.r->hold_loads = false;
    rig_restart(t.r);
    rig_open(t.r, 3, "LONG", NULL);
    assert_int_equal(bw_room_status(room_of(&t)), BW_STATUS_ACTIVE);
    assert_int_equal(room_of(&t)->move_count, 300);
    rig_free(t.r);
}

/* A server that ends waits for it. */
static void draining_waits_for_the_end(void **unused) {
    (void)unused;
    table t = before_the_end();
    resign(&t);
    bw_hall_drain(t.r->hall, t.r->now);
    rig_run(t.r);
    assert_false(bw_hall_drained(t.r->hall));
    rig_loads(t.r);
    check_end(&t, 1);
    assert_int_equal(t.r->conns[1].closed_with, 1012);
    assert_true(bw_hall_drained(t.r->hall));
    rig_free(t.r);
}

/* The journal fails for an entry that was on its way before the end. */
static void an_end_falls_with_what_was_before_it(void **unused) {
    (void)unused;
    table t = before_the_end();
    t.r->hold = true;
    rig_say(t.r, 2, "{'type':'rename','name':'other','id':4999}");
    resign(&t);
    t.r->full = true;
    rig_run(t.r);
    rig_await_error(t.r, 1, "storage");
    rig_await_error(t.r, 2, "storage");
    t.r->full = t.r->hold = t.r->hold_loads = false;
    rig_loads(t.r); /* two: the older one is of no use any more */
    rig_advance(t.r, 5000);
    assert_int_equal(room_of(&t)->move_count, 300);
    rig_clear(t.r);
    resign(&t);
    check_end(&t, 1);
    rig_free(t.r);
}

/* Reading was asked for twice, and the first answer is from before what was stored since. */
static void an_older_answer_rebuilds_nothing(void **unused) {
    (void)unused;
    table t = before_the_end();
    bw_hall_http_log(t.r->hall, t.r->now, 40, "LONG", "");
    rig_run(t.r);
    assert_int_equal(t.r->load_count, 1);
    bw_stored_room old = *bw_memory_journal_load(t.r->journal, "LONG");
    bw_stored_record *records = calloc(old.record_count, sizeof *records);
    for (size_t i = 0; i < old.record_count; i++) records[i] = old.records[i];
    old.records = records;
    rig_say(t.r, 2, "{'type':'rename','name':'stored','id':4998}");
    t.r->full = true;
    rig_say(t.r, 2, "{'type':'rename','name':'lost','id':4999}");
    t.r->full = false;
    assert_int_equal(t.r->load_count, 2);
    bw_hall_loaded(t.r->hall, t.r->now, "LONG", &old, NULL);
    assert_null(room_of(&t)->game);
    t.r->load_count = 1;
    rig_loads(t.r);
    assert_string_equal(bw_seat_at(room_of(&t), 1)->name, "stored");
    t.r->hold_loads = false;
    rig_loads(t.r); /* the log was asked for again */
    assert_int_equal(t.r->conns[40].status, 200);
    assert_int_equal(lines_of(t.r->conns[40].body), 301);
    free(records);
    rig_free(t.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(the_whole_game_is_read_back),
        cmocka_unit_test(rooms_that_were_left_together_are_put_away_in_turns),
        cmocka_unit_test(the_end_waits_for_its_file),
        cmocka_unit_test(a_game_may_end_with_any_move),
        cmocka_unit_test(nothing_ends_that_cannot_be_read),
        cmocka_unit_test(an_end_that_waits_is_lost_in_a_crash),
        cmocka_unit_test(draining_waits_for_the_end),
        cmocka_unit_test(an_end_falls_with_what_was_before_it),
        cmocka_unit_test(an_older_answer_rebuilds_nothing),
    };
    return cmocka_run_group_tests_name("long games", tests, NULL, NULL);
}
