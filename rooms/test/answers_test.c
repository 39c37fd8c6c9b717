/* Ids: a message that was answered gets the same answer again, and is never applied a second time. */
#include "rooms/test/rig.h"

enum { MESSAGES = 400, REMEMBERED = 64 };

typedef struct said {
    long long id;
    bool refused;
    long seq;
    char text[256]; /* of a refusal */
} said;

static void say(rig *r, long long id, bool refused) {
    if (refused) {
        rig_say(r, 1, "{'type':'move','position':{'x':3,'y':3},'id':%lld}", id); /* too far */
    } else {
        rig_say(r, 1, "{'type':'move','position':{'x':%d,'y':1},'id':%lld}", id % 2 ? 0 : 1, id);
    }
}

static void read_answer(rig *r, long long id, said *answer) {
    json_t *message;
    *answer = (said){0};
    while ((message = rig_next(r, 1))) {
        if (json_integer_value(json_object_get(message, "id")) == id) {
            answer->id = id;
            answer->refused = strcmp(rig_text(message, "type"), "error") == 0;
            answer->seq = answer->refused ? 0 : rig_int(message, "seq");
            snprintf(answer->text, sizeof answer->text, "%s", answer->refused ? rig_text(message, "message") : "");
        }
        json_decref(message);
    }
    assert_int_equal(answer->id, id);
}

static void island(rig *r, char token[40]) {
    rig_open(r, 1, "ANSWERS", NULL);
    rig_open(r, 2, "ANSWERS", NULL);
    memcpy(token, rig_seat(r, 1, "journeyman"), 33);
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','size':4}");
    rig_clear(r);
}

/* Repeats each of the last 64 acknowledgements, and each of the last 64 refusals if they are still known. */
static void ask_again(rig *r, const said *answers, bool refusals) {
    int acks = 0, refused = 0;
    for (int i = MESSAGES - 1; i >= 0; i--) {
        said again;
        int *rank = answers[i].refused ? &refused : &acks;
        if ((*rank)++ >= REMEMBERED || (answers[i].refused && !refusals)) continue;
        rig_advance(r, 100);
        rig_clear(r);
        say(r, answers[i].id, i % 5 == 0); /* what it asks this time is ignored */
        read_answer(r, answers[i].id, &again);
        assert_int_equal(again.refused, answers[i].refused);
        assert_int_equal(again.seq, answers[i].seq);
        assert_string_equal(again.text, answers[i].text);
    }
    assert_true(acks > REMEMBERED && refused > REMEMBERED);
}

TEST(test_answered_again_and_never_applied_again) {
    static said answers[MESSAGES];
    char token[40];
    rig *r = rig_new();
    island(r, token);
    long long id = 0;
    for (int i = 0; i < MESSAGES; i++) {
        id += i % 7 == 0 ? 1000000000000 : i % 3 + 1; /* increasing, with gaps of every size */
        rig_advance(r, 100);
        rig_clear(r);
        say(r, id, i % 3 == 1);
        read_answer(r, id, &answers[i]);
        assert_int_equal(answers[i].refused, i % 3 == 1);
    }
    ask_again(r, answers, true);
    said oldest;
    rig_clear(r);
    say(r, answers[0].id, false);
    read_answer(r, answers[0].id, &oldest);
    assert_true(oldest.refused);
    assert_non_null(strstr(oldest.text, "too old"));
    /* After a crash only what was acknowledged; after a sleep refusals, too. */
    rig_restart(r);
    rig_open(r, 1, "ANSWERS", NULL);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
    rig_open(r, 2, "ANSWERS", NULL);
    ask_again(r, answers, false);
    rig_free(r);
}

TEST(test_refusals_survive_a_sleep) {
    static said answers[MESSAGES];
    char token[40];
    rig *r = rig_new();
    island(r, token);
    for (int i = 0; i < MESSAGES; i++) {
        rig_advance(r, 100);
        rig_clear(r);
        say(r, i + 1, i % 3 == 1);
        read_answer(r, i + 1, &answers[i]);
    }
    rig_close(r, 1);
    rig_close(r, 2);
    rig_advance(r, 3600000);
    bw_hall_figures figures;
    bw_hall_figures_of(r->hall, &figures);
    assert_int_equal(figures.rooms_in_memory, 0);
    rig_open(r, 1, "ANSWERS", NULL);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
    ask_again(r, answers, true);
    rig_free(r);
}

/* Regression: what was answered while the journal was slow was more than a sleeping room remembers, and the first of it could
 * be applied again. */
TEST(test_what_is_forgotten_in_a_sleep_is_not_applied_again) {
    enum { BURST = 70 };
    char token[40];
    said answer;
    rig *r = rig_new();
    island(r, token);
    r->hold = true;
    for (int i = 1; i <= BURST; i++) {
        rig_advance(r, 100);
        say(r, i, false);
    }
    r->hold = false;
    rig_commit(r);
    read_answer(r, BURST, &answer);
    assert_false(answer.refused);
    rig_close(r, 1);
    rig_close(r, 2);
    rig_advance(r, 120000);
    rig_open(r, 1, "ANSWERS", NULL);
    rig_say(r, 1, "{'type':'resume','token':'%s'}", token);
    for (int i = 1; i <= BURST; i++) {
        rig_advance(r, 100);
        rig_clear(r);
        size_t appended = r->appended;
        rig_say(r, 1, "{'type':'rename','name':'%d','id':%d}", i, i);
        read_answer(r, i, &answer);
        assert_int_equal(answer.refused, i < BURST - REMEMBERED);
        assert_int_equal(r->appended, appended);
    }
    rig_free(r);
}

/* The memory of a long game: see bench/rooms.c for the figures. */
TEST(test_a_long_game_is_small) {
    char token[40];
    rig *r = rig_new();
    bw_hall_figures before, after;
    island(r, token);
    rig_advance(r, 60000);
    bw_hall_figures_of(r->hall, &before);
    for (int i = 0; i < MESSAGES; i++) {
        rig_advance(r, 100);
        rig_clear(r);
        say(r, i + 1, false);
    }
    rig_clear(r);
    bw_hall_figures_of(r->hall, &after);
    assert_in_range(after.bytes, before.bytes, before.bytes + 400); /* 64 acknowledgements instead of 2,000 bytes */
    rig_free(r);
}

RUN_TESTS(NULL, NULL)
