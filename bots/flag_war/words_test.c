/* Orders as text: sentences and their results, refusals, a language model's answers, nonsense.
 *
 * The sentences are in tests/data/flag_war/orders.tsv, which explains their form; its path is the argument. With
 * --print after it, each is printed with its current result, as a line of that table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bots/flag_war/words.h"
#include "games/flag_war/flag_war.h"

enum { CAP = 700 };

static bw_war_action actions[CAP];
static bw_war_you you;
static bw_words_answer answer;
static char got[8192];

static bw_war_state fresh(void) {
    bw_war_state state;
    bw_war_init(&state, bw_flag_war.defaults);
    return state;
}

static uint8_t counts_from; /* numbering of columns and rows in the text */

/* Orders as "round:piece>x,y", cancellations as "round:piece-". Checks them against the rules. */
static const char *listed(const bw_war_state *state, int team) {
    static bw_war_draft draft;
    bw_war_state same;
    bw_war_view view;
    size_t length = 0;
    got[0] = '\0';
    bw_flag_war.view_of(state, team, &view);
    assert_int_equal(bw_war_recall(&view, &state->config, team, &you, &same, &draft), 0);
    for (uint32_t i = 0; i < answer.count; i++) {
        const bw_war_action *a = &actions[i];
        assert_int_equal(bw_war_prepare(state, team, &draft, a), 0);
        char *at = got + length;
        size_t room = sizeof got - length;
        if (a->type == BW_WAR_CANCEL) {
            length += (size_t)snprintf(at, room, "%s%d:%d-", i ? " " : "", (int)a->as.cancel.round, a->as.cancel.piece);
        } else {
            length += (size_t)snprintf(at, room, "%s%d:%d>%d,%d", i ? " " : "", (int)a->as.command.round,
                                       a->as.command.piece, a->as.command.to.x, a->as.command.to.y);
        }
    }
    return got;
}

static const char *told(const bw_war_state *state, int team, const char *text) {
    bw_war_view view;
    bw_flag_war.view_of(state, team, &view);
    bw_words_asked asked = {.text = text, .counts_from = counts_from};
    bw_war_interpreter.read(&view, &state->config, team, &you, &asked, actions, CAP, &answer);
    return listed(state, team);
}

typedef struct sentence {
    const char *text, *orders;
} sentence;

static void check_table(const bw_war_state *state, int team, const sentence *table, size_t count) {
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        const char *orders = told(state, team, table[i].text);
        if (strcmp(orders, table[i].orders) != 0 || (*orders && answer.error[0])) {
            print_error("\"%s\"\n  gives   %s\n  not     %s\n  error   %s\n", table[i].text, orders, table[i].orders,
                        answer.error);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}
#define CHECK(state, team, table) check_table(state, team, table, sizeof(table) / sizeof(table)[0])

/* Blue 1 in jail, its key out; blue 2 carries; red 1 is close to blue's flag. */
static bw_war_state in_trouble(void) {
    bw_war_state state = fresh();
    state.square[BW_WAR_BLUE_1] = BW_WAR_NOWHERE;
    state.jailed = 1u << BW_WAR_BLUE_1;
    state.key[BW_WAR_BLUE] = 1;
    state.square[BW_WAR_BLUE_2] = bw_war_square(8, 3);
    state.carrier[BW_WAR_RED] = BW_WAR_BLUE_2 + 1;
    state.square[BW_WAR_RED_1] = bw_war_square(2, 7);
    return state;
}

/* Executes the orders of one text, round by round: own pieces do not collide, and nothing is skipped. */
static void test_own_pieces_do_not_stand_in_the_way(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "1 to the flag",           "3 to the flag and home",
        "1 and 3 rush the flag",   "2 guard, 1 rush the flag",
        "1 and 2 attack 3 defend", "distract left and sneak right",
        "everyone rush the flag",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bw_war_state state = fresh();
        memset(&you, 0, sizeof you);
        told(&state, BW_WAR_BLUE, texts[i]);
        for (uint32_t round = 1; round <= 6 && !state.over; round++) {
            unsigned char memory[64 * sizeof(bw_war_event)];
            bw_events events = {.memory = memory, .size = sizeof(bw_war_event), .cap = 64};
            bw_war_orders orders;
            bw_war_orders_clear(&orders);
            for (uint32_t a = 0; a < answer.count; a++) {
                const bw_war_command *command = &actions[a].as.command;
                if (command->round == round) {
                    orders.to[bw_war_piece(BW_WAR_BLUE, command->piece - 1)] =
                        bw_war_square(command->to.x, command->to.y);
                }
            }
            bw_war_round(&state, &orders, &events);
            for (uint32_t e = 0; e < events.count; e++) {
                const bw_war_event *event = (const void *)(memory + e * sizeof(bw_war_event));
                bool met = event->type == BW_WAR_RETURNED && event->as.returned.reason == BW_WAR_AFTER_COLLISION;
                if (met || event->type == BW_WAR_SKIPPED) {
                    fail_msg("\"%s\": own pieces meet, or an order is skipped, in round %u", texts[i], round);
                }
            }
        }
    }
}

