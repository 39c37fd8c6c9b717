#include "wasm/review.h"

#include "wasm/memory.h"

static bw_review_step at(void *user, uint32_t index) {
    const opened_file *file = user;
    const opened_step *step = &file->step[index];
    opened_block(file, index);
    return (bw_review_step){.block = file->block,
                            .seat = step->seat,
                            .action = step->kind == OPENED_ACTION ? opened_action(file, step) : NULL};
}

static void *fail(bw_error_text *why, const char *sentence) {
    bw_fail(why, sentence, NULL);
    return NULL;
}

bw_review *review_begin(opened_file *file, const char *level, uint32_t games, bw_error_text *why) {
    bw_review_game of = {.game = file->game, .seats = file->seats, .at = at, .user = file};
    for (uint32_t i = 0; i < file->steps; i++) of.steps += file->step[i].kind != OPENED_RESULT;
    bw_review_settings how = {.player = bw_bot_find(file->game, level), .games = games};
    if (!how.player) return fail(why, "This game has no bot of that level.");
    bw_review *review = memory_take(sizeof *review);
    void *memory = memory_take_raw(bw_review_bytes(&of, &how));
    if (!review || !memory) return fail(why, "There is not enough memory to look back at this game.");
    bw_review_begin(review, &of, &how, memory);
    return review;
}

void review_describe(const bw_review *review, bw_out *out) {
    uint32_t done;
    bw_out_format(out, "\"by\":\"%s\",\"games\":%u,\"slices\":%u", review->measured ? "moves" : "chances",
                  review->how.games, bw_review_slices(review, &done));
}

void review_next(bw_review *review, bw_out *out) {
    bw_reviewed found;
    uint32_t done;
    if (!bw_review_next(review, &found)) {
        bw_out_text(out, "\"finished\":true");
        return;
    }
    bw_out_format(out, "\"step\":%u,\"counts\":%s,", found.step, bw_true(found.counts));
    bw_review_json(review, &found, out);
    uint32_t slices = bw_review_slices(review, &done);
    bw_out_format(out, ",\"done\":%u,\"slices\":%u", done, slices);
}
