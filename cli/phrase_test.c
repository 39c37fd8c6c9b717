/* In typed and printed text columns and rows count from 1, and in JSON from 0.
 *
 * This covers every way to a person and back: an action typed, listed, or printed from a file; an event; a place in
 * a list, alone, named, at the edge, or null; text that contains places. Numbers that count something else stay
 * unchanged. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/phrase.h"
#include "tests/support/any_game.h"
#include "tests/support/unit.h"

enum { CAP = 8192, TOKENS = 2048 };

static const bw_game *game(const char *id) {
    const bw_game *found = bw_game_find(id);
    assert_non_null(found);
    return found;
}

/* The JSON for a line, or the error text. */
static const char *typed(const char *id, const char *line) {
    static char json[CAP];
    static bw_error_text why;
    bw_out out = bw_out_to(json, sizeof json - 1);
    why.text[0] = '\0';
    if (!phrase_read(game(id)->actions, line, &out, &why)) return why.text;
    json[out.length] = '\0';
    return json;
}

TEST(test_what_is_typed_counts_from_one) {
    static const struct {
        const char *game, *line, *json;
    } cases[] = {
        {"blank", "mark 1,1", "{\"type\":\"mark\",\"x\":0,\"y\":0}"},
        {"blank", "mark 3 2", "{\"type\":\"mark\",\"x\":2,\"y\":1}"},
        {"blank", "mark x=3 y=1", "{\"type\":\"mark\",\"x\":2,\"y\":0}"},
        {"blank", "{\"type\":\"mark\",\"x\":0,\"y\":0}", "{\"type\":\"mark\",\"x\":0,\"y\":0}"},
        {"flooded_island", "move 1,1", "{\"type\":\"move\",\"position\":{\"x\":0,\"y\":0}}"},
        {"flooded_island", "\tmove \t 10,3 ", "{\"type\":\"move\",\"position\":{\"x\":9,\"y\":2}}"},
        {"flooded_island", "move position=4,5", "{\"type\":\"move\",\"position\":{\"x\":3,\"y\":4}}"},
        {"flooded_island", "move none", "{\"type\":\"move\",\"position\":null}"},
        {"flooded_island", "flood 1,2 3,4", "{\"type\":\"flood\",\"positions\":[{\"x\":0,\"y\":1},{\"x\":2,\"y\":3}]}"},
        {"flooded_island", "flood", "{\"type\":\"flood\",\"positions\":[]}"},
        {"flag_war", "command 1 5,6", "{\"type\":\"command\",\"piece\":1,\"to\":{\"x\":4,\"y\":5}}"},
        {"flag_war", "command 2 up 3 4",
         "{\"type\":\"command\",\"piece\":2,\"direction\":\"up\",\"distance\":3,\"round\":4}"},
        {"flag_war", "command 1 to=5,6 round=4",
         "{\"type\":\"command\",\"piece\":1,\"to\":{\"x\":4,\"y\":5},\"round\":4}"},
        {"flag_war", "orders 1 to 5,3", "{\"type\":\"orders\",\"text\":\"1 to 5,3\",\"counts_from\":1}"},
        {"flag_war", "orders counts_from=0", "{\"type\":\"orders\",\"text\":\"counts_from=0\",\"counts_from\":1}"},
        {"flood_it", "new_game origin=1,64 rows=3",
         "{\"type\":\"new_game\",\"settings\":{\"origin\":{\"row\":0,\"col\":63},\"rows\":3}}"},
        {"flood_it", "new_game origin=0,1", "\"row\" must be a whole number from 1 to 64."},
        {"flood_it", "new_game origin=1,65", "\"col\" must be a whole number from 1 to 64."},
        {"flooded_island", "move x", "\"x\" is not valid: type x,y, such as 3,4."},
        {"flooded_island", "move 1", "\"1\" is not valid: type x,y, such as 3,4."},
        {"flooded_island", "flood 1,2 3", "\"3\" is not expected there; usage: flood x,y ..."},
        {"blank", "mark 1,-", "\"y\" must be a whole number from -999 to 1001."},
        {"blank", "mark 1,99999999999999999999999", "\"y\" must be a whole number from -999 to 1001."},
        /* The dungeon has no first column: its places are relative to the start, which is 0,0. */
        {"monadungeon", "explore 0,-1", "{\"type\":\"explore\",\"to\":{\"x\":0,\"y\":-1}}"},
        {"monadungeon", "place 1", "{\"type\":\"place\",\"rotation\":1}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(typed(cases[i].game, cases[i].line), cases[i].json)) {
            fail_msg("%s: \"%s\" is %s", cases[i].game, cases[i].line, typed(cases[i].game, cases[i].line));
        }
    }
}

static const char *told(const bw_union *cases, const char *json) {
    static char text[CAP];
    bw_out out = bw_out_to(text, sizeof text - 1);
    phrase_tell(cases, json, strlen(json), &out);
    text[out.length] = '\0';
    return text;
}

