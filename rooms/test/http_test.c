/* HTTP requests. */
#include "rooms/test/rig.h"

static json_t *create(rig *r, const char *body, int status) {
    bw_hall_http_create(r->hall, r->now, 20, body, strlen(body), "");
    rig_run(r);
    assert_int_equal(r->conns[20].status, status);
    json_t *answer = json_loads(r->conns[20].body, 0, NULL);
    assert_non_null(answer);
    return answer;
}

TEST(rooms_are_made) {
    rig *r = rig_new();
    json_t *m = create(r, "{\"game\":\"flooded_island\",\"config\":{\"width\":3,\"max_flood_count\":1}}", 201);
    char id[20];
    snprintf(id, sizeof id, "%s", rig_text(m, "room_id"));
    assert_int_equal(strlen(id), 8);
    assert_int_equal(strspn(id, "CDFGHJKMNPQRTVWXY34679"), 8);
    assert_null(strpbrk(id, "AEIOU01"));
    assert_string_equal(rig_text(m, "game"), "flooded_island");
    assert_non_null(strstr(rig_text(m, "url"), id));
    json_decref(m);
    bw_hall_http_state(r->hall, r->now, 21, id, "");
    rig_run(r);
    assert_int_equal(r->conns[21].status, 200);
    m = json_loads(r->conns[21].body, 0, NULL);
    assert_int_equal(rig_int(m, "config.width"), 3);
    assert_int_equal(rig_int(m, "config.height"), 10);
    assert_string_equal(rig_text(m, "game_status"), "waiting");
    json_decref(m);
    bw_hall_http_log(r->hall, r->now, 22, id, "");
    bw_hall_http_state(r->hall, r->now, 23, "NOSUCH", "");
    bw_hall_http_state(r->hall, r->now, 24, "no such", "");
    bw_hall_http_replay(r->hall, r->now, 25, "nothing", "");
    bw_hall_http_log(r->hall, r->now, 26, "NOSUCH", "");
    rig_run(r);
    for (int i = 22; i <= 26; i++) {
        assert_int_equal(r->conns[i].status, 404);
        m = json_loads(r->conns[i].body, 0, NULL);
        assert_string_equal(rig_text(m, "type"), "error");
        json_decref(m);
    }
    assert_int_equal(bw_memory_journal_rooms(r->journal), 1); /* reading creates no rooms */
    rig_free(r);
}

TEST(bad_requests_are_told_what_is_allowed) {
    rig *r = rig_new();
    static const struct {
        const char *body, *code;
        int status;
    } cases[] = {
        {"", "bad_json", 400},
        {"[]", "bad_message", 400},
        {"{}", "bad_message", 400},
        {"{\"game\":7}", "bad_message", 400},
        {"{\"game\":\"chess\"}", "no_such_game", 404},
        {"{\"game\":\"flooded_island\",\"config\":7}", "bad_message", 400},
        {"{\"game\":\"flooded_island\",\"config\":{\"width\":99}}", "bad_message", 400},
        {"{\"game\":\"flooded_island\",\"config\":{\"depth\":9}}", "bad_message", 400},
        {"{\"game\":\"flooded_island\",\"extra\":1}", "bad_message", 400},
        {"{\"game\":\"flooded_island\",\"seq\":1}", "bad_message", 400}, /* of which game? */
        {"{\"game\":\"flooded_island\",\"replay_id\":\"BCDF\",\"config\":{}}", "bad_message", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *m = create(r, cases[i].body, cases[i].status);
        assert_string_equal(rig_text(m, "code"), cases[i].code);
        json_decref(m);
    }
    /* A sentence that names the fields names all of them, including those that are parsed elsewhere. */
    json_t *unknown = create(r, "{\"game\":\"flag_war\",\"settings\":{}}", 400);
    assert_non_null(strstr(rig_text(unknown, "message"), "\"config\""));
    json_decref(unknown);
    char large[5000];
    memset(large, ' ', sizeof large - 1);
    large[sizeof large - 1] = 0;
    json_decref(create(r, large, 413));
    rig_free(r);
}

/* Every setting has a title other than its wire name, except settings for programs only; every choice has one too. */
static bool settings_have_words(const json_t *game) {
    const char *name;
    json_t *setting;
    bool choices = false;
    json_object_foreach(json_object_get(json_object_get(game, "config"), "properties"), name, setting) {
        const char *title = json_string_value(json_object_get(setting, "title"));
        assert_true(json_is_string(json_object_get(setting, "description")));
        if (!title) assert_true(strcmp(name, "origin") == 0 || strcmp(name, "date") == 0);
        else assert_true(strchr(title, '_') == NULL && title[0] >= 'A' && title[0] <= 'Z');
        const json_t *list = json_object_get(setting, "enum"), *titles = json_object_get(setting, "titles");
        if (!list) list = json_object_get(setting, "names");
        assert_int_equal(json_array_size(list), json_array_size(titles));
        size_t index;
        json_t *one;
        json_array_foreach(titles, index, one) {
            const char *words = json_string_value(one);
            choices = true;
            assert_true(words[0] >= 'A' && words[0] <= 'Z');
        }
    }
    return choices;
}

/* The ids in the order of the rules pages, and what each sets: a room created with `config` is that variant. */
static void variants_stand_in_their_order(const json_t *games) {
    static const struct {
        const char *game, *ids, *path;
        long value;
    } rows[] = {
        {"flooded_island", "month quick storm year", "variants.0.config.days", 30},
        {"flooded_island", "month quick storm year", "variants.1.config.width", 6},
        {"flooded_island", "month quick storm year", "variants.2.config.max_flood_count", 3},
        {"flooded_island", "month quick storm year", "variants.3.config.days", 365},
        {"flood_it", "normal easy hard expert daily classic", "variants.5.config.move_limit", 25},
        {"monadungeon", "short full", "variants.1.config.deck_size", 88},
        {"flag_war", "march charge campaign", "variants.0.config.max_distance", 3},
        {"flag_war", "march charge campaign", "variants.1.config.ready_ms", 30000},
        {"flag_war", "march charge campaign", "variants.2.config.pieces", 7},
    };
    size_t met = 0, index, v;
    const json_t *game, *variant;
    json_array_foreach(games, index, game) {
        char ids[256] = "";
        json_array_foreach(json_object_get(game, "variants"), v, variant) {
            strcat(strcat(ids, v ? " " : ""), rig_text(variant, "id"));
            assert_true(json_object_size(variant) == 5 && rig_int(variant, "minutes") > 0);
            assert_non_null(rig_text(variant, "title"));
            assert_non_null(rig_text(variant, "summary"));
        }
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            if (strcmp(rows[i].game, rig_text(game, "id")) != 0) continue;
            assert_string_equal(ids, rows[i].ids);
            assert_int_equal(rig_int(game, rows[i].path), rows[i].value);
            met++;
        }
    }
    assert_int_equal(met, sizeof rows / sizeof rows[0]);
}

