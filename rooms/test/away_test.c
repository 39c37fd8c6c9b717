/* The other player is gone: a bot stands in, or the game is claimed. Also reactions. */
#include "rooms/test/rig.h"

static char tokens[3][33];

/* An island with players at 1 and 2; the weather, 2, has left. */
static void left_alone(rig *r, const char *room) {
    rig_open(r, 1, room, NULL);
    rig_open(r, 2, room, NULL);
    memcpy(tokens[1], rig_seat(r, 1, "journeyman"), 33);
    memcpy(tokens[2], rig_seat(r, 2, "weather"), 33);
    rig_say(r, 2, "{'type':'rename','name':'Bob'}");
    rig_say(r, 1, "{'type':'configure_grid','size':5}");
    rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'easy'}");
    rig_await_error(r, 1, "not_allowed"); /* the other player is here */
    rig_close(r, 2);
    rig_clear(r);
}

/* A step from (1,1) to a field that the bot has left dry. */
static void step_aside(rig *r, const json_t *state) {
    for (int x = 0; x <= 2; x++) {
        for (int y = 0; y <= 2; y++) {
            char path[40];
            snprintf(path, sizeof path, "state.grid.%d.%d", y, x);
            if ((x == 1 && y == 1) || strcmp(rig_text(state, path), "flooded") == 0) continue;
            rig_say(r, 1, "{'type':'move','position':{'x':%d,'y':%d}}", x, y);
            return;
        }
    }
    fail_msg("the adventurer is trapped");
}

TEST(a_bot_stands_in_until_the_token_comes_back) {
    for (int crash = 0; crash < 3; crash++) { /* none; while it plays; asleep while it plays */
        rig *r = rig_new();
        left_alone(r, "STANDIN");
        rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'easy'}");
        rig_await_error(r, 1, "not_allowed");
        rig_advance(r, 59000);
        rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'easy','id':1}");
        rig_await_error(r, 1, "not_allowed"); /* too early; the same id may be tried again */
        rig_advance(r, 1000);
        rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'easy','id':1}");
        rig_await_ack(r, 1, 1);
        if (crash) {
            if (crash == 1) {
                rig_restart(r);
            } else {
                rig_close(r, 1);
                rig_advance(r, 120000);
            }
            rig_open(r, 1, "STANDIN", NULL);
            rig_say(r, 1, "{'type':'resume','token':'%s'}", tokens[1]);
        } else {
            rig_say(r, 1, "{'type':'rename','name':'Ann'}");
        }
        json_t *m = rig_last(r, 1, "room_state");
        assert_string_equal(rig_text(m, "state.bots.weather"), "easy");
        assert_int_equal(rig_int(m, "you.away_seconds"), 60);
        assert_string_equal(rig_text(m, "state.names.weather"), "Bob"); /* the seat is still theirs */
        assert_string_equal(rig_text(m, "state.players.weather"), "false");
        assert_string_equal(rig_text(m, "state.paused"), "false");
        json_decref(m);
        rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
        rig_say(r, 1, "{'type':'end_turn'}");
        rig_say(r, 1, "{'type':'rename','name':'Ann'}");
        m = rig_last(r, 1, "room_state"); /* the bot has played its night */
        assert_int_equal(rig_int(m, "state.current_turn"), 2);
        json_decref(m);
        rig_open(r, 3, "STANDIN", NULL); /* the token opens the seat at any time */
        rig_say(r, 3, "{'type':'resume','token':'%s'}", tokens[2]);
        m = rig_last(r, 1, "room_state");
        assert_string_equal(rig_text(m, "state.bots.weather"), "absent");
        assert_string_equal(rig_text(m, "state.players.weather"), "true");
        rig_clear(r);
        step_aside(r, m);
        json_decref(m);
        rig_say(r, 1, "{'type':'end_turn'}");
        rig_say(r, 3, "{'type':'flood','positions':[]}");
        rig_say(r, 3, "{'type':'end_turn','id':9}"); /* the person plays the night again */
        rig_await_ack(r, 3, 9);
        rig_restart(r);
        rig_open(r, 3, "STANDIN", NULL);
        rig_say(r, 3, "{'type':'resume','token':'%s'}", tokens[2]);
        m = rig_last(r, 3, "room_state");
        assert_string_equal(rig_text(m, "state.bots.weather"), "absent");
        json_decref(m);
        rig_free(r);
    }
}

static json_t *returned(rig *r) {
    rig_open(r, 2, "WARBOT", NULL);
    rig_clear(r);
    rig_say(r, 2, "{'type':'resume','token':'%s'}", tokens[2]);
    return rig_last(r, 2, "room_state");
}

/* Regression: the orders of a bot that stands in were not stored. Whoever came back and cancelled one had a room that could
 * not be read any more; an order that began where the bot's led went elsewhere after a crash. */
