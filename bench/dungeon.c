/* Monadungeon in figures.
 *
 *   bench_dungeon random [SECONDS] [quick|full] [SEATS]   whole random games and steps per second, one core
 *   bench_dungeon ladder A B [GAMES] [EFFORT] [SEATS]     quick games: A against B in turn at every seat
 *   bench_dungeon seats LEVEL [GAMES] [EFFORT] [full]     four of a level: winners by seat, length of games
 *   bench_dungeon tune [ROUNDS] [SEED]                    hill-climbs hard's taste (bots/monadungeon/judge.h)
 *
 * LEVEL, A, B: easy, normal, hard. Times are processor times. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bots/bots.h"
#include "bots/monadungeon/policy.h"
#include "games/monadungeon/monadungeon.h"

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int number(int argc, char **argv, int at, int otherwise) {
    return argc > at ? (int)strtol(argv[at], NULL, 10) : otherwise;
}

static void begin(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t seats, uint64_t game) {
    uint8_t seed[32] = {42};
    memcpy(seed + 8, &game, sizeof game);
    bw_dungeon_init(dungeon, config, seats, seed);
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int random_games(double seconds, bool quick, int seats) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    uint64_t steps = 0, games = 0, dragons = 0, turns = 0;
    double start = cpu_seconds(), now;
    config.quick = quick;
    do {
        bw_dungeon dungeon;
        bw_dungeon_action action;
        bw_fast fast = {games};
        begin(&dungeon, &config, (1u << seats) - 1, games++);
        while (bw_dungeon_sample(&dungeon, dungeon.current, &fast, &action)) {
            bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL);
            steps++;
        }
        dragons += dungeon.slayer != BW_DUNGEON_NONE;
        turns += dungeon.turn_number;
        now = cpu_seconds();
    } while (now - start < seconds);
    printf(
        "%d seats, %s: %.0f games/s, %.2f million steps/s, %.0f steps and %.0f turns a game, dragon beaten in %.1f%%\n",
        seats, quick ? "quick" : "full", (double)games / (now - start), (double)steps / (now - start) / 1e6,
        (double)steps / (double)games, (double)turns / (double)games, 100.0 * (double)dragons / (double)games);
    printf("state %zu bytes, view %zu bytes in memory\n", sizeof(bw_dungeon), sizeof(bw_dungeon_view));
    return 0;
}

typedef struct tally {
    double spent, worst; /* seconds of all decisions; of the longest */
    uint64_t decisions;
} tally;

typedef struct result {
    uint32_t winners, turns;
    bool dragon;
    int points;
} result;

/* One game; `bots` by seat. */
static result play(const bw_bot *const *bots, tally *tallies, const bw_dungeon_config *config, int seats, uint64_t game,
                   uint32_t effort) {
    bw_dungeon dungeon;
    bw_dungeon_view view;
    bw_dungeon_action action;
    bw_fast fast = {game};
    begin(&dungeon, config, (1u << seats) - 1, game);
    while (!dungeon.over) {
        bw_thinking thinking = {.seed = bw_fast_next(&fast), .effort = effort};
        const bw_bot *bot = bots[dungeon.current];
        tally *mine = &tallies[dungeon.current];
        bw_dungeon_view_of(&dungeon, &view);
        double before = cpu_seconds();
        uint32_t chosen = bot->choose(bot, &bw_monadungeon, &view, config, dungeon.current, &thinking, &action, 1);
        double took = cpu_seconds() - before;
        mine->spent += took;
        mine->worst = took > mine->worst ? took : mine->worst;
        mine->decisions++;
        if (chosen != 1 || bw_dungeon_apply(&dungeon, dungeon.current, &action, NULL) < 0) {
            fprintf(stderr, "game %" PRIu64 ": an illegal action\n", game);
            exit(1);
        }
        if (dungeon.turn_number > 100000) {
            fprintf(stderr, "game %" PRIu64 " does not end\n", game);
            exit(1);
        }
    }
    result outcome = {bw_dungeon_winners(&dungeon), dungeon.turn_number, dungeon.slayer != BW_DUNGEON_NONE, 0};
    for (int seat = 0; seat < seats; seat++) outcome.points += dungeon.players[seat].points;
    return outcome;
}

