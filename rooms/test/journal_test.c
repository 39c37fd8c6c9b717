/* Output commit, failures of the journal, rebuilding, hibernation, forgetting. */
#include "rooms/test/rig.h"

TEST(nothing_is_seen_before_it_is_durable) {
    rig *r = rig_new();
    rig_island(r, "WAIT", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_say(r, 1, "{'type':'end_turn','id':2}");
    rig_say(r, 1, "{'type':'end_turn','id':3}"); /* even the refusal waits, because it reveals the move */
    bw_hall_http_state(r->hall, r->now, 20, "WAIT", "");
    rig_run(r);
    assert_int_equal(rig_count(r, 1) + rig_count(r, 2), 0);
    assert_int_equal(r->conns[20].status, 0);
    assert_int_equal(bw_memory_journal_waiting(r->journal), 2);
    /* Another room does not wait. */
    rig_open(r, 5, "OTHER", NULL);
    rig_commit(r);
    rig_await_ack(r, 1, 1);
    rig_await_ack(r, 1, 2);
    rig_await_error(r, 1, "not_your_turn");
    json_t *m = rig_await(r, 2, "game_update");
    json_decref(m);
    assert_int_equal(r->conns[20].status, 200);
    rig_free(r);
}

TEST(a_half_stored_batch_releases_half) {
    rig *r = rig_new();
    rig_island(r, "HALF", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_say(r, 1, "{'type':'end_turn','id':2}");
    bw_hall_journalled(r->hall, r->now, bw_memory_journal_commit(r->journal, 1));
    rig_run(r);
    rig_await_ack(r, 1, 1);
    assert_int_equal(rig_count(r, 1) + rig_count(r, 2), 0);
    rig_commit(r);
    rig_await_ack(r, 1, 2);
    rig_free(r);
}

TEST(a_full_disk_refuses_and_recovers) {
    rig *r = rig_new();
    rig_island(r, "FULL", 4, 4);
    rig_open(r, 3, "FULL", NULL);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_clear(r);
    r->full = true;
    rig_say(r, 1, "{'type':'end_turn','id':2}");
    json_t *m = rig_await(r, 1, "error");
    assert_string_equal(rig_text(m, "code"), "storage");
    assert_int_equal(rig_int(m, "id"), 2);
    assert_non_null(strstr(rig_text(m, "message"), "full"));
    json_decref(m);
    m = rig_last(r, 1, "room_state"); /* the room's status, seats included */
    assert_string_equal(rig_text(m, "state.current_role"), "journeyman");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    assert_int_equal(rig_int(m, "you.staged.position.x"), 1);
    assert_string_equal(rig_text(m, "state.paused"), "false");
    assert_int_equal(rig_int(m, "state.spectators"), 1);
    json_decref(m);
    /* Nobody saw a move that was not stored. */
    while ((m = rig_next(r, 2))) {
        assert_string_not_equal(rig_text(m, "type"), "game_update");
        json_decref(m);
    }
    rig_say(r, 1, "{'type':'end_turn'}"); /* without an id, too */
    rig_await_error(r, 1, "storage");
    bw_hall_http_state(r->hall, r->now, 20, "FULL", ""); /* reads still work */
    rig_run(r);
    assert_int_equal(r->conns[20].status, 200);
    bw_hall_http_create(r->hall, r->now, 21, "{\"game\":\"flooded_island\"}", 25, "");
    rig_run(r);
    assert_int_equal(r->conns[21].status, 503);
    r->full = false;
    rig_clear(r);
    rig_say(r, 1, "{'type':'end_turn','id':2}"); /* the same intent again: this time it is applied */
    rig_await_ack(r, 1, 2);
    m = rig_await(r, 2, "game_update");
    assert_string_equal(rig_text(m, "changes.current_role"), "weather");
    json_decref(m);
    bw_hall_http_create(r->hall, r->now, 21, "{\"game\":\"flooded_island\"}", 25, "");
    rig_run(r);
    assert_int_equal(r->conns[21].status, 201);
    rig_free(r);
}

/* A disk that cannot say whether it stored a write: no client is told that it did not. */
TEST(a_doubtful_write_is_reported_and_applied_once) {
    for (int comes_back = 0; comes_back < 2; comes_back++) {
        char tokens[2][40];
        json_t *m;
        rig *r = rig_new();
        for (int i = 0; i < 2; i++) {
            rig_open(r, i + 1, "DOUBT", NULL);
            memcpy(tokens[i], rig_seat(r, i + 1, i == 0 ? "journeyman" : "weather"), 33);
        }
        rig_say(r, 1, "{'type':'configure_grid','size':4}");
        rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
        r->full = r->doubt = true;
        rig_clear(r);
        rig_say(r, 1, "{'type':'end_turn','id':2}");
        m = rig_await(r, 1, "error");
        assert_string_equal(rig_text(m, "code"), "storage");
        assert_non_null(strstr(rig_text(m, "message"), "not known yet"));
        json_decref(m);
        bw_memory_journal_come_back(r->journal, comes_back ? 1 : 0);
        r->full = false;
        rig_restart(r);
        for (int i = 0; i < 2; i++) {
            rig_open(r, i + 1, "DOUBT", NULL);
            rig_say(r, i + 1, "{'type':'resume','token':'%s'}", tokens[i]);
        }
        m = rig_last(r, 2, "room_state");
        assert_string_equal(rig_text(m, "state.current_role"), comes_back ? "weather" : "journeyman");
        json_decref(m);
        rig_clear(r);
        rig_say(r, 1, "{'type':'end_turn','id':2}"); /* again, but applied only once */
        rig_await_ack(r, 1, 2);
        bw_hall_http_state(r->hall, r->now, 20, "DOUBT", "");
        rig_run(r);
        assert_non_null(strstr(r->conns[20].body, "\"current_role\":\"weather\""));
        assert_non_null(strstr(r->conns[20].body, "\"days_survived\":1"));
        rig_free(r);
    }
}

/* The same while the server lives: a database that returns after a refusal may have stored what it refused. The room
 * is then read with it. A client that sends the message again gets the answer as if the first attempt had succeeded,
 * and so does every message that was answered before, however often. This holds if the seat makes a move or only
 * renames itself. */
TEST(a_refused_but_stored_message_is_applied_once) {
    static const char *const doubtful[] = {"{'type':'end_turn','id':8}", "{'type':'rename','name':'Ann','id':8}"};
    for (size_t i = 0; i < sizeof doubtful / sizeof doubtful[0]; i++) {
        rig *r = rig_new();
        rig_open(r, 1, "DOUBT", NULL);
        rig_open(r, 2, "DOUBT", NULL);
        rig_seat(r, 1, "journeyman");
        rig_seat(r, 2, "weather");
        rig_say(r, 1, "{'type':'configure_grid','size':4}");
        rig_say(r, 1, "{'type':'rename','name':'Bo','id':5}");
        rig_await_ack(r, 1, 5);
        rig_say(r, 1, "{'type':'end_turn','id':6}"); /* nothing was chosen */
        rig_await_error(r, 1, "illegal");
        rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':7}");
        r->full = r->doubt = r->hold_loads = true;
        rig_say(r, 1, "%s", doubtful[i]);
        rig_await_error(r, 1, "storage");
        bw_memory_journal_come_back(r->journal, 1);
        r->full = r->hold_loads = false;
        rig_loads(r);
        size_t appended = r->appended;
        for (int again = 0; again < 2; again++) {
            rig_clear(r);
            rig_say(r, 1, "%s", doubtful[i]);
            rig_await_ack(r, 1, 8);
            rig_say(r, 1, "{'type':'rename','name':'Cy','id':5}");
            rig_await_ack(r, 1, 5);
            rig_say(r, 1, "{'type':'end_turn','id':6}");
            rig_await_error(r, 1, "illegal");
        }
        assert_int_equal(r->appended, appended);
        json_t *m = rig_last(r, 2, "room_state");
        assert_null(m); /* nothing has happened since */
        rig_free(r);
    }
}

/* A seat is reserved for the client that has its token. If the token was never sent (its holder left before the seat
 * was stored, or was refused in doubt although it was stored), nobody can return with it, and the seat blocks
 * nobody. */
TEST(a_seat_whose_token_was_never_sent_blocks_nobody) {
    enum { GOES_BEFORE_IT_IS_STORED, GOES_WHILE_IT_IS_READ, STAYS_AND_IS_TOLD, CASES };
    for (int which = 0; which < CASES; which++) {
        char token[40] = "";
        rig *r = rig_new();
        rig_open(r, 1, "UNTOLD", NULL);
        rig_open(r, 2, "UNTOLD", NULL);
        rig_seat(r, 2, "weather");
        r->hold = which == GOES_BEFORE_IT_IS_STORED;
        r->full = r->doubt = r->hold_loads = which != GOES_BEFORE_IT_IS_STORED;
        rig_clear(r);
        rig_say(r, 1, "{'type':'select_role','role':'journeyman','reserve':true,'id':1}");
        if (which != STAYS_AND_IS_TOLD) rig_close(r, 1);
        if (which == GOES_BEFORE_IT_IS_STORED) {
            r->hold = false;
            rig_commit(r);
        } else {
            bw_memory_journal_come_back(r->journal, 1);
            r->full = r->hold_loads = false;
            rig_loads(r);
        }
        if (which == STAYS_AND_IS_TOLD) {
            json_t *m = rig_last(r, 1, "room_state");
            assert_string_equal(rig_text(m, "you.role"), "journeyman");
            memcpy(token, rig_text(m, "you.token"), 33);
            json_decref(m);
            rig_say(r, 1, "{'type':'select_role','role':'journeyman','reserve':true,'id':1}");
            rig_await_ack(r, 1, 1);
            rig_close(r, 1);
        }
        rig_open(r, 3, "UNTOLD", NULL);
        rig_clear(r);
        rig_say(r, 3, "{'type':'select_role','role':'journeyman','reserve':true,'id':1}");
        if (which == STAYS_AND_IS_TOLD) {
            rig_await_error(r, 3, "role_reserved");
            rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
        } else {
            rig_await_ack(r, 3, 1);
        }
        /* The current holder was sent the token, so the seat is reserved. */
        rig_close(r, 3);
        rig_open(r, 4, "UNTOLD", NULL);
        rig_clear(r);
        rig_say(r, 4, "{'type':'select_role','role':'journeyman','id':1}");
        rig_await_error(r, 4, "role_reserved");
        rig_free(r);
    }
}

TEST(a_seat_that_was_not_stored_is_not_held) {
    rig *r = rig_new();
    rig_open(r, 1, "SEATS", NULL);
    rig_open(r, 2, "SEATS", NULL);
    r->full = true;
    rig_clear(r);
    rig_say(r, 1, "{'type':'select_role','role':'weather','id':1}");
    rig_await_error(r, 1, "storage");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "null");
    json_decref(m);
    r->full = false;
    rig_seat(r, 2, "weather");
    /* A room whose creation was not stored does not exist: its client must connect again. */
    r->full = true;
    rig_open(r, 3, "NEVER", NULL);
    rig_await_error(r, 3, "storage"); /* and gets the reason */
    assert_int_equal(r->conns[3].closed_with, 1013);
    r->full = false;
    rig_open(r, 3, "NEVER", NULL);
    assert_true(r->conns[3].open);
    rig_free(r);
}

TEST(an_unreadable_disk_is_reported_and_retried) {
    rig *r = rig_new();
    rig_island(r, "READ", 4, 4);
    r->unreadable = true;
    rig_open(r, 5, "NEWER", NULL);
    rig_await_error(r, 5, "storage");
    assert_int_equal(r->conns[5].closed_with, 1013);
    r->full = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_await_error(r, 1, "storage");
    r->full = false;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':2}"); /* waits for the room */
    rig_clear(r);
    r->unreadable = false;
    rig_advance(r, 2000);
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    json_decref(m);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_await_ack(r, 1, 1);
    rig_free(r);
}

static json_t *http_state(rig *r, const char *room) {
    json_error_t error;
    bw_hall_http_state(r->hall, r->now, 20, room, "");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 200);
    json_t *state = json_loads(r->conns[20].body, 0, &error);
    assert_non_null(state);
    return state;
}