TEST(test_printed_text_counts_from_one) {
    static const struct {
        const char *game;
        bool event;
        const char *json, *text;
    } cases[] = {
        {"blank", true, "{\"type\":\"marked\",\"x\":0,\"y\":2}", "marked 1,3"},
        {"flooded_island", true, "{\"type\":\"moved\",\"from\":{\"x\":5,\"y\":8},\"to\":{\"x\":5,\"y\":9}}",
         "moved from 6,9 to 6,10"},
        {"flooded_island", true, "{\"type\":\"flooded\",\"positions\":[{\"x\":0,\"y\":0},{\"x\":9,\"y\":1}]}",
         "flooded 1,1 10,2"},
        {"flooded_island", true, "{\"type\":\"day\",\"n\":2}", "day 2"},
        {"flooded_island", false, "{\"type\":\"move\",\"position\":{\"x\":0,\"y\":1}}", "move position 1,2"},
        {"flag_war", false,
         "{\"type\":\"round\",\"orders\":[{\"role\":\"blue\",\"piece\":1,\"to\":{\"x\":4,\"y\":5}},"
         "{\"role\":\"red\",\"piece\":2,\"to\":{\"x\":0,\"y\":0}}]}",
         "round blue piece 1 to 5,6, red piece 2 to 1,1"},
        {"monadungeon", true,
         "{\"type\":\"moved\",\"role\":\"player1\",\"from\":{\"x\":0,\"y\":0},\"to\":{\"x\":0,\"y\":-1},\"by\":\"step\"}",
         "moved player1 from 0,0 to 0,-1 step"},
        {"monadungeon", true, "{\"type\":\"battle_won\",\"monster\":\"giant_rat\",\"dice\":[1,5],\"loot\":null}",
         "battle won giant_rat dice 1 5"},
        {"flood_it", true, "{\"type\":\"colored\",\"color\":\"red\",\"absorbed\":5}", "colored red absorbed 5"},
        {"blank", true, "{\"type\":\"unheard\",\"x\":0,\"what\":{\"deep\":[1,{\"y\":2}]}}", "unheard x 0 what 1 2"},
        {"blank", true, "{\"x\":0}", "{\"x\":0}"},
        {"blank", true, "not JSON", "not JSON"},
        {"blank", true, "[1]", "[1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bw_game *g = game(cases[i].game);
        const char *text = told(cases[i].event ? g->events : g->actions, cases[i].json);
        if (strcmp(text, cases[i].text)) fail_msg("%s: %s is told as \"%s\"", cases[i].game, cases[i].json, text);
    }
}

/* Whatever is listed can be typed and gives the same action. */
TEST(test_each_listed_action_can_be_typed) {
    static char json[CAP], words[512];
    static bw_token tokens[TOKENS];
    static _Alignas(16) unsigned char legal[64 * 4096], back[4096];
    bw_fast fast = {20261129};
    for (int g = 0; bw_game_at(g); g++) {
        const bw_game *played = bw_game_at(g);
        const bw_union *actions = played->actions;
        bw_any any;
        bw_error_text why;
        int compared = 0;
        assert_true(actions->size <= sizeof back);
        for (int games = 0; games < 6; games++) {
            bw_any_open(&any, played);
            bw_any_start(&any, &fast, games == 0);
            for (int step = 0; step < 40; step++) {
                const uint32_t turn = played->turn(any.match.state);
                for (int seat = 0; seat < played->role_count; seat++) {
                    const uint32_t cap = (uint32_t)(sizeof legal / actions->size);
                    uint32_t count = turn >> seat & 1 ? played->legal(any.match.state, seat, legal, cap) : 0;
                    for (uint32_t i = 0; i < count && i < cap && i < 100; i++) {
                        const unsigned char *action = legal + (size_t)i * actions->size;
                        bw_out out = bw_out_to(json, sizeof json - 1);
                        bw_doc doc;
                        size_t length = phrase_write(actions, action, words, sizeof words);
                        assert_true(length > 0 && length < sizeof words - 1);
                        if (!phrase_read(actions, words, &out, &why)) {
                            fail_msg("\"%s\": %s", words, why.text);
                        }
                        json[out.length] = '\0';
                        assert_true(bw_doc_parse(&doc, json, out.length, tokens, TOKENS, 8, NULL) > 0);
                        if (bw_decode_union(actions, &doc, 0, back, NULL, &why) != 0) {
                            fail_msg("\"%s\" is %s: %s", words, json, why.text);
                        }
                        assert_memory_equal(back, action, actions->size);
                        compared++;
                    }
                }
                if (bw_any_step(&any, &fast) == BW_WATCHER) break;
            }
            bw_any_close(&any);
        }
        assert_true(compared > 100);
    }
}

/* An omitted optional field does not take the next field's word. */
TEST(test_omitted_fields_are_skipped) {
    static _Alignas(16) unsigned char action[4096];
    static const char *const lines[] = {
        "command 1 5,6 round=4", "command 1 up 3", "command 1 up 3 4", "cancel 2", "cancel 2 7",
        "command 3 1,1",         "orders all hold"};
    const bw_union *actions = game("flag_war")->actions;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bw_token tokens[64];
        bw_doc doc;
        char words[512];
        const char *json = typed("flag_war", lines[i]);
        assert_true(bw_doc_parse(&doc, json, strlen(json), tokens, 64, 8, NULL) > 0);
        assert_int_equal(bw_decode_union(actions, &doc, 0, action, NULL, NULL), 0);
        phrase_write(actions, action, words, sizeof words);
        assert_string_equal(words, lines[i]);
    }
}

TEST(test_help_names_places_only_where_there_are_some) {
    assert_true(phrase_has_places(game("blank")->actions));
    assert_true(phrase_has_places(game("flooded_island")->actions));
    assert_true(phrase_has_places(game("flag_war")->actions));
    assert_true(phrase_has_places(game("flood_it")->actions)); /* where a new board starts */
    assert_false(phrase_has_places(game("monadungeon")->actions));
    char form[256];
    for (int i = 0; i < game("flag_war")->actions->count; i++) {
        phrase_form(&game("flag_war")->actions->cases[i], form, sizeof form);
        assert_null(strstr(form, "counts_from")); /* nobody has to type it */
    }
}

RUN_TESTS(NULL, NULL)
