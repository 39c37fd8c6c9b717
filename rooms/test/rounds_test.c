/* The clock of games in rounds, in Flag War. */
#include "rooms/test/rig.h"

#include <stdio.h>

static void war(rig *r, const char *room, bool bot) {
    rig_open(r, 1, room, "flag_war");
    rig_seat(r, 1, "blue");
    if (bot) {
        rig_say(r, 1, "{'type':'add_bot','role':'red','level':'easy'}");
    } else {
        rig_open(r, 2, room, "flag_war");
        rig_seat(r, 2, "red");
    }
    rig_say(r, 1, "{'type':'start'}");
    json_t *m = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(m, "state.game_status"), "active");
    assert_int_equal(rig_int(m, "state.round"), 0);
    assert_int_equal(rig_int(m, "state.next_round_at") - rig_int(m, "state.server_time"), 3000);
    json_decref(m);
    rig_clear(r);
}

TEST(rounds_never_drift) {
    rig *r = rig_new();
    war(r, "DRIFT", false);
    rig_open(r, 3, "DRIFT", NULL);
    int64_t start = r->now.mono_us;
    bw_fast fast = {3};
    long rounds = 0;
    for (int i = 0; i < 2000; i++) {
        /* The loop is up to most of an interval late, every time. */
        int64_t due = bw_hall_deadline(r->hall);
        int64_t wait = (due - r->now.mono_us) / 1000 + bw_fast_below(&fast, 2500);
        rig_stall(r, wait > 0 ? wait : 1);
        rig_clear(r);
        bw_hall_figures figures;
        bw_hall_figures_of(r->hall, &figures);
        rounds = 0;
        for (int b = 0; b < BW_LATENESS_BUCKETS; b++) rounds += (long)figures.lateness[b];
        int64_t elapsed = r->now.mono_us - start;
        assert_true(rounds * 3000000 <= elapsed);
        assert_true((rounds + 1) * 3000000 > elapsed - 3000000);
    }
    assert_true(rounds > 100);
    json_t *m;
    bw_hall_http_state(r->hall, r->now, 20, "DRIFT", "");
    rig_run(r);
    m = json_loads(r->conns[20].body, 0, NULL);
    assert_int_equal(rig_int(m, "round"), rounds);
    json_decref(m);
    rig_free(r);
}

/* What conn was sent since: the number of rounds, and the last next_round_at. */
static size_t rounds_told(rig *r, int conn, int64_t *next) {
    size_t rounds = 0;
    json_t *m;
    while ((m = rig_next(r, conn))) {
        bool update = strcmp(rig_text(m, "type"), "game_update") == 0;
        rounds += update;
        *next = rig_int(m, update ? "changes.next_round_at" : "state.next_round_at");
        json_decref(m);
    }
    return rounds;
}

TEST(a_stall_makes_no_burst) {
    rig *r = rig_new();
    int64_t next, start = r->now.wall_ms;
    war(r, "STALL", false);
    rig_stall(r, 20000);
    /* Rounds 1 to 6 were missed: none is made up for, and the countdown is sent again. */
    assert_int_equal(rounds_told(r, 2, &next), 0);
    assert_int_equal(next, start + 21000);
    rig_advance(r, 999);
    assert_int_equal(rig_count(r, 2), 0);
    rig_advance(r, 1);
    assert_int_equal(rounds_told(r, 2, &next), 1);
    assert_int_equal(next, start + 24000);
    rig_free(r);
}

/* Rooms that started one after another stay apart, even if a stall delays them together. */
TEST(a_stall_leaves_rooms_apart) {
    enum { ROOMS = 24, APART_MS = 120 };
    rig *r = rig_new();
    int64_t next, begun[ROOMS];
    for (int i = 0; i < ROOMS; i++) {
        char room[8];
        snprintf(room, sizeof room, "APART%d", i);
        rig_open(r, 2 * i, room, "flag_war");
        rig_open(r, 2 * i + 1, room, NULL);
        rig_seat(r, 2 * i, "blue");
        rig_seat(r, 2 * i + 1, "red");
        rig_say(r, 2 * i, "{'type':'start'}");
        begun[i] = r->now.wall_ms;
        rig_advance(r, APART_MS);
    }
    rig_stall(r, 20000);
    rig_advance(r, 1);
    rig_clear(r);
    for (int round = 0; round < 3; round++) {
        int64_t from = r->now.wall_ms;
        rig_advance(r, 3000);
        for (int i = 0; i < ROOMS; i++) {
            assert_int_equal(rounds_told(r, 2 * i, &next), 1);
            assert_int_equal((next - begun[i]) % 3000, 0);
            assert_in_range(next, from + 3001, from + 6000);
        }
    }
    rig_free(r);
}