TEST(the_orders_of_a_bot_that_stands_in_are_stored) {
    for (int asleep = 0; asleep < 2; asleep++) {
        rig *r = rig_new();
        rig_open(r, 1, "WARBOT", "flag_war");
        rig_open(r, 2, "WARBOT", NULL);
        rig_seat(r, 1, "blue");
        memcpy(tokens[2], rig_seat(r, 2, "red"), 33);
        rig_say(r, 1, "{'type':'start'}");
        rig_close(r, 2);
        rig_advance(r, 61000);
        rig_say(r, 1, "{'type':'stand_in','role':'red','level':'easy','id':1}");
        rig_await_ack(r, 1, 1);
        rig_advance(r, 3000);
        json_t *m = returned(r);
        long round = rig_int(m, "you.queue.0.round"), piece = rig_int(m, "you.queue.0.piece");
        json_decref(m);
        rig_say(r, 2, "{'type':'command','piece':%ld,'round':%ld,'direction':'down','distance':1}", piece, round + 1);
        rig_say(r, 2, "{'type':'cancel','piece':%ld,'round':%ld,'id':1}", piece, round);
        rig_await_ack(r, 2, 1);
        rig_say(r, 2, "{'type':'rename','name':'Red'}");
        m = rig_last(r, 2, "room_state");
        json_t *queue = json_incref(json_object_get(json_object_get(m, "you"), "queue"));
        json_decref(m);
        rig_close(r, 2);
        rig_close(r, 1);
        if (asleep) rig_advance(r, 61000);
        else rig_restart(r);
        m = returned(r);
        assert_true(json_equal(json_object_get(json_object_get(m, "you"), "queue"), queue));
        json_decref(queue);
        json_decref(m);
        rig_free(r);
    }
}

TEST(a_bot_stands_in_only_for_the_absent) {
    rig *r = rig_new();
    left_alone(r, "NOBODY");
    rig_advance(r, 61000);
    rig_say(r, 1, "{'type':'stand_in','role':'journeyman','level':'easy'}");
    rig_await_error(r, 1, "not_allowed"); /* their own seat */
    rig_say(r, 1, "{'type':'stand_in','role':'blue','level':'easy'}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'godlike'}");
    rig_await_error(r, 1, "bad_message");
    rig_open(r, 3, "NOBODY", NULL);
    rig_say(r, 3, "{'type':'stand_in','role':'weather','level':'easy'}");
    rig_await_error(r, 3, "no_seat");
    rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'easy'}");
    rig_say(r, 1, "{'type':'stand_in','role':'weather','level':'hard'}");
    rig_await_error(r, 1, "not_allowed"); /* a bot plays there already */
    rig_free(r);
}

TEST(a_game_is_claimed_when_the_others_are_gone) {
    static const struct {
        const char *game, *roles[2];
        bool by_absence; /* a game that continues after one player resigns, and so must be ended */
    } games[] = {{"flooded_island", {"journeyman", "weather"}, false},
                 {"flag_war", {"blue", "red"}, false},
                 {"flood_it", {"player", "player3"}, true},
                 {"monadungeon", {"player2", "player1"}, true}};
    for (int g = 0; g < 4; g++) {
        rig *r = rig_new();
        char token[33];
        rig_open(r, 1, "CLAIM", games[g].game);
        rig_open(r, 2, "CLAIM", NULL);
        memcpy(token, rig_seat(r, 1, games[g].roles[0]), sizeof token);
        rig_seat(r, 2, games[g].roles[1]);
        rig_say(r, 1, "{'type':'claim'}");
        rig_await_error(r, 1, "wrong_status");
        rig_say(r, 1, "{'type':'start'}");
        rig_say(r, 1, "{'type':'claim'}");
        rig_await_error(r, 1, "not_allowed");
        rig_close(r, 2);
        rig_open(r, 3, "CLAIM", NULL);
        rig_advance(r, 179000);
        rig_clear(r);
        rig_say(r, 1, "{'type':'claim','id':1}");
        rig_await_error(r, 1, "not_allowed");
        rig_advance(r, 1000);
        rig_clear(r);
        rig_say(r, 1, "{'type':'claim','id':1}");
        json_t *m = rig_await(r, 3, "game_over"); /* a spectator receives it too */
        assert_string_equal(rig_text(m, "winner"), games[g].roles[0]);
        assert_string_equal(rig_text(m, "stats.by_absence"), games[g].by_absence ? "true" : "absent");
        json_decref(m);
        rig_await_ack(r, 1, 1);
        rig_restart(r);
        rig_open(r, 1, "CLAIM", NULL);
        rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
        m = rig_last(r, 1, "room_state");
        assert_string_equal(rig_text(m, "state.game_status"), "ended");
        assert_string_equal(rig_text(m, "state.winner"), games[g].roles[0]);
        json_decref(m);
        rig_say(r, 1, "{'type':'claim','id':1}"); /* it took effect, and is acknowledged again */
        rig_await_ack(r, 1, 1);
        bw_hall_http_log(r->hall, r->now, 20, "CLAIM", "");
        rig_run(r);
        rig_verify(r->conns[20].body);
        rig_free(r);
    }
}

TEST(reactions_reach_all_and_are_not_stored) {
    rig *r = rig_new();
    rig_island(r, "REACT", 3, 3);
    rig_open(r, 3, "REACT", NULL);
    rig_clear(r);
    size_t appended = r->appended;
    rig_say(r, 2, "{'type':'react','reaction':'wave','id':5}");
    for (int conn = 1; conn <= 3; conn++) {
        json_t *m = rig_await(r, conn, "react");
        assert_string_equal(rig_text(m, "role"), "weather");
        assert_string_equal(rig_text(m, "reaction"), "wave");
        json_decref(m);
    }
    rig_await_ack(r, 2, 5);
    rig_say(r, 2, "{'type':'react','reaction':'clap'}");
    rig_await_error(r, 2, "rate_limited");
    rig_say(r, 1, "{'type':'react','reaction':'heart'}"); /* the limit is per player */
    json_decref(rig_await(r, 3, "react"));
    rig_advance(r, 1000);
    rig_say(r, 2, "{'type':'react','reaction':'clap'}");
    json_decref(rig_await(r, 3, "react"));
    rig_say(r, 2, "{'type':'react','reaction':'shrug'}");
    rig_await_error(r, 2, "bad_message");
    rig_say(r, 3, "{'type':'react','reaction':'wave'}");
    rig_await_error(r, 3, "no_seat");
    assert_int_equal(r->appended, appended);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
