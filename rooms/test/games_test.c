/* What the other games need from a room: boards of the day, undo after the end, open seats, orders in words. */
#include "rooms/test/rig.h"

TEST(the_board_of_the_day) {
    rig *r = rig_new(); /* it is 2023-11-14, 22:13 UTC */
    rig_open(r, 1, "DAILY", "flood_it");
    rig_say(r, 1, "{'type':'select_role','role':'player'}");
    rig_say(r, 1, "{'type':'configure','daily':true}");
    rig_say(r, 1, "{'type':'start'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_string_equal(rig_text(m, "state.config.date"), "2023-11-14");
    json_decref(m);
    bw_hall_http_log(r->hall, r->now, 20, "DAILY", "");
    rig_run(r);
    assert_non_null(strstr(r->conns[20].body, "\"date\":\"2023-11-14\""));
    rig_advance(r, 2 * 3600 * 1000);
    rig_say(r, 1, "{'type':'new_game','settings':{'daily':true}}");
    bw_hall_http_log(r->hall, r->now, 20, "DAILY", "");
    rig_run(r);
    assert_non_null(strstr(r->conns[20].body, "\"date\":\"2023-11-15\""));
    rig_free(r);
}

/* Loses and undoes the last move: the game continues, and its end is sent again. */
TEST(undo_after_the_end) {
    rig *r = rig_new();
    static const char *const colors[] = {"red", "green"};
    rig_open(r, 1, "UNDO", "flood_it");
    rig_say(r, 1, "{'type':'select_role','role':'player'}");
    rig_say(r, 1, "{'type':'configure','rows':12,'cols':12,'colors':4,'move_limit':3,'seed':'undo'}");
    rig_say(r, 1, "{'type':'undo'}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
    json_t *over = NULL;
    for (int i = 0; i < 8 && !over; i++) {
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", colors[i % 2]);
        over = rig_last(r, 1, "game_over");
    }
    assert_non_null(over);
    char replay[32];
    memcpy(replay, rig_text(over, "replay_id"), strlen(rig_text(over, "replay_id")) + 1);
    json_decref(over);
    rig_say(r, 1, "{'type':'select_color','color':'blue'}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 1, "{'type':'undo'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_string_equal(rig_text(m, "state.undone"), "true");
    assert_string_equal(rig_text(m, "state.ended_at"), "null");
    json_decref(m);
    rig_advance(r, 400000); /* a running game is not swept */
    rig_say(r, 1, "{'type':'select_color','color':'yellow'}");
    m = rig_await(r, 1, "game_over");
    assert_string_equal(rig_text(m, "replay_id"), replay); /* the file replaces the first one */
    json_decref(m);
    size_t length;
    const uint8_t *kept = bw_memory_journal_replay(r->journal, replay, &length);
    char *text = calloc(1, length + 1);
    memcpy(text, kept, length);
    assert_non_null(strstr(text, "\"undo\""));
    free(text);
    /* Played on from after the first end: the undone move is gone there, too. */
    char body[160];
    int length_of_body = snprintf(body, sizeof body, "{\"game\":\"flood_it\",\"replay_id\":\"%s\",\"seq\":4}", replay);
    bw_hall_http_create(r->hall, r->now, 20, body, (size_t)length_of_body, "");
    rig_run(r);
    assert_int_equal(r->conns[20].status, 201);
    m = json_loads(r->conns[20].body, 0, NULL);
    rig_open(r, 2, rig_text(m, "room_id"), NULL);
    json_decref(m);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_int_equal(rig_int(m, "state.move_count"), 2);
    assert_string_equal(rig_text(m, "state.undone"), "true");
    json_decref(m);
    rig_free(r);
}

TEST(a_game_starts_with_the_seated_players) {
    rig *r = rig_new();
    rig_open(r, 1, "DUNGEON", "monadungeon");
    rig_open(r, 2, "DUNGEON", "monadungeon");
    rig_say(r, 1, "{'type':'select_role','role':'player2'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "configuring"); /* one player is enough */
    json_decref(m);
    rig_say(r, 2, "{'type':'select_role','role':'player4'}");
    rig_say(r, 2, "{'type':'start'}"); /* any seated player */
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_string_equal(rig_text(m, "state.current_role"), "player2");
    json_decref(m);
    rig_open(r, 3, "DUNGEON", NULL);
    rig_say(r, 3, "{'type':'select_role','role':'player1'}");
    rig_await_error(r, 3, "wrong_status"); /* the game has started without it */
    rig_say(r, 2, "{'type':'resign'}");    /* out of turn: leaves the turn order */
    rig_close(r, 2);
    m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.paused"), "false"); /* no wait for a player who has resigned */
    json_decref(m);
    rig_free(r);
}

TEST(the_first_role_configures) {
    rig *r = rig_new();
    rig_open(r, 1, "SETS", "flag_war");
    rig_open(r, 2, "SETS", "flag_war");
    rig_say(r, 2, "{'type':'select_role','role':'red'}");
    rig_say(r, 2, "{'type':'configure','pieces':2}"); /* nobody holds the first seat */
    json_t *m = rig_last(r, 2, "room_state");
    assert_int_equal(rig_int(m, "state.config.pieces"), 2);
    assert_string_equal(rig_text(m, "you.may_configure"), "true");
    json_decref(m);
    rig_say(r, 1, "{'type':'select_role','role':'blue'}");
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "you.may_configure"), "false");
    json_decref(m);
    rig_say(r, 2, "{'type':'configure','pieces':4}");
    rig_await_error(r, 2, "not_allowed");
    rig_say(r, 2, "{'type':'start'}");
    rig_await_error(r, 2, "not_allowed");
    rig_free(r);
}

static void war(rig *r) {
    rig_open(r, 1, "WORDS", "flag_war");
    rig_open(r, 2, "WORDS", "flag_war");
    rig_seat(r, 1, "blue");
    rig_seat(r, 2, "red");
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
}

TEST(orders_in_words) {
    rig *r = rig_new();
    war(r);
    rig_say(r, 1, "{'type':'orders','text':'piece 2 up 3','suggest':true,'id':1}");
    json_t *m = rig_await(r, 1, "orders_result");
    assert_string_equal(rig_text(m, "understood"), "true");
    assert_int_equal(rig_int(m, "round"), 1);
    assert_int_equal(rig_int(m, "commands.0.piece"), 2);
    json_decref(m);
    rig_await_ack(r, 1, 1);
    rig_say(r, 1, "{'type':'orders','text':'piece 2 up 3','id':2}");
    m = rig_await(r, 1, "game_update"); /* a proposal queued nothing, this does */
    assert_int_equal(json_array_size(json_object_get(json_object_get(m, "you"), "queue")), 1);
    json_decref(m);
    m = rig_await(r, 1, "orders_result");
    assert_true(strlen(rig_text(m, "summary")) > 0);
    assert_string_equal(rig_text(m, "by"), "interpreter");
    json_decref(m);
    /* Orders that are not completely understood become a proposal: the client gets commands, and the queue does not
     * change (no update arrives). */
    static const char *const halves[] = {"2 up 3 majestically, 1 up 1", "1 up 1. If 2 is tagged, 1 rescue it.",
                                         "1 up 1 and 2 up -2", "enemy 2 up 1. 1 up 1."};
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        rig_clear(r);
        rig_say(r, 1, "{'type':'orders','text':'%s'}", halves[i]);
        m = rig_await(r, 1, "orders_result");
        assert_string_equal(rig_text(m, "understood"), "false");
        assert_true(json_array_size(json_object_get(m, "commands")) > 0);
        assert_int_equal(rig_count(r, 1), 0);
        json_decref(m);
    }
    /* A client that counts columns and rows from 1 says so, and gets its answer the same way. */
    static const char *const counted[][2] = {{"1 to 4,2'", "Round 1: 1 to 4,2."},
                                             {"1 to 5,3','counts_from':1", "Round 1: 1 to 5,3."},
                                             {"1 to 4,2','counts_from':0", "Round 1: 1 to 4,2."}};
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        rig_say(r, 1, "{'type':'orders','suggest':true,'text':'%s}", counted[i][0]);
        m = rig_await(r, 1, "orders_result");
        assert_string_equal(rig_text(m, "summary"), counted[i][1]);
        assert_int_equal(rig_int(m, "commands.0.to.x"), 4);
        assert_int_equal(rig_int(m, "commands.0.to.y"), 2);
        json_decref(m);
    }
    rig_say(r, 1, "{'type':'orders','text':'1 to 5,3','counts_from':2}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'orders','text':'sing a song'}");
    m = rig_await(r, 1, "orders_result");
    assert_string_equal(rig_text(m, "understood"), "false");
    assert_true(strlen(rig_text(m, "error")) > 10);
    json_decref(m);
    assert_int_equal(rig_count(r, 2), 0); /* the other side receives none of it */
    rig_free(r);
}

TEST(orders_by_a_model) {
    bw_hall_settings settings = rig_settings;
    settings.language_model = true;
    rig *r = rig_new_with(&settings);
    war(r);
    rig_say(r, 1, "{'type':'orders','text':'do something clever'}");
    assert_true(r->model_work > 0);
    assert_true(strlen(r->asked_model) > 20);
    assert_string_equal(r->asked_model + strlen(r->asked_model) + 1, "do something clever");
    rig_say(r, 1, "{'type':'orders','text':'and more'}");
    rig_await_error(r, 1, "rate_limited"); /* one at a time */
    static const char good[] = "{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":2}]}";
    bw_hall_model_answered(r->hall, r->now, r->model_work, good, sizeof good - 1);
    rig_run(r);
    json_t *m = rig_await(r, 1, "orders_result");
    assert_int_equal(rig_int(m, "commands.0.piece"), 1);
    assert_string_equal(rig_text(m, "understood"), "true");
    assert_string_equal(rig_text(m, "by"), "model");
    json_decref(m);
    /* A model that is partly right: its valid orders count, and the rest is named. */
    static const char part[] =
        "Here: {\"commands\":[{\"piece\":99},{\"piece\":2,\"direction\":\"up\",\"distance\":1}]}";
    rig_advance(r, 2000);
    rig_clear(r);
    rig_say(r, 1, "{'type':'orders','text':'piece 3 left 1'}");
    bw_hall_model_answered(r->hall, r->now, r->model_work, part, sizeof part - 1);
    rig_run(r);
    m = rig_await(r, 1, "orders_result");
    assert_int_equal(rig_int(m, "commands.0.piece"), 2);
    assert_string_equal(rig_text(m, "understood"), "false");
    assert_string_equal(rig_text(m, "by"), "model");
    assert_true(strlen(rig_text(m, "error")) > 10);
    json_decref(m);
    /* A model that fails, is late, or answers nonsense: the interpreter answers instead. */
    static const char *const bad[] = {NULL, "", "ignore all rules", "{\"commands\":[{\"piece\":99}]}",
                                      "{\"commands\":7}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rig_advance(r, 2000);
        rig_clear(r);
        rig_say(r, 1, "{'type':'orders','text':'piece 3 to 6,9','counts_from':1}");
        bw_hall_model_answered(r->hall, r->now, r->model_work, bad[i], bad[i] ? strlen(bad[i]) : 0);
        rig_run(r);
        m = rig_await(r, 1, "orders_result");
        assert_int_equal(rig_int(m, "commands.0.piece"), 3);
        assert_int_equal(rig_int(m, "commands.0.to.x"), 5); /* the client's way of counting applies here too */
        assert_string_equal(rig_text(m, "by"), "interpreter");
        json_decref(m);
    }
    /* The answer to a request of a room that is gone reaches nobody. */
    rig_advance(r, 2000);
    rig_say(r, 1, "{'type':'orders','text':'piece 3 left 1'}");
    rig_say(r, 1, "{'type':'resign'}");
    rig_close(r, 1);
    rig_close(r, 2);
    rig_advance(r, 90000);
    bw_hall_model_answered(r->hall, r->now, r->model_work, good, sizeof good - 1);
    rig_run(r);
    rig_free(r);
}

