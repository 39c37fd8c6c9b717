/* A returning player gets the missed updates, or the whole state. */
#include "rooms/test/rig.h"

static void step(rig *r, int day) {
    rig_advance(r, 300);
    rig_say(r, 1, "{'type':'move','position':{'x':%d,'y':0}}", day % 2 ? 0 : 1);
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_say(r, 2, "{'type':'flood','positions':[{'x':3,'y':3}]}");
    rig_say(r, 2, "{'type':'end_turn'}");
}

static long seq_of(rig *r, int conn) {
    rig_open(r, conn, "MISS", NULL);
    json_t *m = rig_await(r, conn, "room_state");
    long seq = rig_int(m, "seq");
    json_decref(m);
    rig_close(r, conn);
    return seq;
}

/* Merges `changes` into `state` as RFC 7396 does, except that null is a value. */
static void merge(json_t *state, const json_t *changes) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)changes, key, value) {
        json_t *old = json_object_get(state, key);
        if (json_is_object(value) && json_is_object(old)) merge(old, value);
        else json_object_set(state, key, value);
    }
}

static void compare(rig *r, int missed, bool restart) {
    char token[40];
    rig_open(r, 1, "MISS", NULL);
    rig_open(r, 2, "MISS", NULL);
    rig_seat(r, 1, "journeyman");
    memcpy(token, rig_seat(r, 2, "weather"), 33);
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    for (int day = 0; day < 40; day++) step(r, day);
    rig_open(r, 3, "MISS", NULL);
    json_t *held = rig_await(r, 3, "room_state");
    rig_close(r, 3);
    json_t *before = json_deep_copy(json_object_get(held, "state"));
    json_decref(held);
    long since = seq_of(r, 4);
    rig_clear(r);
    json_t *lived[256];
    size_t count = 0;
    for (int day = 0; day < missed; day++) step(r, day);
    json_t *m;
    while ((m = rig_next(r, 1))) { /* as the other player received it at the time */
        if (strcmp(rig_text(m, "type"), "game_update") == 0 && rig_int(m, "seq") > since) {
            json_object_del(m, "you");
            if (json_array_size(json_object_get(m, "events")) > 0) {
                lived[count++] = m;
                continue;
            }
        }
        json_decref(m);
    }
    assert_int_equal(count, 2 * missed);
    if (restart) {
        rig_restart(r);
        rig_open(r, 1, "MISS", NULL);
    }
    rig_close(r, 2);
    rig_open(r, 2, "MISS", NULL);
    rig_clear(r);
    rig_say(r, 2, "{'type':'resume','token':'%s','since':%ld}", token, since);
    for (size_t i = 0; i < count; i++) {
        m = rig_next(r, 2);
        assert_string_equal(rig_text(m, "type"), "game_update");
        assert_int_equal(rig_int(m, "seq"), since + 1 + (long)i);
        assert_true(json_equal(m, lived[i])); /* exactly the same */
        merge(before, json_object_get(m, "changes"));
        json_decref(m);
        json_decref(lived[i]);
    }
    m = rig_await(r, 2, "room_state");
    assert_string_equal(rig_text(m, "you.role"), "weather");
    assert_true(json_equal(json_object_get(before, "grid"), json_object_get(json_object_get(m, "state"), "grid")));
    json_decref(m);
    json_decref(before);
}

TEST(the_last_64_updates_are_recomputed) {
    for (int restart = 0; restart < 2; restart++) {
        rig *r = rig_new();
        compare(r, 32, restart);
        rig_free(r);
    }
}

TEST(older_ones_and_changed_seats_give_the_whole_state) {
    rig *r = rig_new();
    char token[40];
    rig_open(r, 1, "MISS", NULL);
    rig_open(r, 2, "MISS", NULL);
    rig_seat(r, 1, "journeyman");
    memcpy(token, rig_seat(r, 2, "weather"), 33);
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    long since = seq_of(r, 4);
    for (int day = 0; day < 80; day++) step(r, day);
    rig_open(r, 3, "MISS", NULL);
    rig_clear(r);
    rig_say(r, 3, "{'type':'resume','token':'%s','since':%ld}", token, since);
    json_t *m = rig_next(r, 3);
    assert_string_equal(rig_text(m, "type"), "room_state");
    json_decref(m);
    since = seq_of(r, 4);
    rig_close(r, 1);
    rig_open(r, 1, "MISS", NULL);
    rig_seat(r, 1, "journeyman"); /* a new holder: not an update */
    rig_open(r, 5, "MISS", NULL);
    rig_clear(r);
    rig_say(r, 5, "{'type':'resume','token':'%s','since':%ld}", token, since);
    m = rig_next(r, 5);
    assert_string_equal(rig_text(m, "type"), "room_state");
    json_decref(m);
    /* A seq from the future: the whole state, without an error. */
    rig_say(r, 5, "{'type':'resume','token':'%s','since':99999}", token);
    m = rig_next(r, 5);
    assert_string_equal(rig_text(m, "type"), "room_state");
    json_decref(m);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