static char *log_of(rig *r, const char *room) {
    bw_hall_http_log(r->hall, r->now, 21, room, "");
    rig_run(r);
    assert_int_equal(r->conns[21].status, 200);
    return strdup(r->conns[21].body);
}

/* Removes what does not outlive a connection. */
static void settle(json_t *state) {
    json_object_del(state, "players");
    json_object_del(state, "spectators");
    json_object_del(state, "paused");
}

TEST(a_killed_server_comes_back_as_it_was) {
    rig *r = rig_new();
    char tokens[3][40];
    rig_open(r, 1, "KILL", NULL);
    rig_open(r, 2, "KILL", NULL);
    memcpy(tokens[1], rig_seat(r, 1, "journeyman"), 33);
    memcpy(tokens[2], rig_seat(r, 2, "weather"), 33);
    rig_say(r, 1, "{'type':'configure_grid','width':5,'height':4}");
    for (int day = 0; day < 40; day++) { /* enough for a snapshot and for kept positions */
        rig_advance(r, 500);
        rig_say(r, 1, "{'type':'move','position':{'x':%d,'y':0}}", day % 2 ? 0 : 1);
        rig_say(r, 1, "{'type':'end_turn'}");
        rig_say(r, 2, "{'type':'flood','positions':[{'x':4,'y':%d}]}", 3);
        rig_say(r, 2, "{'type':'end_turn'}");
        rig_clear(r);
        if (day % 10 == 5) {
            /* At the kill or the sleep the adventurer has staged a move, the weather has not. */
            rig_say(r, 1, "{'type':'move','position':{'x':%d,'y':1}}", day % 2 ? 1 : 0);
            json_t *before = http_state(r, "KILL");
            char *log = log_of(r, "KILL");
            if (day % 20 == 5) {
                rig_restart(r);
            } else {
                rig_close(r, 1);
                rig_close(r, 2);
                rig_advance(r, 61000);
                bw_hall_figures figures;
                bw_hall_figures_of(r->hall, &figures);
                assert_int_equal(figures.rooms_in_memory, 0);
            }
            json_t *after = http_state(r, "KILL");
            char *log_after = log_of(r, "KILL");
            settle(before);
            settle(after);
            assert_true(json_equal(before, after));
            assert_string_equal(log, log_after);
            json_decref(before);
            json_decref(after);
            free(log);
            free(log_after);
            for (int i = 1; i <= 2; i++) {
                rig_open(r, i, "KILL", NULL);
                rig_say(r, i, "{'type':'resume','token':'%s'}", tokens[i]);
            }
            json_t *m = rig_last(r, 1, "room_state");
            assert_string_equal(rig_text(m, "you.role"), "journeyman");
            assert_int_equal(rig_int(m, "you.staged.position.y"), 1); /* what was staged is still staged */
            json_decref(m);
            rig_say(r, 1, "{'type':'move','position':null}");
            rig_clear(r);
        }
    }
    rig_say(r, 1, "{'type':'resign'}");
    json_t *m = rig_await(r, 2, "game_over");
    char replay[40];
    snprintf(replay, sizeof replay, "%s", rig_text(m, "replay_id"));
    json_decref(m);
    char *log = log_of(r, "KILL");
    size_t length;
    const char *kept = (const char *)bw_memory_journal_replay(r->journal, replay, &length);
    assert_non_null(kept);
    assert_int_equal(length, strlen(log));
    assert_memory_equal(kept, log, length);
    assert_non_null(strstr(log, "\"seed\":"));
    free(log);
    rig_free(r);
}

