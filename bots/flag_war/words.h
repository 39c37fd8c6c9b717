/* Orders as text for Flag War: turns text, or a language model's answer, into actions. See bots.h, bw_words. */
#ifndef BW_FLAG_WAR_WORDS_H
#define BW_FLAG_WAR_WORDS_H

#include "bots/bots.h"
#include "games/flag_war/flag_war.h"

extern const bw_words bw_war_interpreter;

/* The seat's position including its queue, for judging orders: 0, or a refusal. */
int bw_war_recall(const void *view, const void *config, int seat, const void *draft_you, bw_war_state *state,
                  bw_war_draft *draft);

/* plan.c: reads the text; accepted orders go to `actions` and have been prepared on `draft`. */
void bw_war_read(const bw_war_state *state, int team, bw_war_draft *draft, const bw_words_asked *asked,
                 bw_war_action *actions, uint32_t cap, bw_words_answer *answer);
/* words.c: summarises the actions; `draft` is the queue after them, and columns and rows count from `counts_from`. */
void bw_war_summary(const void *actions, uint32_t count, const bw_war_draft *draft, int counts_from,
                    bw_words_answer *answer);

#endif
