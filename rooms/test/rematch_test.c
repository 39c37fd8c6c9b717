/* Another game in a new room. */
#include "rooms/test/rig.h"

static void end(rig *r, const char *room) {
    rig_island(r, room, 4, 4);
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_say(r, 1, "{'type':'resign'}");
    rig_clear(r);
}

TEST(both_agree_and_swap) {
    rig *r = rig_new();
    end(r, "REMA");
    rig_open(r, 3, "REMA", NULL);
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','swap':true}");
    for (int i = 1; i <= 3; i++) {
        json_t *m = rig_await(r, i, "rematch_offered");
        assert_string_equal(rig_text(m, "role"), "journeyman");
        assert_string_equal(rig_text(m, "swap"), "true");
        json_decref(m);
        assert_int_equal(rig_count(r, i), 0);
    }
    rig_say(r, 2, "{'type':'rematch','id':9}");
    rig_await_ack(r, 2, 9);
    char room[20], tokens[3][40];
    for (int i = 1; i <= 2; i++) {
        json_t *m = rig_await(r, i, "rematch");
        assert_string_equal(rig_text(m, "role"), i == 1 ? "weather" : "journeyman");
        snprintf(room, sizeof room, "%s", rig_text(m, "room_id"));
        snprintf(tokens[i], sizeof tokens[i], "%s", rig_text(m, "token"));
        json_decref(m);
    }
    json_t *m = rig_await(r, 3, "rematch"); /* a spectator receives only the room */
    assert_string_equal(rig_text(m, "room_id"), room);
    assert_string_equal(rig_text(m, "token"), "absent");
    json_decref(m);
    assert_string_not_equal(room, "REMA");
    /* The seats are theirs already: nobody else may take them. */
    rig_open(r, 3, room, NULL);
    rig_say(r, 3, "{'type':'select_role','role':'weather'}");
    rig_await_error(r, 3, "role_reserved");
    for (int i = 1; i <= 2; i++) {
        rig_open(r, i, room, NULL);
        rig_say(r, i, "{'type':'resume','token':'%s'}", tokens[i]);
    }
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    assert_string_equal(rig_text(m, "state.game_status"), "configuring");
    assert_int_equal(rig_int(m, "state.config.width"), 4);
    json_decref(m);
    rig_say(r, 2, "{'type':'start'}");
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    json_decref(m);
    rig_free(r);
}

TEST(another_swap_is_another_proposal) {
    rig *r = rig_new();
    end(r, "PROP");
    rig_say(r, 1, "{'type':'rematch','swap':true}");
    rig_say(r, 2, "{'type':'rematch','swap':false}");
    json_t *m = rig_last(r, 1, "rematch");
    assert_null(m);
    rig_say(r, 1, "{'type':'rematch','cancel':true}"); /* player 1 has not asked for one: ignored */
    rig_say(r, 2, "{'type':'rematch','cancel':true}");
    m = rig_last(r, 1, "rematch_offered");
    assert_string_equal(rig_text(m, "cancel"), "true");
    json_decref(m);
    rig_say(r, 1, "{'type':'rematch'}");
    assert_null(rig_last(r, 1, "rematch"));
    rig_say(r, 2, "{'type':'rematch','swap':false}");
    m = rig_last(r, 1, "rematch");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    rig_free(r);
}

TEST(alone_against_a_bot) {
    rig *r = rig_new();
    rig_open(r, 1, "ALONE", NULL);
    rig_seat(r, 1, "journeyman");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy'}");
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_say(r, 1, "{'type':'resign'}");
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','swap':true}");
    json_t *m = rig_await(r, 1, "rematch");
    assert_string_equal(rig_text(m, "role"), "weather");
    rig_open(r, 2, rig_text(m, "room_id"), NULL);
    rig_say(r, 2, "{'type':'resume','token':'%s'}", rig_text(m, "token"));
    json_decref(m);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.bots.journeyman"), "easy");
    assert_string_equal(rig_text(m, "state.game_status"), "configuring");
    json_decref(m);
    rig_say(r, 2, "{'type':'start'}"); /* the journeyman is a bot, so the weather may start */
    m = rig_last(r, 2, "game_update"); /* the bot has moved */
    assert_string_equal(rig_text(m, "changes.current_role"), "weather");
    json_decref(m);
    rig_free(r);
}

/* Flood-It starts without the players who are away. A seat reserved for a player who came too late is theirs in the
 * next room too, if they agree. */