static void five_hundred_rooms(rig *r) {
    for (int i = 0; i < 500; i++) {
        char room[8];
        snprintf(room, sizeof room, "R%04d", i);
        rig_open(r, 1, room, NULL);
        rig_seat(r, 1, "weather");
        rig_close(r, 1);
        rig_advance(r, 1500);
    }
}

TEST(a_room_nobody_visits_leaves_memory) {
    rig *r = rig_new();
    bw_hall_figures before, after;
    five_hundred_rooms(r);
    assert_int_equal(bw_memory_journal_rooms(r->journal), 500);
    rig_advance(r, 62000);
    bw_hall_figures_of(r->hall, &before);
    assert_int_equal(before.rooms_in_memory, 0);
    assert_int_equal(before.connections, 0);
    assert_int_equal(bw_memory_journal_rooms(r->journal), 500);
    rig_advance(r, 3700000); /* no game started in them: forgotten after an hour */
    assert_int_equal(bw_memory_journal_rooms(r->journal), 0);
    bw_hall_figures_of(r->hall, &before);
    five_hundred_rooms(r);
    rig_advance(r, 3700000);
    bw_hall_figures_of(r->hall, &after);
    assert_int_equal(bw_memory_journal_rooms(r->journal), 0);
    assert_true(after.bytes <= before.bytes); /* no growth */
    for (int i = 0; i < 4; i++) assert_int_equal(after.rooms[i], 0);
    rig_free(r);
}

