/* bench_dungeon [ROUNDS] [SEED]: hill-climbs the weights of Monadungeon's hard bot (bots/monadungeon/evaluator.h).
 * bench_dungeon seats LEVEL GAMES [SEATS]: how often each seat wins when all are played by bots of that level, with
 * the default settings. A shared win counts in parts.
 *
 * `boardwalk arena monadungeon` measures a level's strength and thinking time, bench_steps the speed of the rules. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/bots.h"
#include "bots/monadungeon/policy.h"
#include "games/monadungeon/monadungeon.h"

static void begin(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t seats, uint64_t game) {
    uint8_t seed[32] = {42};
    memcpy(seed + 8, &game, sizeof game);
    bw_dungeon_init(dungeon, config, seats, seed);
}

/* One set of weights against another, in turn at every seat; every fourth pair of games is not a quick one. */
static double share(const bw_dungeon_weights *a, const bw_dungeon_weights *b, int games, uint64_t first, int seats) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    double sum = 0;
    for (int game = 0; game < games; game++) {
        bw_dungeon dungeon;
        bw_dungeon_action action;
        uint32_t of_a = game % 2 == 0 ? 5 : 10; /* every second seat */
        config.quick = game / 2 % 4 != 0;
        begin(&dungeon, &config, (1u << seats) - 1, first + (uint64_t)(game / 2));
        while (!dungeon.over) {
            bw_dungeon_choose(&dungeon, of_a >> dungeon.current & 1 ? a : b, &action);
            if (bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL) < 0) {
                fputs("an illegal action\n", stderr);
                exit(1);
            }
        }
        uint32_t winners = bw_dungeon_winners(&dungeon);
        sum += (double)__builtin_popcount(winners & of_a) / __builtin_popcount(winners);
    }
    return sum / games;
}

#define WEIGHT_NAME(name, sound, tuned) #name,
static const char *const weight_names[] = {BW_DUNGEON_WEIGHTS(WEIGHT_NAME)};
enum { WEIGHTS = sizeof weight_names / sizeof weight_names[0] };

/* A step of the climb: changes one to three weights by up to a factor of two and a half. */
static bw_dungeon_weights varied(const bw_dungeon_weights *weights, bw_fast *fast) {
    int16_t numbers[WEIGHTS];
    bw_dungeon_weights next;
    memcpy(numbers, weights, sizeof numbers);
    for (uint32_t n = 1 + bw_fast_below(fast, 3); n > 0; n--) {
        uint32_t at = bw_fast_below(fast, WEIGHTS);
        double factor = exp((bw_fast_below(fast, 2001) / 1000.0 - 1) * 0.9);
        double number = numbers[at] * factor + (int)bw_fast_below(fast, 3) - 1;
        numbers[at] = (int16_t)(number < 0 ? 0 : number > 3000 ? 3000 : number);
    }
    memcpy(&next, numbers, sizeof next);
    next.haste = next.haste > 500 ? 500 : next.haste;
    return next;
}

static uint32_t winners_between(const bw_bot *bot, const bw_dungeon_config *config, int seats, uint64_t game) {
    bw_dungeon dungeon;
    bw_dungeon_view view;
    bw_dungeon_action action;
    bw_fast fast = {game};
    begin(&dungeon, config, (1u << seats) - 1, game);
    while (!dungeon.over) {
        bw_thinking thinking = {.seed = bw_fast_next(&fast), .effort = 100};
        bw_dungeon_view_of(&dungeon, &view);
        if (bot->choose(bot, &bw_monadungeon, &view, config, dungeon.current, &thinking, &action, 1) != 1 ||
            bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL) < 0) {
            fputs("an illegal action\n", stderr);
            exit(1);
        }
    }
    return bw_dungeon_winners(&dungeon);
}

/* The share of wins by seat, with the 95 % interval of a mean. */
static int by_seat(const char *level, int games, int seats) {
    const bw_bot *bot = bw_bot_find(&bw_monadungeon, level);
    const bw_dungeon_config *config = bw_monadungeon.defaults;
    double sum[BW_DUNGEON_PLAYERS] = {0}, squares[BW_DUNGEON_PLAYERS] = {0};
    if (!bot || games < 2 || seats < 1 || seats > BW_DUNGEON_PLAYERS) return 2;
    for (int game = 0; game < games; game++) {
        uint32_t winners = winners_between(bot, config, seats, (uint64_t)game + 1);
        for (int seat = 0; seat < seats; seat++) {
            double share = (winners >> seat & 1) / (double)__builtin_popcount(winners);
            sum[seat] += share, squares[seat] += share * share;
        }
    }
    printf("%s, %d games of %d:", level, games, seats);
    for (int seat = 0; seat < seats; seat++) {
        double mean = sum[seat] / games, error = 1.96 * sqrt((squares[seat] / games - mean * mean) / games);
        printf(" %.1f +- %.1f %%", 100 * mean, 100 * error);
    }
    printf("\n");
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "seats") == 0) {
        return by_seat(argv[2], (int)strtol(argv[3], NULL, 10), argc > 4 ? (int)strtol(argv[4], NULL, 10) : 2);
    }
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    bw_dungeon_weights best = bw_dungeon_tuned;
    bw_fast fast = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    for (int round = 0; round < rounds; round++) {
        bw_dungeon_weights next = varied(&best, &fast);
        uint64_t games = bw_fast_next(&fast) >> 1;
        if (share(&next, &best, 600, games, 2) < 0.505 || share(&next, &best, 3000, games + 10000, 2) < 0.511 ||
            share(&next, &best, 1200, games + 20000, 4) < 0.505) {
            continue;
        }
        best = next;
        int16_t numbers[WEIGHTS];
        memcpy(numbers, &best, sizeof numbers);
        printf("round %d:", round);
        for (int i = 0; i < WEIGHTS; i++) printf(" %s %d", weight_names[i], numbers[i]);
        printf("\n");
        fflush(stdout);
    }
    printf("against the sound weights: %.1f%% with two seats, %.1f%% with four\n",
           100 * share(&best, &bw_dungeon_sound, 4000, 77, 2), 100 * share(&best, &bw_dungeon_sound, 3000, 99977, 4));
    return 0;
}
