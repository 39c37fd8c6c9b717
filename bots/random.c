#include "bots/random.h"

#include <stdint.h>

/* In a game of rounds each call gives one order, which is enough for a random player. */
static uint32_t choose(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    (void)bot;
    bw_fast fast = {thinking->seed};
    if (cap == 0 || thinking->arena_bytes < game->state_size ||
        game->guess(thinking->arena, view, config, seat, thinking->seed) < 0) {
        return 0;
    }
    return bw_random_action(game, thinking->arena, seat, &fast, actions);
}

enum { ARENA_BYTES = 1 << 18 }; /* the largest state of any game; checked by the free tests */

const bw_bot bw_random = {.game = NULL, .level = "random", .arena_bytes = ARENA_BYTES, .choose = choose};
