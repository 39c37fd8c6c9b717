/* Rooms that a node hands over to others because it shuts down: hall/moving.c. */
#include "rooms/test/rig.h"

#include <stdio.h>

static void tell_handed(rig *r, size_t which) {
    bw_hall_handed_over(r->hall, r->now, r->moving[which].room);
    rig_run(r);
}

static void move_out(rig *r) {
    bw_hall_move_out(r->hall, r->now);
    rig_run(r);
}

TEST(rooms_are_served_until_their_turn) {
    enum { ROOMS = 35, AT_ONCE = 16, PACE_MS = 40 };
    rig *r = rig_new();
    char room[8];
    for (int i = 0; i < ROOMS; i++) {
        snprintf(room, sizeof room, "ROOM%d", i);
        rig_open(r, i + 1, room, NULL);
    }
    rig_clear(r);
    move_out(r);
    assert_int_equal(r->moving_count, AT_ONCE);
    for (int i = 0; i < ROOMS; i++) assert_true(r->conns[i + 1].open);
    rig_say(r, ROOMS, "{'type':'select_role','role':'weather','id':1}");
    rig_await_ack(r, ROOMS, 1);
    for (size_t i = 0; i < ROOMS; i++) {
        assert_false(bw_hall_drained(r->hall));
        assert_string_equal(r->moving[i].room + 4, (snprintf(room, sizeof room, "%zu", i), room));
        tell_handed(r, i);
        assert_int_equal(r->conns[i + 1].closed_with, 1012);
        const size_t turn = i / AT_ONCE + 1, begun = turn * AT_ONCE < ROOMS ? turn * AT_ONCE : ROOMS;
        assert_int_equal(r->moving_count, begun);
        if (i + 1 < begun || begun == ROOMS) continue;
        /* However soon they have moved, the next ones are played on until their time. */
        rig_advance(r, PACE_MS - 1);
        assert_int_equal(r->moving_count, begun);
        rig_advance(r, 1);
    }
    assert_true(bw_hall_drained(r->hall));
    rig_free(r);
}

