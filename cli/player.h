/* A player of a seat in the arena or in the terminal: a built-in bot, or a program. */
#ifndef BW_CLI_PLAYER_H
#define BW_CLI_PLAYER_H

#include "bots/bots.h"
#include "cli/program.h"

typedef struct player {
    const char *name; /* as given */
    const bw_game *game;
    const bw_bot *bot; /* NULL: a program */
    program program;
    void *arena;
    void *view;
    unsigned char *legal, *actions;
    uint32_t legal_cap;
    bw_out line;
    int64_t budget_ms;
    double took; /* seconds for its last choice that was played */
} player;

/* `name`: a level of the game ("easy" .. "perfect"), "random", "search" or "search-LEVEL", or a command. False after
 * an error message. */
bool player_open(player *p, const bw_game *game, const char *name, int64_t budget_ms);
/* Its next actions, as in game files; in a game of rounds its orders for one round. Returns how many (0 only if the
 * seat may do nothing, or in rounds), or -1 with an error text: a program that failed. */
int player_choose(player *p, const bw_match *match, int seat, uint64_t seed, void *actions, uint32_t cap,
                  bw_error_text *why);
/* Plays its choice on the match, or, in a game of rounds, makes it the seat's orders; p->actions is what was chosen, in a
 * game of turns one action. False with an error text: it chose nothing, or what is refused. A program is then restarted at
 * its next turn, so that one fault does not cause another. */
bool player_play(player *p, bw_match *match, int seat, uint64_t seed, void *played, bw_events *events,
                 bw_error_text *why);
/* It is a program that ended before it had read anything of its first question: not a bot, but a wrong command. */
bool player_never_started(const player *p);
/* Its last answer was the first since its start: the time includes starting and does not count as thinking time. */
bool player_starting(const player *p);
void player_close(player *p);

#endif
