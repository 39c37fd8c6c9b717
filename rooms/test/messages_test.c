/* Refusals, their codes, and which one comes first; ids; limits. */
#include "rooms/test/rig.h"

TEST(the_first_of_several_errors_is_reported) {
    rig *r = rig_new();
    char large[5000];
    memset(large, 'x', sizeof large);
    rig_island(r, "FIRST", 4, 4);
    rig_open(r, 3, "FIRST", NULL);
    rig_clear(r);
    rig_say_raw(r, 3, large, sizeof large);
    rig_await_error(r, 3, "too_large");
    bw_hall_message_too_large(r->hall, r->now, 3);
    rig_run(r);
    rig_await_error(r, 3, "too_large");
    static const struct {
        int conn;
        const char *text, *code;
    } cases[] = {
        {3, "", "bad_json"},
        {3, "{", "bad_json"},
        {3, "{'type':'move'} x", "bad_json"},
        {3, "{'type':'ping','t':01}", "bad_json"},
        {3, "{'a':{'a':{'a':{'a':{'a':{'a':{'a':{'a':{}}}}}}}}}", "bad_json"},
        {3, "{'a':{'a':{'a':{'a':{'a':{'a':{'a':{}}}}}}}}", "bad_message"},
        {3, "[]", "bad_message"},
        {3, "{}", "bad_message"},
        {3, "{'type':7}", "bad_message"},
        {3, "{'type':'ping'}", "bad_message"},
        {3, "{'type':'ping','t':1,'u':2}", "bad_message"},
        {3, "{'type':'ping','t':1,'id':0}", "bad_message"},
        {3, "{'type':'ping','t':1,'id':-4}", "bad_message"},
        {3, "{'type':'ping','t':1,'id':'5'}", "bad_message"},
        {3, "{'type':'teleport'}", "unknown_type"},
        {3, "{'type':'teleport_to_the_other_end_of_the_island_and_back'}", "unknown_type"},
        {3, "{'type':'round'}", "unknown_type"},
        {3, "{'type':'select_color','color':'red'}", "unknown_type"},
        {3, "{'type':'move','position':{'x':1}}", "bad_message"},   /* before no_seat */
        {3, "{'type':'move','position':{'x':1,'y':1}}", "no_seat"}, /* before not_your_turn */
        {3, "{'type':'configure','width':4}", "no_seat"},           /* before wrong_status */
        {3, "{'type':'configure','width':'wide'}", "bad_message"},
        {3, "{'type':'configure_grid','size':11}", "bad_message"},
        {3, "{'type':'configure_grid','size':4,'width':4}", "bad_message"},
        {3, "{'type':'configure_grid','width':4}", "bad_message"},
        {3, "{'type':'start'}", "no_seat"},
        {3, "{'type':'rematch'}", "no_seat"},
        {3, "{'type':'resign'}", "no_seat"},
        {3, "{'type':'leave_role'}", "no_seat"},
        {2, "{'type':'configure','width':4}", "wrong_status"}, /* before not_allowed */
        {2, "{'type':'configure_grid','size':4}", "wrong_status"},
        {2, "{'type':'start'}", "wrong_status"},
        {2, "{'type':'rematch'}", "wrong_status"},
        {2, "{'type':'flood','positions':[{'x':0,'y':0}]}", "not_your_turn"}, /* before illegal */
        {2, "{'type':'end_turn'}", "not_your_turn"},
        {1, "{'type':'end_turn'}", "illegal"},
        {1, "{'type':'move','position':{'x':3,'y':3}}", "illegal"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_advance(r, 1000);
        rig_clear(r);
        rig_say(r, cases[i].conn, "%s", cases[i].text);
        json_t *m = rig_await(r, cases[i].conn, "error");
        if (strcmp(rig_text(m, "code"), cases[i].code) != 0) {
            fail_msg("%s: %s, not %s (%s)", cases[i].text, rig_text(m, "code"), cases[i].code, rig_text(m, "message"));
        }
        json_decref(m);
        for (int other = 1; other <= 3; other++) {
            assert_int_equal(rig_count(r, other), 0); /* nobody else receives it */
        }
    }
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_close(r, 2);
    rig_clear(r);
    rig_say(r, 1, "{'type':'move','position':{'x':3,'y':3}}");
    rig_await_error(r, 1, "paused"); /* before illegal */
    rig_free(r);
}

/* A refusal names the field that was sent, and what is allowed. */
TEST(an_impossible_grid_is_refused) {
    rig *r = rig_new();
    rig_open(r, 1, "GRID", NULL);
    static const struct {
        const char *fields, *sentence;
    } cases[] = {
        {"'size':11", "\"size\" must be a whole number from 3 to 10."},
        {"'size':2", "\"size\" must be a whole number from 3 to 10."},
        {"'size':5000", "\"size\" must be a whole number from 3 to 10."},
        {"'width':4,'height':0", "\"height\" must be a whole number from 3 to 10."},
        {"'size':4,'max_flood_count':4", "\"max_flood_count\" must be a whole number from 1 to 3."},
        {"'size':4,'height':4", "Give either \"size\", or \"width\" and \"height\"."},
        {"'max_flood_count':1", "Give either \"size\", or \"width\" and \"height\"."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rig_clear(r);
        rig_say(r, 1, "{'type':'configure_grid',%s}", cases[i].fields);
        json_t *m = rig_await(r, 1, "error");
        assert_string_equal(rig_text(m, "code"), "bad_message");
        assert_string_equal(rig_text(m, "message"), cases[i].sentence);
        json_decref(m);
    }
    rig_free(r);
}

TEST(before_the_start) {
    rig *r = rig_new();
    rig_open(r, 1, "EARLY", NULL);
    rig_open(r, 2, "EARLY", NULL);
    rig_seat(r, 1, "journeyman");
    rig_say(r, 1, "{'type':'start'}");
    rig_await_error(r, 1, "wrong_status"); /* a role is open */
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0}}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 1, "{'type':'configure','width':5,'height':7}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_int_equal(rig_int(m, "state.config.width"), 5);
    assert_int_equal(rig_int(m, "state.height"), 7);
    json_decref(m);
    rig_seat(r, 2, "weather");
    rig_say(r, 2, "{'type':'configure','width':6}");
    rig_await_error(r, 2, "not_allowed");
    rig_say(r, 2, "{'type':'start'}");
    rig_await_error(r, 2, "not_allowed");
    rig_say(r, 1, "{'type':'configure','width':2}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'resign'}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 1, "{'type':'start'}");
    m = rig_last(r, 2, "room_state");
    assert_int_equal(rig_int(m, "state.width"), 5);
    assert_string_equal(rig_text(m, "state.grid_size"), "null");
    assert_int_equal(strlen(rig_text(m, "state.seed_hash")), 64);
    json_decref(m);
    rig_free(r);
}

TEST(an_id_is_applied_once) {
    rig *r = rig_new();
    rig_island(r, "ONCE", 4, 4);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':1}");
    rig_await_ack(r, 1, 1);
    rig_say(r, 1, "{'type':'end_turn','id':2}");
    json_t *ack = rig_await(r, 1, "ack");
    long seq = rig_int(ack, "seq");
    json_decref(ack);
    rig_say(r, 2, "{'type':'end_turn','id':1}"); /* the weather passes; ids are each seat's own */
    rig_await_ack(r, 2, 1);
    rig_clear(r);
    rig_say(r, 1, "{'type':'end_turn','id':2}"); /* again: the first answer, and nothing happens */
    ack = rig_await(r, 1, "ack");
    assert_int_equal(rig_int(ack, "seq"), seq);
    json_decref(ack);
    assert_int_equal(rig_count(r, 2), 0);
    rig_say(r, 1, "{'type':'move','position':{'x':3,'y':3},'id':3}");
    json_t *first = rig_await(r, 1, "error");
    assert_int_equal(rig_int(first, "id"), 3);
    /* A refusal is repeated too, even if the message would be valid by now. */
    rig_say(r, 1, "{'type':'move','position':{'x':0,'y':0},'id':3}");
    json_t *again = rig_await(r, 1, "error");
    assert_true(json_equal(first, again));
    json_decref(first);
    json_decref(again);
    for (int id = 4; id < 100; id++) {
        rig_advance(r, 100);
        rig_say(r, 1, "{'type':'ping','t':0,'id':%d}", id);
        rig_await_ack(r, 1, id);
    }
    rig_clear(r);
    rig_say(r, 1, "{'type':'ping','t':0,'id':36}"); /* one of the last 64 */
    rig_await_ack(r, 1, 36);
    rig_say(r, 1, "{'type':'end_turn','id':2}"); /* too old to be known: never applied */
    rig_await_error(r, 1, "bad_message");
    rig_free(r);
}

TEST(ids_survive_a_crash) {
    rig *r = rig_new();
    char token[40];
    rig_open(r, 1, "CRASH", NULL);
    rig_open(r, 2, "CRASH", NULL);
    rig_say(r, 1, "{'type':'select_role','role':'journeyman','id':1}");
    json_t *m = rig_last(r, 1, "room_state");
    memcpy(token, rig_text(m, "you.token"), 33);
    json_decref(m);
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','size':4,'id':2}");
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':0},'id':3}");
    rig_say(r, 1, "{'type':'end_turn','id':4}");
    rig_restart(r);
    rig_open(r, 1, "CRASH", NULL);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    assert_string_equal(rig_text(m, "state.current_role"), "weather");
    long seq = rig_int(m, "seq");
    json_decref(m);
    for (int id = 1; id <= 4; id++) {
        rig_say(r, 1, "{'type':'end_turn','id':%d}", id);
        rig_await_ack(r, 1, id);
    }
    rig_clear(r);
    rig_say(r, 1, "{'type':'end_turn','id':5}"); /* the paused room refuses new messages */
    rig_await_error(r, 1, "paused");
    rig_open(r, 2, "CRASH", NULL);
    rig_seat(r, 2, "weather");
    rig_say(r, 2, "{'type':'end_turn','id':1}"); /* a new holder starts at 1 */
    m = rig_await(r, 2, "ack");
    assert_true(rig_int(m, "seq") > seq);
    json_decref(m);
    rig_free(r);
}

TEST(floods_end_the_connection) {
    rig *r = rig_new();
    rig_open(r, 1, "FLOOD", NULL);
    for (int i = 0; i < 60; i++) rig_say(r, 1, "{'type':'ping','t':%d}", i);
    assert_true(r->conns[1].open);
    rig_clear(r);
    rig_say(r, 1, "{'type':'ping','t':60}");
    rig_await_error(r, 1, "rate_limited");
    assert_int_equal(r->conns[1].closed_with, 1008);
    /* A client that sends steadily at the limit stays connected. */
    rig_open(r, 2, "FLOOD", NULL);
    for (int i = 0; i < 500; i++) {
        rig_advance(r, 50);
        rig_say(r, 2, "{'type':'ping','t':%d}", i);
    }
    assert_true(r->conns[2].open);
    rig_free(r);
}

TEST(rooms_per_address) {
    bw_hall_settings settings = rig_settings;
    settings.rooms_per_address_per_minute = 5;
    rig *r = rig_new_with(&settings);
    for (int i = 0; i < 5; i++) {
        bw_hall_http_create(r->hall, r->now, 20, "{\"game\":\"flooded_island\"}", 25, "192.0.2.9");
        rig_run(r);
        assert_int_equal(r->conns[20].status, 201);
    }
    bw_hall_http_create(r->hall, r->now, 20, "{\"game\":\"flooded_island\"}", 25, "192.0.2.9");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 429);
    bw_hall_http_create(r->hall, r->now, 20, "{\"game\":\"flooded_island\"}", 25, "192.0.2.10");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 201);
    rig_advance(r, 60000);
    bw_hall_http_create(r->hall, r->now, 20, "{\"game\":\"flooded_island\"}", 25, "192.0.2.9");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 201);
    rig_free(r);
}