TEST(pending_writes_are_stored_first) {
    rig *r = rig_new();
    rig_island(r, "FIRST", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    move_out(r);
    assert_int_equal(r->moving_count, 0);
    rig_say(r, 1, "{'type':'end_turn','id':2}"); /* the client will ask the next owner */
    rig_commit(r);
    rig_await_ack(r, 1, 1);
    assert_int_equal(r->moving_count, 1);
    assert_true(r->conns[1].open);
    tell_handed(r, 0);
    assert_int_equal(r->conns[1].closed_with, 1012);
    assert_int_equal(r->conns[2].closed_with, 1012);
    assert_int_equal(rig_count(r, 1), 0);
    assert_true(bw_hall_drained(r->hall));
    rig_free(r);
}

TEST(a_failed_write_is_reported_before_the_room_moves) {
    rig *r = rig_new();
    rig_island(r, "FULL", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    move_out(r);
    r->full = true;
    rig_commit(r);
    rig_await_error(r, 1, "storage");
    assert_int_equal(r->moving_count, 0);
    r->full = r->hold = false;
    rig_loads(r);
    rig_advance(r, 50);
    assert_int_equal(r->moving_count, 1);
    tell_handed(r, 0);
    assert_true(bw_hall_drained(r->hall));
    rig_free(r);
}

TEST(a_room_that_is_visited_moves_at_once) {
    rig *r = rig_new();
    rig_island(r, "BUSY", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    move_out(r);
    rig_open(r, 5, "SLEEPS", NULL); /* it is not in memory, and is no longer loaded */
    assert_int_equal(r->moving_count, 1);
    assert_string_equal(r->moving[0].room, "SLEEPS");
    bw_hall_http_state(r->hall, r->now, 20, "SLEEPS", "");
    rig_run(r);
    tell_handed(r, 0);
    assert_int_equal(r->conns[5].closed_with, 1012);
    assert_int_equal(r->conns[20].status, 503);
    rig_open(r, 6, "BUSY", NULL);
    assert_true(r->conns[6].open);
    rig_commit(r);
    tell_handed(r, 1);
    assert_int_equal(r->conns[6].closed_with, 1012);
    assert_int_equal(r->conns[1].closed_with, 1012);
    assert_true(bw_hall_drained(r->hall));
    rig_open(r, 7, "LATER", NULL);
    assert_int_equal(r->conns[7].closed_with, 1012);
    assert_int_equal(rig_count(r, 7), 0); /* no error is shown to who only has to come back */
    rig_free(r);
}

/* Regression: their messages were heard, but they were sent neither the state nor what changed. */
TEST(whoever_visits_a_busy_room_is_served) {
    rig *r = rig_new();
    rig_island(r, "MATCH", 4, 4);
    rig_say(r, 1, "{'type':'resign'}");
    rig_say(r, 1, "{'type':'rematch'}");
    r->hold_loads = true;
    rig_say(r, 2, "{'type':'rematch'}");
    move_out(r);
    assert_int_equal(r->moving_count, 0); /* the next room is being made */
    rig_open(r, 5, "MATCH", NULL);
    json_decref(rig_await(r, 5, "room_state"));
    json_decref(rig_await(r, 5, "game_over"));
    rig_say(r, 1, "{'type':'rename','name':'Ada'}");
    json_t *m = rig_await(r, 5, "room_state");
    assert_string_equal(rig_text(m, "state.names.journeyman"), "Ada");
    json_decref(m);
    r->hold_loads = false;
    rig_loads(r);
    json_decref(rig_await(r, 5, "rematch"));
    rig_advance(r, 50);
    for (size_t i = 0; i < r->moving_count; i++) tell_handed(r, i);
    assert_int_equal(r->conns[5].closed_with, 1012);
    rig_free(r);
}

/* ... also if it was about to move, and stays because a write failed. */
TEST(whoever_visits_a_room_that_stays_is_served) {
    rig *r = rig_new();
    rig_island(r, "STAYS", 4, 4);
    r->hold = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    move_out(r);
    rig_open(r, 5, "STAYS", NULL);
    assert_int_equal(rig_count(r, 5), 0);
    r->hold_loads = r->full = true;
    rig_commit(r);
    r->hold = r->hold_loads = r->full = false;
    rig_loads(r);
    json_decref(rig_await(r, 5, "room_state"));
    rig_advance(r, 50);
    assert_int_equal(r->moving_count, 1);
    tell_handed(r, 0);
    assert_int_equal(r->conns[5].closed_with, 1012);
    assert_true(bw_hall_drained(r->hall));
    rig_free(r);
}

static int64_t left_until_the_round(rig *r, int conn) {
    json_t *m = rig_last(r, conn, "room_state");
    int64_t left = rig_int(m, "state.next_round_at") - rig_int(m, "state.server_time");
    json_decref(m);
    return left;
}

TEST(the_clock_keeps_its_phase) {
    char token[40];
    rig *r = rig_new();
    rig_open(r, 1, "CLOCK", "flag_war");
    snprintf(token, sizeof token, "%s", rig_seat(r, 1, "blue"));
    rig_say(r, 1, "{'type':'add_bot','role':'red','level':'easy'}");
    rig_say(r, 1, "{'type':'start'}");
    rig_advance(r, 3000 + 1200);
    rig_clear(r);
    move_out(r);
    assert_int_equal(r->moving_count, 1);
    assert_int_equal(r->moving[0].round_us - r->now.mono_us, 1800 * 1000);
    tell_handed(r, 0);
    rig_advance(r, 5000); /* a round would have been due in the meantime */
    rig_restart(r);
    r->hold_loads = true;
    rig_open(r, 2, "CLOCK", NULL);
    bw_stored_room stored = *bw_memory_journal_load(r->journal, "CLOCK");
    stored.round_us = r->now.mono_us + (1800 - 5000) * 1000;
    bw_hall_loaded(r->hall, r->now, "CLOCK", &stored, NULL);
    rig_run(r);
    rig_say(r, 2, "{'type':'resume','token':'%s'}", token);
    assert_int_equal(left_until_the_round(r, 2), 1800 - 5000 + 2 * 3000);
    /* The same for a player who was disconnected for a moment; one who returns later has a whole interval. */
    rig_advance(r, 1000);
    rig_close(r, 2);
    rig_advance(r, 1100);
    rig_open(r, 3, "CLOCK", NULL);
    rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
    assert_int_equal(left_until_the_round(r, 3), 2800 - 2100);
    rig_close(r, 3);
    rig_advance(r, 5000);
    rig_open(r, 4, "CLOCK", NULL);
    rig_say(r, 4, "{'type':'resume','token':'%s'}", token);
    assert_int_equal(left_until_the_round(r, 4), 3000);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
