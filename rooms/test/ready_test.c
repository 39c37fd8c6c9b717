/* Getting ready for the first round, in Flag War; and what a new holder of a seat gets and does not get. */
#include "engine/registry.h"
#include "rooms/test/rig.h"

#include <stdio.h>

enum { READY_MS = 30000, ROUND_MS = 3000 };

/* A room with blue at 1, and red at 2 or a bot in its place. */
static void war(rig *r, const char *room, bool bot) {
    rig_open(r, 1, room, "flag_war");
    rig_seat(r, 1, "blue");
    if (bot) {
        rig_say(r, 1, "{'type':'add_bot','role':'red','level':'easy'}");
    } else {
        rig_open(r, 2, room, "flag_war");
        rig_seat(r, 2, "red");
    }
    rig_say(r, 1, "{'type':'configure','ready_ms':%d}", READY_MS);
}

static json_t *started(rig *r, int64_t *at) {
    rig_clear(r);
    *at = r->now.wall_ms;
    rig_say(r, 1, "{'type':'start'}");
    return rig_last(r, 1, "room_state");
}

TEST(the_clock_waits_until_everybody_is_ready) {
    static const char *const ways[] = {"{'type':'ready','id':7}",
                                       "{'type':'command','id':7,'piece':1,'direction':'up','distance':1}"};
    for (int way = 0; way < 2; way++) {
        rig *r = rig_new();
        int64_t at;
        war(r, "READY", false);
        json_t *m = started(r, &at);
        assert_string_equal(rig_text(m, "state.game_status"), "active");
        assert_string_equal(rig_text(m, "state.ready.blue"), "false");
        assert_string_equal(rig_text(m, "state.next_round_at"), "null");
        assert_string_equal(rig_text(m, "state.clock_started_at"), "null");
        assert_int_equal(rig_int(m, "state.ready_until"), at + READY_MS);
        json_decref(m);
        rig_advance(r, 9000);
        assert_null(rig_last(r, 1, "game_update")); /* no round */
        rig_say(r, 2, "%s", ways[way]);
        rig_await_ack(r, 2, 7);
        m = rig_last(r, 1, "room_state"); /* sent at once, without the orders */
        assert_string_equal(rig_text(m, "state.ready.red"), "true");
        assert_string_equal(rig_text(m, "state.ready.blue"), "false");
        assert_string_equal(rig_text(m, "state.next_round_at"), "null");
        json_decref(m);
        rig_advance(r, 1000);
        rig_say(r, 1, "{'type':'ready'}");
        at = r->now.wall_ms;
        m = rig_last(r, 2, "room_state");
        assert_int_equal(rig_int(m, "state.clock_started_at"), at);
        assert_int_equal(rig_int(m, "state.next_round_at"), at + ROUND_MS);
        assert_string_equal(rig_text(m, "state.ready_until"), "null");
        json_decref(m);
        rig_say(r, 1, "{'type':'ready','id':1}"); /* again, and too late: ignored */
        rig_await_ack(r, 1, 1);
        rig_clear(r);
        rig_advance(r, 2 * ROUND_MS);
        m = rig_last(r, 1, "game_update");
        assert_int_equal(rig_int(m, "changes.round"), 2);
        json_decref(m);
        rig_free(r);
    }
}

TEST(the_clock_waits_no_longer_than_it_may) {
    rig *r = rig_new();
    int64_t at;
    war(r, "LATEST", false);
    json_decref(started(r, &at));
    rig_say(r, 1, "{'type':'ready'}");
    rig_clear(r);
    rig_advance(r, READY_MS - 1);
    assert_null(rig_last(r, 1, "room_state"));
    rig_advance(r, 1);
    json_t *m = rig_last(r, 2, "room_state");
    assert_int_equal(rig_int(m, "state.clock_started_at"), at + READY_MS);
    assert_int_equal(rig_int(m, "state.next_round_at"), at + READY_MS + ROUND_MS);
    assert_string_equal(rig_text(m, "state.ready.red"), "false");
    json_decref(m);
    rig_free(r);
}