TEST(the_shape_of_what_is_opened) {
    rig *r = rig_new();
    rig_open(r, 1, "abc", NULL);
    rig_await_error(r, 1, "bad_message");
    assert_int_equal(r->conns[1].closed_with, 1008);
    rig_open(r, 1, "abc_def", NULL);
    assert_false(r->conns[1].open);
    rig_open(r, 1, "abcdefghijklm", NULL);
    assert_false(r->conns[1].open);
    rig_open(r, 1, "abcd", "chess");
    rig_await_error(r, 1, "no_such_game");
    assert_false(r->conns[1].open);
    rig_open(r, 1, "abcd", "flooded_island");
    assert_true(r->conns[1].open);
    rig_open(r, 2, "ABCD", "chess"); /* only the creator's choice counts */
    assert_true(r->conns[2].open);
    rig_free(r);
}

TEST(ping_and_pong) {
    rig *r = rig_new();
    rig_open(r, 1, "PING", NULL);
    rig_say(r, 1, "{'type':'ping','t':-12}");
    json_t *m = rig_await(r, 1, "pong");
    assert_int_equal(rig_int(m, "t"), -12);
    assert_int_equal(rig_int(m, "server_time"), r->now.wall_ms);
    json_decref(m);
    rig_free(r);
}

/* The server stalled (stopped, or its machine asleep): clients that are still there afterwards stay connected.
 * Clients that are gone are closed, but the stall itself does not count as their silence. */
