/* One game being played: configuration, seed, state and drafts in one flat block.
 *
 * Everything that plays (rooms, bots, files, terminal, browser) plays through this, so that staging,
 * committing, rounds and hashes exist once. The block is the caller's: bw_match_bytes(game) of it,
 * aligned to 8; memcpy of block and bw_match_attach make a copy.
 *
 *   bw_match m;
 *   bw_match_attach(&m, game, memory);
 *   bw_match_start(&m, config, seats, seed);
 *   int outcome = bw_match_submit(&m, seat, action, played, &events);   // from a player
 *   bw_match_play(&m, seat, action, &events);                           // from a file or a bot
 *   bw_match_round(&m, played, &events);                                // the clock
 *
 * An action with values outside its declaration is refused, like one that the rules forbid. So a
 * game's own `apply` and `prepare` need not check them. */
#ifndef BW_MATCH_H
#define BW_MATCH_H

#include "engine/game.h"

typedef struct bw_match {
    const bw_game *game;
    uint8_t *block;
    /* pointers into the block: */
    uint8_t *seed;   /* 32 bytes */
    uint32_t *seats; /* bit set of the seats taken at the start */
    void *config;
    void *state;
    uint8_t *drafts; /* role_count x draft_size */
} bw_match;

typedef enum bw_outcome {
    BW_PREPARED = 0, /* a draft has changed: tell only its owner */
    BW_PLAYED = 1,   /* the state has changed: tell everybody */
} bw_outcome;

size_t bw_match_bytes(const bw_game *game);
void bw_match_attach(bw_match *match, const bw_game *game, void *block);
/* 0, or a refusal of game->check. */
int bw_match_start(bw_match *match, const void *config, uint32_t seats, const uint8_t seed[32]);
/* Replaces the start by one that was written down (game->set_position), before the first action. NULL: there is none.
 * 0 or a refusal. */
int bw_match_set_position(bw_match *match, const char *given);
/* Plays a wire action of a seat. When the outcome is BW_PLAYED, `played` (game->actions->size bytes) receives the
 * action for the file. Negative: a refusal, and nothing has changed. */
int bw_match_submit(bw_match *match, int seat, const void *action, void *played, bw_events *events);
/* Checks a wire action of a seat without playing it. BW_PREPARED: it changes a draft. BW_PLAYED: `played` receives
 * the action to play: the same one, or what a COMMIT makes of the draft. Its values are checked when it is played. Negative:
 * a refusal. */
int bw_match_resolve(const bw_match *match, int seat, const void *action, void *played);
/* Plays an action as in a file: a DRAFT action of a turn game is the move itself. 0 or a refusal. */
int bw_match_play(bw_match *match, int seat, const void *action, bw_events *events);
/* Rounds: collects the drafts for the clock to play. */
void bw_match_collect(const bw_match *match, void *played);
/* Collects the drafts and plays them. */
void bw_match_round(bw_match *match, void *played, bw_events *events);
/* As bw_match_play with game->resign. */
int bw_match_resign(bw_match *match, int seat, bw_events *events);

/* What a seat has prepared: game->draft_size bytes. */
void *bw_match_draft(const bw_match *match, int seat);

#endif