TEST(bots_are_ready_at_once) {
    rig *r = rig_new();
    int64_t at;
    war(r, "BOTTED", true);
    json_t *m = started(r, &at);
    assert_string_equal(rig_text(m, "state.ready.red"), "true");
    assert_string_equal(rig_text(m, "state.next_round_at"), "null");
    json_decref(m);
    rig_say(r, 1, "{'type':'ready'}");
    m = rig_last(r, 1, "room_state");
    assert_int_equal(rig_int(m, "state.next_round_at"), r->now.wall_ms + ROUND_MS);
    json_decref(m);
    rig_free(r);
}

/* Regression: what was said before a crash is lost after it. */
TEST(readiness_survives_crashes_and_sleep) {
    for (int asleep = 0; asleep < 2; asleep++) {
        rig *r = rig_new();
        char token[2][33];
        int64_t at;
        war(r, "DURABLE", false);
        json_t *m = started(r, &at);
        memcpy(token[0], rig_text(m, "you.token"), 33);
        json_decref(m);
        rig_say(r, 2, "{'type':'ready'}");
        m = rig_last(r, 2, "room_state");
        memcpy(token[1], rig_text(m, "you.token"), 33);
        json_decref(m);
        if (asleep) {
            rig_close(r, 1);
            rig_close(r, 2);
            rig_advance(r, 120000);
        } else {
            rig_advance(r, 10000);
            rig_restart(r);
        }
        rig_open(r, 3, "DURABLE", NULL); /* a spectator: nobody plays */
        rig_advance(r, 1000);
        m = rig_last(r, 3, "room_state");
        assert_string_equal(rig_text(m, "state.ready.red"), "true");
        assert_string_equal(rig_text(m, "state.clock_started_at"), "null");
        json_decref(m);
        rig_open(r, 2, "DURABLE", NULL);
        rig_say(r, 2, "{'type':'resume','token':'%s'}", token[1]);
        m = rig_last(r, 2, "room_state");
        if (asleep) { /* the time ran out in the meantime */
            assert_int_equal(rig_int(m, "state.next_round_at"), r->now.wall_ms + ROUND_MS);
        } else { /* it has not run out yet */
            assert_string_equal(rig_text(m, "state.next_round_at"), "null");
            json_decref(m);
            rig_advance(r, READY_MS - 11000);
            m = rig_last(r, 2, "room_state");
            assert_int_equal(rig_int(m, "state.clock_started_at"), at + READY_MS);
        }
        json_decref(m);
        rig_advance(r, 500);
        rig_restart(r); /* the clock has started, and still runs */
        rig_open(r, 1, "DURABLE", NULL);
        rig_say(r, 1, "{'type':'resume','token':'%s'}", token[0]);
        m = rig_last(r, 1, "room_state");
        assert_string_equal(rig_text(m, "state.clock_started_at"), "number");
        assert_int_equal(rig_int(m, "state.next_round_at"), r->now.wall_ms + ROUND_MS);
        json_decref(m);
        rig_free(r);
    }
}

/* Regression: if everybody was ready in the millisecond of the start, the clock stood again after the room had slept. */
TEST(a_clock_that_started_at_once_still_runs_after_sleep) {
    rig *r = rig_new();
    int64_t at;
    war(r, "ATONCE", true);
    json_t *m = started(r, &at);
    rig_say(r, 1, "{'type':'ready'}");
    json_decref(m);
    m = rig_last(r, 1, "room_state");
    assert_int_equal(rig_int(m, "state.clock_started_at"), at);
    json_decref(m);
    rig_say(r, 1, "{'type':'start','id':1}"); /* refused, and only a snapshot keeps a refusal */
    rig_close(r, 1);
    rig_advance(r, 120000);
    rig_open(r, 3, "ATONCE", NULL);
    m = rig_last(r, 3, "room_state");
    assert_int_equal(rig_int(m, "state.clock_started_at"), at);
    assert_string_equal(rig_text(m, "state.ready_until"), "null");
    json_decref(m);
    rig_free(r);
}

TEST(only_players_of_a_waiting_game_can_be_ready) {
    rig *r = rig_new();
    war(r, "WHENREADY", false);
    rig_say(r, 1, "{'type':'ready'}");
    rig_await_error(r, 1, "wrong_status");
    rig_open(r, 3, "WHENREADY", NULL);
    rig_say(r, 3, "{'type':'ready'}");
    rig_await_error(r, 3, "no_seat");
    rig_say(r, 1, "{'type':'ready','role':'blue'}");
    rig_await_error(r, 1, "bad_message");
    rig_say(r, 1, "{'type':'configure','ready_ms':60001}");
    rig_await_error(r, 1, "bad_message");
    rig_island(r, "ISLAND", 3, 3);
    rig_say(r, 1, "{'type':'ready'}");
    rig_await_error(r, 1, "not_allowed");
    rig_free(r);
}

