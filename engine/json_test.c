#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/json.h"
#include "engine/rng.h"
#include "tests/support/unit.h"

/* One struct with every kind of field. */
#define COLOURS(E) \
    E(RED, "red")  \
    E(GREEN, "green")
BW_ENUM(test_colour, COLOURS);
BW_NAMES(test_colour, COLOURS);
#define LIMITS(E) E(CLASSIC, "classic")
BW_ENUM(test_limit, LIMITS);
BW_NAMES(test_limit, LIMITS);
#define POINT_FIELDS(F, S)                                 \
    F(S, REQUIRED, INT, x, (int16_t, -100, 100), "column") \
    F(S, REQUIRED, INT, y, (int16_t, -100, 100), "row")
BW_STRUCT(test_point, POINT_FIELDS);
BW_SCHEMA(test_point, POINT_FIELDS, "a point");
#define FLAG_FIELDS(F, S)                          \
    F(S, REQUIRED, TEXT, key, (12, 1, 11), "name") \
    F(S, REQUIRED, BOOL, value, (), "is it so")
BW_STRUCT(test_flag, FLAG_FIELDS);
BW_SCHEMA(test_flag, FLAG_FIELDS, "a flag");
#define TILE_FIELDS(F, S)                         \
    F(S, REQUIRED, TEXT, key, (12, 1, 11), "x,y") \
    F(S, REQUIRED, INT, hp, (uint8_t, 0, 9), "")  \
    F(S, NULLABLE, STRUCT, at, (test_point), "where")
BW_STRUCT(test_tile, TILE_FIELDS);
BW_SCHEMA(test_tile, TILE_FIELDS, "a tile");
#define ONLY_FIELDS(F, S) F(S, OPTIONAL, INT, one, (uint8_t, 0, 9), "")
BW_STRUCT(test_only, ONLY_FIELDS);
BW_SCHEMA(test_only, ONLY_FIELDS, "one field alone");
#define ALL_FIELDS(F, S)                                                           \
    F(S, REQUIRED, INT, small, (uint8_t, 3, 10), "a small number")                 \
    F(S, REQUIRED, INT, large, (int64_t, -9007199254740991, 9007199254740991), "") \
    F(S, REQUIRED, NAMED_INT, limit, (int32_t, 0, 99, test_limit_names), "")       \
    F(S, REQUIRED, BOOL, yes, (), "")                                              \
    F(S, REQUIRED, ENUM, colour, (test_colour_names), "")                          \
    F(S, REQUIRED, TEXT, name, (40, 1, 8), "")                                     \
    F(S, REQUIRED, WORD, word, (24, 1, 20), "")                                    \
    F(S, REQUIRED, TEXT, code, (3, 2, 2), "")                                      \
    F(S, REQUIRED, STRUCT, only, (test_only), "")                                  \
    F(S, NULLABLE, STRUCT, position, (test_point), "")                             \
    F(S, OPTIONAL, INT, extra, (int8_t, -5, 5), "")                                \
    F(S, REQUIRED, STRUCTS, points, (test_point, 3), "")                           \
    F(S, REQUIRED, INTS, dice, (uint8_t, 1, 6, 2), "")                             \
    F(S, REQUIRED, BOOLS, openings, (4), "")                                       \
    F(S, REQUIRED, INT, rows, (uint8_t, 0, 3), "")                                 \
    F(S, REQUIRED, INT, cols, (uint8_t, 0, 3), "")                                 \
    F(S, REQUIRED, ENUM_GRID, grid, (test_colour_names, 3, 3, rows, cols), "")     \
    F(S, REQUIRED, MAP, flags, (test_flag, 4), "")                                 \
    F(S, REQUIRED, MAP, tiles, (test_tile, 4), "")
BW_STRUCT(test_all, ALL_FIELDS);
BW_SCHEMA(test_all, ALL_FIELDS, "everything");
#define ACTS(C)                                    \
    C(ACT_GO, go, "go", test_point, 1, "go there") \
    C(ACT_STOP, stop, "stop", bw_nothing, 2, "stay")
