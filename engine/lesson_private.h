/* Shared by reading a lesson (lesson_read.c) and playing it (lesson.c): the parts of a line, and working memory. */
#ifndef BW_LESSON_PRIVATE_H
#define BW_LESSON_PRIVATE_H

#include "engine/lesson.h"

enum {
    BW_LESSON_TOKENS = 12000,
    BW_LESSON_STATE_BYTES = 96 * 1024, /* the largest state as JSON */
    BW_LESSON_PATTERN_TOKENS = 256,
    BW_LESSON_LEGAL = 64, /* `show` looks for a matching action among the first so many legal ones */
};

/* In the lesson's memory it follows the match; the memory its pointers name follows it. */
typedef struct bw_lesson_scratch {
    bw_token tokens[BW_LESSON_TOKENS];
    bw_token pattern[BW_LESSON_PATTERN_TOKENS];
    char state[BW_LESSON_STATE_BYTES];
    char action_text[BW_LESSON_STATE_BYTES / 2];
    void *config, *action, *played, *view;
    void *backup;   /* of the match's memory */
    uint8_t *legal; /* BW_LESSON_LEGAL actions */
} bw_lesson_scratch;

/* Complains with the number of the line before the sentence; returns false. */
bool bw_lesson_wrong_line(bw_error_text *why, unsigned number, const char *sentence);

/* The first word of `text`; the text after it goes to `rest`. */
bw_raw bw_lesson_first_word(bw_raw text, bw_raw *rest);
bool bw_lesson_is_word(bw_raw text, const char *word);
/* The JSON of a line; of a `wrong` line, the part before its sentence. */
bw_raw bw_lesson_json_of(const bw_lesson_line *line, bw_raw *sentence);
int bw_lesson_count_of(const bw_lesson *l, int step, bw_lesson_word word);

/* A role's seat; -1: there is no such role. */
int bw_lesson_seat_of(const bw_lesson *l, bw_raw name);
bool bw_lesson_seats_of(const bw_lesson *l, bw_raw names, uint32_t *seats);
bool bw_lesson_read_action(bw_lesson *l, bw_raw json, void *action, bw_error_text *why);
/* Into the scratch's `config`: the defaults, changed by the JSON. */
bool bw_lesson_read_config(bw_lesson *l, bw_raw json, bw_error_text *why);

#endif