/* Regression: the next holder of a seat gets what the previous one staged or requested. In any game with drafts,
 * with or without a crash. */
TEST(a_new_holder_inherits_nothing) {
    for (int crash = 0; crash < 3; crash++) { /* none; before the seat changes hands; after it */
        rig *r = rig_new();
        rig_open(r, 1, "QUEUE", "flag_war");
        rig_open(r, 2, "QUEUE", NULL);
        rig_seat(r, 1, "blue");
        rig_seat(r, 2, "red");
        rig_say(r, 1, "{'type':'start'}");
        rig_say(r, 1, "{'type':'command','piece':1,'direction':'up','distance':1,'round':9}");
        rig_close(r, 1);
        if (crash == 1) rig_restart(r);
        rig_open(r, 3, "QUEUE", NULL);
        const char *token = rig_seat(r, 3, "blue");
        if (crash == 2) {
            rig_restart(r);
            rig_open(r, 3, "QUEUE", NULL);
            rig_say(r, 3, "{'type':'resume','token':'%s'}", token);
        } else {
            rig_say(r, 3, "{'type':'command','piece':9,'to':{'x':0,'y':0}}"); /* refused; then the whole state */
            rig_clear(r);
            rig_say(r, 3, "{'type':'rename','name':'Cid'}");
        }
        json_t *m = rig_last(r, 3, "room_state");
        assert_string_equal(rig_text(m, "you.queue"), "array");
        assert_string_equal(rig_text(m, "you.queue.0"), "absent");
        json_decref(m);
        rig_free(r);
    }
    rig *r = rig_new();
    rig_island(r, "STAGED", 5, 5);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    rig_close(r, 1);
    rig_open(r, 3, "STAGED", NULL);
    rig_seat(r, 3, "journeyman");
    rig_say(r, 3, "{'type':'end_turn'}");
    rig_await_error(r, 3, "illegal");
    rig_free(r);
}

/* Regression: names that reverse the text of a sentence, or leave a gap in it. */
TEST(names_are_seen_and_plain) {
    static const char *const none[] = {"\\u200b", " ", "\\n", "\\u3164\\u00a0", "\\u202e", "\\ufeff"};
    static const char *const refused[] = {"\\u202eada", "A\\nda", "Ada\\u200b", "\\u001b]0;x", "A\\u2066"};
    rig *r = rig_new();
    rig_open(r, 1, "NAMES", NULL);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        rig_say(r, 1, "{'type':'select_role','role':'journeyman','name':'%s'}", refused[i]);
        rig_await_error(r, 1, "bad_message");
    }
    rig_say(r, 1, "{'type':'select_role','role':'journeyman','name':'\\u200b'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "journeyman");
    assert_string_equal(rig_text(m, "state.names.journeyman"), "absent");
    json_decref(m);
    rig_open(r, 2, "NAMES", NULL);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        rig_say(r, 1, "{'type':'rename','id':%d,'name':'Ada %d'}", (int)(2 * i + 1), (int)i);
        rig_await_ack(r, 1, (long)(2 * i + 1));
        m = rig_last(r, 2, "room_state"); /* everybody receives it */
        assert_int_equal(strncmp(rig_text(m, "state.names.journeyman"), "Ada ", 4), 0);
        json_decref(m);
        rig_say(r, 1, "{'type':'rename','name':'%s'}", none[i]);
        m = rig_last(r, 2, "room_state");
        assert_string_equal(rig_text(m, "state.names.journeyman"), "absent");
        json_decref(m);
    }
    rig_say(r, 2, "{'type':'rename','name':'Bob'}");
    rig_await_error(r, 2, "no_seat");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        rig_say(r, 1, "{'type':'rename','name':'%s'}", refused[i]);
        rig_await_error(r, 1, "bad_message");
    }
    rig_say(r, 1, "{'type':'rename','name':'Eve'}");
    rig_restart(r);
    rig_open(r, 2, "NAMES", NULL);
    m = rig_last(r, 2, "room_state");
    assert_string_equal(rig_text(m, "state.names.journeyman"), "Eve");
    json_decref(m);
    /* Not only names. */
    rig_open(r, 4, "SEEDS", "flood_it");
    rig_seat(r, 4, "player");
    rig_say(r, 4, "{'type':'configure','seed':'a\\u001b]0;b'}");
    rig_await_error(r, 4, "bad_message");
    rig_say(r, 4, "{'type':'start'}");
    rig_say(r, 4, "{'type':'new_game','settings':{'seed':'\\u200b'}}");
    rig_await_error(r, 4, "bad_message");
    rig_open(r, 5, "WORDS", "flag_war");
    rig_seat(r, 5, "red");
    rig_say(r, 5, "{'type':'orders','text':'piece 1 up\\u202e'}");
    rig_await_error(r, 5, "bad_message");
    bw_hall_http_create(r->hall, r->now, 40, "{\"game\":\"flood_it\",\"config\":{\"seed\":\"\\u202e\"}}", 48, "a");
    rig_run(r);
    assert_int_equal(r->conns[40].status, 400);
    rig_free(r);
}