TEST(a_player_who_was_left_out_comes_along) {
    for (int asks = 0; asks < 2; asks++) {
        rig *r = rig_new();
        rig_open(r, 1, "LATE", "flood_it");
        rig_open(r, 2, "LATE", NULL);
        rig_seat(r, 1, "player");
        rig_say(r, 2, "{'type':'select_role','role':'player2','reserve':true}");
        json_t *m = rig_last(r, 2, "room_state");
        char token[40];
        snprintf(token, sizeof token, "%s", rig_text(m, "you.token"));
        json_decref(m);
        rig_close(r, 2);
        rig_say(r, 1, "{'type':'configure','rows':8,'cols':8,'colors':4,'move_limit':1,'seed':'late'}");
        rig_say(r, 1, "{'type':'start'}");
        rig_open(r, 2, "LATE", NULL);
        rig_say(r, 2, "{'type':'resume','token':'%s'}", token);
        rig_clear(r);
        rig_say(r, 1, "{'type':'select_color','color':'red'}");
        rig_say(r, 1, "{'type':'select_color','color':'blue'}");
        json_decref(rig_await(r, 1, "game_over"));
        rig_clear(r);
        if (asks) rig_say(r, 2, "{'type':'rematch','swap':true}");
        rig_say(r, 1, "{'type':'rematch','swap':true}");
        m = rig_await(r, 2, "rematch");
        assert_string_equal(rig_text(m, "role"), asks ? "player2" : "absent");
        char room[20];
        snprintf(room, sizeof room, "%s", rig_text(m, "room_id"));
        snprintf(token, sizeof token, "%s", rig_text(m, "token"));
        json_decref(m);
        if (asks) {
            rig_open(r, 2, room, NULL);
            rig_say(r, 2, "{'type':'resume','token':'%s'}", token);
            m = rig_last(r, 2, "room_state");
            assert_string_equal(rig_text(m, "you.role"), "player2");
            json_decref(m);
        }
        m = rig_await(r, 1, "rematch");
        assert_string_equal(rig_text(m, "role"), "player");
        json_decref(m);
        rig_free(r);
    }
}

TEST(agreement_survives_crashes) {
    rig *r = rig_new();
    char tokens[3][40];
    rig_open(r, 1, "AGREE", NULL);
    rig_open(r, 2, "AGREE", NULL);
    memcpy(tokens[1], rig_seat(r, 1, "journeyman"), 33);
    memcpy(tokens[2], rig_seat(r, 2, "weather"), 33);
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_say(r, 1, "{'type':'resign'}");
    rig_say(r, 1, "{'type':'rematch'}");
    rig_restart(r);
    rig_open(r, 2, "AGREE", NULL);
    json_t *m = rig_await(r, 2, "rematch_offered");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    rig_say(r, 2, "{'type':'resume','token':'%s'}", tokens[2]);
    rig_say(r, 2, "{'type':'rematch'}");
    m = rig_await(r, 2, "rematch");
    char room[20];
    snprintf(room, sizeof room, "%s", rig_text(m, "room_id"));
    json_decref(m);
    rig_restart(r);
    /* Player 1 was away all the time, and the server was killed twice: the seat is still theirs. */
    rig_open(r, 1, "AGREE", NULL);
    m = rig_await(r, 1, "rematch");
    assert_string_equal(rig_text(m, "token"), "absent");
    json_decref(m);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", tokens[1]);
    m = rig_await(r, 1, "rematch");
    assert_string_equal(rig_text(m, "room_id"), room);
    rig_open(r, 3, room, NULL);
    rig_say(r, 3, "{'type':'resume','token':'%s'}", rig_text(m, "token"));
    json_decref(m);
    m = rig_last(r, 3, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    json_decref(m);
    rig_free(r);
}

TEST(a_room_that_cannot_be_created_is_retried) {
    rig *r = rig_new();
    end(r, "TRYS");
    rig_say(r, 1, "{'type':'rematch'}");
    r->hold_loads = true;
    rig_say(r, 2, "{'type':'rematch'}");
    rig_clear(r);
    r->hold_loads = false;
    r->unreadable = true;
    rig_loads(r);
    rig_advance(r, 5000);
    assert_null(rig_last(r, 1, "rematch"));
    r->unreadable = false;
    rig_advance(r, 5000);
    json_t *m = rig_await(r, 1, "rematch");
    assert_string_equal(rig_text(m, "role"), "journeyman");
    json_decref(m);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
