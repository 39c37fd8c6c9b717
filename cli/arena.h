/* Games between two bots: the match of `boardwalk arena`, and one of the many of `boardwalk ladder`.
 *
 *   arena a = {.game = game, .config = config};
 *   if (arena_open(&a, names, seats, budget_ms))
 *       for (i = 0; arena_game(&a, seed, i); i++) ...        counted in a.wins, a.draws
 *   arena_close(&a);
 *
 * Games 2 i and 2 i + 1 have the same luck, and the sides exchanged. A game depends on its seed and index alone. Several
 * arenas may be played on several threads. */
#ifndef BW_CLI_ARENA_H
#define BW_CLI_ARENA_H

#include "cli/player.h"
#include "cli/progress.h"

typedef struct arena {
    const bw_game *game;
    void *config;
    uint32_t seats;
    bool alone; /* each plays the same board by itself, and the better result wins */
    bool quiet; /* no progress of its own, and the players in the names of the files */
    player players[2];
    void *block, *played;
    unsigned char *actions;
    const char *log;
    uint64_t wanted, games, wins[2], draws, moves, faults[2];
    progress progress;
    int verdict;           /* of a sequential test: 1 a is stronger, -1 it is not, 0 undecided */
    int stopped;           /* the exit status, where one of the two is no bot at all, or a file cannot be written */
    double seconds[2];     /* thinking */
    uint64_t decisions[2]; /* in which */
    double slowest[2];
} arena;

/* game, config and the rest that is known are set. False after a sentence. */
bool arena_open(arena *a, const char *const names[2], int64_t seats, int64_t budget_ms);
/* Plays one game (alone: one board, twice) and counts it. False: interrupted, or stopped is set. */
bool arena_game(arena *a, uint64_t seed, uint64_t index);
void arena_close(arena *a); /* the configuration stays the caller's */

#endif
