/* A lesson in the browser: engine/lesson.h behind the questions of api.h. */
#ifndef BW_WASM_TEACH_H
#define BW_WASM_TEACH_H

#include "engine/lesson.h"
#include "wasm/request.h"

/* Takes memory (memory.h) and copies the text. NULL with an error text. */
bw_lesson *teach_open(const char *text, size_t length, bw_error_text *why);
/* `"title":...,"end":...,"steps":[titles]` */
void teach_describe(const bw_lesson *lesson, bw_out *out);
/* Where the learner is: the words of the step and its position. */
bool teach_step(const bw_lesson *lesson, bw_out *out, bw_error_text *why);
/* What the request's `action` comes to; without one, what the step wants is done. */
bool teach_try(bw_lesson *lesson, const request *r, bw_out *out, bw_error_text *why);

#endif