/* A request belongs to its sender, not to the seat: the holder at the time of the answer neither receives it nor
 * gives its orders. Nor can a team send more requests by changing hands. */
TEST(a_model_request_belongs_to_its_sender) {
    bw_hall_settings settings = rig_settings;
    settings.language_model = true;
    rig *r = rig_new_with(&settings);
    war(r);
    static const char good[] = "{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":2}]}";
    rig_say(r, 1, "{'type':'orders','text':'piece 3 left 1'}");
    uint64_t former = r->model_work;
    rig_say(r, 1, "{'type':'leave_role'}");
    rig_open(r, 3, "WORDS", NULL);
    rig_seat(r, 3, "blue");
    rig_clear(r);
    rig_say(r, 3, "{'type':'orders','text':'piece 2 left 1'}");
    rig_await_error(r, 3, "rate_limited");
    bw_hall_model_answered(r->hall, r->now, former, good, sizeof good - 1);
    rig_run(r);
    assert_int_equal(rig_count(r, 1) + rig_count(r, 2) + rig_count(r, 3), 0);
    rig_say(r, 3, "{'type':'rename','name':'Cid'}");
    json_t *m = rig_last(r, 3, "room_state");
    assert_string_equal(rig_text(m, "you.queue.0"), "absent");
    json_decref(m);
    rig_advance(r, 2000);
    rig_clear(r);
    rig_say(r, 3, "{'type':'orders','text':'piece 2 left 1'}"); /* the new holder's own request is answered */
    bw_hall_model_answered(r->hall, r->now, r->model_work, NULL, 0);
    rig_run(r);
    m = rig_await(r, 3, "orders_result");
    assert_int_equal(rig_int(m, "commands.0.piece"), 2);
    json_decref(m);
    rig_free(r);
}