TEST(a_stall_does_not_count_as_silence) {
    static const int64_t stalls[] = {16000, 30000, 45000, 3600 * 1000};
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        rig *r = rig_new();
        rig_open(r, 1, "STALL", NULL);
        rig_open(r, 2, "STALL", NULL);
        r->conns[2].mute = true;
        rig_advance(r, 9000);
        rig_stall(r, stalls[i]);
        assert_true(r->conns[1].open);
        assert_true(r->conns[2].open);
        rig_advance(r, 60000);
        assert_true(r->conns[1].open);
        assert_false(r->conns[2].open);
        rig_free(r);
    }
}

/* Regression: an invalid message was answered without its id, so its sender waited for ever. Whatever is wrong, the
 * answer has the id if it can be read, and the same message gets the same answer again. */
TEST(every_refusal_has_the_id) {
    static const struct {
        const char *fields, *code, *sentence;
    } cases[] = {
        {"'type':'rename','name':'a\\u0000b'", "bad_message", "\"name\" must not contain"},
        {"'type':'rename','name':'\\ud800'", "bad_message", "\"name\" must not contain"},
        {"'type':'rename','name':'\\udc00\\ud800'", "bad_message", "\"name\" must not contain"},
        {"'type':'select_role','role':'\\u0000'", "bad_message", "\"role\" must not contain"},
        {"'type':'\\u0000'", "bad_message", "\"type\" must not contain"},
        {"'type':'rename','\\u0000':1", "bad_message", "A text must not contain"},
        {"'type':'ping','t':[[[[[[[[1]]]]]]]]", "bad_json", "nested too deeply: 8 levels"},
        {"'type':'ping','t':1e999", "bad_message", "\"t\" must be a whole number"},
        {"'type':'ping','t':99999999999999999999999", "bad_message", "\"t\" must be a whole number"},
        {"'type':'ping','t':1,'t':2", "bad_message", "\"t\" appears twice"},
        {"'type':'ping','t':1,'type':'ping'", "bad_message", "\"type\" appears twice"},
        {"'type':'ping','t':1,'id':99", "bad_message", "\"id\" appears twice"},
        {"'type':'configure','width':4,'width':5", "bad_message", "\"width\" appears twice"},
        {"'type':'configure_grid','size':4,'size':5", "bad_message", "\"size\" appears twice"},
        {"'type':'move','position':{'x':1,'y':1,'x':2}", "bad_message", "\"x\" appears twice"},
        {"'type':'ping','t':1,,", "bad_json", "This is not valid JSON"},
    };
    rig *r = rig_new();
    rig_open(r, 1, "ECHOID", NULL);
    rig_seat(r, 1, "journeyman");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int again = 0; again < 2; again++) {
            rig_advance(r, 1000);
            rig_clear(r);
            rig_say(r, 1, "{'id':%d,%s}", (int)i + 1, cases[i].fields);
            json_t *m = rig_await(r, 1, "error");
            if (strcmp(rig_text(m, "code"), cases[i].code) != 0 || !strstr(rig_text(m, "message"), cases[i].sentence) ||
                rig_int(m, "id") != (long)i + 1) {
                fail_msg("%s: %s %s", cases[i].fields, rig_text(m, "code"), rig_text(m, "message"));
            }
            json_decref(m);
        }
    }
    rig_free(r);
}

/* Regression: fields of one game are guessed from the names of another game's settings. Blank has a width and a
 * height too. */
TEST(a_game_takes_only_messages_that_it_declares) {
    rig *r = rig_new();
    static const char *const others[] = {"flood_it", "monadungeon", "flag_war", "blank"};
    for (int i = 0; i < 4; i++) {
        char room[] = "OTHER0";
        room[5] = (char)('0' + i);
        rig_open(r, i + 1, room, others[i]);
        rig_clear(r);
        rig_say(r, i + 1, "{'type':'configure_grid','width':3,'height':3}");
        json_t *m = rig_await(r, i + 1, "error");
        assert_string_equal(rig_text(m, "code"), "unknown_type");
        assert_null(strstr(rig_text(m, "message"), "configure_grid"));
        json_decref(m);
    }
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