static void queue_up(int piece, uint32_t round, int x, int y) {
    bw_war_queued *queued = &you.queue[you.queue_count++];
    *queued = (bw_war_queued){.round = round, .piece = (uint8_t)piece, .to = {.x = x, .y = y}};
}

static bw_war_state situation(const char *name, int *team) {
    memset(&you, 0, sizeof you);
    *team = strcmp(name, "red") == 0 ? BW_WAR_RED : BW_WAR_BLUE;
    if (strcmp(name, "queue") == 0) {
        queue_up(1, 1, 4, 4);
        queue_up(2, 2, 5, 4);
        queue_up(1, 3, 4, 1);
    } else if (strcmp(name, "two") == 0) {
        bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
        bw_war_state state;
        config.pieces = 2;
        bw_war_init(&state, &config);
        return state;
    } else if (strcmp(name, "trouble") == 0) {
        return in_trouble();
    } else if (strcmp(name, "start") != 0 && strcmp(name, "red") != 0) {
        fail_msg("no situation is called \"%s\"", name);
    }
    return fresh();
}

/* The next cell of a line of the table, terminated by a NUL; "\\n" becomes a newline. */
static char *cell(char **line) {
    char *begin = *line, *to = begin, *at = begin;
    for (; *at && *at != '\t' && *at != '\n'; at++) {
        bool newline = at[0] == '\\' && at[1] == 'n';
        *to++ = newline ? '\n' : *at;
        at += newline;
    }
    *line = *at == '\t' ? at + 1 : at;
    *to = '\0';
    return begin;
}

static const char *table_path;
static bool printing;

/* A sentence does what a person would expect, and is not executed if it was only partly understood. */
static void test_each_sentence_gives_what_a_person_expects(void **unused) {
    (void)unused;
    static char memory[1024];
    int sentences = 0, failed = 0;
    FILE *file = fopen(table_path ? table_path : "", "r");
    if (!file) fail_msg("\"%s\" can't be read: give the path of orders.tsv", table_path ? table_path : "");
    while (file && fgets(memory, sizeof memory, file)) {
        char *line = memory;
        if (*line == '#' || *line == '\n') continue;
        char raw[sizeof memory];
        memcpy(raw, memory, sizeof raw);
        int team;
        const char *where = cell(&line), *understood = cell(&line), *orders = cell(&line), *text = cell(&line);
        bw_war_state state = situation(where, &team);
        const char *gives = told(&state, team, text);
        const char *read = answer.understood ? "yes" : "no";
        sentences++;
        if (printing) {
            const char *as_written = strrchr(raw, '\t');
            printf("%s\t%s\t%s%s", where, read, gives, as_written ? as_written : "\n");
        } else if (strcmp(gives, orders) != 0 || strcmp(read, understood) != 0 ||
                   (!answer.understood && !answer.error[0])) {
            print_error("%s: \"%s\"\n  gives   %s, understood: %s\n  not     %s, understood: %s\n  error   %s\n", where,
                        text, gives, read, orders, understood, answer.error);
            failed++;
        }
    }
    if (file) fclose(file);
    assert_int_equal(failed, 0);
    assert_true(sentences >= 150);
}

static void test_a_cancel_without_orders_says_so(void **unused) {
    (void)unused;
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    assert_string_equal(told(&state, BW_WAR_BLUE, "cancel"), "");
    assert_non_null(strstr(answer.error, "No order is waiting"));
}

static void test_settings_are_respected(void **unused) {
    (void)unused;
    bw_war_state state;
    bw_war_config config = *(const bw_war_config *)bw_flag_war.defaults;
    config.max_distance = 3;
    config.diagonals = true;
    bw_war_init(&state, &config);
    memset(&you, 0, sizeof you);
    static const sentence table[] = {
        {"2 to the flag", "1:2>5,5 2:2>5,2 3:2>5,0"},
        {"1 up left 2", "1:1>2,6"},
        {"1 southwest", "1:1>3,9"},
        {"3 to 9,5", "1:3>9,5"},
        {"1 up 9", "1:1>4,5"},
    };
    CHECK(&state, BW_WAR_BLUE, table);
}