BW_TAGGED(test_act, ACTS);
BW_UNION(test_act, ACTS);

static const char FULL[] =
    "{\"small\":3,\"large\":-9007199254740991,\"limit\":\"classic\",\"yes\":true,\"colour\":\"green\","
    "\"name\":\"Zo\xc3\xab \\\"x\\\"\",\"word\":\"12\",\"code\":\"ab\",\"only\":{},\"position\":null,\"points\":[{\"x\":1,\"y\":-2},{\"x\":0,\"y\":0}],"
    "\"dice\":[1,6],\"openings\":[true,false,true,false],\"rows\":2,\"cols\":3,"
    "\"grid\":[[\"red\",\"green\",\"red\"],[\"green\",\"green\",\"red\"]],\"flags\":{\"a\":true,\"b\":false},"
    "\"tiles\":{\"0,0\":{\"hp\":3,\"at\":null},\"1,0\":{\"hp\":4,\"at\":{\"x\":1,\"y\":0}}}}";

static int read_all(const char *text, test_all *value, unsigned flags, bw_error_text *why) {
    static const char *const also[] = {"id", NULL};
    bw_token tokens[512];
    bw_doc doc;
    int count = bw_doc_parse(&doc, text, strlen(text), tokens, 512, 8, why);
    return count < 0 ? count : bw_decode(&test_all_schema, &doc, 0, value, flags, also, why);
}

TEST(what_is_decoded_encodes_the_same) {
    test_all value;
    bw_error_text why = {""};
    char text[2048];
    assert_int_equal(read_all(FULL, &value, 0, &why), 0);
    assert_int_equal(value.limit, -1);
    assert_int_equal(value.points[0].y, -2);
    assert_false(value.has_position);
    assert_int_equal(value.grid[1][0], GREEN);
    assert_true(value.tiles[1].has_at);
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_encode(&out, &test_all_schema, &value);
    assert_false(out.overflow);
    text[out.length] = 0;
    assert_string_equal(text, FULL);
}

TEST(nothing_is_written_past_the_end) {
    test_all value;
    char text[sizeof FULL + 8];
    assert_int_equal(read_all(FULL, &value, 0, NULL), 0);
    for (size_t cap = 0; cap < sizeof FULL - 1; cap++) {
        memset(text, '#', sizeof text);
        bw_out out = bw_out_to(text, cap);
        bw_encode(&out, &test_all_schema, &value);
        assert_true(out.overflow);
        assert_true(out.length <= cap);
        assert_int_equal(text[cap], '#');
    }
}

/* Replaces `from` in FULL by `to`, and expects a refusal that contains `what`. */
static void expect_refusal(const char *from, const char *to, const char *what) {
    char text[4096];
    test_all value;
    bw_error_text why = {""};
    const char *at = strstr(FULL, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - FULL), FULL, to, at + strlen(from));
    assert_int_equal(read_all(text, &value, 0, &why), BW_JSON_MISMATCH);
    if (!strstr(why.text, what)) fail_msg("'%s' was refused with: %s", to, why.text);
}

