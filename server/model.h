/* Asks a language model (any OpenAI-compatible chat endpoint) on a thread of its own, with libcurl.
 *
 * A player's text is untrusted. It is sent between two lines with an unpredictable mark, and the model is told that
 * the text between them is data. The answer is untrusted as well; the caller checks it like a player's message.
 *
 *   model = bw_model_open(&options);
 *   bw_model_ask(model, work, prompt, prompt_length, text, text_length);
 *   in `wake` (called on its thread): have the loop call bw_model_dispatch soon
 *
 * A question limits the tokens and sets temperature 0. An endpoint that refuses that (400, 422) is asked again
 * without it, and from then on always.
 *
 * Limits: 10 seconds for an answer, 64 KiB per answer, 64 questions at once; redirects are not followed. */
#ifndef BW_MODEL_H
#define BW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/log.h"

enum { BW_MODEL_TIMEOUT_MS = 10000, BW_MODEL_ANSWER_MAX = 64 * 1024, BW_MODEL_ASKED_MAX = 64 };

typedef struct bw_model bw_model;

typedef struct bw_model_options {
    const char *url;  /* base URL of a server, or up to /v1; its /v1/chat/completions is asked */
    const char *key;  /* "" : none */
    const char *name; /* of the model; "": left out */
    const bw_log *log;
    void (*wake)(void *user);
    void *user;
} bw_model_options;

bw_model *bw_model_open(const bw_model_options *options); /* NULL: out of memory, or libcurl failed */
void bw_model_close(bw_model *model);

/* false: too many questions, or out of memory; no answer follows. */
bool bw_model_ask(bw_model *model, uint64_t work, const char *prompt, size_t prompt_length, const char *text,
                  size_t text_length);
/* `content` NULL: the question failed or was late. */
void bw_model_dispatch(bw_model *model, void (*answered)(void *user, uint64_t work, const char *content, size_t length),
                       void *user);

typedef struct bw_model_figures {
    uint64_t asked, answers_total, failures_total;
} bw_model_figures;
void bw_model_figures_of(bw_model *model, bw_model_figures *figures);

/* The complete URL for `url` as above; for tests. */
void bw_model_endpoint(char *endpoint, size_t cap, const char *url);

#endif