TEST(every_game_is_listed) {
    char *text = malloc(1 << 17);
    bw_out out = bw_out_to(text, 1 << 17);
    bw_games_json(&out);
    assert_false(out.overflow);
    json_t *games = json_loadb(text, out.length, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_array(games));
    const json_t *game;
    size_t index;
    bool island = false, named = false;
    json_array_foreach(games, index, game) {
        assert_true(json_array_size(json_object_get(game, "roles")) > 0);
        assert_true(json_array_size(json_object_get(game, "bot_levels")) > 0);
        assert_true(json_is_integer(json_object_get(game, "rules_version")));
        assert_string_not_equal(rig_text(game, "id"), "blank");
        named |= settings_have_words(game);
        if (strcmp(rig_text(game, "id"), "flood_it") == 0) { /* a setting with several numbers */
            assert_string_equal(rig_text(game, "config.properties.origin.title"), "Start");
            assert_int_equal(rig_int(game, "config.properties.origin.properties.col.maximum"), 63);
            assert_int_equal(rig_int(game, "config.properties.origin.properties.col.default"), 0);
        }
        if (strcmp(rig_text(game, "id"), "flooded_island") == 0) {
            island = true;
            assert_int_equal(rig_int(game, "config.properties.width.minimum"), 3);
            assert_int_equal(rig_int(game, "config.properties.width.maximum"), 10);
            assert_int_equal(rig_int(game, "config.properties.width.default"), 10);
            assert_string_equal(rig_text(game, "config.properties.width.title"), "Width");
            assert_string_equal(rig_text(game, "config.properties.width.unit"), "fields");
            assert_string_equal(rig_text(game, "roles.0.title"), "Adventurer");
        }
    }
    assert_true(island && named);
    variants_stand_in_their_order(games);
    json_decref(games);
    free(text);
}