TEST(refusals_name_what_is_allowed) {
    expect_refusal("\"small\":3", "\"small\":2", "\"small\" must be a whole number from 3 to 10.");
    expect_refusal("\"small\":3", "\"small\":11", "3 to 10");
    expect_refusal("\"small\":3", "\"small\":3.0", "whole number");
    expect_refusal("\"small\":3", "\"small\":3e0", "whole number");
    expect_refusal("\"small\":3", "\"small\":\"3\"", "whole number");
    expect_refusal("\"small\":3", "\"small\":null", "whole number");
    expect_refusal("\"small\":3,", "", "\"small\" must be");
    expect_refusal("\"small\":3", "\"small\":3,\"small\":4", "appears twice");
    expect_refusal("\"small\":3", "\"small\":3,\"tiny\":4", "no field \"tiny\"");
    expect_refusal("-9007199254740991", "-9007199254740992", "whole number");
    expect_refusal("-9007199254740991", "99999999999999999999", "whole number");
    expect_refusal("\"classic\"", "\"modern\"", "or \"classic\"");
    expect_refusal("\"classic\"", "100", "0 to 99");
    expect_refusal("\"yes\":true", "\"yes\":1", "true or false");
    expect_refusal("\"colour\":\"green\"", "\"colour\":\"mauve\"", "one of \"red\", \"green\"");
    expect_refusal("\"name\":\"Zo\xc3\xab \\\"x\\\"\"", "\"name\":\"\"", "1 to 8 characters");
    expect_refusal("\"name\":\"Zo\xc3\xab \\\"x\\\"\"", "\"name\":\"123456789\"", "1 to 8 characters");
    expect_refusal("\"word\":\"12\"", "\"word\":1.5", "a whole number or text of 1 to 20 characters.");
    expect_refusal("\"code\":\"ab\"", "\"code\":\"abc\"", "\"code\" must be text of 2 characters.");
    expect_refusal("\"only\":{}", "\"only\":{\"other\":1}", "; the only field is \"one\".");
    expect_refusal("\"points\":[", "\"points\":[{\"x\":1,\"y\":1},{\"x\":1,\"y\":1},", "at most 3");
    expect_refusal("{\"x\":1,\"y\":-2}", "{\"x\":1}", "\"y\" must be");
    expect_refusal("{\"x\":1,\"y\":-2}", "[1,2]", "object with \"x\", \"y\"");
    expect_refusal("\"rows\":2", "\"rows\":3", "3 rows of 3");
    expect_refusal("\"b\":false", "\"a\":false", "appears twice");
}

TEST(eight_code_points_are_eight_characters) {
    char text[4096];
    test_all value;
    const char *at = strstr(FULL, "Zo");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - FULL), FULL,
             "\\ud83d\\ude00\xf0\x9f\x98\x80\xc3\xab\xc3\xab\xc3\xab\xc3\xab\xc3\xab\xc3\xab",
             strstr(FULL, "\",\"word\""));
    assert_int_equal(read_all(text, &value, 0, NULL), 0);
    assert_memory_equal(value.name, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xc3\xab", 10);
}

TEST(partial_keeps_what_is_absent) {
    test_all value;
    assert_int_equal(read_all(FULL, &value, 0, NULL), 0);
    assert_int_equal(read_all("{\"small\":9,\"word\":77,\"id\":5}", &value, BW_DECODE_PARTIAL, NULL), 0);
    assert_int_equal(value.small, 9);
    assert_string_equal(value.word, "77");
    assert_int_equal(value.dice[1], 6);
}

TEST(unions_go_by_type) {
    static const char go[] = "{\"type\":\"go\",\"x\":1,\"y\":2}", stop[] = "{\"type\":\"stop\"}",
                      odd[] = "{\"type\":\"fly\"}";
    bw_token tokens[64];
    bw_doc doc;
    test_act act;
    char text[100];
    assert_true(bw_doc_parse(&doc, go, strlen(go), tokens, 64, 8, NULL) > 0);
    assert_int_equal(bw_decode_union(&test_act_union, &doc, 0, &act, NULL, NULL), 0);
    assert_int_equal(act.as.go.y, 2);
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_encode_union(&out, &test_act_union, &act);
    text[out.length] = 0;
    assert_string_equal(text, go);
    assert_true(bw_doc_parse(&doc, stop, strlen(stop), tokens, 64, 8, NULL) > 0);
    assert_int_equal(bw_decode_union(&test_act_union, &doc, 0, &act, NULL, NULL), 0);
    out = bw_out_to(text, sizeof text - 1);
    bw_encode_union(&out, &test_act_union, &act);
    text[out.length] = 0;
    assert_string_equal(text, stop);
    assert_true(bw_doc_parse(&doc, odd, strlen(odd), tokens, 64, 8, NULL) > 0);
    assert_int_equal(bw_decode_union(&test_act_union, &doc, 0, &act, NULL, NULL), BW_JSON_UNKNOWN_TYPE);
}

