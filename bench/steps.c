/* How fast are the rules? steps GAME [SECONDS]: random legal play through the interface, one core, processor time.
 * Prints steps and whole games per second, and the sizes on the wire. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/any_game.h"

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

enum { GAME_STEPS_MAX = 20000 };

/* One game by apply alone, without match, drafts or events. Returns its steps. */
static uint64_t one_game(const bw_game *game, bw_any *any, bw_fast *fast) {
    uint64_t steps = 0;
    for (; steps < GAME_STEPS_MAX; steps++) {
        uint32_t turn = game->turn(any->match.state);
        int seat = 0;
        while (turn && !(turn >> seat & 1)) seat++;
        if (!turn || !bw_random_action(game, any->match.state, seat, fast, any->played)) break;
        game->apply(any->match.state, seat, any->played, NULL);
    }
    return steps;
}

static uint64_t one_game_of_rounds(bw_any *any, bw_fast *fast) {
    uint64_t rounds = 0;
    while (rounds < GAME_STEPS_MAX && bw_any_step(any, fast) != BW_WATCHER) rounds++;
    return rounds;
}

static void sizes(const bw_game *game, bw_any *any, bw_fast *fast) {
    char *text = malloc(1 << 20);
    unsigned char *before = calloc(1, game->view->size), *after = calloc(1, game->view->size);
    uint64_t updates = 0, bytes = 0, largest = 0;
    if (!text || !before || !after) exit(1);
    bw_any_start(any, fast, true);
    game->view_of(any->match.state, BW_WATCHER, before);
    bw_out whole = bw_out_to(text, 1 << 20);
    bw_encode(&whole, game->view, before);
    while (updates < 200 && bw_any_step(any, fast) != BW_WATCHER) {
        game->view_of(any->match.state, BW_WATCHER, after);
        bw_out out = bw_out_to(text, 1 << 20);
        bw_encode_changes(&out, game->view, before, after, 0);
        updates++, bytes += out.length;
        largest = out.length > largest ? out.length : largest;
        memcpy(before, after, game->view->size);
    }
    printf("state %u bytes, match %zu, view %u, whole view on the wire %zu, changes of an update: mean %" PRIu64
           ", largest %" PRIu64 "\n",
           game->state_size, bw_match_bytes(game), game->view->size, whole.length, updates ? bytes / updates : 0,
           largest);
    free(text), free(before), free(after);
}

int main(int argc, char **argv) {
    const bw_game *game = argc > 1 ? bw_game_find(argv[1]) : NULL;
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 2;
    if (!game) {
        fputs("usage: steps GAME [SECONDS]\n", stderr);
        return 2;
    }
    bw_any any;
    bw_fast fast = {1};
    uint64_t steps = 0, games = 0;
    bw_any_open(&any, game);
    double start = cpu_seconds(), now = start;
    while (now - start < seconds) {
        for (int i = 0; i < 10; i++, games++) {
            bw_any_start(&any, &fast, true);
            steps += game->flags & BW_GAME_ROUNDS ? one_game_of_rounds(&any, &fast) : one_game(game, &any, &fast);
        }
        now = cpu_seconds();
    }
    printf("%s, through the interface: %.0f %s/s, %.0f games/s, %.1f steps a game\n", game->id,
           (double)steps / (now - start), game->flags & BW_GAME_ROUNDS ? "rounds" : "steps",
           (double)games / (now - start), (double)steps / (double)games);
    sizes(game, &any, &fast);
    bw_any_close(&any);
    return 0;
}