static const bw_bot *level(const char *name) {
    const bw_bot *bot = bw_bot_find(&bw_monadungeon, name);
    if (!bot) {
        fprintf(stderr, "no such level: %s; choose easy, normal or hard\n", name);
        exit(2);
    }
    return bot;
}

/* A's share of each game: 1 a win, shared wins in parts; with more than two seats, half of them are A's. */
static int ladder(const bw_bot *a, const bw_bot *b, int games, uint32_t effort, int seats) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    double sum = 0, squares = 0;
    tally spent[2] = {{0, 0, 0}, {0, 0, 0}};
    uint64_t turns = 0;
    config.quick = true;
    for (int game = 0; game < games; game++) {
        const bw_bot *bots[4];
        tally tallies[4] = {{0, 0, 0}};
        uint32_t of_a = 0;
        for (int seat = 0; seat < seats; seat++) {
            bool is_a = (seat + game) % 2 == 0;
            bots[seat] = is_a ? a : b;
            of_a |= (uint32_t)is_a << seat;
        }
        result outcome = play(bots, tallies, &config, seats, (uint64_t)(game / 2), effort);
        double share = (double)__builtin_popcount(outcome.winners & of_a) / __builtin_popcount(outcome.winners);
        sum += share;
        squares += share * share;
        turns += outcome.turns;
        for (int seat = 0; seat < seats; seat++) {
            tally *to = &spent[!(of_a >> seat & 1)];
            to->spent += tallies[seat].spent;
            to->decisions += tallies[seat].decisions;
            to->worst = tallies[seat].worst > to->worst ? tallies[seat].worst : to->worst;
        }
    }
    double mean = sum / games, error = 1.96 * sqrt((squares / games - mean * mean) / games);
    printf("%s against %s, %d quick games, %d seats, effort %u: %.1f%% +- %.1f (95%%), %.0f turns a game\n", a->level,
           b->level, games, seats, effort, 100 * mean, 100 * error, (double)turns / games);
    for (int i = 0; i < 2; i++) {
        printf("  %s: %.3f ms a decision, %.1f ms the longest\n", (i ? b : a)->level,
               1000 * spent[i].spent / (double)spent[i].decisions, 1000 * spent[i].worst);
    }
    return 0;
}

static int seats_of(const bw_bot *bot, int games, uint32_t effort, bool full) {
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    const bw_bot *bots[4] = {bot, bot, bot, bot};
    tally tallies[4] = {{0, 0, 0}};
    uint32_t *lengths = calloc((size_t)games, sizeof *lengths);
    double wins[4] = {0}, points = 0;
    int dragons = 0;
    config.quick = !full;
    for (int game = 0; game < games && lengths; game++) {
        result outcome = play(bots, tallies, &config, 4, (uint64_t)game, effort);
        for (int seat = 0; seat < 4; seat++) {
            wins[seat] += (outcome.winners >> seat & 1) / (double)__builtin_popcount(outcome.winners);
        }
        lengths[game] = outcome.turns;
        dragons += outcome.dragon;
        points += outcome.points;
    }
    if (lengths) {
        qsort(lengths, (size_t)games, sizeof *lengths, by_size);
        printf("four of %s, %d %s games: wins by seat %.1f %.1f %.1f %.1f %% (+- %.1f), dragon beaten in %.1f%%, "
               "%.1f points a game\nturns: %u at least, %u median, %u in nine of ten, %u at most\n",
               bot->level, games, full ? "full" : "quick", 100 * wins[0] / games, 100 * wins[1] / games,
               100 * wins[2] / games, 100 * wins[3] / games, 196 * sqrt(0.25 * 0.75 / games), 100.0 * dragons / games,
               points / games, lengths[0], lengths[games / 2], lengths[games * 9 / 10], lengths[games - 1]);
    }
    free(lengths);
    return lengths ? 0 : 1;
}

