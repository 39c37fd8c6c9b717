/* The review of the opened file (bots/review.h), a slice for each request. */
#ifndef BW_WASM_REVIEW_H
#define BW_WASM_REVIEW_H

#include "bots/review.h"
#include "wasm/opened.h"

/* Lays a review of all steps of the file; what it took is to be kept. NULL with an error text. Takes memory (memory.h). */
bw_review *review_begin(opened_file *file, const char *level, uint32_t games, bw_error_text *why);
void review_describe(const bw_review *review, bw_out *out);
/* The next slice: a move, or "finished". */
void review_next(bw_review *review, bw_out *out);

#endif