typedef struct refused {
    const char *text, *orders, *error; /* a part of it */
} refused;

static void test_what_was_not_understood_is_named(void **unused) {
    (void)unused;
    static const refused table[] = {
        {"fly to the moon", "", "\"fly\""},
        {"hello world", "", "Try \"piece 2 up 3\""},
        {"", "", "Try"},
        {"piece 2 up 3 majestically", "1:2>5,5", "\"majestically\""},
        {"piece 2 up 3, pigs fly", "1:2>5,5", "\"pigs\""},
        {"don't rush the flag", "", "Not understood: \"don't rush the flag\""},
        {"piece 9 up 3", "", "\"9\""},
        {"piece 2", "", "\"piece 2\""},
        {"up 3", "", "which piece"},
        {"piece 2 up left 1", "", "up, down, left or right"},
        {"2 down 1", "", "no-guard zone"},
        {"1 to 5,9", "", "no-guard zone"},
        {"1 to 20,20", "", "not on the board"},
        {"rescue", "1:3>9,8 2:3>9,1", "no key"},
        {"at round 500 piece 1 up 1", "", "too many rounds"},
        {"1 hunt red 9", "", "no such enemy"},
        {"ataque la bandera \xc3\xa9\xe4\xb8\xad", "", "Not understood"},
        {"<script>alert(1)</script>", "", "Not understood"},
    };
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *orders = told(&state, BW_WAR_BLUE, table[i].text);
        if (strcmp(orders, table[i].orders) != 0 || !strstr(answer.error, table[i].error)) {
            fail_msg("\"%s\" gives %s, error \"%s\", not %s, \"%s\"", table[i].text, orders, answer.error,
                     table[i].orders, table[i].error);
        }
    }
    state.jailed = 1u << BW_WAR_BLUE_1;
    state.square[BW_WAR_BLUE_1] = BW_WAR_NOWHERE;
    assert_string_equal(told(&state, BW_WAR_BLUE, "piece 1 up 3"), "");
    assert_non_null(strstr(answer.error, "Piece 1 is in jail."));
    assert_string_equal(told(&state, BW_WAR_BLUE, "piece 1 up 3 in two rounds"), "2:1>4,5");
}

/* An understood order may be impossible or pointless now: the error says so. */
static void test_understood_or_not(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *orders;
        bool understood, error;
    } table[] = {
        {"piece 2 up 3", "1:2>5,5", true, false},
        {"come home", "1:1>4,8 1:2>5,8 1:3>6,8", true, false}, /* they are there: they hold */
        {"rescue", "1:3>9,8 2:3>9,1", true, true},             /* no key yet */
        {"get the key", "1:3>9,8 2:3>9,1", true, true},
        {"cancel", "", true, true},
        {"2 down 1", "", true, true}, /* the own zone */
        {"piece 2 up 3 majestically", "1:2>5,5", false, true},
        {"fly to the moon", "", false, true},
        {"piece 2", "", false, true},
        {"up 3", "", false, true},
        {"", "", false, true},
    };
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *orders = told(&state, BW_WAR_BLUE, table[i].text);
        if (strcmp(orders, table[i].orders) != 0 || answer.understood != table[i].understood ||
            (answer.error[0] != '\0') != table[i].error) {
            fail_msg("\"%s\" gives %s, understood: %d, error \"%s\"", table[i].text, orders, answer.understood,
                     answer.error);
        }
    }
}

static void test_the_summary_tells_the_orders(void **unused) {
    (void)unused;
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    told(&state, BW_WAR_BLUE, "2 up 3 then left 2, 3 hold");
    assert_string_equal(answer.summary, "Round 1: 2 to 5,5, 3 to 6,8. Round 2: 2 to 3,5.");
    queue_up(3, 2, 6, 6);
    queue_up(3, 3, 6, 4);
    told(&state, BW_WAR_BLUE, "Round 2: cancel 3. Round 3: cancel 3.");
    assert_string_equal(answer.summary, "Piece 3 has no orders now.");
    told(&state, BW_WAR_BLUE, "1 up 2, round 3: cancel 3");
    assert_string_equal(answer.summary, "Round 1: 1 to 4,6. Piece 3 has 1 order left.");
    memset(&you, 0, sizeof you);
    told(&state, BW_WAR_BLUE, "everyone hold for 100 rounds");
    assert_int_equal(answer.count, 300);
    assert_non_null(strstr(answer.summary, " more."));
    assert_true(strlen(answer.summary) < sizeof answer.summary - 1);
}

