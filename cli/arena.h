/* Games between two bots: the match of `boardwalk arena`, and one of the many matches of `boardwalk ladder`.
 *
 *   arena a = {.game = game, .config = config};
 *   if (arena_open(&a, names, seats, budget_ms))
 *       for (i = 0; arena_game(&a, seed, i); i++) ...        counted in a.wins, a.draws
 *   arena_close(&a);
 *
 * Games 2 i and 2 i + 1 have the same luck and swapped sides. A game depends only on its seed and index. Several
 * arenas may be used on several threads. */
#ifndef BW_CLI_ARENA_H
#define BW_CLI_ARENA_H

#include "cli/player.h"
#include "cli/progress.h"

#include <stdatomic.h>

typedef struct arena {
    const bw_game *game;
    void *config;
    uint32_t seats;
    bool alone; /* each plays the same board alone, and the better result wins */
    bool many;  /* one of many matches: the names of game files include the players */
    player players[2];
    void *block, *played;
    const char *log;
    uint64_t games, wins[2], draws, moves, faults[2];
    atomic_uint_least64_t move; /* of the game at hand; others may read it */
    int stopped;                /* the exit status if one of the two is not a bot at all, or a file cannot be written */
    double seconds[2];          /* thinking time */
    uint64_t decisions[2];      /* decisions in that time */
    double slowest[2];
} arena;

/* The caller has set game, config and other inputs. False after an error message. */
bool arena_open(arena *a, const char *const names[2], int64_t seats, int64_t budget_ms);
/* Plays one game (for one player: one board, twice) and counts it. False: interrupted, or `stopped` is set. */
bool arena_game(arena *a, uint64_t seed, uint64_t index);
void arena_close(arena *a); /* the caller keeps the configuration */

#endif
