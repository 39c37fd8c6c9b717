/* Plays any game by its declarations alone: random settings, random actions, and random legal actions. For tests: an
 * error ends the program with a sentence. */
#ifndef BW_ANY_GAME_H
#define BW_ANY_GAME_H

#include "engine/file.h"
#include "engine/registry.h"

typedef struct bw_any {
    bw_match match;
    void *block;
    void *config;
    void *played; /* the played action */
    bw_events events;
    uint32_t seats;
    uint8_t seed[32];
} bw_any;

void bw_any_open(bw_any *any, const bw_game *game);
void bw_any_close(bw_any *any);

/* Settings within the declared ranges that game->check accepts; now and then the defaults. */
void bw_any_random_config(const bw_game *game, bw_fast *fast, void *config);
/* Fills a declared struct with values within its ranges, small ones more often. */
void bw_any_random_struct(const bw_schema *schema, bw_fast *fast, void *value);
/* An action of any kind, mostly illegal. */
void bw_any_random_action(const bw_game *game, bw_fast *fast, void *action);
/* Random seats that may start. */
uint32_t bw_any_random_seats(const bw_game *game, bw_fast *fast);

/* Starts with random settings and seats (if `plain`, with the defaults and all seats). */
void bw_any_start(bw_any *any, bw_fast *fast, bool plain);
/* One random legal step: an action, or orders and a round. Fills any->played and any->events; returns the seat
 * (BW_CLOCK for a round), or BW_WATCHER if no step is possible. */
int bw_any_step(bw_any *any, bw_fast *fast);

/* Reads a whole file; the caller frees it. */
char *bw_any_read_file(const char *path, size_t *length);

#endif
