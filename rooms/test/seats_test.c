/* Roles, tokens, reservation, two tabs, pausing, spectators. */
#include "rooms/test/rig.h"

TEST(roles_are_first_come_first_served) {
    rig *r = rig_new();
    rig_open(r, 1, "SEAT", NULL);
    rig_open(r, 2, "seat", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'adventurer','name':'Zoë 🌊'}");
    json_t *m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.players.journeyman"), "true");
    assert_string_equal(rig_text(m, "state.names.journeyman"), "Zoë 🌊");
    assert_string_equal(rig_text(m, "you.token"), "null");
    assert_int_equal(rig_int(m, "state.spectators"), 1);
    json_decref(m);
    rig_say(r, 2, "{'type':'select_role','role':'journeyman'}");
    rig_await_error(r, 2, "role_taken");
    rig_say(r, 1, "{'type':'select_role','role':'weather'}");
    rig_await_error(r, 1, "not_allowed");
    rig_say(r, 2, "{'type':'select_role','role':'captain'}");
    rig_await_error(r, 2, "bad_message");
    rig_say(r, 1, "{'type':'leave_role'}");
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.players.journeyman"), "false");
    assert_string_equal(rig_text(m, "state.names.journeyman"), "absent");
    json_decref(m);
    rig_seat(r, 2, "journeyman");
    rig_seat(r, 1, "weather");
    rig_free(r);
}

/* Nodes pass connections on: a resume may arrive after that of a newer connection, when its client has long gone. */
TEST(who_is_leaving_takes_no_seat_from_who_is_there) {
    rig *r = rig_new();
    char token[40];
    rig_open(r, 1, "SEAT", NULL);
    memcpy(token, rig_seat(r, 1, "weather"), 33);
    rig_open(r, 2, "SEAT", NULL);
    bw_hall_leaving(r->hall, 2);
    rig_clear(r);
    rig_say(r, 2, "{'type':'resume','token':'%s','id':1}", token);
    assert_null(rig_next(r, 1));
    assert_null(rig_next(r, 2));
    rig_close(r, 2);
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "weather");
    assert_string_equal(rig_text(m, "state.players.weather"), "true");
    json_decref(m);
    rig_free(r);
}

TEST(names_are_counted_in_code_points) {
    rig *r = rig_new();
    rig_open(r, 1, "NAME", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'weather','name':''}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'select_role','role':'weather','name':'éééééééééééééééééééééééé+'}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'select_role','role':'weather','name':'🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊🌊'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_int_equal(strlen(rig_text(m, "state.names.weather")), 24 * 4);
    json_decref(m);
    rig_free(r);
}

TEST(a_token_takes_its_seat_back) {
    rig *r = rig_new();
    rig_island(r, "BACK", 4, 4);
    char token[40];
    rig_close(r, 1);
    json_t *m = rig_await(r, 2, "player_disconnected");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.paused"), "true");
    assert_string_equal(rig_text(m, "state.players.journeyman"), "false");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    memcpy(token, rig_text(m, "you.token"), 33);
    json_decref(m);
    /* A stranger's token opens no seat; no seat changes. */
    rig_open(r, 3, "BACK", NULL);
    rig_say(r, 3, "{'type':'resume','token':'00112233445566778899aabbccddeeff'}");
    rig_await_error(r, 3, "no_seat");
    rig_say(r, 3, "{'type':'resume','token':'nonsense'}");
    rig_await_error(r, 3, "no_seat");
    /* The weather's second tab: the older connection becomes a spectator. */
    rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
    m = rig_last(r, 3, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "weather");
    assert_string_equal(rig_text(m, "you.token"), token);
    json_decref(m);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "null");
    json_decref(m);
    /* Closing the stale connection frees no seat. */
    rig_clear(r);
    rig_close(r, 2);
    m = rig_last(r, 3, "room_state");
    assert_true(!m || strcmp(rig_text(m, "you.role"), "weather") == 0);
    json_decref(m);
    rig_say(r, 3, "{'type':'resign'}");
    m = rig_await(r, 3, "game_over");
    json_decref(m);
    rig_free(r);
}

TEST(a_seed_client_selects_its_role_again) {
    rig *r = rig_new();
    rig_island(r, "SEED", 4, 4);
    rig_close(r, 1);
    rig_clear(r);
    rig_open(r, 4, "SEED", NULL);
    const char *token = rig_seat(r, 4, "journeyman");
    assert_int_equal(strlen(token), 32);
    json_t *m = rig_await(r, 2, "player_reconnected");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.paused"), "false");
    json_decref(m);
    rig_free(r);
}