/* A room's lateness counts from its own due time, not from that of the first room that is due. */
TEST(many_due_rooms_are_served_in_turn) {
    enum { ROOMS = 24 };
    rig *r = rig_new();
    bw_hall_figures figures;
    for (int i = 0; i < ROOMS; i++) {
        char room[8];
        snprintf(room, sizeof room, "MANY%d", i);
        rig_open(r, i, room, "flag_war");
        rig_seat(r, i, "blue");
        rig_say(r, i, "{'type':'add_bot','role':'red','level':'easy'}");
        rig_say(r, i, "{'type':'start'}");
    }
    rig_advance(r, 0); /* the first sweep */
    int64_t due = r->now.mono_us + 3000000;
    assert_int_equal(bw_hall_deadline(r->hall), due);
    r->now.mono_us = due;
    r->now.wall_ms += 3000;
    int ticks = 0;
    for (; bw_hall_deadline(r->hall) <= due; ticks++) {
        bw_hall_tick(r->hall, r->now);
        rig_run(r);
        r->now.mono_us += 1000; /* the time that so many rounds take */
        bw_hall_figures_of(r->hall, &figures);
        assert_int_equal(figures.lateness_max_us, ticks * 1000);
    }
    assert_in_range(ticks, 2, ROOMS);
    uint64_t rounds = 0;
    for (int b = 0; b < BW_LATENESS_BUCKETS; b++) rounds += figures.lateness[b];
    assert_int_equal(rounds, ROOMS);
    assert_int_equal(figures.lateness[0], ROOMS / ticks);
    /* The next round is no later because of it. */
    assert_int_equal(bw_hall_deadline(r->hall), due + 3000000);
    rig_free(r);
}

TEST(the_loop_runs_whoever_is_there) {
    rig *r = rig_new();
    war(r, "LOOP", false);
    rig_close(r, 2);
    rig_clear(r);
    rig_advance(r, 3000);
    json_t *m = rig_await(r, 1, "game_update");
    assert_int_equal(rig_int(m, "changes.round"), 1);
    json_decref(m);
    char token[40];
    rig_open(r, 3, "LOOP", NULL);
    rig_clear(r);
    memcpy(token, rig_seat(r, 3, "red"), 33);
    /* Without players the room sleeps; it wakes one full interval after the first player returns. */
    rig_close(r, 1);
    rig_close(r, 3);
    rig_advance(r, 30000);
    rig_open(r, 4, "LOOP", NULL); /* a spectator wakes nothing */
    json_t *state = rig_last(r, 4, "room_state");
    assert_int_equal(rig_int(state, "state.round"), 1);
    assert_string_equal(rig_text(state, "state.next_round_at"), "null");
    json_decref(state);
    rig_advance(r, 10000);
    rig_say(r, 4, "{'type':'resume','token':'%s'}", token);
    state = rig_last(r, 4, "room_state");
    assert_int_equal(rig_int(state, "state.next_round_at"), r->now.wall_ms + 3000);
    json_decref(state);
    rig_advance(r, 2999);
    assert_int_equal(rig_count(r, 4), 0);
    rig_advance(r, 1);
    m = rig_await(r, 4, "game_update");
    assert_int_equal(rig_int(m, "changes.round"), 2);
    json_decref(m);
    rig_free(r);
}

TEST(orders_are_their_owners_alone) {
    rig *r = rig_new();
    war(r, "ORDER", false);
    rig_open(r, 3, "ORDER", NULL);
    rig_clear(r);
    rig_say(r, 1, "{'type':'command','piece':2,'direction':'up','distance':2,'id':1}");
    assert_int_equal(rig_count(r, 2) + rig_count(r, 3), 0);
    json_t *m = rig_await(r, 1, "game_update");
    assert_int_equal(rig_int(m, "you.queue.0.piece"), 2);
    json_decref(m);
    rig_await_ack(r, 1, 1);
    rig_advance(r, 3000);
    m = rig_await(r, 2, "game_update");
    assert_string_equal(rig_text(m, "events.0.type"), "moved");
    assert_string_equal(rig_text(m, "you"), "absent");
    json_decref(m);
    m = rig_await(r, 1, "game_update");
    assert_string_equal(rig_text(m, "you.queue"), "array"); /* the queue is empty now, and player 1 is sent that */
    json_decref(m);
    rig_free(r);
}

TEST(bots_think_ahead) {
    rig *r = rig_new();
    r->hold_bots = true;
    war(r, "BOTS", true);
    assert_int_equal(r->thinking_count, 1);
    assert_true(r->thinking[0].job.budget_ms <= 3000);
    rig_advance(r, 3000); /* the timer never waits */
    json_t *m = rig_await(r, 1, "game_update");
    assert_int_equal(rig_int(m, "changes.round"), 1);
    json_decref(m);
    assert_int_equal(r->thinking_count, 1); /* one job at a time */
    rig_bots(r);                            /* late: for the next round */
    rig_advance(r, 3000);
    m = rig_await(r, 1, "game_update");
    assert_string_equal(rig_text(m, "events.0.type"), "moved");
    json_decref(m);
    assert_int_equal(r->thinking_count, 1);
    rig_free(r);
}

TEST(clocks_continue_after_a_crash) {
    rig *r = rig_new();
    rig_open(r, 1, "CLOCK", "flag_war");
    rig_open(r, 2, "CLOCK", "flag_war");
    char token[40];
    memcpy(token, rig_seat(r, 1, "blue"), 33);
    rig_seat(r, 2, "red");
    rig_say(r, 1, "{'type':'start'}");
    rig_say(r, 1, "{'type':'command','piece':2,'direction':'up','distance':2,'round':5}");
    rig_advance(r, 7000);
    rig_restart(r);
    rig_open(r, 1, "CLOCK", NULL);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
    json_t *m = rig_last(r, 1, "room_state");
    assert_int_equal(rig_int(m, "state.round"), 2);
    assert_int_equal(rig_int(m, "you.queue.0.round"), 5); /* the order is still queued */
    assert_int_equal(rig_int(m, "state.next_round_at"), r->now.wall_ms + 3000);
    json_decref(m);
    rig_advance(r, 9000);
    m = rig_last(r, 1, "game_update");
    assert_int_equal(rig_int(m, "changes.round"), 5);
    assert_string_equal(rig_text(m, "events.0.type"), "moved");
    json_decref(m);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
