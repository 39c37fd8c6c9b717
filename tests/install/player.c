/* A third-party program, built against what `meson install` installs: for every game it prints the id, the name of
 * its weakest bot, and how many actions were played in a random game. */
#include <stdio.h>
#include <stdlib.h>

#include <bots/bots.h>
#include <engine/match.h>
#include <engine/registry.h>

static int play(const bw_game *game, const uint8_t seed[32]) {
    static unsigned char action[4096];
    const uint32_t seats = (1u << game->role_count) - 1;
    bw_fast fast = {7};
    bw_match match;
    int played = 0;
    void *block = calloc(1, bw_match_bytes(game));
    if (!block) return -1;
    bw_match_attach(&match, game, block);
    if (bw_match_start(&match, game->defaults, seats, seed) != 0) played = -1;
    for (uint32_t turn; played >= 0 && played < 20 && (turn = game->turn(match.state)) != 0; played++) {
        int seat = __builtin_ctz(turn);
        if (!bw_random_action(game, match.state, seat, &fast, action)) break;
        if ((game->round_ms ? bw_match_submit(&match, seat, action, action, NULL)
                            : bw_match_play(&match, seat, action, NULL)) < 0) {
            break;
        }
    }
    free(block);
    return played;
}

int main(void) {
    const uint8_t seed[32] = {1, 2, 3};
    const bw_game *game;
    for (int i = 0; (game = bw_game_at(i)) != NULL; i++) {
        if (bw_game_listed(game)) {
            printf("%s %s %d\n", game->id, bw_bot_at(game, 0)->level, play(game, seed));
        }
    }
    return 0;
}