/* A game to its end, its replay, and a room from one of its moves. */
TEST(an_old_game_is_continued) {
    rig *r = rig_new();
    char body[200];
    rig_island(r, "OLDGAME", 5, 5);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_say(r, 2, "{'type':'flood','positions':[{'x':4,'y':4}]}");
    rig_say(r, 2, "{'type':'end_turn'}");
    rig_say(r, 1, "{'type':'move','position':{'x':2,'y':2}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_say(r, 2, "{'type':'resign'}");
    json_t *over = rig_await(r, 1, "game_over");
    snprintf(body, sizeof body, "{\"game\":\"flooded_island\",\"replay_id\":\"%s\",\"seq\":2}",
             rig_text(over, "replay_id"));
    json_t *made = create(r, body, 201);
    rig_open(r, 5, rig_text(made, "room_id"), NULL);
    json_t *state = rig_await(r, 5, "room_state");
    assert_string_equal(rig_text(state, "state.game_status"), "active");
    assert_string_equal(rig_text(state, "state.current_role"), "journeyman");
    assert_int_equal(rig_int(state, "state.current_turn"), 2);
    assert_int_equal(rig_int(state, "state.journeyman_position.x"), 1);
    assert_string_equal(rig_text(state, "state.grid.4.4"), "flooded");
    json_decref(state);
    /* It is a game like any other: it has seats, continues, and survives a crash. */
    rig_open(r, 6, rig_text(made, "room_id"), NULL);
    rig_seat(r, 5, "journeyman");
    rig_seat(r, 6, "weather");
    rig_say(r, 5, "{'type':'move','position':{'x':1,'y':2}}");
    rig_say(r, 5, "{'type':'end_turn','id':9}");
    rig_await_ack(r, 5, 9);
    rig_restart(r);
    rig_open(r, 5, rig_text(made, "room_id"), NULL);
    state = rig_await(r, 5, "room_state");
    assert_int_equal(rig_int(state, "state.journeyman_position.y"), 2);
    json_decref(state);
    json_decref(made);
    /* After the end: the move before it. */
    snprintf(body, sizeof body, "{\"game\":\"flooded_island\",\"replay_id\":\"%s\",\"seq\":99}",
             rig_text(over, "replay_id"));
    made = create(r, body, 201);
    rig_open(r, 7, rig_text(made, "room_id"), NULL);
    state = rig_await(r, 7, "room_state");
    assert_string_equal(rig_text(state, "state.game_status"), "active");
    assert_string_equal(rig_text(state, "state.current_role"), "weather");
    json_decref(state);
    json_decref(made);
    json_decref(over);
    json_decref(create(r, "{\"game\":\"flooded_island\",\"replay_id\":\"NOSUCH\"}", 404));
    rig_free(r);
}

/* Regression: the room stayed as it was in memory, though all that was stored of it was its creation. */
TEST(a_game_that_is_half_stored_is_not_continued) {
    rig *r = rig_new();
    char body[200];
    rig_island(r, "OLDGAME", 5, 5);
    rig_say(r, 1, "{'type':'resign'}");
    json_t *over = rig_await(r, 1, "game_over");
    snprintf(body, sizeof body, "{\"game\":\"flooded_island\",\"replay_id\":\"%s\"}", rig_text(over, "replay_id"));
    json_decref(over);
    r->hold = true;
    bw_hall_http_create(r->hall, r->now, 40, body, strlen(body), "");
    rig_run(r);
    assert_int_equal(bw_memory_journal_waiting(r->journal), 2);
    uint64_t good = bw_memory_journal_commit(r->journal, 1);
    bw_memory_journal_drop(r->journal);
    bw_hall_journal_failed(r->hall, r->now, good, "The disk failed.", false);
    r->hold = false;
    rig_run(r);
    assert_int_equal(r->conns[40].status, 503);
    bool second = strcmp(bw_memory_journal_room_at(r->journal, 0), "OLDGAME") == 0;
    rig_open(r, 5, bw_memory_journal_room_at(r->journal, second), NULL);
    json_t *state = rig_await(r, 5, "room_state");
    assert_string_equal(rig_text(state, "state.game_status"), "waiting");
    json_decref(state);
    rig_free(r);
}

/* A player who continues alone gives the other seat to a bot; in a game that two people started, nobody can. */
TEST(an_old_game_is_continued_against_a_bot) {
    rig *r = rig_new();
    char body[200];
    rig_island(r, "OLDGAME", 5, 5);
    rig_say(r, 1, "{'type':'move','position':{'x':1,'y':1}}");
    rig_say(r, 1, "{'type':'end_turn'}");
    rig_say(r, 1, "{'type':'add_bot','role':'weather','level':'easy','id':1}");
    rig_await_error(r, 1, "wrong_status");
    rig_say(r, 2, "{'type':'resign'}");
    json_t *over = rig_await(r, 1, "game_over");
    snprintf(body, sizeof body, "{\"game\":\"flooded_island\",\"replay_id\":\"%s\",\"seq\":1}",
             rig_text(over, "replay_id"));
    json_t *made = create(r, body, 201);
    rig_open(r, 5, rig_text(made, "room_id"), NULL);
    rig_seat(r, 5, "journeyman");
    rig_clear(r);
    rig_say(r, 5, "{'type':'add_bot','role':'journeyman','level':'easy','id':1}");
    rig_await_error(r, 5, "wrong_status"); /* a seat that is taken */
    rig_say(r, 5, "{'type':'add_bot','role':'weather','level':'easy','id':2}");
    rig_await_ack(r, 5, 2);
    rig_bots(r);
    rig_restart(r);
    rig_open(r, 6, rig_text(made, "room_id"), NULL);
    json_t *state = rig_await(r, 6, "room_state");
    assert_string_equal(rig_text(state, "state.bots.weather"), "easy");
    assert_string_equal(rig_text(state, "state.current_role"), "journeyman"); /* the bot has played its night */
    assert_int_equal(rig_int(state, "state.current_turn"), 2);
    json_decref(state);
    json_decref(made);
    json_decref(over);
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