/* Returns on another connection; true if it receives the outcome of its orders. */
static bool gets_outcome(rig *r, int conn, const char *token) {
    rig_open(r, conn, "WORDS", NULL);
    rig_clear(r);
    rig_say(r, conn, "{'type':'resume','token':'%s'}", token);
    json_t *m = rig_last(r, conn, "orders_result");
    bool got = m && rig_int(m, "commands.0.piece") == 1;
    json_decref(m);
    return got;
}

/* Regression: an outcome is sent only once, to a connection that is gone by then or dies with it. A player who
 * returns with the seat's token receives the outcome of their orders, unless they have sent anything since they were
 * sent it; nobody else receives it. */
TEST(a_lost_connection_loses_no_outcome) {
    static const char good[] = "{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":1}]}";
    bw_hall_settings settings = rig_settings;
    settings.language_model = true;
    rig *r = rig_new_with(&settings);
    char token[40];
    rig_open(r, 1, "WORDS", "flag_war");
    rig_open(r, 2, "WORDS", "flag_war");
    snprintf(token, sizeof token, "%s", rig_seat(r, 1, "blue"));
    rig_seat(r, 2, "red");
    rig_say(r, 1, "{'type':'start'}");
    rig_say(r, 1, "{'type':'orders','text':'piece 1 up 1'}");
    rig_close(r, 1); /* before the answer */
    bw_hall_model_answered(r->hall, r->now, r->model_work, good, sizeof good - 1);
    rig_run(r);
    assert_true(gets_outcome(r, 3, token));
    assert_true(gets_outcome(r, 4, token)); /* the third has sent nothing since */
    rig_advance(r, 12000);
    assert_false(gets_outcome(r, 5, token)); /* the fourth has, a pong */
    rig_say(r, 5, "{'type':'orders','text':'piece 1 up 1'}");
    bw_hall_model_answered(r->hall, r->now, r->model_work, good, sizeof good - 1);
    rig_run(r);
    json_decref(rig_await(r, 5, "orders_result"));
    rig_close(r, 5); /* with the answer in flight */
    assert_true(gets_outcome(r, 6, token));
    rig_say(r, 6, "{'type':'leave_role'}");
    rig_open(r, 7, "WORDS", NULL);
    rig_clear(r);
    rig_seat(r, 7, "blue");
    json_t *m = rig_last(r, 7, "orders_result");
    assert_null(m);
    rig_free(r);
}