TEST(an_ended_room_is_closed_after_a_while) {
    rig *r = rig_new();
    rig_island(r, "ENDED", 4, 4);
    rig_say(r, 1, "{'type':'resign'}");
    rig_advance(r, 299000);
    rig_open(r, 3, "ENDED", NULL);
    json_t *m = rig_await(r, 3, "game_over"); /* a late client receives it too */
    json_decref(m);
    rig_clear(r);
    rig_advance(r, 61000);
    m = rig_await(r, 1, "room_closed");
    json_decref(m);
    assert_int_equal(r->conns[1].closed_with, 1000);
    assert_int_equal(r->conns[3].closed_with, 1000);
    assert_int_equal(bw_memory_journal_rooms(r->journal), 0);
    bw_hall_http_state(r->hall, r->now, 20, "ENDED", "");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 404);
    rig_open(r, 4, "ENDED", NULL); /* the id is free again */
    m = rig_await(r, 4, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "waiting");
    json_decref(m);
    rig_free(r);
}

TEST(visitors_wait_while_a_room_is_loaded) {
    rig *r = rig_new();
    rig_island(r, "SLOW", 4, 4);
    rig_restart(r);
    r->hold_loads = true;
    rig_open(r, 1, "SLOW", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'weather'}");
    rig_say(r, 1, "{'type':'ping','t':5}");
    rig_open(r, 2, "SLOW", NULL);
    rig_close(r, 2);
    bw_hall_http_state(r->hall, r->now, 20, "slow", "");
    rig_run(r);
    assert_int_equal(rig_count(r, 1), 0);
    assert_int_equal(r->load_count, 1);
    rig_loads(r);
    json_t *m = rig_await(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "null");
    json_decref(m);
    m = rig_await(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "weather");
    json_decref(m);
    m = rig_await(r, 1, "pong");
    json_decref(m);
    assert_int_equal(r->conns[20].status, 200);
    rig_free(r);
}

