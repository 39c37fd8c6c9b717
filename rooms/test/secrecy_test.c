/* No byte sent to a viewer depends on what that viewer may not know. Two halls live the same life except for one
 * secret; all viewers who may not know it are sent the same bytes. */
#include "rooms/test/rig.h"

#include <stdio.h>

/* Everything that a connection was sent, one message after another. */
static char *received(rig *r, int conn) {
    rig_conn *from = &r->conns[conn];
    size_t length = 1;
    for (size_t i = 0; i < from->count; i++) length += strlen(from->texts[from->first + i]) + 1;
    char *all = calloc(1, length);
    for (size_t i = 0; i < from->count; i++) {
        snprintf(all + strlen(all), length - strlen(all), "%s\n", from->texts[from->first + i]);
    }
    return all;
}

static char *get(rig *r, const char *room, bool log) {
    (log ? bw_hall_http_log : bw_hall_http_state)(r->hall, r->now, 20, room, "");
    rig_run(r);
    return strdup(r->conns[20].body);
}

typedef void (*secret)(rig *r, int which);

static void twins(const char *game, void (*before)(rig *r), secret differs, const int *ignorant, int count) {
    char *texts[2][8], *state[2], *log[2];
    for (int which = 0; which < 2; which++) {
        rig *r = rig_new();
        for (int i = 1; i <= 3; i++) rig_open(r, i, "TWIN", game);
        before(r);
        rig_clear(r);
        differs(r, which);
        rig_advance(r, 100);
        for (int i = 0; i < count; i++) texts[which][i] = received(r, ignorant[i]);
        rig_open(r, 9, "TWIN", NULL); /* and a client that connects now */
        texts[which][count] = received(r, 9);
        state[which] = get(r, "TWIN", false);
        log[which] = get(r, "TWIN", true);
        rig_free(r);
    }
    for (int i = 0; i <= count; i++) {
        assert_string_equal(texts[0][i], texts[1][i]);
        free(texts[0][i]);
        free(texts[1][i]);
    }
    assert_string_equal(state[0], state[1]);
    assert_string_equal(log[0], log[1]);
    for (int which = 0; which < 2; which++) {
        free(state[which]);
        free(log[which]);
    }
}

static void an_island(rig *r) {
    rig_seat(r, 1, "journeyman");
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
}

static void a_staged_move(rig *r, int which) {
    rig_say(r, 1, which ? "{'type':'move','position':{'x':1,'y':1}}" : "{'type':'move','position':{'x':0,'y':1}}");
}

static void nothing_or_a_staged_move(rig *r, int which) {
    if (which) {
        rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1},'id':5}");
        rig_say(r, 1, "{'type':'move','position':{'x':3,'y':3},'id':6}"); /* refused: nobody else receives it */
    }
}

static void a_war(rig *r) {
    rig_seat(r, 1, "blue");
    rig_seat(r, 2, "red");
    rig_say(r, 1, "{'type':'start'}");
}

static void orders(rig *r, int which) {
    if (which) {
        rig_say(r, 1, "{'type':'command','piece':2,'direction':'up','distance':2}");
        rig_say(r, 1, "{'type':'command','piece':1,'direction':'left','distance':1,'round':4}");
    }
}

TEST(what_is_staged) {
    static const int others[] = {2, 3};
    twins(NULL, an_island, a_staged_move, others, 2);
    twins(NULL, an_island, nothing_or_a_staged_move, others, 2);
}

TEST(orders_that_wait) {
    static const int others[] = {2, 3};
    twins("flag_war", a_war, orders, others, 2);
}

/* No token, and before the end no seed, is ever sent to anybody but its owner, or logged. */
TEST(tokens_and_seeds) {
    rig *r = rig_new();
    rig_open(r, 1, "TOKEN", NULL);
    rig_open(r, 2, "TOKEN", NULL);
    rig_open(r, 3, "TOKEN", NULL);
    char token[40], seed[80];
    memcpy(token, rig_seat(r, 1, "journeyman"), 33);
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    char *others[2] = {received(r, 2), received(r, 3)}, *own = received(r, 1), *log = get(r, "TOKEN", true);
    rig_clear(r);
    rig_say(r, 1, "{'type':'resign'}");
    json_t *m = rig_await(r, 2, "game_over");
    snprintf(seed, sizeof seed, "%s", rig_text(m, "seed"));
    json_decref(m);
    assert_non_null(strstr(own, token));
    for (int i = 0; i < 2; i++) {
        assert_null(strstr(others[i], token));
        assert_null(strstr(others[i], seed));
        free(others[i]);
    }
    assert_null(strstr(own, seed));
    assert_null(strstr(log, seed));
    free(own);
    free(log);
    const bw_stored_room *stored = bw_memory_journal_load(r->journal, "TOKEN");
    for (size_t i = 0; i < stored->record_count; i++) {
        assert_null(memmem(stored->records[i].bytes, stored->records[i].length, token, strlen(token)));
    }
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