static void test_the_cap_holds(void **unused) {
    (void)unused;
    bw_war_state state = fresh();
    bw_war_view view;
    bw_flag_war.view_of(&state, 0, &view);
    memset(&you, 0, sizeof you);
    memset(actions, 0, sizeof actions);
    bw_words_asked asked = {.text = "everyone hold for 100 rounds"};
    bw_war_interpreter.read(&view, &state.config, 0, &you, &asked, actions, 5, &answer);
    assert_int_equal(answer.count, 5);
    assert_int_equal(actions[5].as.command.piece, 0);
    assert_non_null(strstr(answer.error, "more than can be ordered"));
}

/* A program counts the same square from 0, a person from 1: in the text and in the answer, but not in other numbers. */
static void test_people_count_from_one(void **unused) {
    (void)unused;
    static const sentence places[] = {
        {"1 to 5,3", "1:1>4,2"},
        {"1 to (5, 3)", "1:1>4,2"},
        {"1 to 5 3", "1:1>4,2"},
        {"1 to 5/3", "1:1>4,2"},
        {"2 to (11, 9), then 3 to 7,6", "1:2>10,8 2:3>6,5"},
        {"1 to column 4, row 8", "1:1>3,8 2:1>3,7"},
        {"piece 1 go to 10,6", "1:1>9,8 2:1>9,5"},
        {"piece 1 to column 10", "1:1>9,8"},
        {"piece 1 to column 1", "1:1>0,8"},
        {"piece 1 to row 4", "1:1>4,3"},
        {"piece 1 to row 1", "1:1>4,0"},
        {"piece 2 up 3", "1:2>5,5"},
        {"1 to 5,3 in two rounds", "2:1>4,2"},
        {"middle to the flag", "1:2>5,0"},
    };
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    counts_from = 1;
    check_table(&state, 0, places, sizeof places / sizeof places[0]);
    told(&state, 0, "1 to 5,3");
    assert_string_equal(answer.summary, "Round 1: 1 to 5,3.");
    static const char *const off[] = {"1 to 0,3",      "1 to 5,0",   "1 to 12,3",
                                      "1 to column 0", "1 to row 0", "1 to row 12"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        assert_string_equal(told(&state, 0, off[i]), "");
        assert_non_null(strstr(answer.error, "not on the board"));
    }
    told(&state, 0, "colourless green ideas");
    assert_non_null(strstr(answer.error, "\"1 to 5,3\""));
    counts_from = 0;
    told(&state, 0, "colourless green ideas");
    assert_non_null(strstr(answer.error, "\"1 to 4,2\""));
}

/* ---- a language model ---- */

static void test_the_prompt_says_what_is_so(void **unused) {
    (void)unused;
    bw_war_state state = fresh();
    bw_war_view view;
    char text[8192] = "";
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_words_asked asked = {.text = "", .counts_from = 1};
    bw_flag_war.view_of(&state, 1, &view);
    bw_war_interpreter.prompt(&view, &state.config, 1, &asked, &out);
    assert_non_null(strstr(text, "red team"));
    assert_non_null(strstr(text, "red-2 6,3"));
    assert_non_null(strstr(text, "rows 1 to 5"));
    assert_non_null(strstr(text, "\"round\":1}]}"));
    assert_null(strstr(text, "from 0"));
    asked.counts_from = 0;
    bw_war_interpreter.prompt(&view, &state.config, 1, &asked, &out);
    assert_non_null(strstr(text, "The player's own words count columns and rows from 0."));
}

static const char *decoded(const bw_war_state *state, const char *json) {
    bw_war_view view;
    bw_flag_war.view_of(state, 0, &view);
    bw_words_asked asked = {.counts_from = counts_from};
    bw_war_interpreter.decode(&view, &state->config, 0, &you, &asked, json, strlen(json), actions, CAP, &answer);
    return listed(state, 0);
}

