/* A player of a seat in the arena or in the terminal: a built-in bot, or a program. */
#ifndef BW_CLI_PLAYER_H
#define BW_CLI_PLAYER_H

#include "bots/bots.h"
#include "cli/program.h"

typedef struct player {
    const char *name; /* as it was asked for */
    const bw_game *game;
    const bw_bot *bot; /* NULL: a program */
    program program;
    void *arena;
    void *view;
    unsigned char *legal;
    uint32_t legal_cap;
    bw_out line;
    int64_t budget_ms;
} player;

/* `name`: a level of the game ("easy" .. "perfect"), "random", "search" or "search-LEVEL", or a command. False after a sentence. */
bool player_open(player *p, const bw_game *game, const char *name, int64_t budget_ms);
/* What it does now: actions as in game files, in a game of rounds the orders for one round. Returns how many
 * (0 only where a seat may do nothing, or in rounds), or -1 with a complaint: a program that failed. */
int player_choose(player *p, const bw_match *match, int seat, uint64_t seed, void *actions, uint32_t cap,
                  bw_complaint *complaint);
/* What it chose was refused: a program starts anew at its next turn, so that one fault does not lead to the next. */
void player_failed(player *p);
/* It is a program that ended at its first question before it had read any of it: no bot, but a wrong command. */
bool player_never_started(const player *p);
/* Its last answer was the first since it was started: how long that took says nothing about how it thinks. */
bool player_starting(const player *p);
void player_close(player *p);

#endif
