/* Certificates are accepted, and every change of one is refused: any byte, and what a forger would change with
 * correct checksums. The checker must never accept anything that proves nothing. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/flooded_island/proof.h"
#include "cli/certificate.h"
#include "tests/support/unit.h"

typedef struct text {
    char *at;
    size_t length, cap;
} text;

static void append(void *user, const char *bytes, size_t length) {
    text *t = user;
    if (t->length + length > t->cap) {
        t->cap = 2 * (t->length + length);
        t->at = realloc(t->at, t->cap);
        assert_non_null(t->at);
    }
    memcpy(t->at + t->length, bytes, length);
    t->length += length;
}

static _Alignas(64) char memory[24 << 20];

static text made(int width, int height, int floods, int at_least, int at_most) {
    text t = {0};
    bw_island_proof proof = {
        .config = {.width = (uint8_t)width, .height = (uint8_t)height, .max_flood_count = (uint8_t)floods},
        .at_least = at_least,
        .at_most = at_most,
        .write_bytes = append,
        .write_user = &t};
    assert_true(bw_island_prove(&proof, memory, sizeof memory));
    return t;
}

static bool accepted(const text *t, certificate *c) {
    size_t lines = 2;
    for (size_t i = 0; i < t->length; i++) lines += t->at[i] == '\n';
    void *nodes = malloc(lines * CERTIFICATE_LINE_BYTES);
    char *exact = malloc(t->length ? t->length : 1); /* so that reads past the end are detected */
    assert_true(nodes && exact);
    memset(nodes, 0xa5, lines * CERTIFICATE_LINE_BYTES);
    memcpy(exact, t->at, t->length);
    bool good = certificate_check(exact, t->length, nodes, lines * CERTIFICATE_LINE_BYTES, c);
    free(exact);
    free(nodes);
    return good;
}

/* ---- valid ones are accepted ---- */

TEST(test_every_value_up_to_5x5_is_proven) {
    for (int width = 3; width <= 5; width++) {
        for (int height = 3; height <= 5; height++) {
            for (int floods = 1; floods <= 3; floods++) {
                bw_island_config config = {
                    .width = (uint8_t)width, .height = (uint8_t)height, .max_flood_count = (uint8_t)floods};
                bw_island_watch watch = {.keep_going = NULL};
                bw_island_value value;
                bw_island_solve(&config, memory, sizeof memory, &watch, &value);
                assert_true(value.exact);
                text t = made(width, height, floods, value.lower, value.upper);
                certificate c;
                if (!accepted(&t, &c)) fail_msg("%dx%d with %d: line %d: %s", width, height, floods, c.line, c.wrong);
                assert_int_equal(c.width, width);
                assert_int_equal(c.height, height);
                assert_int_equal(c.floods, floods);
                assert_int_equal(c.at_least, value.lower);
                assert_int_equal(c.at_most, value.upper);
                assert_true(c.days > 0 && (floods == 1 || c.nights > 0));
                free(t.at);
            }
        }
    }
}

TEST(test_bounds_alone_are_proven) {
    static const int claims[][5] = {{10, 10, 2, 0, 23}, {10, 10, 3, 4, 4}, {10, 10, 1, 365, 365}, {8, 8, 2, 0, 18},
                                    {5, 5, 2, 6, 365},  {5, 5, 2, 8, 12},  {9, 3, 2, 9, 9}};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        const int *of = claims[i];
        text t = made(of[0], of[1], of[2], of[3], of[4]);
        certificate c;
        if (!accepted(&t, &c)) fail_msg("%dx%d with %d: line %d: %s", of[0], of[1], of[2], c.line, c.wrong);
        assert_int_equal(c.at_least, of[3]);
        assert_int_equal(c.at_most, of[4]);
        free(t.at);
    }
}

/* ---- changes ---- */

static void refused(const text *t, int line, const char *says) {
    certificate c;
    assert_false(accepted(t, &c));
    if (line) assert_int_equal(c.line, line);
    if (!strstr(c.wrong, says)) fail_msg("\"%s\" does not say \"%s\"", c.wrong, says);
}

static int line_of(const text *t, size_t at) {
    int line = 1;
    for (size_t i = 0; i < at; i++) line += t->at[i] == '\n';
    return line;
}

TEST(test_every_changed_byte_is_refused_at_its_line) {
    text t = made(3, 3, 3, 2, 2);
    for (size_t i = 0; i < t.length; i++) {
        char before = t.at[i];
        for (int change = 1; change < 256; change++) {
            certificate c;
            t.at[i] = (char)((unsigned char)before ^ change);
            assert_false(accepted(&t, &c));
            assert_int_equal(c.line, before == '\n' || t.at[i] == '\n' ? c.line : line_of(&t, i));
            assert_true(c.wrong[0] != '\0');
        }
        t.at[i] = before;
    }
    free(t.at);
}