/* Returns how many of `tries` orders, two seconds apart, go to the model. */
static int questions(rig *r, int tries) {
    static const char good[] = "{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":0}]}";
    int asked = 0;
    for (int i = 0; i < tries; i++) {
        uint64_t before = r->model_work;
        rig_advance(r, 2000);
        rig_clear(r);
        rig_say(r, 1, "{'type':'orders','text':'piece 1 hold'}");
        if (r->model_work != before) {
            asked++;
            bw_hall_model_answered(r->hall, r->now, r->model_work, good, sizeof good - 1);
            rig_run(r);
        }
        json_t *m = rig_await(r, 1, "orders_result");
        assert_string_equal(rig_text(m, "by"), r->model_work != before ? "model" : "interpreter");
        json_decref(m);
    }
    return asked;
}

/* Requests to the model cost money: one address, or all together, send no more than the settings allow; the
 * interpreter answers the others. */
TEST(questions_are_limited) {
    static const uint32_t limits[][2] = {{3, 0}, {0, 3}, {3, 2}, {0, 0}};
    for (size_t i = 0; i < 4; i++) {
        bw_hall_settings settings = rig_settings;
        settings.language_model = true;
        settings.questions_per_address_per_minute = limits[i][0];
        settings.questions_per_minute = limits[i][1];
        rig *r = rig_new_with(&settings);
        war(r);
        int asked = questions(r, 8), wanted = i == 3 ? 8 : i == 2 ? 2 : 3;
        assert_int_equal(asked, wanted);
        rig_free(r);
    }
}

RUN_TESTS(NULL, NULL)
