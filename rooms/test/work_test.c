/* Work of an address. Regression: one address causes unlimited work in short slices: with files that it uploads, old games that it
 * continues, long rooms that it wakes, their logs, and boards that it creates one after another. Here the limit is
 * one second a minute. Above one minute's worth no long job starts for the address, above two none continues. Other
 * addresses are not affected. */
#include "engine/registry.h"
#include "rooms/session/session.h"
#include "rooms/test/rig.h"

static const char busy[] = "192.0.2.1", other[] = "192.0.2.2";

static bw_hall_settings a_second(void) {
    bw_hall_settings settings = rig_settings;
    settings.rooms_per_address_per_minute = 0;
    settings.work_seconds_per_address_per_minute = 1;
    settings.room_cleanup_ms = 86400000;
    return settings;
}

/* The file of a room LONG with many new boards, which costs between one and two minutes' worth. */
static char *long_game(rig *r) {
    enum { BOARDS = 900 };
    rig_open(r, 1, "LONG", "flood_it");
    rig_seat(r, 1, "player");
    rig_say(r, 1, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':0,'seed':'bound'}");
    rig_say(r, 1, "{'type':'start'}");
    for (int n = 0; n < BOARDS; n++) {
        rig_say(r, 1, "{'type':'new_game','settings':{'seed':'bound'}}");
        rig_advance(r, 60);
        if (n % 50 == 0) rig_clear(r);
    }
    bw_room *room = bw_room_find(r->hall, "LONG");
    for (int n = 0; n < 8 && !room->ended_at; n++) {
        rig_say(r, 1, "{'type':'select_color','color':'%s'}", n % 2 ? "red" : "green");
    }
    assert_true(room->ended_at);
    bw_hall_http_replay(r->hall, r->now, 50, room->replay_id, "");
    rig_run(r);
    assert_int_equal(r->conns[50].status, 200);
    return strdup(r->conns[50].body);
}

static void ask(rig *r, int conn, const char *file, const char *address) {
    r->conns[conn].status = 0;
    bw_hall_http_share(r->hall, r->now, (uint64_t)conn, file, strlen(file), address);
    rig_run(r);
}

static void until_idle(rig *r) {
    for (int i = 0; bw_hall_busy(r->hall); i++) {
        rig_advance(r, 2);
        assert_true(i < 10000);
    }
}

static void assert_too_much(const rig *r, int conn) {
    assert_int_equal(r->conns[conn].status, 429);
    json_t *answer = json_loads(r->conns[conn].body, 0, NULL);
    assert_string_equal(rig_text(answer, "code"), "rate_limited");
    assert_non_null(strstr(rig_text(answer, "message"), "try again in a minute"));
    json_decref(answer);
}

static void files_are_limited_in_work(void **unused) {
    (void)unused;
    bw_hall_settings settings = a_second();
    rig *r = rig_new_with(&settings);
    char *file = long_game(r), body[120];
    uint64_t before = rig_work(r);
    ask(r, 40, file, busy);
    until_idle(r);
    assert_int_equal(r->conns[40].status, 201);
    uint64_t cost = rig_work(r) - before;
    assert_true(cost > 1000000 && cost < 2000000);
    /* Another file, playing on, a log: no long job starts. */
    before = rig_work(r);
    ask(r, 41, file, busy);
    assert_too_much(r, 41);
    snprintf(body, sizeof body, "{\"game\":\"flood_it\",\"replay_id\":\"%s\",\"seq\":200}",
             bw_room_find(r->hall, "LONG")->replay_id);
    bw_hall_http_create(r->hall, r->now, 42, body, strlen(body), busy);
    rig_run(r);
    assert_too_much(r, 42);
    bw_hall_http_log(r->hall, r->now, 43, "LONG", busy);
    rig_run(r);
    assert_too_much(r, 43);
    assert_false(bw_hall_busy(r->hall));
    assert_true(rig_work(r) - before < 100);
    /* Other addresses, and short requests: creating a room, reading the state of one. */
    bw_hall_http_create(r->hall, r->now, 44, "{\"game\":\"flood_it\"}", 19, busy);
    bw_hall_http_state(r->hall, r->now, 45, "LONG", busy);
    bw_hall_http_log(r->hall, r->now, 46, "LONG", other);
    bw_hall_http_create(r->hall, r->now, 47, body, strlen(body), other);
    rig_run(r);
    until_idle(r);
    assert_int_equal(r->conns[44].status, 201);
    assert_int_equal(r->conns[45].status, 200);
    assert_int_equal(r->conns[46].status, 200);
    assert_int_equal(r->conns[47].status, 201);
    rig_advance(r, 120000);
    ask(r, 41, file, busy);
    until_idle(r);
    assert_int_equal(r->conns[41].status, 201);
    free(file);
    rig_free(r);
}

/* Many at once, all started before any has cost anything: they are stopped on the way, and leave nothing. */
static void files_at_once_are_stopped(void **unused) {
    (void)unused;
    bw_hall_settings settings = a_second();
    rig *r = rig_new_with(&settings);
    char *file = long_game(r), body[120];
    bw_room *room = bw_room_find(r->hall, "LONG");
    bw_hall_figures figures;
    snprintf(body, sizeof body, "{\"game\":\"flood_it\",\"replay_id\":\"%s\",\"seq\":900}", room->replay_id);
    r->hold_jobs = true;
    for (int i = 0; i < 4; i++) ask(r, 10 + i, file, busy);
    for (int i = 0; i < 4; i++) {
        bw_hall_http_create(r->hall, r->now, (uint64_t)(20 + i), body, strlen(body), busy);
        rig_run(r);
    }
    ask(r, 30, file, other);
    size_t rooms = bw_memory_journal_rooms(r->journal);
    uint64_t before = rig_work(r);
    until_idle(r);
    /* Two minutes' worth, what drains in the meantime, the slice that crosses the limit, and the other address's
     * file. */
    assert_true(rig_work(r) - before < 2 * 2000000);
    for (int i = 0; i < 4; i++) {
        assert_too_much(r, 10 + i);
        assert_too_much(r, 20 + i);
    }
    assert_int_equal(r->conns[30].status, 201);
    assert_int_equal(bw_memory_journal_rooms(r->journal), rooms);
    bw_hall_figures_of(r->hall, &figures);
    assert_int_equal(figures.rooms_in_memory, 1);
    free(file);
    rig_free(r);
}

/* Waking a long room: not for an address over its limit. If it goes over on the way, only for others who wait too. */
static void waking_is_limited_in_work(void **unused) {
    (void)unused;
    bw_hall_settings settings = a_second();
    rig *r = rig_new_with(&settings);
    free(long_game(r));
    rig_restart(r);
    r->hold_jobs = true;
    bw_key key = bw_address_key(busy);
    bw_limit_work(r->hall, key, 1500000);
    bw_hall_http_state(r->hall, r->now, 40, "LONG", busy);
    bw_hall_opened(r->hall, r->now, 2, "LONG", NULL, busy);
    r->conns[2].open = true;
    rig_run(r);
    assert_too_much(r, 40);
    rig_await_error(r, 2, "rate_limited");
    assert_int_equal(r->conns[2].closed_with, 1013);
    assert_null(bw_room_find(r->hall, "LONG"));
    /* It has started, and goes over the limit. */
    rig_advance(r, 60000);
    for (int waits = 0; waits < 2; waits++) {
        bw_hall_http_state(r->hall, r->now, 41, "LONG", busy);
        rig_run(r);
        rig_advance(r, 10);
        assert_true(bw_hall_busy(r->hall));
        r->conns[41].status = r->conns[42].status = 0;
        if (waits) bw_hall_http_state(r->hall, r->now, 42, "LONG", other);
        bw_limit_work(r->hall, key, 2500000);
        until_idle(r);
        if (waits) {
            assert_int_equal(r->conns[41].status, 200);
            assert_int_equal(r->conns[42].status, 200);
            assert_non_null(bw_room_find(r->hall, "LONG"));
        } else {
            assert_too_much(r, 41);
            assert_null(bw_room_find(r->hall, "LONG"));
            rig_advance(r, 300000);
        }
    }
    rig_free(r);
}

/* Boards created one after another, by more than one connection; cheap messages are not limited. */
static void expensive_messages_are_limited(void **unused) {
    (void)unused;
    bw_hall_settings settings = a_second();
    rig *r = rig_new_with(&settings);
    for (int conn = 1; conn <= 4; conn++) {
        bw_hall_opened(r->hall, r->now, (uint64_t)conn, conn < 4 ? "BOUND" : "OTHER", "flood_it",
                       conn < 4 ? busy : other);
        r->conns[conn].open = true;
        rig_run(r);
    }
    rig_seat(r, 1, "player");
    rig_seat(r, 4, "player");
    for (int conn = 1; conn <= 4; conn += 3) {
        rig_say(r, conn, "{'type':'configure','rows':2,'cols':2,'colors':2,'move_limit':0,'seed':'bound'}");
        rig_say(r, conn, "{'type':'start'}");
    }
    bool refused = false;
    int boards = 0;
    for (; !refused && boards < 5000; boards++) {
        rig_clear(r);
        rig_say(r, 1, "{'type':'new_game','settings':{'seed':'bound'},'id':%d}", boards + 1);
        json_t *m = rig_last(r, 1, "error");
        refused = m && strcmp(rig_text(m, "code"), "rate_limited") == 0;
        if (m) json_decref(m);
        if (!refused) rig_advance(r, 50);
    }
    assert_true(refused);
    assert_true(boards > 500);
    rig_clear(r);
    rig_say(r, 2, "{'type':'select_role','role':'player2'}"); /* on any connection */
    rig_await_error(r, 2, "rate_limited");
    rig_say(r, 3, "{'type':'resume','token':'00000000000000000000000000000000'}");
    rig_await_error(r, 3, "rate_limited");
    rig_say(r, 1, "{'type':'ping','t':1}");
    json_decref(rig_await(r, 1, "pong"));
    rig_say(r, 4, "{'type':'new_game','settings':{'seed':'bound'},'id':1}");
    rig_await_ack(r, 4, 1);
    rig_advance(r, 10000);
    rig_clear(r);
    rig_say(r, 1, "{'type':'new_game','settings':{'seed':'bound'},'id':%d}", boards); /* nothing was lost */
    rig_await_ack(r, 1, boards);
    rig_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_limited_in_work),
        cmocka_unit_test(files_at_once_are_stopped),
        cmocka_unit_test(waking_is_limited_in_work),
        cmocka_unit_test(expensive_messages_are_limited),
    };
    return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
