/* How fast is Flooded Island? bench_flooded_island [REPEATS]
 *
 * One core, processor time, 10x10 with two floods: random legal steps per second by the inline rules and through the
 * interface, in turn (medians of the repeats, and the ratio of the two). Then how long each bot level thinks, for both
 * seats, over positions of random games. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bots/flooded_island/players.h"
#include "games/flooded_island/flooded_island.h"

enum { STEPS = 4000000, REPEATS_MAX = 99, DECISIONS = 60 };

static const bw_island_config config = {.width = 10, .height = 10, .max_flood_count = 2};

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double inline_rate(bw_fast *fast) {
    double from = cpu_seconds();
    long steps = 0;
    while (steps < STEPS) {
        bw_island_state state;
        bw_island_start(&state, &config);
        while (bw_island_random_step(&state, fast)) steps++;
    }
    return (double)steps / (cpu_seconds() - from);
}

static double interface_rate(bw_fast *fast) {
    const bw_game *game = &bw_flooded_island;
    const uint8_t seed[32] = {0};
    double from = cpu_seconds();
    long steps = 0;
    while (steps < STEPS) {
        bw_island_state state;
        bw_island_action action;
        game->init(&state, &config, 3, seed);
        for (uint32_t turn; (turn = game->turn(&state)) != 0; steps++) {
            int seat = turn == 1 ? 0 : 1;
            game->sample(&state, seat, fast, &action);
            game->apply(&state, seat, &action, NULL);
        }
    }
    return (double)steps / (cpu_seconds() - from);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_player(const bw_bot *bot, int seat) {
    double times[DECISIONS];
    int count = 0;
    void *arena = aligned_alloc(64, (bot->arena_bytes + 63) / 64 * 64);
    bw_island_state state;
    bw_fast fast = {1};
    const void *holds = NULL; /* as on a worker, which keeps what a bot leaves in its arena */
    if (!arena) exit(1);
    bw_island_start(&state, &config);
    while (count < DECISIONS) {
        if (state.winner || state.moves > 20) bw_island_start(&state, &config);
        if (state.phase == seat) {
            bw_island_view view;
            bw_island_action action;
            bw_thinking thinking = {
                .seed = 1, .effort = 100, .arena = arena, .arena_bytes = bot->arena_bytes, .holds = &holds};
            bw_flooded_island.view_of(&state, seat, &view);
            double from = cpu_seconds();
            bot->choose(bot, &bw_flooded_island, &view, &config, seat, &thinking, &action, 1);
            times[count++] = cpu_seconds() - from;
        }
        bw_island_random_step(&state, &fast);
    }
    qsort(times, DECISIONS, sizeof *times, by_size);
    printf("%-8s %-10s decides in %6.2f ms (median), %6.2f ms at most\n", bot->level, bw_flooded_island.roles[seat].id,
           1e3 * times[DECISIONS / 2], 1e3 * times[DECISIONS - 1]);
    free(arena);
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 5;
    double direct[REPEATS_MAX], through[REPEATS_MAX];
    bw_fast fast = {20240501};
    if (repeats < 1 || repeats > REPEATS_MAX) {
        fprintf(stderr, "REPEATS must be from 1 to %d\n", REPEATS_MAX);
        return 2;
    }
    for (int i = 0; i < repeats; i++) {
        direct[i] = inline_rate(&fast);
        through[i] = interface_rate(&fast);
    }
    qsort(direct, (size_t)repeats, sizeof *direct, by_size);
    qsort(through, (size_t)repeats, sizeof *through, by_size);
    printf("random legal steps: %.1f million/s inline, %.1f million/s through the interface (ratio %.2f)\n",
           direct[repeats / 2] / 1e6, through[repeats / 2] / 1e6, direct[repeats / 2] / through[repeats / 2]);
    for (int level = 0; level < BW_ISLAND_PLAYERS; level++) {
        for (int seat = 0; seat < 2; seat++) time_player(bw_island_levels[level], seat);
    }
    return 0;
}