TEST(test_every_cut_is_refused) {
    text t = made(3, 3, 3, 2, 2), cut = t;
    for (cut.length = 0; cut.length < t.length; cut.length++) refused(&cut, line_of(&t, cut.length), "the file");
    append(&t, "\n", 1);
    refused(&t, 0, "after the last line");
    free(t.at);
}

/* The lines of a certificate, which can be changed one by one. */
static text part(const text *t, int line) {
    text one = {.at = t->at};
    for (int i = 1; i < line; i++) one.at = strchr(one.at, '\n') + 1;
    one.length = (size_t)(strchr(one.at, '\n') - one.at);
    return one;
}

static uint32_t crc_of(const text *t) {
    uint32_t crc = ~(uint32_t)0;
    for (size_t i = 0; i < t->length; i++) {
        crc ^= (uint8_t)t->at[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

/* The certificate with one line replaced or removed (NULL), and all checksums corrected. */
static text forged(const text *t, int line, const char *content) {
    text result = {0};
    int lines = line_of(t, t->length) - 1;
    for (int i = 1; i <= lines; i++) {
        text old = part(t, i);
        char check[16];
        if (i == line && !content) continue;
        if (i == line) append(&result, content, strlen(content));
        else append(&result, old.at, old.length - 9);
        append(&result, " ", 1);
        snprintf(check, sizeof check, "%08x\n", (unsigned)crc_of(&result));
        append(&result, check, 9);
    }
    return result;
}

TEST(test_a_forgery_with_right_checks_is_refused_at_its_place) {
    static const char *const good = "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 4 at-most 4";
    text t = made(3, 3, 2, 4, 4);
    append(&t, "", 1); /* for strchr */
    t.length--;
    text same = forged(&t, 1, good);
    assert_int_equal(same.length, t.length);
    assert_memory_equal(same.at, t.at, t.length);
    free(same.at);
    char root[200], day[200];
    text line = part(&t, 2);
    assert_int_equal(snprintf(root, sizeof root, "%.*s", (int)line.length - 9, line.at), line.length - 9);
    int first = 2; /* of the adventurer's */
    while (part(&t, first).at[0] != 'a') first++;
    line = part(&t, first);
    assert_int_equal(snprintf(day, sizeof day, "%.*s", (int)line.length - 9, line.at), line.length - 9);
    assert_string_equal(root, "w 4 a1 - b1=3 a2=4 b2=5");
    char fewer[200], all[200];
    snprintf(fewer, sizeof fewer, "%s", day);
    *strrchr(fewer, ' ') = '\0';                                                  /* the last answer */
    snprintf(all, sizeof all, "%.*s", (int)(strstr(day, " b2 ") + 3 - day), day); /* all answers */
    const struct {
        int line;
        const char *content;
        int place;
        const char *says;
    } forgeries[] = {
        {1, "boardwalk-certificate 2 flooded_island 3x3 floods 2 at-least 4 at-most 4", 1, "version"},
        {1, "boardwalk-certificate 01 flooded_island 3x3 floods 2 at-least 4 at-most 4", 1, "version"},
        {1, "boardwalk-certificate 1 flag_war 3x3 floods 2 at-least 4 at-most 4", 1, "malformed"},
        {1, "boardwalk-certificate 1 flooded_island 2x3 floods 2 at-least 4 at-most 4", 1, "malformed"},
        {1, "boardwalk-certificate 1 flooded_island 3x11 floods 2 at-least 4 at-most 4", 1, "malformed"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 0 at-least 4 at-most 4", 1, "malformed"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 1 at-least 4 at-most 4", 0, "needs"},
        {1, "boardwalk-certificate 1 flooded_island 4x3 floods 2 at-least 4 at-most 4", 0, "no branch"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 3 at-least 4 at-most 4", 0, "one is missing"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 5 at-most 4", 1, "at-least"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 3 at-most 4", first, "claims 3"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 0 at-most 4", first, "claims 0"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 4 at-most 5", 2, "claims 5"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 4 at-most 365", 2, "claims 365"},
        {1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 4 at-most 366", 1, "malformed"},
        {1, "something else", 1, "not a certificate"},
        {2, "w 3 a1 - b1=3 a2=4 b2=5", 2, "claims 4"},
        {2, "w 4 a1 b2 b1=3 a2=4", 2, "nothing is flooded"},
        {2, "w 4 b1 - a1=3 c1=4 a2=4 b2=5 c2=5", 2, "start"},
        {2, "w 4 a1 - b1=3 a2=4", 2, "no branch for the move to b2"},
        {2, "w 4 a1 - a2=4 b2=5", 2, "must be for the move to b1"},
        {2, "w 4 a1 - b1=3 a2=4 b2=5 b2=5", 2, "more branches"},
        {2, "w 4 a1 - b1=4 a2=3 b2=5", 2, "another square"},
        {2, "w 4 a1 - b1=3 a2=4 b2=9999", 2, "not a position of this side"},
        {2, "w 4 a1 - b1=3 a2=4 b2=1", 2, "not a position of this side"},
        {2, "w 4 a1 - b1=3 a2=4 b2=0", 2, "not a position of this side"},
        {2, "w 4 a1 a1 b1=3 a2=4 b2=5", 2, "own square"},
        {2, "w 4 a1 d1 b1=3 a2=4 b2=5", 2, "missing"},
        {2, "w 4  a1 - b1=3 a2=4 b2=5", 2, "missing"},
        {2, "w * a1 - b1=3 a2=4 b2=5", 2, "number of moves"},
        {3, "w 4 b1 b2,b3 a1=6 c1=7 a2=8 c2=9", 2, "not closer"},
        {3, "w 2 b1 b3,b2 a1=6 c1=7 a2=8 c2=9", 3, "order"},
        {3, "w 2 b1 b2,b2 a1=6 c1=7 a2=8 c2=9", 3, "order"},
        {3, "w 2 b1 b2,a3,b3 a1=6 c1=7 a2=8 c2=9", 2, "needs 3 floods"},
        {3, "w 2 b1 b2,b3 a1=16 c1=7 a2=8 c2=9", 3, "another square"},
        /* a cycle: back to where it came from */
        {5, "w 3 b2 - a1=2 b1=3 c1=14 a2=4 c2=15 a3=16 b3=17 c3=18", 5, "not closer"},
        {2, NULL, 2, ""},
        {first, fewer, first, "one is missing"},
        {first, all, first, "one is missing"},
        {first, "a 1 a1 c1,b2 b2", first, "claims 4"},
        {first, "a 4 a1 c1,b2 c1 62", first, "not to a neighbour"},
        {first, "a 4 a1 c1,b2 b1 62", first, "not known to be dry"},
        {first, "a * a1 c1,b2 b2 62", first, "claims 4"},
        {first, "b 4 a1 c1,b2 b2 62", first, "begin with"},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        text f = forged(&t, forgeries[i].line, forgeries[i].content);
        refused(&f, forgeries[i].place, forgeries[i].says);
        free(f.at);
    }
    free(t.at);
}

/* Every branch of both strategies is needed, and no line may lead to itself. */
TEST(test_every_missing_branch_and_every_circle_is_refused) {
    text t = made(3, 3, 2, 4, 4);
    append(&t, "", 1);
    t.length--;
    int lines = line_of(&t, t.length) - 1;
    for (int i = 2; i < lines; i++) {
        char whole[400], changed[400];
        text line = part(&t, i);
        snprintf(whole, sizeof whole, "%.*s", (int)line.length - 9, line.at);
        for (char *branch = strchr(whole, '='); branch; branch = strchr(branch + 1, '=')) {
            char *space = branch;
            while (*space != ' ') space--;
            const char *next = strchr(branch, ' ');
            snprintf(changed, sizeof changed, "%.*s%s", (int)(space - whole), whole, next ? next : "");
            text f = forged(&t, i, changed);
            refused(&f, i, next ? "must be for the move" : "no branch for the move");
            free(f.at);
            snprintf(changed, sizeof changed, "%.*s%d%s", (int)(branch + 1 - whole), whole, i, next ? next : "");
            f = forged(&t, i, changed);
            refused(&f, i, "another square");
            free(f.at);
        }
    }
    free(t.at);
}

/* "For ever" may go in cycles; a number of moves may not. */
TEST(test_a_promise_for_ever_is_no_promise_of_moves) {
    text t = made(3, 3, 1, 365, 365);
    append(&t, "", 1);
    t.length--;
    certificate c;
    assert_true(accepted(&t, &c));
    text f = forged(&t, 1, "boardwalk-certificate 1 flooded_island 3x3 floods 2 at-least 365 at-most 365");
    refused(&f, 0, "one is missing"); /* two floods hit both fields of a corner */
    free(f.at);
    f = forged(&t, 1, "boardwalk-certificate 1 flooded_island 3x3 floods 1 at-least 364 at-most 365");
    refused(&f, 2, "claims 364");
    free(f.at);
    free(t.at);
}

RUN_TESTS(NULL, NULL)