TEST(changes_are_the_difference) {
    test_all before, after;
    char text[1024];
    assert_int_equal(read_all(FULL, &before, 0, NULL), 0);
    after = before;
    bw_out out = bw_out_to(text, sizeof text - 1);
    assert_int_equal(bw_encode_changes(&out, &test_all_schema, &before, &after, 0), 0);
    assert_int_equal(out.length, 0);
    after.small = 4;
    after.has_position = true;
    after.position.x = 7;
    after.flags[1].value = true;
    after.tiles[1].has_at = false;
    memset(&after.tiles[1].at, 0, sizeof after.tiles[1].at);
    memcpy(after.tiles[2].key, "2,0", 4);
    after.tiles_count = 3;
    assert_int_equal(bw_encode_changes(&out, &test_all_schema, &before, &after, 0), 4);
    text[out.length] = 0;
    assert_string_equal(text, "\"small\":4,\"position\":{\"x\":7,\"y\":0},\"flags\":{\"b\":true},"
                              "\"tiles\":{\"1,0\":{\"at\":null},\"2,0\":{\"hp\":0,\"at\":null}}");
    out = bw_out_to(text, sizeof text - 1);
    assert_int_equal(bw_encode_changes(&out, &test_all_schema, &after, &before, 1), 5);
    assert_int_equal(text[0], ',');
    text[out.length] = 0;
    assert_non_null(strstr(text, "\"position\":null"));
}

/* Is it JSON? jansson, a strict library, must agree on mutations of real text. It has no depth limit of 8 and
 * rejects duplicate keys itself, so the comparison avoids both. */
