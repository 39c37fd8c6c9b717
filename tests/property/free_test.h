/* What the parts of free_test share. */
#ifndef BW_FREE_TEST_H
#define BW_FREE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bots/random.h"
#include "engine/config.h"
#include "tests/support/any_game.h"

enum { SEED = 20261127, STEPS = 400, LISTED = 4096, TEXT = 1 << 19, TOKENS = 1 << 16, GAMES = 24 };

extern const bw_game *game; /* the one that is tested */

void *memory(size_t bytes); /* zeroed */
size_t drafts_size(void);   /* of all seats */

typedef void visit(bw_any *any, bw_fast *fast);
void along_random_games(int games, int steps, visit *at_each);

/* free_actions.c */
void accepted_actions_are_listed(void **unused);
void values_at_and_past_each_bound_are_judged(void **unused);

#endif
