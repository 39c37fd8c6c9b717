/* What a room and an address may cost. Kind: something that grows for as long as somebody goes on sending, or a way to
 * make rooms that the limit of rooms does not see. */
#include "engine/registry.h"
#include "rooms/internal.h"
#include "rooms/rig.h"

/* A Flood-It player at 1, in a game of their own that has begun; what was received is dropped. */
static rig *alone(void) {
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    rig_clear(r);
    return r;
}

static bw_room *room_of(rig *r) { return bw_room_find(r->hall, "BOUND"); }

/* By undo, redo, reset and new boards in turn: whatever lengthens a game counts. */
static void plays_are_bounded(void **unused) {
    (void)unused;
    static const char *const actions[] = {"{'type':'reset'}",
                                          "{'type':'select_color','color':'red'}",
                                          "{'type':'select_color','color':'green'}",
                                          "{'type':'undo'}",
                                          "{'type':'redo'}",
                                          "{'type':'new_game','settings':{'seed':'bound'}}"};
    rig *r = rig_new();
    rig_open(r, 1, "BOUND", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':6,'cols':6,'colors':3,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    r->hold_bots = false;
    for (int n = 0; room_of(r)->play_count < BW_PLAYS_MAX; n++) {
        assert_true(n < 4 * BW_PLAYS_MAX);
        rig_say(r, 1, "%s", actions[n % 6]);
        rig_advance(r, 60);
        if (n % 50 == 0) rig_clear(r);
    }
    for (int i = 0; i < 6; i++) {
        rig_clear(r);
        rig_advance(r, 60);
        rig_say(r, 1, "%s", actions[i]);
        json_t *m = rig_await(r, 1, "error");
        assert_string_equal(rig_text(m, "code"), "not_allowed");
        assert_non_null(strstr(rig_text(m, "message"), "5,000 moves"));
        json_decref(m);
    }
    assert_int_equal(room_of(r)->play_count, BW_PLAYS_MAX);
    /* It wakes in slices, none of which is long, and is the same. */
    bw_chain chain = room_of(r)->chain;
    bw_hall_figures figures;
    rig_restart(r);
    r->hold_jobs = true;
    rig_open(r, 2, "BOUND", NULL);
    int slices = 0;
    for (; !room_of(r)->game || bw_hall_busy(r->hall); slices++) {
        bw_hall_figures_of(r->hall, &figures);
        uint64_t before = figures.work_total;
        rig_advance(r, 2);
        bw_hall_figures_of(r->hall, &figures);
        assert_true(figures.work_total - before <= 2000);
        assert_true(slices < 5000);
    }
    assert_true(slices > 10);
    assert_memory_equal(room_of(r)->chain.hash, chain.hash, sizeof chain.hash);
    rig_free(r);
}

/* An end that is opened again and again. */
static void replays_are_bounded(void **unused) {
    (void)unused;
    rig *r = alone();
    bool refused = false;
    for (int n = 0; n < 4000 && !refused; n++) {
        rig_clear(r);
        rig_say(r, 1, room_of(r)->ended_at ? "{'type':'reset'}" : "{'type':'select_color','color':'%s'}",
                n % 3 == 1 ? "red" : "green");
        rig_advance(r, 60);
        json_t *m = rig_last(r, 1, "error");
        refused = m && strstr(rig_text(m, "message"), "too often");
        if (m) json_decref(m);
    }
    assert_true(refused);
    assert_true(room_of(r)->replays_written < BW_REPLAYS_MAX + (1 << 20));
    rig_free(r);
}

/* Rematches make rooms too. */
static void rematches_count_as_rooms(void **unused) {
    (void)unused;
    bw_hall_settings settings = rig_settings;
    settings.rooms_per_address_per_minute = 3;
    rig *r = rig_new_with(&settings);
    bw_hall_opened(r->hall, r->now, 1, "BOUND", "flood_it", "192.0.2.1");
    r->conns[1].open = true;
    rig_run(r);
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':1,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    for (int i = 0; i < 2 && !room_of(r)->ended_at; i++) {
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", i ? "red" : "green");
    }
    assert_true(room_of(r)->ended_at);
    for (int i = 0; i < 2; i++) { /* with the first visit they are three */
        assert_true(bw_limit_room(r->hall, bw_address_key("192.0.2.1")));
    }
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','id':5}");
    rig_await_error(r, 1, "rate_limited");
    assert_int_equal(room_of(r)->next_room[0], 0);
    rig_advance(r, 61000);
    rig_clear(r);
    rig_say(r, 1, "{'type':'rematch','id':5}"); /* the same id may be tried again */
    rig_await_ack(r, 1, 5);
    assert_int_equal(strlen(room_of(r)->next_room), 8);
    rig_free(r);
}

/* Games that are offered to nobody are none, whatever the way to a room. */
static void unlisted_games_are_none(void **unused) {
    (void)unused;
    bw_hall_settings settings = rig_settings;
    settings.unlisted_games = false;
    rig *r = rig_new_with(&settings);
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        if (game != bw_game_find(game->id)) continue;
        char body[80], room[16];
        int length = snprintf(body, sizeof body, "{\"game\":\"%s\"}", game->id);
        snprintf(room, sizeof room, "LIST%d", i);
        bw_hall_http_create(r->hall, r->now, 40, body, (size_t)length, "");
        rig_run(r);
        assert_int_equal(r->conns[40].status, bw_game_listed(game) ? 201 : 404);
        rig_open(r, i + 1, room, game->id);
        if (bw_game_listed(game)) json_decref(rig_await(r, i + 1, "room_state"));
        else rig_await_error(r, i + 1, "no_such_game");
    }
    rig_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_are_bounded),
        cmocka_unit_test(replays_are_bounded),
        cmocka_unit_test(rematches_count_as_rooms),
        cmocka_unit_test(unlisted_games_are_none),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