TEST(a_reserved_seat_waits_for_its_token) {
    rig *r = rig_new();
    char token[40];
    rig_open(r, 1, "KEPT", NULL);
    rig_open(r, 2, "KEPT", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'journeyman','reserve':true}");
    json_t *m = rig_last(r, 1, "room_state");
    memcpy(token, rig_text(m, "you.token"), 33);
    json_decref(m);
    rig_close(r, 1);
    rig_say(r, 2, "{'type':'select_role','role':'journeyman','id':1}");
    rig_await_error(r, 2, "role_reserved");
    rig_advance(r, 14999);
    rig_say(r, 2, "{'type':'select_role','role':'journeyman','id':2}");
    rig_await_error(r, 2, "role_reserved");
    rig_advance(r, 1);
    /* Nobody has taken the seat yet: the token still opens it. */
    rig_open(r, 3, "KEPT", NULL);
    rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
    m = rig_last(r, 3, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    json_decref(m);
    rig_close(r, 3);
    rig_advance(r, 15000);
    rig_say(r, 2, "{'type':'select_role','role':'journeyman','id':3}");
    rig_await_ack(r, 2, 3);
    /* Somebody has: the token is void. */
    rig_open(r, 3, "KEPT", NULL);
    rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
    rig_await_error(r, 3, "no_seat");
    rig_free(r);
}

TEST(leaving_in_a_game_keeps_nothing) {
    rig *r = rig_new();
    rig_open(r, 1, "GONE", NULL);
    rig_open(r, 2, "GONE", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'journeyman','reserve':true}");
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_clear(r);
    rig_say(r, 1, "{'type':'leave_role','id':7}");
    json_t *m = rig_await(r, 2, "player_disconnected");
    json_decref(m);
    rig_await_ack(r, 1, 7);
    rig_say(r, 1, "{'type':'leave_role','id':7}");
    rig_await_ack(r, 1, 7); /* repeated, answered again */
    rig_open(r, 3, "GONE", NULL);
    rig_seat(r, 3, "journeyman");
    rig_free(r);
}

TEST(silence_is_absence) {
    rig *r = rig_new();
    rig_island(r, "QUIET", 4, 4);
    rig_advance(r, 60000); /* pings are answered */
    assert_true(r->conns[1].open);
    rig_clear(r);
    r->conns[1].mute = true; /* half open: nothing comes back */
    rig_advance(r, 24000);
    assert_int_equal(rig_count(r, 2), 0);
    rig_advance(r, 11000);
    assert_int_equal(r->conns[1].closed_with, 1001);
    json_t *m = rig_await(r, 2, "player_disconnected");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    rig_free(r);
}

TEST(everybody_may_watch) {
    rig *r = rig_new();
    rig_island(r, "LOOK", 4, 4);
    for (int i = 3; i < 9; i++) rig_open(r, i, "LOOK", NULL);
    json_t *m = rig_last(r, 2, "room_state");
    assert_int_equal(rig_int(m, "state.spectators"), 6);
    json_decref(m);
    rig_clear(r);
    rig_say(r, 3, "{'type':'end_turn'}");
    rig_await_error(r, 3, "no_seat");
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    assert_int_equal(rig_count(r, 4), 0);
    rig_say(r, 1, "{'type':'end_turn'}");
    m = rig_await(r, 4, "game_update");
    assert_string_equal(rig_text(m, "you"), "absent");
    json_decref(m);
    rig_close(r, 4);
    m = rig_last(r, 5, "room_state");
    assert_int_equal(rig_int(m, "state.spectators"), 5);
    json_decref(m);
    rig_free(r);
}

TEST(nothing_is_staged_while_paused) {
    rig *r = rig_new();
    rig_island(r, "PAUSE", 4, 4);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_close(r, 2);
    rig_clear(r);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    rig_await_error(r, 1, "paused");
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_await_error(r, 1, "paused");
    rig_open(r, 3, "PAUSE", NULL);
    rig_seat(r, 3, "weather");
    json_t *m = rig_last(r, 1, "room_state");
    assert_int_equal(rig_int(m, "you.staged.position.y"), 0); /* it is still staged */
    json_decref(m);
    rig_say(r, 1, "{'type':'end_turn'}");
    m = rig_await(r, 3, "game_update");
    assert_int_equal(rig_int(m, "changes.journeyman_position.x"), 1);
    assert_string_equal(rig_text(m, "changes.journeyman_position.y"), "absent"); /* 0 as before */
    json_decref(m);
    rig_free(r);
}

TEST(bots_take_seats_and_play) {
    rig *r = rig_new();
    rig_open(r, 1, "BOTS", NULL);
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    rig_await_error(r, 1, "no_seat");
    rig_seat(r, 1, "journeyman");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'godlike'}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'add_bot','role':'journeyman','level':'easy'}");
    rig_await_error(r, 1, "role_taken");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.bots.weather"), "easy");
    assert_string_equal(rig_text(m, "state.game_status"), "configuring");
    json_decref(m);
    rig_say(r, 1, "{'type':'remove_bot','role':'weather'}");
    rig_say(r, 1, "{'type':'remove_bot','role':'weather'}");
    rig_await_error(r, 1, "not_allowed");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    rig_say(r, 1, "{'type':'configure_grid','size':6}");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    rig_await_error(r, 1, "wrong_status");
    rig_clear(r);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    m = rig_last(r, 1, "game_update"); /* the bot's reply */
    assert_string_equal(rig_text(m, "changes.current_role"), "journeyman");
    json_decref(m);
    assert_int_equal(r->asked_bots, 1);
    rig_free(r);
}

TEST(a_bot_thinks_while_its_player_leaves) {
    rig *r = rig_new();
    rig_open(r, 1, "AWAY", NULL);
    char token[40];
    memcpy(token, rig_seat(r, 1, "journeyman"), 33);
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    rig_say(r, 1, "{'type':'configure_grid','size':6}");
    r->hold_bots = true;
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    assert_int_equal(r->thinking_count, 1);
    rig_close(r, 1);
    rig_bots(r); /* the game is paused: the answer is dropped */
    rig_open(r, 2, "AWAY", NULL);
    rig_say(r, 2, "{'type':'resume','token':'%s'}", token);
    assert_int_equal(r->thinking_count, 1); /* asked again */
    rig_clear(r);
    rig_bots(r);
    json_t *m = rig_last(r, 2, "game_update");
    assert_string_equal(rig_text(m, "changes.current_role"), "journeyman");
    json_decref(m);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