/* Regression: fields of the view that are wrong before there is a position. */
TEST(before_the_start_the_view_previews_the_position) {
    static const struct {
        const char *game, *configure, *path, *text;
        long value;
    } rows[] = {
        {"flooded_island", "{'type':'configure','width':7,'height':7}", "grid_size", NULL, 7},
        {"flooded_island", "{'type':'configure','width':7,'height':6}", "grid_size", "null", 0},
        {"flooded_island", "{'type':'configure','days':12}", "days", NULL, 12},
        {"flooded_island", "{'type':'configure','width':7}", "journeyman_position.x", NULL, 0},
        {"flooded_island", "{'type':'configure','width':7}", "grid.0.6", "dry", 0},
        {"flooded_island", "{'type':'configure','width':7}", "grid.0.7", "absent", 0},
        {"flag_war", "{'type':'configure','width':13}", "round", NULL, 0},
        {"flag_war", "{'type':'configure','width':13}", "flags.blue.x", NULL, 6},
        {"flag_war", "{'type':'configure','pieces':1}", "pieces.red-1.jailed", "false", 0},
        {"flag_war", "{'type':'configure','pieces':1}", "pieces.red-2", "absent", 0},
        {"flood_it", "{'type':'configure','rows':5}", "move_count", NULL, 0},
        {"flood_it", "{'type':'configure','rows':5,'cols':6}", "par", NULL, 8},
        {"flood_it", "{'type':'configure','colors':3}", "colors.3", "absent", 0},
        {"flood_it", "{'type':'configure','move_limit':9}", "move_limit", NULL, 9},
        {"flood_it", "{'type':'configure','preset':'easy'}", "rows", NULL, 10},
        {"flood_it", "{'type':'configure','preset':'easy'}", "move_limit", "null", 0},
        {"flood_it", "{'type':'configure','seed':'word'}", "seed", "word", 0},
        {"flood_it", "{'type':'configure','seed':'word'}", "grid", "null", 0},
        {"flood_it", "{'type':'configure','rows':5}", "seed", "null", 0},
        {"monadungeon", "{'type':'configure','deck_size':20}", "deck_left", NULL, 20},
        {"monadungeon", "{'type':'configure','deck_size':20}", "rooms_left", "null", 0},
        {"monadungeon", "{'type':'configure','max_hp':9}", "players_info.player1.hp", NULL, 9},
        {"monadungeon", "{'type':'configure','max_hp':9}", "tiles.0,0.kind", "start", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig *r = rig_new();
        char path[64];
        rig_open(r, 1, "SOON", rows[i].game);
        rig_open(r, 2, "SOON", NULL);
        rig_seat(r, 1, bw_game_find(rows[i].game)->roles[0].id);
        rig_say(r, 1, "%s", rows[i].configure);
        for (int conn = 1; conn <= 2; conn++) {
            json_t *m = rig_last(r, conn, "room_state");
            snprintf(path, sizeof path, "state.%s", rows[i].path);
            if (rows[i].text) assert_string_equal(rig_text(m, path), rows[i].text);
            else assert_int_equal(rig_int(m, path), rows[i].value);
            json_decref(m);
        }
        rig_free(r);
    }
}

RUN_TESTS(NULL, NULL)