TEST(agrees_with_jansson_on_what_is_json) {
    static const char alphabet[] = "{}[]\",:0123456789.eE+-tfnrul\\ \t\n\xc3\xab\xed\xa0\x80\xf4\x90\xff/bad";
    static const char *const fixed[] = {
        "{\"a\":1,}",
        "[1 2]",
        "{\"a\" 1}",
        "{a:1}",
        "[01]",
        "[1.]",
        "[.5]",
        "[-]",
        "[+1]",
        "[1e]",
        "[tru]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "[\"\\ud800\"]",
        "[\"\\u0000\"]",
        "{}x",
        "",
        " ",
        "[\"\t\"]",
        "[1]]",
        "{\"a\":}",
        "{\"a\"}",
        "{,}",
        "[,]",
        "[\"\\ude00\\ud83d\"]",
        "[1E+2]",
        "[-0]",
        "[\"\xc0\x80\"]",
        "{\"a\":[{\"b\":[]}]}",
    };
    bw_fast fast = {20260101};
    bw_token tokens[2048];
    int accepted = 0;
    print_message("seed 20260101\n");
    for (int round = 0; round < 60000; round++) {
        char text[1200];
        size_t fixed_count = sizeof fixed / sizeof fixed[0];
        bool given = (size_t)round < fixed_count;
        size_t length = given ? strlen(fixed[round]) : sizeof FULL - 1;
        memcpy(text, given ? fixed[round] : FULL, length);
        for (uint32_t n = given ? 0 : bw_fast_below(&fast, 4); n > 0; n--) {
            uint32_t at = bw_fast_below(&fast, (uint32_t)length);
            char c = alphabet[bw_fast_below(&fast, sizeof alphabet - 1)];
            switch (bw_fast_below(&fast, 3)) {
            case 0: text[at] = c; break;
            case 1:
                memmove(text + at + 1, text + at, length - at);
                text[at] = c;
                length++;
                break;
            default:
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
                break;
            }
        }
        bw_doc doc;
        bool ours = bw_doc_parse(&doc, text, length, tokens, 2048, 32, NULL) > 0;
        json_error_t error;
        json_t *theirs = json_loadb(text, length, 0, &error);
        bool reals = !theirs && json_error_code(&error) == json_error_numeric_overflow;
        if (ours != (theirs != NULL) && !reals) {
            fail_msg("we %s, jansson %s: %.*s", ours ? "take it" : "refuse it", theirs ? "takes it" : error.text,
                     (int)length, text);
        }
        accepted += ours;
        json_decref(theirs);
    }
    assert_true(accepted > 1000);
}

TEST(tokens_follow_the_text) {
    static const char text[] = " { \"a\" : [ 1 , \"x\\n\" , [] ] , \"b\":{}, \"c\" :-2.5e1,\"\":null } ";
    static const struct {
        const char *text;
        jsmntype_t type;
        int size;
    } wanted[] = {
        {"{ \"a\" : [ 1 , \"x\\n\" , [] ] , \"b\":{}, \"c\" :-2.5e1,\"\":null }", JSMN_OBJECT, 4},
        {"a", JSMN_STRING, 1},
        {"[ 1 , \"x\\n\" , [] ]", JSMN_ARRAY, 3},
        {"1", JSMN_PRIMITIVE, 0},
        {"x\\n", JSMN_STRING, 0},
        {"[]", JSMN_ARRAY, 0},
        {"b", JSMN_STRING, 1},
        {"{}", JSMN_OBJECT, 0},
        {"c", JSMN_STRING, 1},
        {"-2.5e1", JSMN_PRIMITIVE, 0},
        {"", JSMN_STRING, 1},
        {"null", JSMN_PRIMITIVE, 0},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted };
    bw_token tokens[COUNT];
    bw_doc doc;
    assert_int_equal(bw_doc_parse(&doc, text, sizeof text - 1, tokens, COUNT, 8, NULL), COUNT);
    for (int i = 0; i < COUNT; i++) {
        bw_raw raw = bw_doc_raw(&doc, i);
        assert_int_equal(raw.length, strlen(wanted[i].text));
        assert_memory_equal(raw.at, wanted[i].text, raw.length);
        assert_int_equal(tokens[i].type, wanted[i].type);
        assert_int_equal(tokens[i].size, wanted[i].size);
    }
    assert_int_equal(bw_doc_behind(&doc, 2), 6);
    assert_int_equal(bw_doc_parse(&doc, text, sizeof text - 1, tokens, COUNT - 1, 8, NULL), BW_JSON_LARGE);
}

TEST(depth_is_bounded) {
    bw_token tokens[64];
    bw_doc doc;
    assert_true(bw_doc_parse(&doc, "[[[[[[[[]]]]]]]]", 16, tokens, 64, 8, NULL) > 0);
    assert_int_equal(bw_doc_parse(&doc, "[[[[[[[[[]]]]]]]]]", 18, tokens, 64, 8, NULL), BW_JSON_DEEP);
    assert_int_equal(bw_doc_parse(&doc, "[1,2,3,4]", 9, tokens, 3, 8, NULL), BW_JSON_LARGE);
    /* What is wrong in any case is said first. */
    assert_int_equal(bw_doc_parse(&doc, "[1,2,3,{]", 9, tokens, 3, 8, NULL), BW_JSON_BAD);
    assert_int_equal(bw_doc_parse(&doc, "[[[[[[[[[]]]]]]]]]", 18, tokens, 2, 8, NULL), BW_JSON_DEEP);
    /* A single value is JSON too, though not a message: the error says what was expected instead. */
    static const char *const alone[] = {"5", " -1.5e3\n", "true", "null", "\"x\""};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        assert_int_equal(bw_doc_parse(&doc, alone[i], strlen(alone[i]), tokens, 64, 8, NULL), 1);
        assert_false(bw_doc_is_object(&doc, 0));
    }
    assert_int_equal(bw_doc_parse(&doc, " -1.5e3\n", 8, tokens, 64, 8, NULL), 1);
    bw_raw number = bw_doc_raw(&doc, 0);
    assert_int_equal(number.length, 6);
    assert_memory_equal(number.at, "-1.5e3", 6);
    assert_int_equal(bw_doc_parse(&doc, "tru", 3, tokens, 64, 8, NULL), BW_JSON_BAD);
}

