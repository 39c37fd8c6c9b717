/* Which characters are visible, and which texts are rejected: characters without a shape, in any place. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/json.h"
#include "engine/visible.h"
#include "tests/support/unit.h"

TEST(control_and_format_characters_are_not_plain) {
    static const char *const strange[] = {"\n",
                                          "\t",
                                          "\r",
                                          "\x1b",
                                          "\x7f",
                                          "\xc2\x80",
                                          "\xc2\x9b",
                                          "\xc2\xad",
                                          "\xd8\x9c",
                                          "\xe2\x80\x8b",
                                          "\xe2\x80\x8d",
                                          "\xe2\x80\x8e",
                                          "\xe2\x80\x8f",
                                          "\xe2\x80\xa8",
                                          "\xe2\x80\xa9",
                                          "\xe2\x80\xaa",
                                          "\xe2\x80\xae",
                                          "\xe2\x81\xa0",
                                          "\xe2\x81\xa6",
                                          "\xe2\x81\xa9",
                                          "\xef\xbb\xbf",
                                          "\xef\xbf\xb9",
                                          "\xe1\xa0\x8e",
                                          "\xe2\x81\xa4",
                                          "\xe2\x81\xaf",
                                          "\xd8\x80",
                                          "\xf0\x9d\x85\xb3",
                                          "\xf3\xa0\x81\x81"};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        char text[32];
        static const char *const places[] = {"%s", "%sAda", "Ada%s", "A%sda"};
        for (int p = 0; p < 4; p++) {
            snprintf(text, sizeof text, "%s%s%s",
                     p == 2   ? "Ada"
                     : p == 3 ? "A"
                              : "",
                     strange[i],
                     p == 1   ? "Ada"
                     : p == 3 ? "da"
                              : "");
            if (bw_text_is_plain(text)) fail_msg("number %zu passes as %s", i, places[p]);
            assert_int_equal(bw_text_is_seen(text), p != 0);
        }
    }
}

TEST(characters_without_a_shape_are_invisible) {
    static const char *const nothing[] = {"",
                                          " ",
                                          "   ",
                                          "\xc2\xa0",
                                          "\xe3\x80\x80",
                                          "\xe2\xa0\x80",
                                          "\xe3\x85\xa4",
                                          "\xef\xbe\xa0",
                                          "\xe2\x80\x83 \xe2\x80\xaf",
                                          "\xef\xb8\x8f",
                                          "\xf3\xa0\x84\x80"};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        if (bw_text_is_seen(nothing[i])) fail_msg("number %zu is taken for a name", i);
        assert_true(bw_text_is_plain(nothing[i]));
    }
}

TEST(names_of_people_pass) {
    static const char *const names[] = {"Ada",
                                        "Jos\xc3\xa9 \xc3\x81lvarez",
                                        "\xe5\x8d\x97\xe3\x81\x95\xe3\x82\x93",
                                        "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
                                        "\xd8\xb9\xd9\x84\xd9\x8a",
                                        "\xe0\xa4\xa8\xe0\xa5\x80\xe0\xa4\xb2",
                                        "\xf0\x9f\x90\xb3",
                                        "e\xcc\x81",
                                        "O'Neill-2 (x)"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!bw_text_is_plain(names[i]) || !bw_text_is_seen(names[i])) fail_msg("%s is refused", names[i]);
    }
}

static bool plain(const char *json, bw_error_text *why) {
    bw_token tokens[64];
    bw_doc doc;
    assert_true(bw_doc_parse(&doc, json, strlen(json), tokens, 64, 8, why) > 0);
    return bw_doc_is_plain(&doc, "name", why);
}

TEST(a_message_is_plain_in_every_text) {
    bw_error_text why;
    assert_true(plain("{\"type\":\"x\",\"name\":\"Ada\",\"n\":[1,{\"seed\":\"\xc3\xa9\\u00e9\\\"\"}]}", &why));
    assert_false(plain("{\"type\":\"x\",\"n\":{\"seed\":\"a\\u200bb\"}}", &why));
    assert_string_equal(why.text,
                        "\"seed\" must contain visible characters only: leave out control and format characters.");
    assert_false(plain("{\"list\":[\"a\",\"b\xe2\x80\xae\"]}", &why));
    assert_string_equal(why.text,
                        "A text must contain visible characters only: leave out control and format characters.");
    assert_false(plain("{\"name\":\"a\\nb\"}", &why));
    assert_false(plain("{\"k\xe2\x80\x8b\":1}", &why));
    assert_true(plain("{\"name\":\" \\u200b\\n\"}", &why)); /* counts as no name */
    assert_false(plain("{\"seed\":\"\\u200b\"}", &why));
}

RUN_TESTS(NULL, NULL)
