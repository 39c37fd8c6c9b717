/* The solver's result for a room's puzzle: when it is sent, what it survives, and what must not depend on it. */
#include "engine/file.h"
#include "engine/registry.h"
#include "rooms/test/rig.h"

enum { FEWEST = 9 }; /* on the board "told" of 8x8 with 4 colours */

/* A player at 1 in a running game; everything received is dropped. */
static rig *begin(bool hold, const char *seed) {
    rig *r = rig_new();
    r->hold_bots = hold;
    rig_open(r, 1, "SOLVER", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':8,'cols':8,'colors':4,'move_limit':0,'seed':'%s'}", seed);
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
    return r;
}

/* Any legal move: a colour that the area does not have. */
static json_t *play_on(rig *r) {
    static const char *const colors[] = {"red", "green", "blue", "yellow"};
    for (int i = 0; i < 4; i++) {
        rig_clear(r);
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", colors[i]);
        json_t *m = rig_last(r, 1, "game_update");
        if (m) return m;
    }
    fail_msg("no colour is legal");
    return NULL;
}

static json_t *state_of(rig *r, int conn) {
    rig_open(r, conn, "SOLVER", NULL);
    return rig_last(r, conn, "room_state");
}

static char *log_of(rig *r, int conn) {
    bw_hall_http_log(r->hall, r->now, (uint64_t)conn, "SOLVER", "");
    rig_run(r);
    return r->conns[conn].body;
}

TEST(sent_with_the_next_move) {
    rig *r = begin(true, "told");
    assert_int_equal(r->thinking_count, 1);
    json_t *m = play_on(r);
    assert_null(json_object_get(json_object_get(m, "changes"), "best_known"));
    long seq = rig_int(m, "seq");
    json_decref(m);
    size_t appended = r->appended;
    rig_clear(r);
    rig_bots(r);
    assert_int_equal(rig_count(r, 1), 0); /* nothing is sent unasked */
    assert_int_equal(r->appended, appended);
    m = state_of(r, 2);
    assert_string_equal(rig_text(m, "state.best_known"), "null"); /* the same at the same seq */
    assert_int_equal(rig_int(m, "seq"), seq);
    json_decref(m);
    m = play_on(r);
    assert_int_equal(rig_int(m, "seq"), seq + 1);
    assert_int_equal(rig_int(m, "changes.best_known"), FEWEST);
    assert_string_equal(rig_text(m, "changes.proven"), "true");
    json_decref(m);
    m = play_on(r);
    assert_null(json_object_get(json_object_get(m, "changes"), "best_known"));
    json_decref(m);
    assert_int_equal(r->thinking_count, 0); /* it is not asked twice */
    rig_free(r);
}

/* Two lives of one room, with a fast solver and with none: not a byte of the game's file differs. */
TEST(the_file_is_the_same_without_a_solver) {
    char *logs[2];
    for (int life = 0; life < 2; life++) {
        rig *r = begin(life == 1, "file");
        for (int i = 0; i < 6; i++) json_decref(play_on(r));
        logs[life] = strdup(log_of(r, 20));
        rig_free(r);
    }
    assert_string_equal(logs[0], logs[1]);
    assert_null(strstr(logs[0], "known"));
    free(logs[0]);
    free(logs[1]);
}

TEST(survives_crashes_and_sleep) {
    rig *r = begin(false, "told");
    json_decref(play_on(r));
    for (int life = 0; life < 3; life++) {
        if (life < 2) {
            rig_restart(r);
        } else {
            rig_close(r, 1);
            rig_close(r, 2);
            rig_advance(r, 200000); /* out of memory, with a snapshot or without */
        }
        json_t *m = state_of(r, 2);
        assert_int_equal(rig_int(m, "state.best_known"), FEWEST);
        assert_string_equal(rig_text(m, "state.proven"), "true");
        json_decref(m);
        rig_close(r, 2);
    }
    rig_free(r);
}

TEST(sleeps_as_a_snapshot) {
    rig *r = begin(false, "told");
    for (int i = 0; i < 150; i++) {
        json_decref(play_on(r));
        rig_say(r, 1, "{'type':'reset'}");
        rig_advance(r, 200);
    }
    rig_close(r, 1);
    rig_advance(r, 200000);
    size_t loaded = r->loaded;
    json_t *m = state_of(r, 2);
    assert_int_equal(r->loaded, loaded + 1);
    assert_int_equal(rig_int(m, "state.best_known"), FEWEST);
    json_decref(m);
    rig_free(r);
}

TEST(a_failing_journal_loses_nothing) {
    rig *r = begin(false, "told");
    r->full = true;
    rig_say(r, 1, "{'type':'select_color','color':'red'}");
    rig_say(r, 1, "{'type':'select_color','color':'green'}");
    r->full = false;
    rig_advance(r, 5000);
    rig_clear(r);
    json_t *m = play_on(r);
    assert_int_equal(rig_int(m, "changes.best_known"), FEWEST);
    json_decref(m);
    rig_free(r);
}

TEST(belongs_to_its_board) {
    rig *r = begin(false, "told");
    json_decref(play_on(r));
    rig_clear(r);
    r->hold_bots = true;
    rig_say(r, 1, "{'type':'new_game','settings':{'seed':'other'}}");
    json_t *m = rig_last(r, 1, "game_update");
    assert_string_equal(rig_text(m, "changes.best_known"), "null");
    assert_string_equal(rig_text(m, "changes.proven"), "false");
    json_decref(m);
    assert_int_equal(r->thinking_count, 1);
    /* Another board before the answer: the answer is dropped, and the solver is asked about the new board. */
    rig_say(r, 1, "{'type':'new_game','settings':{'seed':'third','rows':2,'cols':2}}");
    assert_int_equal(r->thinking_count, 1);
    rig_bots(r);
    assert_int_equal(r->thinking_count, 1);
    json_decref(play_on(r));
    rig_bots(r);
    m = play_on(r);
    assert_true(rig_int(m, "changes.best_known") >= 1 && rig_int(m, "changes.best_known") <= 3);
    json_decref(m);
    rig_free(r);
}

/* A player who was away receives it: after moves only, the updates are recomputed; otherwise the whole state is
 * sent. */
TEST(sent_to_a_player_who_was_away) {
    rig *r = rig_new();
    rig_open(r, 1, "SOLVER", "flood_it");
    rig_open(r, 2, "SOLVER", NULL);
    rig_seat(r, 1, "player");
    char token[64];
    snprintf(token, sizeof token, "%s", rig_seat(r, 2, "player2"));
    rig_say(r, 1, "{'type':'configure','rows':8,'cols':8,'colors':4,'move_limit':0,'seed':'told'}");
    r->hold_bots = true;
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
    json_t *m = play_on(r);
    json_decref(m);
    rig_close(r, 2);
    rig_clear(r);
    m = play_on(r);
    long since = rig_int(m, "seq");
    json_decref(m);
    for (int with_result = 0; with_result < 2; with_result++) {
        if (with_result) rig_bots(r);
        json_decref(play_on(r));
        rig_open(r, 3 + with_result, "SOLVER", NULL);
        rig_clear(r);
        rig_say(r, 3 + with_result, "{'type':'resume','token':'%s','since':%ld}", token, since);
        for (int missed = 0; missed <= with_result; missed++) { /* each is recomputed as it was sent */
            m = rig_await(r, 3 + with_result, "game_update");
            assert_int_equal(rig_int(m, "seq"), since + 1 + missed);
            json_t *best = json_object_get(json_object_get(m, "changes"), "best_known");
            assert_int_equal(json_integer_value(best), missed ? FEWEST : 0);
            json_decref(m);
        }
        rig_close(r, 3 + with_result);
    }
    rig_free(r);
}

TEST(counts_at_the_end) {
    static const char *const colors[] = {"red", "green", "blue", "yellow"};
    rig *r = begin(false, "told");
    json_t *over = NULL;
    for (int i = 0; i < 200 && !over; i++) {
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", colors[i % 4]);
        over = rig_last(r, 1, "game_over");
    }
    assert_non_null(over);
    assert_int_equal(rig_int(over, "stats.best_known"), FEWEST);
    assert_string_equal(rig_text(over, "stats.proven"), "true");
    assert_true(rig_int(over, "stats.move_count") >= FEWEST);
    json_decref(over);
    /* The file contains what the players knew, and verifies. */
    const char *text = log_of(r, 20);
    rig_verify(text);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