/* The policy with one taste against another, in turn at every seat; every fourth pair of games is a full one. */
static double share(const bw_dungeon_taste *a, const bw_dungeon_taste *b, int games, uint64_t first, int seats) {
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

#define TASTE_NAME(name, sound, tuned) #name,
static const char *const taste_names[] = {BW_DUNGEON_TASTES(TASTE_NAME)};
enum { TASTES = sizeof taste_names / sizeof taste_names[0] };

/* A step of the climb: one to three numbers, each up to two and a half times as large or as small. */
static bw_dungeon_taste varied(const bw_dungeon_taste *taste, bw_fast *fast) {
    int16_t numbers[TASTES];
    bw_dungeon_taste next;
    memcpy(numbers, taste, sizeof numbers);
    for (uint32_t n = 1 + bw_fast_below(fast, 3); n > 0; n--) {
        uint32_t at = bw_fast_below(fast, TASTES);
        double factor = exp((bw_fast_below(fast, 2001) / 1000.0 - 1) * 0.9);
        double number = numbers[at] * factor + (int)bw_fast_below(fast, 3) - 1;
        numbers[at] = (int16_t)(number < 0 ? 0 : number > 3000 ? 3000 : number);
    }
    memcpy(&next, numbers, sizeof next);
    next.haste = next.haste > 500 ? 500 : next.haste;
    return next;
}

static int tune(int rounds, uint64_t seed) {
    bw_dungeon_taste best = bw_dungeon_tuned;
    bw_fast fast = {seed};
    for (int round = 0; round < rounds; round++) {
        bw_dungeon_taste next = varied(&best, &fast);
        uint64_t games = bw_fast_next(&fast) >> 1;
        if (share(&next, &best, 600, games, 2) < 0.505 || share(&next, &best, 3000, games + 10000, 2) < 0.511 ||
            share(&next, &best, 1200, games + 20000, 4) < 0.505) {
            continue;
        }
        best = next;
        int16_t numbers[TASTES];
        memcpy(numbers, &best, sizeof numbers);
        printf("round %d:", round);
        for (int i = 0; i < TASTES; i++) printf(" %s %d", taste_names[i], numbers[i]);
        printf("\n");
        fflush(stdout);
    }
    printf("against the sound taste: %.1f%% with two seats, %.1f%% with four\n",
           100 * share(&best, &bw_dungeon_sound, 4000, 77, 2), 100 * share(&best, &bw_dungeon_sound, 3000, 99977, 4));
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "random") == 0) {
        return random_games(number(argc, argv, 2, 3), argc > 3 && strcmp(argv[3], "quick") == 0,
                            number(argc, argv, 4, 4));
    }
    if (argc > 3 && strcmp(argv[1], "ladder") == 0) {
        return ladder(level(argv[2]), level(argv[3]), number(argc, argv, 4, 200), (uint32_t)number(argc, argv, 5, 100),
                      number(argc, argv, 6, 2));
    }
    if (argc > 2 && strcmp(argv[1], "seats") == 0) {
        return seats_of(level(argv[2]), number(argc, argv, 3, 1000), (uint32_t)number(argc, argv, 4, 100),
                        argc > 5 && strcmp(argv[5], "full") == 0);
    }
    if (argc > 1 && strcmp(argv[1], "tune") == 0) {
        return tune(number(argc, argv, 2, 100), (uint64_t)number(argc, argv, 3, 1));
    }
    fputs("usage: bench_dungeon random|ladder|seats|tune ...; the head of bench/dungeon.c says how\n", stderr);
    return 2;
}