/* JSON with strings that no C string can hold. The error does not say "not JSON" but names the member. */
TEST(unstorable_texts_are_named) {
    static const struct {
        const char *text, *who; /* NULL: accepted */
    } cases[] = {
        {"{'name':'a\\u0000b'}", "\"name\""},
        {"{'a':{'b':'\\ud800'},'c':1}", "\"b\""},
        {"{'a':{'b':1},'c':'\\udc00'}", "\"c\""},
        {"{'a':'\\ud83d\\u0041'}", "\"a\""},
        {"{'a':'\\ud83d\\ud83d\\ude00'}", "\"a\""},
        {"{'a':'\\ude00','b':'\\u0000'}", "\"a\""},
        {"{'a':[1,'\\u0000']}", "A text"},
        {"{'a':[{'b':1},'\\u0000']}", "A text"},
        {"{'\\u0000':1}", "A text"},
        {"{'\xe2\x80\xae':'\\u0000'}", "A text"},
        {"['\\ud800x']", "A text"},
        {"{'a':'\\ud83d\\ude00 \\u0001 \\\\u0000'}", NULL},
    };
    bw_token tokens[64];
    bw_doc doc;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100], wanted[200];
        bw_error_text why = {""};
        size_t length = strlen(cases[i].text);
        for (size_t k = 0; k <= length; k++) text[k] = cases[i].text[k] == '\'' ? '"' : cases[i].text[k];
        int count = bw_doc_parse(&doc, text, length, tokens, 64, 8, &why);
        if (!cases[i].who) {
            assert_true(count > 0);
            continue;
        }
        assert_int_equal(count, BW_JSON_UNHELD);
        snprintf(wanted, sizeof wanted,
                 "%s must not contain \\u0000 or half a surrogate pair: leave such characters out.", cases[i].who);
        assert_string_equal(why.text, wanted);
    }
    /* If the rest is not JSON, the error is that it is not JSON. */
    assert_int_equal(bw_doc_parse(&doc, "[\"\\u0000\",]", 11, tokens, 64, 8, NULL), BW_JSON_BAD);
    assert_int_equal(bw_doc_parse(&doc, "[\"\\ud8\"]", 8, tokens, 64, 8, NULL), BW_JSON_BAD);
}

TEST(an_id_is_read_from_an_invalid_message) {
    static const struct {
        const char *text;
        int64_t id;
    } cases[] = {
        {"{'id':7,'a':'\\u0000'}", 7},
        {"{'a':[[[[[[[[[[]]]]]]]]]],'id' : 12 }", 12},
        {"{'id':9007199254740991,", 9007199254740991},
        {"{'b':{'id':3},'c':['id',4],'id':5,}", 5},
        {"{'a':'id','id':6,'id':8}", 6},
        {"{'a':'\\'id\\':2','id':1}", 1},
        {"{'id':12", 0}, /* more digits may be missing */
        {"{'id':1.5}", 0},
        {"{'id':-1}", 0},
        {"{'id':0}", 0},
        {"{'id':01}", 0},
        {"{'id':9007199254740992}", 0},
        {"{'id':99999999999999999999}", 0},
        {"{'id':'5'}", 0},
        {"{'b':{'id':3}}", 0},
        {"{'a':'", 0},
        {"'id':5,", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        size_t length = strlen(cases[i].text);
        for (size_t k = 0; k <= length; k++) text[k] = cases[i].text[k] == '\'' ? '"' : cases[i].text[k];
        if (bw_json_id(text, length) != cases[i].id) fail_msg("%s", text);
    }
}

TEST(integers_are_stored_little_endian) {
    uint32_t one = 1;
    assert_int_equal(*(uint8_t *)&one, 1);
}

RUN_TESTS(NULL, NULL)