TEST(draining_loses_nobody) {
    rig *r = rig_new();
    rig_island(r, "DRAIN", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    bw_hall_drain(r->hall, r->now);
    rig_run(r);
    assert_true(r->conns[1].open);
    rig_say(r, 1, "{'type':'end_turn','id':2}");
    rig_open(r, 5, "LATER", NULL);
    assert_int_equal(r->conns[5].closed_with, 1012);
    rig_commit(r);
    rig_await_ack(r, 1, 1);
    rig_await_error(r, 1, "draining");
    assert_int_equal(r->conns[1].closed_with, 1012);
    assert_int_equal(r->conns[2].closed_with, 1012);
    assert_true(bw_hall_drained(r->hall));
    rig_free(r);
}

TEST(a_damaged_record_is_no_room) {
    rig *r = rig_new();
    rig_island(r, "BROKEN", 4, 4);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_restart(r);
    const bw_stored_room *stored = bw_memory_journal_load(r->journal, "BROKEN");
    bw_stored_record records[32];
    memcpy(records, stored->records, stored->record_count * sizeof records[0]);
    /* The last record has another legal move than the one that was hashed. */
    char changed[512];
    const bw_stored_record *last = &records[stored->record_count - 1];
    memcpy(changed, last->bytes, last->length);
    changed[last->length] = 0;
    char *y = strstr(changed, "\"y\":0");
    assert_non_null(y);
    y[4] = '1';
    records[stored->record_count - 1].bytes = (const uint8_t *)changed;
    bw_stored_room damaged = *stored;
    damaged.records = records;
    r->hold_loads = true;
    rig_open(r, 1, "BROKEN", NULL);
    bw_hall_loaded(r->hall, r->now, "BROKEN", &damaged, NULL);
    rig_run(r);
    rig_await_error(r, 1, "storage");
    assert_false(r->conns[1].open);
    /* With intact records it opens. */
    r->hold_loads = false;
    r->load_count = 0;
    rig_open(r, 1, "BROKEN", NULL);
    json_t *m = rig_await(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.current_role"), "weather");
    json_decref(m);
    rig_free(r);
}

/* Loads the room as an older program stored it, before a setting was added: without the setting. */
static void load_without(rig *r, const char *room, const char *setting) {
    static bw_stored_record records[64];
    static char texts[64][2048];
    const bw_stored_room *stored = bw_memory_journal_load(r->journal, room);
    bw_stored_room older = *stored;
    assert_true(stored->record_count <= 64 && !stored->snapshot);
    for (size_t i = 0; i < stored->record_count; i++) {
        assert_true(stored->records[i].length < sizeof texts[i]);
        memcpy(texts[i], stored->records[i].bytes, stored->records[i].length);
        texts[i][stored->records[i].length] = 0;
        char *at = strstr(texts[i], setting);
        if (at) memmove(at, at + strlen(setting), strlen(at + strlen(setting)) + 1);
        records[i] = stored->records[i];
        records[i].bytes = (const uint8_t *)texts[i];
        records[i].length = strlen(texts[i]);
    }
    older.records = records;
    bw_hall_loaded(r->hall, r->now, room, &older, NULL);
    rig_run(r);
}

/* Regression: a setting that is newer than a room. Reading the room must not add the setting: its game file starts
 * with its settings, and every hash depends on that line. */
TEST(a_room_from_before_a_setting_plays_on_without_it) {
    static const struct {
        const char *game, *setting, *roles[2];
    } games[] = {{"flooded_island", ",\"days\":365", {"journeyman", "weather"}},
                 {"flag_war", ",\"ready_ms\":0", {"blue", "red"}},
                 {"flood_it", ",\"hints\":false", {"player", "player2"}}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        rig *r = rig_new();
        rig_open(r, 1, "BEFORE", games[i].game);
        json_t *m = rig_await(r, 1, "room_state"); /* a new room has it */
        const bw_stored_record *first = &bw_memory_journal_load(r->journal, "BEFORE")->records[0];
        char made[2048];
        snprintf(made, sizeof made, "%.*s", (int)first->length, (const char *)first->bytes);
        assert_non_null(strstr(made, games[i].setting));
        json_decref(m);
        for (int again = 0; again < 3; again++) { /* new, started, over */
            rig_restart(r);
            r->hold_loads = true;
            rig_open(r, 1, "BEFORE", NULL);
            load_without(r, "BEFORE", games[i].setting);
            r->hold_loads = false;
            r->load_count = 0;
            rig_open(r, 2, "BEFORE", NULL);
            m = rig_await(r, 2, "room_state");
            const json_t *config = json_object_get(json_object_get(m, "state"), "config");
            assert_true(json_object_size(config) > 0);
            char *text = json_dumps(config, JSON_COMPACT);
            assert_null(strstr(text, games[i].setting + 1));
            free(text);
            json_decref(m);
            if (again == 2) break;
            rig_seat(r, 1, games[i].roles[0]);
            rig_seat(r, 2, games[i].roles[1]);
            rig_say(r, 1, again ? "{'type':'resign'}" : "{'type':'start'}");
            if (again) rig_say(r, 2, "{'type':'resign'}"); /* in a race each player resigns alone */
            rig_clear(r);
        }
        bw_hall_http_log(r->hall, r->now, 9, "BEFORE", "");
        rig_run(r);
        assert_int_equal(r->conns[9].status, 200);
        assert_null(strstr(r->conns[9].body, games[i].setting + 1));
        rig_verify(r->conns[9].body);
        rig_free(r);
    }
}

RUN_TESTS(NULL, NULL)
