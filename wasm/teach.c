#include "wasm/teach.h"

#include "engine/registry.h"
#include "wasm/answer.h"
#include "wasm/memory.h"

#include <string.h>

bw_lesson *teach_open(const char *text, size_t length, bw_error_text *why) {
    const bw_game *game = bw_lesson_game(text, length, bw_game_find, why);
    if (!game) return NULL;
    char *copy = memory_take(length + 1);
    bw_lesson *lesson = memory_take(sizeof *lesson);
    void *memory = memory_take(bw_lesson_bytes(game));
    if (!copy || !lesson || !memory) {
        bw_fail(why, "There is not enough memory.", NULL);
        return NULL;
    }
    memcpy(copy, text, length);
    return bw_lesson_read(lesson, game, copy, length, memory, why) ? lesson : NULL;
}

/* A line's text, quoted. */
static void write_line(bw_out *out, const bw_lesson_line *line) {
    char text[BW_LESSON_SAID_MAX] = "";
    if (line) memcpy(text, line->value.at, line->value.length);
    if (line) text[line->value.length] = 0;
    bw_out_string(out, text);
}

void teach_describe(const bw_lesson *lesson, bw_out *out) {
    bw_out_format(out, "\"game\":\"%s\",\"title\":", lesson->game->id);
    write_line(out, bw_lesson_line_of(lesson, -1, BW_LESSON_TITLE, 0));
    bw_out_text(out, ",\"end\":");
    write_line(out, bw_lesson_line_of(lesson, -1, BW_LESSON_END, 0));
    bw_out_text(out, ",\"steps\":[");
    for (int i = 0; i < lesson->step_count; i++) {
        if (i) bw_out_text(out, ",");
        write_line(out, bw_lesson_line_of(lesson, i, BW_LESSON_STEP, 0));
    }
    bw_out_text(out, "]");
}

static bool write_position(const bw_lesson *lesson, bw_out *out, bw_error_text *why) {
    const bw_match *match = &lesson->match;
    bw_out_text(out, ",");
    if (!answer_state(out, match, lesson->seat) || !answer_you(out, match, lesson->seat)) {
        return bw_fail(why, "There is not enough memory.", NULL);
    }
    bw_out_text(out, ",\"config\":");
    bw_encode(out, match->game->config, match->config);
    bw_out_format(out, ",\"seats\":%u", *match->seats);
    return true;
}

bool teach_step(const bw_lesson *lesson, bw_out *out, bw_error_text *why) {
    const bw_lesson_line *line;
    bw_out_format(out, "\"step\":%d,\"role\":\"%s\",\"say\":[", lesson->step, lesson->game->roles[lesson->seat].id);
    for (int i = 0; (line = bw_lesson_line_of(lesson, lesson->step, BW_LESSON_SAY, i)); i++) {
        if (i) bw_out_text(out, ",");
        write_line(out, line);
    }
    bw_out_text(out, lesson->finished ? "],\"finished\":true" : "],\"finished\":false");
    bw_out_text(out,
                bw_lesson_line_of(lesson, lesson->step, BW_LESSON_UNTIL, 0) ? ",\"until\":true" : ",\"until\":false");
    return write_position(lesson, out, why);
}

bool teach_try(bw_lesson *lesson, const request *r, bw_out *out, bw_error_text *why) {
    static const char *const outcomes[] = {"no", "staged", "played", "done", "restart"};
    const bw_game *game = lesson->game;
    bw_lesson_answer *answer = memory_take(sizeof *answer);
    void *action = memory_take(game->actions->size);
    bw_events events;
    int token = bw_doc_member(&r->doc, 0, "action");
    if (!answer || !action || !answer_events_for(&events, game)) {
        return bw_fail(why, "There is not enough memory.", NULL);
    }
    if (token < 0) {
        if (!bw_lesson_show(lesson, &events, answer)) return bw_fail(why, "There is nothing to show here.", NULL);
    } else {
        if (!request_action(r, game, token, action, why)) return false;
        bw_lesson_try(lesson, action, &events, answer);
    }
    bw_out_format(out, "\"outcome\":\"%s\",\"said\":\"%s\"", outcomes[answer->outcome], answer->said);
    if (!write_position(lesson, out, why)) return false;
    answer_events(out, game, &events);
    return true;
}