static void test_a_models_answer_is_checked(void **unused) {
    (void)unused;
    counts_from = 0;
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    assert_string_equal(decoded(&state, "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3},"
                                        "{\"piece\":2,\"direction\":\"left\",\"distance\":99,\"round\":2}]}"),
                        "1:2>5,5 2:2>0,5");
    assert_string_equal(answer.summary, "Round 1: 2 to 5,5. Round 2: 2 to 0,5.");
    assert_string_equal(answer.error, "");
    static const char *const wrong[] = {
        "",
        "null",
        "[]",
        "{}",
        "up 3",
        "{\"commands\":[]}",
        "{\"commands\":null}",
        "{\"commands\":{}}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\"}]}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"north\",\"distance\":3}]}",
        "{\"commands\":[{\"piece\":\"2\",\"direction\":\"up\",\"distance\":3}]}",
        "{\"commands\":[{\"piece\":4,\"direction\":\"up\",\"distance\":3}]}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":-3}]}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3,\"round\":101}]}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up_left\",\"distance\":3}]}",
        "{\"commands\":\"[{\\\"piece\\\":2}]\"}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":2.5}]}",
        "{\"orders\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3}]}",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3}]",
        "[{\"piece\":2,\"direction\":\"up\",\"distance\":3",
        "{ { { {{{{ \"commands\":[",
        "<think>{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3}]} but",
        "{\"commands\":[{\"piece\":2,\"direction\":\"up\",\"distance\":3}]}</think>",
        "{\"commands\":[[[[[[[[[[[[]]]]]]]]]]]]}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_string_equal(decoded(&state, wrong[i]), "");
        assert_true(answer.error[0] != 0 && answer.summary[0] == 0);
    }
}

/* Models wrap their answers: in a fence, in words with braces, next to reasons and numbers nobody asked for, and
 * with commands that are not allowed. The allowed commands count, in their order. */
static void test_what_is_right_in_an_answer_counts(void **unused) {
    (void)unused;
    bw_war_state state = fresh();
    static const struct {
        const char *answer, *orders;
        bool whole;
    } cases[] = {
#define UP "{\"piece\":2,\"direction\":\"up\",\"distance\":3}"
        {"```json\n{\"commands\":[" UP "]}\n```", "1:2>5,5", true},
        {"```\r\n{ \"commands\" : [ " UP " ] }\r\n```\r\n", "1:2>5,5", true},
        {"\xef\xbb\xbf{\"commands\":[" UP "]}", "1:2>5,5", true},
        {"Sure! {piece 2} goes up: {\"commands\":[" UP "]} and so on {", "1:2>5,5", true},
        {"<think>\"}{\" hm</think>\n{\"commands\":[" UP "]}", "1:2>5,5", true},
        {"\n<think>{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":1}]} or rather</think>{\"commands\":[" UP
         "]}",
         "1:2>5,5", true},
        {"{\"commands\":[]}</think>{\"commands\":[{\"piece\":1}]}</think>{\"commands\":[" UP "]}", "1:2>5,5", true},
        {"{\"commands\":[" UP "],\"note\":\"no <think> here\"}", "1:2>5,5", true},
        {"{\"commands\":[" UP "]}{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":1}]}", "1:2>5,5", true},
        {"{\"reason\":\"a } in \\\"words\\\" {\",\"commands\":[" UP "],\"confidence\":0.93,\"more\":{\"x\":[1,{}]}}",
         "1:2>5,5", true},
        {"{\"commands\":[{\"reason\":\"go\",\"piece\":2,\"why\":[{\"a\":1}],\"direction\":\"up\",\"distance\":3,\"round\":null}]}",
         "1:2>5,5", true},
        {"{\"commands\":[{\"piece\":9,\"direction\":\"up\",\"distance\":3}," UP "]}", "1:2>5,5", false},
        {"{\"commands\":[" UP ",{\"piece\":4,\"direction\":\"up\",\"distance\":3}]}", "1:2>5,5", false},
        {"{\"commands\":[\"up\"," UP ",null,[" UP "],7]}", "1:2>5,5", false},
        {"{\"commands\":[{\"piece\":2,\"direction\":\"north\",\"distance\":1}," UP
         ",{\"piece\":2,\"direction\":\"left\",\"distance\":1,\"round\":101}]}",
         "1:2>5,5", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&you, 0, sizeof you);
        const char *orders = decoded(&state, cases[i].answer);
        if (strcmp(orders, cases[i].orders) != 0) fail_msg("%s: \"%s\"", cases[i].answer, orders);
        assert_int_equal(answer.understood, cases[i].whole);
        assert_int_equal(answer.error[0] == 0, cases[i].whole);
        assert_string_equal(answer.summary, "Round 1: 2 to 5,5.");
    }
}

