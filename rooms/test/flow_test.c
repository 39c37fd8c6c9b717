/* A whole game of Flooded Island as a client of seed 1 plays it: no ids, no tokens, no names. */
#include "rooms/session/session.h"
#include "rooms/test/rig.h"

TEST(a_whole_game) {
    rig *r = rig_new();
    rig_open(r, 1, "abcd", NULL);
    json_t *m = rig_await(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "waiting");
    assert_string_equal(rig_text(m, "state.room_id"), "ABCD");
    assert_string_equal(rig_text(m, "state.game"), "flooded_island");
    assert_string_equal(rig_text(m, "state.players.journeyman"), "false");
    assert_string_equal(rig_text(m, "state.grid"), "array"); /* a preview of the island */
    assert_int_equal(rig_int(m, "state.grid_size"), 10);
    assert_string_equal(rig_text(m, "state.current_role"), "null");
    assert_string_equal(rig_text(m, "you.role"), "null");
    json_decref(m);
    rig_open(r, 2, "ABCD", NULL);
    rig_seat(r, 1, "journeyman");
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.players.journeyman"), "true");
    assert_string_equal(rig_text(m, "state.game_status"), "waiting");
    json_decref(m);
    rig_seat(r, 2, "weather");
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "configuring");
    json_decref(m);
    rig_say(r, 2, "{'type':'configure_grid','size':3}");
    rig_await_error(r, 2, "not_allowed");
    rig_say(r, 1, "{'type':'configure_grid','size':3}");
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_int_equal(rig_int(m, "state.grid_size"), 3);
    assert_string_equal(rig_text(m, "state.grid.0.0"), "dry");
    assert_string_equal(rig_text(m, "state.current_role"), "journeyman");
    assert_int_equal(rig_int(m, "state.journeyman_position.x"), 0);
    json_decref(m);
    rig_clear(r);
    /* Day 1. Only the player who stages a move sees it. */
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    assert_int_equal(rig_count(r, 2), 0);
    m = rig_await(r, 1, "game_update");
    assert_int_equal(rig_int(m, "you.staged.position.x"), 1);
    json_decref(m);
    rig_say(r, 1, "{'type':'end_turn'}");
    m = rig_await(r, 2, "game_update");
    assert_string_equal(rig_text(m, "events.0.type"), "moved");
    assert_string_equal(rig_text(m, "changes.current_role"), "weather");
    assert_int_equal(rig_int(m, "changes.journeyman_position.x"), 1);
    json_decref(m);
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_await_error(r, 1, "not_your_turn");
    /* The adventurer is in the middle of 3x3: flood what it must not escape by, for days. */
    static const char *const replies[] = {"{'type':'flood','positions':[{'x':0,'y':0},{'x':2,'y':0}]}",
                                          "{'type':'flood','positions':[]}"};
    rig_say(r, 2, "%s", replies[0]);
    assert_int_equal(rig_count(r, 1), 0);
    rig_say(r, 2, "{'type':'end_turn'}");
    m = rig_await(r, 1, "game_update");
    assert_string_equal(rig_text(m, "changes.grid.0.0"), "flooded");
    json_decref(m);
    rig_say(r, 1, "{'type':'resign'}");
    m = rig_await(r, 2, "game_over");
    assert_string_equal(rig_text(m, "winner"), "weather");
    assert_int_equal(strlen(rig_text(m, "seed")), 64);
    assert_int_equal(rig_int(m, "stats.days_survived"), 1);
    char replay[32];
    snprintf(replay, sizeof replay, "%s", rig_text(m, "replay_id"));
    json_decref(m);
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "ended");
    assert_string_equal(rig_text(m, "state.winner"), "weather");
    json_decref(m);
    bw_hall_http_replay(r->hall, r->now, 20, replay, "");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 200);
    assert_non_null(strstr(r->conns[20].body, "\"result\""));
    rig_free(r);
}

/* Regression: a start that is impossible left its position in the room, though no game had begun. */
TEST(an_impossible_start_leaves_the_room_as_it_was) {
    rig *r = rig_new();
    rig_open(r, 1, "ABCD", NULL);
    rig_open(r, 2, "ABCD", NULL);
    rig_seat(r, 1, "journeyman");
    rig_seat(r, 2, "weather");
    bw_room *room = bw_room_find(r->hall, "ABCD");
    bw_change start = {.record.type = BW_RECORD_START, .given = "no position"};
    start.record.as.start.at = r->now.wall_ms;
    start.record.as.start.seats = 3;
    assert_int_equal(bw_apply(&r->hall->scratch, room, &start, BW_HASH_MAKE, NULL), BW_BROKEN);
    assert_int_equal(room->started_at, 0);
    assert_null(room->open);
    rig_say(r, 1, "{'type':'start'}");
    json_t *m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    json_decref(m);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
