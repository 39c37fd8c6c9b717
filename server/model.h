/* Asks a language model (any OpenAI-compatible chat endpoint) on a thread of its own, by libcurl.
 *
 * What a player wrote is untrusted: it goes out between two lines with a mark that nobody can guess, and
 * the model is told that what stands between them is data. What comes back is untrusted as well; whoever
 * takes it checks it as if a player had sent it.
 *
 *   model = bw_model_open(&options);
 *   bw_model_ask(model, work, prompt, prompt_length, text, text_length);
 *   in `wake` (called on its thread): have the loop call bw_model_dispatch soon
 *
 * A question goes out with a limit on tokens and temperature 0. An endpoint that refuses these (400, 422) is asked
 * again without them, and from then on always.
 *
 * Limits: 10 seconds for an answer, 64 KiB of it, 64 questions under way; redirects are not followed. */
#ifndef BW_MODEL_H
#define BW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/log.h"

enum { BW_MODEL_TIMEOUT_MS = 10000, BW_MODEL_ANSWER_MAX = 64 * 1024, BW_MODEL_ASKED_MAX = 64 };

typedef struct bw_model bw_model;

typedef struct bw_model_options {
    const char *url;  /* of the endpoint; of a server, or up to /v1: then its /v1/chat/completions */
    const char *key;  /* "" : none */
    const char *name; /* of the model; "": left out */
    const bw_log *log;
    void (*wake)(void *user);
    void *user;
} bw_model_options;

bw_model *bw_model_open(const bw_model_options *options); /* NULL: out of memory, or no libcurl */
void bw_model_close(bw_model *model);

/* false: too many are under way, or out of memory; then no answer follows. */
bool bw_model_ask(bw_model *model, uint64_t work, const char *prompt, size_t prompt_length, const char *text,
                  size_t text_length);
/* `content` NULL: it failed, or was late. */
void bw_model_dispatch(bw_model *model, void (*answered)(void *user, uint64_t work, const char *content, size_t length),
                       void *user);

typedef struct bw_model_figures {
    uint64_t asked, answers_total, failures_total;
} bw_model_figures;
void bw_model_figures_of(bw_model *model, bw_model_figures *figures);

/* The address that is really asked, for `url` as above; for tests. */
void bw_model_endpoint(char *endpoint, size_t cap, const char *url);

#endif