static void test_a_huge_answer_is_refused(void **unused) {
    (void)unused;
    static char json[20000];
    bw_war_state state = fresh();
    memset(&you, 0, sizeof you);
    memset(json, ' ', sizeof json - 1);
    assert_string_equal(decoded(&state, json), "");
    memset(json, '[', 8000);
    json[8000] = '\0';
    assert_string_equal(decoded(&state, json), "");
    size_t length = (size_t)snprintf(json, sizeof json, "{\"commands\":[");
    for (int i = 0; i < 130; i++) {
        length += (size_t)snprintf(json + length, sizeof json - length,
                                   "%s{\"piece\":1,\"direction\":\"up\",\"distance\":1}", i ? "," : "");
    }
    snprintf(json + length, sizeof json - length, "]}");
    assert_string_not_equal(decoded(&state, json), ""); /* the first ones */
    assert_int_equal(answer.count, 100);
    assert_false(answer.understood);
}

/* ---- nonsense ---- */

static void test_random_words_stay_within_bounds(void **unused) {
    (void)unused;
    /* As many on a line as fit. */
    /* clang-format off */
    static const char *const words[] = {
        "piece", "1", "2", "3", "7", "99", "up", "left", "right", "middle", "to", "the", "flag", "key", "home", "then",
        "and", ",", ".", "in", "rounds", "for", "until told", "hold", "rush", "guard", "rescue", "cancel", "distract",
        "sneak", "others", "all", "with", "enemy", "red", "blue", "our", "not", "round", "column", "row", "edge",
        "corner", "top", "carrier", "nearest", "hunt", "come home", "after", "next", "xyzzy", "\xff\xfe", "\xe2\x86\x90",
        "if", "both", "aggressive", "defensive", "out of jail", "-2", "2.5", "or", "their", "pieces", "save", "unit",
        "forward", "all the way", "squares", "move", "300000000000", "-", "'", "#", "(", "4,2", "\xe2", "back", "now",
    };
    /* clang-format on */
    bw_fast fast = {20261128};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz 0123456789,.;'-#\n\t(){}\"\\";
    for (int n = 0; n < 20000; n++) {
        char text[2048];
        size_t length = 0;
        bw_war_state state = fresh();
        for (int round = 0; round < 6 && !state.over; round++) {
            bw_war_orders orders;
            for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
                orders.to[piece] = bw_war_square((int)bw_fast_below(&fast, 11), (int)bw_fast_below(&fast, 11));
            }
            bw_war_round(&state, &orders, NULL);
        }
        if (state.over) continue;
        uint32_t count = bw_fast_below(&fast, n % 50 ? 14 : 500);
        for (uint32_t i = 0; i < count; i++) {
            if (n % 7 == 0) {
                text[length++] = letters[bw_fast_below(&fast, sizeof letters - 1)];
            } else {
                const char *word = words[bw_fast_below(&fast, sizeof words / sizeof words[0])];
                size_t size = strlen(word);
                if (length + size + 2 > sizeof text) break;
                memcpy(text + length, word, size);
                length += size;
                text[length++] = ' ';
            }
        }
        text[length] = '\0';
        memset(&you, 0, sizeof you);
        int team = (int)bw_fast_below(&fast, 2);
        const char *orders = told(&state, team, text);
        assert_true(answer.count <= CAP && memchr(answer.error, 0, sizeof answer.error) &&
                    memchr(answer.summary, 0, sizeof answer.summary));
        assert_true(*orders || answer.error[0]);
        assert_true(!*orders == !answer.summary[0]);
    }
}

int main(int argc, char **argv) {
    table_path = argc > 1 ? argv[1] : NULL;
    printing = argc > 2 && strcmp(argv[2], "--print") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_sentence_gives_what_a_person_expects),
        cmocka_unit_test(test_own_pieces_do_not_stand_in_the_way),
        cmocka_unit_test(test_a_cancel_without_orders_says_so),
        cmocka_unit_test(test_settings_are_respected),
        cmocka_unit_test(test_what_was_not_understood_is_named),
        cmocka_unit_test(test_understood_or_not),
        cmocka_unit_test(test_the_summary_tells_the_orders),
        cmocka_unit_test(test_the_cap_holds),
        cmocka_unit_test(test_people_count_from_one),
        cmocka_unit_test(test_the_prompt_says_what_is_so),
        cmocka_unit_test(test_a_models_answer_is_checked),
        cmocka_unit_test(test_what_is_right_in_an_answer_counts),
        cmocka_unit_test(test_a_huge_answer_is_refused),
        cmocka_unit_test(test_random_words_stay_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
